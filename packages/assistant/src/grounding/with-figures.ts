/**
 * With figures: a model whose references to facts become their values while it streams.
 *
 * A reference is verified; numbers that the model typed itself are held against the facts. If one that is money, a price,
 * a percentage or a ratio has none, the model is called once more, with the facts that it could cite; the better of the
 * two texts is shown, whole. A note `figures` says what is unverified, and a warning lists it. Addresses are left out.
 */
import type { Chunk, Json, Message, Model, Prompt } from "@baton/core";
import { BatonError } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { addUsage } from "@baton/core/util";
import { toFactLine } from "../facts/digest.ts";
import type { Fact } from "../facts/fact.ts";
import type { RunFacts } from "../facts/with-facts.ts";
import type { AssistantMeter } from "../metrics/assistant-meter.ts";
import { type AnswerLanguage, formatFact } from "./fact-format.ts";
import { ground } from "./ground.ts";
import type { AnswerText, Grounding, GroundingEvidence, Unverified } from "./grounding.ts";
import { scanNumbers } from "./number-scan.ts";
import { type FactReference, type FigureSpan, ReferenceStream } from "./reference-stream.ts";
import { stripLinks } from "./strip-links.ts";

/** Options of `withFigures`. */
export interface FigureOptions extends Pick<GroundingEvidence, "wordsOf" | "thresholds"> {
  /** The facts that an answer may cite. */
  readonly factsOf: RunFacts;
  readonly languageOf: (prompt: Prompt) => AnswerLanguage;
  /** The user's own messages of the conversation. */
  readonly saidOf: (prompt: Prompt) => readonly string[];
  readonly namesOf: (prompt: Prompt) => GroundingEvidence["names"];
  /** Words the warning about numbers that no fact backs. */
  readonly warn?: (numbers: readonly string[], language: AnswerLanguage) => string;
  readonly meter?: AssistantMeter;
}

/** The words in place of a reference to a fact that does not exist. */
const toUnknown = (language: AnswerLanguage): string =>
  language.startsWith("vi") ? "(không có số liệu)" : "(no such figure)";
const MAX_CITABLE = 40;
/** A share by which a number may be off the fact that it means. */
const CLOSE = 0.02;
const MAX_WARNED = 12;

type End = Extract<Chunk, { type: "end" }>;
/** One reply: its text as it is shown and as the model wrote it, and what it ended with. */
type Reply = Readonly<{ answer: AnswerText; end: End | undefined; written: string }>;

/** A reply with how its numbers are backed. */
type Checked = Reply & Readonly<{ grounding: Grounding }>;

/** The model with its figures backed by facts. */
export function withFigures(model: Model, options: FigureOptions): Model {
  return {
    ...model,
    async *stream(asked, scope) {
      const prompt = { ...asked, messages: withoutOldIds(asked) };
      const language = options.languageOf(asked);
      const factsOf = once(() => options.factsOf(asked));
      const first = yield* read(model, { prompt, scope, language, factsOf, isHeld: false });
      if (first.end?.finish === "calls") {
        yield [first.end];
        return;
      }
      const evidence = { ...toEvidence(asked, options), language, facts: await factsOf() };
      const checked = { ...first, grounding: ground(first.answer, evidence) };
      const chosen = isWorthRetry(checked, evidence, model)
        ? yield* tryAgain(model, { prompt, scope, language, factsOf, isHeld: true }, { first: checked, evidence })
        : checked;
      const shown = stripLinks(chosen.answer);
      const isChanged = shown.text !== first.answer.text;
      if (isChanged)
        yield [
          { type: "restart", reason: toReason(checked) },
          { type: "text", text: shown.text },
        ];
      const grounding = shown === chosen.answer ? chosen.grounding : ground(shown, evidence);
      // A program writes what it was given: its other numbers are its own words.
      const told = model.isProgram === true ? { ...grounding, unverified: [] } : grounding;
      count(options.meter, told, prompt);
      yield close({ ...chosen, grounding: told }, options, evidence);
    },
  };
}

const OLD_ID = /^f\d[\w./-]*\.\d+ |(?<=[:|·] )f\d[\w./-]*\.\d+ /gm;

/** Results of earlier questions without the ids of their facts: ids begin anew with each run, and would name others. */
function withoutOldIds({ messages, contextAt = 0 }: Prompt): readonly Message[] {
  return messages.map((message, at) =>
    message.role === "tool" && at < contextAt
      ? { ...message, content: message.content.replaceAll(OLD_ID, "") }
      : message,
  );
}

/** Facts are computed when a reply first may cite one, and not for a reply that only calls tools. */
function once(load: () => Promise<readonly Fact[]>): () => Promise<readonly Fact[]> {
  let facts: Promise<readonly Fact[]> | undefined;
  return () => (facts ??= load());
}

function toEvidence(prompt: Prompt, options: FigureOptions): Omit<GroundingEvidence, "facts" | "language"> {
  return {
    said: options.saidOf(prompt),
    names: options.namesOf(prompt),
    wordsOf: options.wordsOf,
    thresholds: options.thresholds,
  };
}

const figuresOf = ({ unverified }: Grounding): readonly Unverified[] => unverified.filter(({ isFigure }) => isFigure);

/** Without facts there is nothing that could be cited instead. */
function isWorthRetry({ end, grounding }: Checked, { facts }: GroundingEvidence, model: Model): boolean {
  if (model.isProgram === true || end?.finish !== "stop" || facts.length === 0) return false;
  return figuresOf(grounding).length > 0;
}

/** Calls the model again; the first reply stays unless the second has fewer figures without a fact. */
async function* tryAgain(
  model: Model,
  reading: Reading,
  { first, evidence }: Readonly<{ first: Checked; evidence: GroundingEvidence }>,
): AsyncGenerator<readonly Chunk[], Checked, undefined> {
  const { prompt, scope } = reading;
  const messages = [...prompt.messages, ...toCorrection(first, evidence.facts)];
  try {
    // Without tools: a call in this reply could not be made.
    const reply = yield* read(model, { ...reading, prompt: { ...prompt, messages, tools: [] } });
    const second = { ...reply, grounding: ground(reply.answer, evidence) };
    const isBetter =
      second.end?.finish === "stop" && figuresOf(second.grounding).length < figuresOf(first.grounding).length;
    const { end } = isBetter ? second : first;
    return { ...(isBetter ? second : first), end: end && withCost(end, first.end, reply.end) };
  } catch (thrown) {
    // A second try that fails costs nothing: there is an answer already.
    if (!(thrown instanceof BatonError) || !scope.live) throw thrown;
    return first;
  }
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

function withCost(end: End, first: End | undefined, second: End | undefined): End {
  const usage = addUsage(first?.usage ?? NO_USAGE, second?.usage ?? NO_USAGE);
  const cost = (first?.costUsd ?? 0) + (second?.costUsd ?? 0);
  return { ...end, usage, ...(cost === 0 ? {} : { costUsd: cost }) };
}

interface Reading {
  readonly prompt: Prompt;
  readonly scope: Scope;
  readonly language: AnswerLanguage;
  readonly factsOf: () => Promise<readonly Fact[]>;
  /** Its text is kept back until it is whole and checked. */
  readonly isHeld: boolean;
}

/** Streams one reply with its references replaced; its end is kept back. */
async function* read(
  model: Model,
  { prompt, scope, language, factsOf, isHeld }: Reading,
): AsyncGenerator<readonly Chunk[], Reply, undefined> {
  const byId = new Map<string, Fact>();
  const open = () => new ReferenceStream((reference) => format(reference, byId, language), toUnknown(language));
  const state: { references: ReferenceStream; text: string; written: string; end: End | undefined } = {
    references: open(),
    text: "",
    written: "",
    end: undefined,
  };
  const show = (text: string): readonly Chunk[] => {
    state.text += text;
    return text === "" || isHeld ? [] : [{ type: "text", text }];
  };
  const take = (chunk: Chunk): readonly Chunk[] => {
    if (chunk.type === "text") {
      state.written += chunk.text;
      return show(state.references.push(chunk.text));
    }
    if (chunk.type === "restart") Object.assign(state, { references: open(), text: "", written: "" });
    if (chunk.type === "end") state.end = chunk;
    return chunk.type === "end" || (isHeld && chunk.type !== "warning") ? [] : [chunk];
  };
  for await (const chunks of model.stream(prompt, scope)) {
    if (byId.size === 0 && chunks.some(mayCite)) for (const fact of await factsOf()) byId.set(fact.id, fact);
    const shown = chunks.flatMap(take);
    if (shown.length > 0) yield shown;
  }
  const rest = show(state.references.end());
  if (rest.length > 0) yield rest;
  const { references, text, end, written } = state;
  return { answer: { text, spans: references.spans, missing: references.missing }, end, written };
}

const mayCite = (chunk: Chunk): boolean => chunk.type === "text" && chunk.text.includes("{");

function format({ id, isAbsolute }: FactReference, byId: ReadonlyMap<string, Fact>, language: AnswerLanguage) {
  const fact = byId.get(id);
  if (fact === undefined) return undefined;
  return formatFact(isAbsolute ? { ...fact, value: Math.abs(fact.value) } : fact, language);
}

/** Without tools after it has used some, an agent has reached its limit of turns. */
function count(meter: AssistantMeter | undefined, grounding: Grounding, { tools, results }: Prompt): void {
  meter?.add("assistant_answers", {});
  meter?.add("assistant_figures", {}, grounding.figures);
  meter?.add("assistant_unverified_figures", {}, grounding.unverified.length);
  if (tools.length === 0 && results.length > 0) meter?.add("assistant_turn_limit", {});
}

function close({ end, grounding }: Checked, options: FigureOptions, evidence: GroundingEvidence): readonly Chunk[] {
  const { figures, referenced, matched, quoted, unverified, spans } = grounding;
  const data: Json = {
    figures,
    referenced,
    matched,
    quoted,
    unverified: unverified.map(({ text, at, why }) => ({ text, at, why })),
    spans: spans.map((span) => ({ ...span })),
    facts: citedFacts(spans, evidence.facts),
  };
  const numbers = [...new Set(unverified.map(({ text }) => text))].slice(0, MAX_WARNED);
  const warning: readonly Chunk[] =
    numbers.length === 0 ? [] : [{ type: "warning", text: (options.warn ?? toWarning)(numbers, evidence.language) }];
  return [...warning, { type: "note", kind: "figures", data }, ...(end === undefined ? [] : [end])];
}

/** The facts that the answer's figures are of, so that readers of the log need not compute them. */
function citedFacts(spans: readonly FigureSpan[], facts: readonly Fact[]): Json {
  const cited = new Set(spans.map(({ fact }) => fact));
  return facts.filter(({ id }) => cited.has(id)).map(toJson);
}

const toJson = ({ period, ...fact }: Fact): Json => ({
  ...fact,
  ...(period !== undefined && { period: { ...period } }),
});

const toWarning = (numbers: readonly string[]): string => `Not verified by any source: ${numbers.join(", ")}`;

const MAX_REASON_CHARS = 300;

function toReason({ grounding: { unverified } }: Checked): string {
  const numbers = unverified.map(({ text }) => text).join(", ");
  return (numbers === "" ? "addresses are left out" : `numbers without a fact: ${numbers}`).slice(0, MAX_REASON_CHARS);
}

/** Facts that could be meant: those close to a number without one, those of the calls that the answer cites, others. */
function findCitable(grounding: Grounding, facts: readonly Fact[]): readonly Fact[] {
  const wrong = figuresOf(grounding).flatMap(({ text }) => scanNumbers(text).flatMap(({ readings }) => readings));
  const calls = new Set(grounding.spans.map(({ fact }) => facts.find(({ id }) => id === fact)?.call));
  const isClose = (fact: Fact): boolean =>
    wrong.some(({ value }) => Math.abs(Math.abs(fact.value) - Math.abs(value)) <= CLOSE * Math.abs(value));
  const near = facts.filter(isClose);
  const cited = facts.filter(({ call }) => calls.has(call));
  return [...new Set([...near.slice(0, MAX_CITABLE / 2), ...cited, ...facts])].slice(0, MAX_CITABLE);
}

/** The first reply, and what is wrong with it: which numbers, and what could be cited. */
function toCorrection({ written, grounding }: Checked, facts: readonly Fact[]): readonly Message[] {
  const citable = findCitable(grounding, facts).map((fact) => toFactLine(fact));
  const content = [
    "These numbers of your answer are in no result:",
    ...figuresOf(grounding).map(({ text, why }) => `- ${text}: ${why}`),
    "Write the whole answer again, in the same language, with nothing changed but these. Cite each figure as its reference " +
      "in braces, such as {f1.1.1.1}; leave out what has none. Nothing can be looked up any more.",
    ...(citable.length === 0 ? [] : ["These can be cited:", ...citable]),
  ].join("\n");
  return [
    { role: "assistant", content: written },
    { role: "user", content },
  ];
}
