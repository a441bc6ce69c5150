/**
 * With figures: a model whose references to facts become their values while it streams. If another number is not backed,
 * or the answer is in the wrong language or has links, the model is called again, with the facts that it could cite; then the
 * answer is shown as it is, but without links and without numbers that only quoted text of strangers has: a note
 * `figures` says which numbers are unverified, warnings say the rest.
 */
import type { Chunk, Json, Message, Model, Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { addUsage } from "@baton/core/util";
import { toFactLine } from "../facts/fact-text.ts";
import type { Fact } from "../facts/fact.ts";
import { factsOfState } from "../facts/fact-state.ts";
import { findAnswerFaults } from "./answer-fault.ts";
import { type AnswerLanguage, formatFact } from "./fact-format.ts";
import { ground } from "./ground.ts";
import type { AnswerText, GroundingEvidence, Grounding, Unverified } from "./grounding.ts";
import { digitsIn, stripAnswer, findQuotedOnly } from "./strip-answer.ts";
import { findLinks } from "./link.ts";
import type { AssistantMeter } from "../metrics/assistant-meter.ts";
import { ReferenceStream } from "./reference-stream.ts";

/** Options of `withFigures`. */
export interface FigureOptions extends Pick<GroundingEvidence, "wordsOf" | "thresholds"> {
  readonly languageOf: (prompt: Prompt) => AnswerLanguage;
  readonly questionOf: (prompt: Prompt) => string;
  readonly namesOf: (prompt: Prompt) => GroundingEvidence["names"];
  readonly momentsOf?: (prompt: Prompt) => readonly string[];
  /** Texts of strangers that the prompt has: headlines, memories, earlier messages. */
  readonly quotedOf?: (prompt: Prompt) => readonly string[];
  readonly meter?: AssistantMeter;
}

const UNKNOWN: Readonly<Record<AnswerLanguage, string>> = { en: "(unknown)", vi: "(không rõ)" };
const MAX_CITABLE = 60;

type End = Extract<Chunk, { type: "end" }>;
/** One reply: what it was held against, and what it ended with. */
type Reply = { answer: AnswerText; end: End | undefined };

/** The model with its figures backed by facts. */
export function withFigures(model: Model, options: FigureOptions): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      const facts = factsOfState({ entries: () => prompt.values });
      const count = (grounding: Grounding) => countAnswer(options.meter, grounding, prompt);
      const evidence: GroundingEvidence = {
        facts,
        question: options.questionOf(prompt),
        language: options.languageOf(prompt),
        names: options.namesOf(prompt),
        wordsOf: options.wordsOf,
        thresholds: options.thresholds,
        moments: options.momentsOf?.(prompt) ?? [],
      };
      const quoted = model.isProgram === true ? new Set<string>() : digitsIn(options.quotedOf?.(prompt) ?? []);
      const first = check(yield* read(model, { prompt, scope, evidence, isHeld: false }), evidence, quoted);
      if (model.isProgram === true) {
        yield close({ ...first, faults: [] }, count);
        return;
      }
      if (!needsAnother(first, evidence)) {
        if (needsLess(first)) yield [{ type: "restart", reason: toReason(first) }, ...toLess(first, evidence)];
        yield close(withLess(first, evidence), count);
        return;
      }
      yield [{ type: "restart", reason: toReason(first) }];
      const again = { ...prompt, messages: [...prompt.messages, toCorrection(first, evidence)] };
      const second = check(yield* read(model, { prompt: again, scope, evidence, isHeld: true }), evidence, quoted);
      yield toLess(second, evidence);
      const usage = addUsage(first.end?.usage ?? NO_USAGE, second.end?.usage ?? NO_USAGE);
      const cost = (first.end?.costUsd ?? 0) + (second.end?.costUsd ?? 0);
      const end = second.end && { ...second.end, usage, ...(cost === 0 ? {} : { costUsd: cost }) };
      yield close(withLess({ ...second, end }, evidence), count);
    },
  };
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/** A reply with what is wrong with it. */
interface Checked extends Reply {
  readonly grounding: Grounding;
  /** Beside its numbers. */
  readonly faults: readonly string[];
  /** Numbers that only quoted text has. */
  readonly strange: readonly Unverified[];
}

function check(reply: Reply, evidence: GroundingEvidence, quoted: ReadonlySet<string>): Checked {
  const faults = findAnswerFaults(reply.answer.text, evidence.language);
  const grounding = ground(reply.answer, evidence);
  return { ...reply, grounding, faults, strange: findQuotedOnly(grounding.unverified, quoted) };
}

function needsAnother({ end, grounding, faults, strange }: Checked, { facts }: GroundingEvidence): boolean {
  const canCite = grounding.unverified.length > 0 && facts.length > 0;
  return end?.finish === "stop" && (canCite || faults.length > 0 || strange.length > 0);
}

const needsLess = ({ answer, strange }: Checked): boolean => strange.length > 0 || findLinks(answer.text).length > 0;

/** The text that is shown of a reply. */
function toLess({ answer, strange }: Checked, { language }: GroundingEvidence): readonly Chunk[] {
  const { text } = stripAnswer(answer, strange, language);
  return text === "" ? [] : [{ type: "text", text }];
}

/** The reply as it is shown; what was left out counts as unverified. */
function withLess(checked: Checked, evidence: GroundingEvidence): Checked {
  if (!needsLess(checked)) return checked;
  const { strange } = checked;
  const answer = stripAnswer(checked.answer, strange, evidence.language);
  const grounding = ground(answer, evidence);
  const left = strange.map(({ text, at }) => ({ text, at, why: "only quoted text has it, so it is left out" }));
  const unverified = [...grounding.unverified, ...left].toSorted((one, other) => one.at - other.at);
  return { ...checked, answer, grounding: { ...grounding, figures: grounding.figures + left.length, unverified } };
}

interface Reading {
  readonly prompt: Prompt;
  readonly scope: Scope;
  readonly evidence: GroundingEvidence;
  /** Its text is kept back until it is whole and checked. */
  readonly isHeld: boolean;
}

/** Streams one reply with its references replaced; its end is kept back. */
async function* read(
  model: Model,
  { prompt, scope, evidence, isHeld }: Reading,
): AsyncGenerator<readonly Chunk[], Reply, undefined> {
  const byId = new Map(evidence.facts.map((fact) => [fact.id, fact]));
  const open = () => new ReferenceStream((id) => format(byId.get(id), evidence.language), UNKNOWN[evidence.language]);
  const state: { references: ReferenceStream; text: string; end: End | undefined } = {
    references: open(),
    text: "",
    end: undefined,
  };
  const take = (chunk: Chunk): readonly Chunk[] => {
    if (chunk.type === "text") return show(state.references.push(chunk.text));
    if (chunk.type === "restart") Object.assign(state, { references: open(), text: "" });
    if (chunk.type !== "end") return [chunk];
    state.end = chunk;
    return [];
  };
  const show = (text: string): readonly Chunk[] => {
    state.text += text;
    return text === "" || isHeld ? [] : [{ type: "text", text }];
  };
  for await (const chunks of model.stream(prompt, scope)) {
    const shown = chunks.flatMap(take);
    if (shown.length > 0) yield shown;
  }
  const rest = show(state.references.end());
  if (rest.length > 0) yield rest;
  const { references, text, end } = state;
  return { answer: { text, spans: references.spans, missing: references.missing }, end };
}

const format = (fact: Fact | undefined, language: AnswerLanguage): string | undefined =>
  fact === undefined ? undefined : formatFact(fact, language);

/** Without tools after it has used some, an agent has reached its limit of turns. */
function countAnswer(meter: AssistantMeter | undefined, grounding: Grounding, { tools, results }: Prompt): void {
  meter?.add("assistant_answers", {});
  meter?.add("assistant_figures", {}, grounding.figures);
  meter?.add("assistant_unverified_figures", {}, grounding.unverified.length);
  if (tools.length === 0 && results.length > 0) meter?.add("assistant_turn_limit", {});
}

function close({ end, grounding, faults }: Checked, count: (grounding: Grounding) => void): readonly Chunk[] {
  if (end?.finish !== "calls") count(grounding);
  const data: Json = {
    figures: grounding.figures,
    referenced: grounding.referenced,
    matched: grounding.matched,
    unverified: grounding.unverified.map((one) => ({ ...one })),
    spans: grounding.spans.map((span) => ({ ...span })),
  };
  const warnings = faults.map((text): Chunk => ({ type: "warning", text }));
  const note: Chunk = { type: "note", kind: "figures", data };
  return [...warnings, note, ...(end === undefined ? [] : [end])];
}

const MAX_REASON_CHARS = 300;

function toReason({ grounding: { unverified }, faults }: Checked): string {
  const numbers = unverified.map(({ text }) => text).join(", ");
  const reasons = [...(numbers === "" ? [] : [`numbers without a fact: ${numbers}`]), ...faults];
  return reasons.join("; ").slice(0, MAX_REASON_CHARS);
}

/** Says what is wrong, and what could be cited. */
function toCorrection({ answer, grounding, faults }: Checked, { facts }: GroundingEvidence): Message {
  const problems = [...grounding.unverified.map(({ text: number, why }) => `${number}: ${why}`), ...faults];
  const citable = facts.slice(0, MAX_CITABLE).map((fact) => toFactLine(fact));
  const content = [
    "Your answer was not shown, because of this:",
    ...problems.map((problem) => `- ${problem}`),
    "Write the whole answer again. Cite each number as its reference in braces, such as {f1.1.1.1}; leave out what has no fact.",
    ...(citable.length === 0 ? [] : ["These facts can be cited:", ...citable]),
    "Your answer was:",
    answer.text,
  ].join("\n");
  return { role: "user", content };
}
