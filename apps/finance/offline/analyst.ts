/**
 * Analyst: calls the tools that the rules choose, all at once, then those that follow from their results, and says what
 * came of it.
 *
 * It never asks twice: what has no data, or several meanings, is the answer's to tell.
 */
import type { Decision, Json, Prompt } from "@baton/core";
import type { PastCall } from "@baton/core/ports";
import { z } from "zod";
import type { QuestionLanguage } from "../intent/intent.ts";
import { runState } from "../crew/run-state.ts";
import { isSearching } from "./conversation.ts";
import { lookedUpBy } from "./words/tool-topics.ts";
import { toView } from "./view.ts";

/** A call that the rules chose. */
export type OfflineCall = Readonly<{ tool: string; args: Json }>;

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

/** Which calls the rules choose. */
export interface Chooser {
  readonly first: () => Promise<readonly OfflineCall[]>;
  /** Those that follow from results. */
  readonly next: (made: readonly PastCall[]) => Promise<readonly OfflineCall[]>;
}

/** What the analyst has called before the step before. */
const BEFORE = z.object({
  called: z.array(z.object({ tool: z.string(), args: z.json(), kind: z.string(), message: z.string() })),
});

/** A call; `kind` says how it failed, or is empty. */
interface Past {
  readonly tool: string;
  readonly args: Json;
  readonly kind: string;
  readonly message: string;
}

/** One step of the analyst. */
export async function analyse(prompt: Prompt, choose: Chooser): Promise<Decision> {
  const { language } = toView(prompt);
  const { results } = prompt;
  const before = BEFORE.safeParse(prompt.state).data?.called ?? [];
  const hasSearched = results.length > 0 && results.every(({ tool }) => tool === SEARCH);
  if (results.length > 0 && !hasSearched) {
    const called = [...before, ...results.map(toPast)];
    const next = before.length > 0 ? [] : offeredOf(prompt, await choose.next(results));
    return next.length > 0 ? { call: next, state: z.json().parse({ called }) } : toEnd(prompt, called, language);
  }
  const chosen = await choose.first();
  const hidden = new Set(chosen.map(({ tool }) => tool).filter((tool) => !isOffered(prompt, tool)));
  if (hidden.size > 0 && !hasSearched && isSearching(prompt)) {
    return { call: Array.from(hidden, (query) => ({ tool: SEARCH, args: { query, top_k: 3 } })) };
  }
  const calls = offeredOf(prompt, chosen);
  return calls.length === 0 ? { say: TEXT[language].nothing } : { call: calls };
}

const isOffered = ({ tools }: Prompt, tool: string): boolean => tools.some(({ name }) => name === tool);
const offeredOf = (prompt: Prompt, calls: readonly OfflineCall[]): readonly OfflineCall[] =>
  calls.filter(({ tool }) => isOffered(prompt, tool));

const toPast = ({ tool, args, error }: PastCall): Past => ({
  tool,
  args,
  kind: error === undefined ? "" : (error.kind ?? "crash"),
  message: error?.message ?? "",
});

function toEnd(prompt: Prompt, called: readonly Past[], language: QuestionLanguage): Decision {
  const words = TEXT[language];
  const failed = called.filter(({ kind }) => kind !== "");
  const found = called.filter(({ kind }) => kind === "");
  const list = (calls: readonly Past[]) => [...new Set(calls.map(({ tool }) => lookedUpBy(tool, language)))].join(", ");
  const say = [
    found.length === 0 ? "" : words.found(list(found)),
    failed.length === 0 ? "" : words.failed(list(failed)),
  ].join("");
  const failures = [
    ...runState.get(prompt, "failures"),
    ...failed.map(({ tool, args, kind, message }) => ({ tool, args, kind, message })),
  ];
  return { say: say.trim(), set: runState.toSet({ failures }) };
}
