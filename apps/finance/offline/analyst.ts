/**
 * Analyst: calls the tools that the rules choose, all at once, and says what came of it.
 *
 * It never asks twice: what has no data, or several meanings, is the answer's to tell.
 */
import type { Decision, Json, PastCall, Prompt } from "@baton/core";
import { z } from "zod";
import type { Language } from "../intent/intent.ts";
import { isSearching } from "./conversation.ts";
import { lookedUpBy } from "./tool-topics.ts";
import { toView } from "./view.ts";

/** A call that the rules chose. */
export type ChosenCall = Readonly<{ tool: string; args: Json }>;

const SEARCH = "tool_search";

const TEXT = {
  en: {
    found: (what: string) => `Looked up: ${what}.`,
    failed: (what: string) => ` Not found out: ${what}.`,
    nothing: "There is nothing to look up.",
  },
  vi: {
    found: (what: string) => `Đã tra cứu: ${what}.`,
    failed: (what: string) => ` Không tra được: ${what}.`,
    nothing: "Không có gì để tra cứu.",
  },
} as const;

/** One step of the analyst; `choose` gives the calls of its first. */
export async function analyse(prompt: Prompt, choose: () => Promise<readonly ChosenCall[]>): Promise<Decision> {
  const { language } = toView(prompt);
  const hasSearched = prompt.results.length > 0 && prompt.results.every(({ tool }) => tool === SEARCH);
  if (prompt.results.length > 0 && !hasSearched) return toEnd(prompt, language);
  const offered = new Set(prompt.tools.map(({ name }) => name));
  const chosen = await choose();
  const hidden = new Set(chosen.map(({ tool }) => tool).filter((tool) => !offered.has(tool)));
  if (hidden.size > 0 && !hasSearched && isSearching(prompt)) {
    return { call: Array.from(hidden, (query) => ({ tool: SEARCH, args: { query, top_k: 3 } })) };
  }
  const calls = chosen.filter(({ tool }) => offered.has(tool));
  return calls.length === 0 ? { say: TEXT[language].nothing } : { call: calls };
}

function toEnd({ results, values }: Prompt, language: Language): Decision {
  const words = TEXT[language];
  const failed = results.filter(({ error }) => error !== undefined);
  const found = results.filter(({ error }) => error === undefined);
  const list = (calls: readonly PastCall[]) =>
    [...new Set(calls.map(({ tool }) => lookedUpBy(tool, language)))].join(", ");
  const say = [
    found.length === 0 ? "" : words.found(list(found)),
    failed.length === 0 ? "" : words.failed(list(failed)),
  ].join("");
  const before = z.array(z.json()).safeParse(values.get("failures")).data ?? [];
  return { say: say.trim(), set: { failures: [...before, ...failed.map(toFailure)] } };
}

function toFailure({ tool, args, error }: PastCall): Json {
  return { tool, args, kind: error?.kind ?? "crash", message: error?.message ?? "" };
}
