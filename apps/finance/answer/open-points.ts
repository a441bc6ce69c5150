/**
 * Open points: names that were not found, and what results say is missing, are listed under an answer that does not mention
 * them by symbol or name and by a word. Words are known in English and Vietnamese; elsewhere a point without a name is left to
 * the model. Companies that only the model looked up are not listed if the user named others.
 */
import type { Chunk, Model, Prompt } from "@baton/core";
import { runState } from "../crew/run-state.ts";
import { type MissingPoint, recordsOf } from "../tools/frame/recorded-call.ts";
import { namesOf } from "./figures/listing-names.ts";
import { metricLabel, wordsOf } from "./figures/metric-words.ts";

const MAX_LISTED = 8;

/** The model, whose answers end with a line about what they leave open. */
export function withOpenPoints(model: Model): Model {
  return { ...model, stream: (prompt, scope) => addLine(model.stream(prompt, scope), prompt) };
}

async function* addLine(stream: AsyncIterable<readonly Chunk[]>, prompt: Prompt) {
  let text = "";
  for await (const chunks of stream) {
    for (const chunk of chunks) {
      if (chunk.type === "restart") text = "";
      if (chunk.type === "text") text += chunk.text;
    }
    const isAnswer = chunks.some((chunk) => chunk.type === "end" && chunk.finish === "stop");
    const line = isAnswer && text.trim() !== "" ? toLine(text, prompt) : undefined;
    yield line === undefined ? chunks : [{ type: "text", text: `\n\n${line}` } as const, ...chunks];
  }
}

function toLine(text: string, prompt: Prompt): string | undefined {
  const language = runState.get(prompt, "language") ?? "en";
  const isMentioned = mentionedIn(text, prompt, language);
  const points = [
    ...runState.get(prompt, "unknown_names").map((symbol) => ({ symbol })),
    ...recordsOf({ entries: () => prompt.values }).flatMap(({ missing }) => missing.filter(askedIn(prompt))),
  ].filter((point) => !isMentioned(point));
  const labels = [...new Set(points.map((point) => toLabel(point, language)))];
  if (labels.length === 0) return undefined;
  const more = labels.length > MAX_LISTED ? ["…"] : [];
  const head = language.startsWith("vi") ? "Chưa trả lời" : "Not answered";
  return `${head}: ${[...labels.slice(0, MAX_LISTED), ...more].join(", ")}.`;
}

/** Whether the user asked about a point's company; if the question names none, every company counts. */
function askedIn(prompt: Prompt): (point: MissingPoint) => boolean {
  const asked = new Set(runState.get(prompt, "own_symbols"));
  return ({ symbol }) => symbol === undefined || asked.size === 0 || asked.has(symbol);
}

/** `beta of TSLA`. */
function toLabel({ symbol, what }: MissingPoint, language: string): string {
  const isVietnamese = language.startsWith("vi");
  const label = what === undefined ? undefined : metricLabel(what, isVietnamese ? "vi" : "en");
  return [label, symbol].filter((part) => part !== undefined).join(isVietnamese ? " của " : " of ");
}

function mentionedIn(text: string, prompt: Prompt, language: string): (point: MissingPoint) => boolean {
  const lower = text.toLowerCase();
  const has = (words: readonly string[]): boolean => words.some((word) => lower.includes(word.toLowerCase()));
  const told = recordsOf({ entries: () => prompt.values }).flatMap(({ symbols }) => symbols);
  const names = new Map(told.map(({ symbol, name }) => [symbol, name === undefined ? [] : namesOf({ symbol, name })]));
  const isKnown = language.startsWith("en") || language.startsWith("vi");
  return ({ symbol, what }) => {
    const isNamed = symbol === undefined || has([symbol, ...(names.get(symbol) ?? [])]);
    if (what === undefined || !isNamed) return isNamed;
    return !isKnown || has([toSubject(what), ...wordsOf(what)]);
  };
}

/** `beta < 1` is about beta. */
const toSubject = (what: string): string => what.split(/[<>=:(]/, 1)[0]?.trim() || what;
