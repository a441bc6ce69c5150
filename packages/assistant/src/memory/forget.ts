/**
 * Forget: takes entries out of core memory and saved facts, each as a change that can be undone.
 */
import type { Documents } from "@baton/core/ports";
import type { MemoryChange } from "./change.ts";
import { applyStatement } from "./core/apply-statement.ts";
import { changeCore, readCore } from "./core/core-store.ts";
import { searchFacts, stemsOf } from "./recall/recall.ts";
import { dropFact, type FactRequest } from "./recall/saved-facts.ts";

/** An entry that can be forgotten. */
export type NamedEntry = Readonly<{ id: string; text: string }>;

const MAX_FOUND = 20;

/** The entries that have all words of a query. */
export async function findEntries(documents: Documents, query: string): Promise<readonly NamedEntry[]> {
  const { human } = await readCore(documents);
  const found = await searchFacts(documents, human, { query, limit: MAX_FOUND });
  const wanted = stemsOf(query);
  return wanted.size === 0 ? [] : found.filter(({ text }) => wanted.isSubsetOf(stemsOf(text)));
}

/** Forgets an entry; undefined if there is none of this id, or it says something else than `text`. */
export async function forgetEntry(
  documents: Documents,
  { id, text }: Readonly<{ id: string; text?: string }>,
  request: FactRequest,
): Promise<MemoryChange | undefined> {
  const { change: changeId, at } = request;
  const { change } = await changeCore(documents, {
    id: changeId,
    at,
    decide: (core) => {
      const isThere = [...core.persona, ...core.human].some((one) => one.id === id && one.text === (text ?? one.text));
      const done = applyStatement(core, { kind: "forgetting", ids: isThere ? [id] : [] }, { id, at, by: "user" });
      return { ...done, text: done.entry?.text ?? "" };
    },
  });
  return change ?? dropFact(documents, id, request);
}
