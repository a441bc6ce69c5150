/**
 * Forget: takes entries out of core memory and saved facts, each as a change that can be undone.
 */
import type { Documents } from "@baton/core/ports";
import type { MemoryChange } from "./change.ts";
import { toMemoryId } from "./collections.ts";
import { applyStatement } from "./core/apply-statement.ts";
import { changeCore, readCore } from "./core/core-store.ts";
import type { CoreMemory } from "./core/entry.ts";
import { toGist } from "./core/overlap.ts";
import { searchFacts } from "./recall/recall.ts";
import { dropFact } from "./recall/saved-facts.ts";

/** An entry that can be forgotten. */
export type NamedEntry = Readonly<{ id: string; text: string }>;

const MAX_FOUND = 20;

/** The entries that have all words of a query. */
export async function findEntries(documents: Documents, query: string): Promise<readonly NamedEntry[]> {
  const { human } = await readCore(documents);
  const found = await searchFacts(documents, human, { query, limit: MAX_FOUND });
  const wanted = toWordSet(query);
  const fits = ({ text }: NamedEntry): boolean => wanted.size > 0 && wanted.isSubsetOf(toWordSet(text));
  const all = [...human, ...found].map(({ id, text }) => ({ id, text }));
  return [...new Map(all.map((entry) => [entry.id, entry])).values()].filter(fits).slice(0, MAX_FOUND);
}

function toWordSet(text: string): ReadonlySet<string> {
  const { words, numbers } = toGist(text);
  return words.union(numbers);
}

/** Forgets entries; one that is gone, or says something else now, is left alone. */
export async function forgetEntries(
  documents: Documents,
  entries: readonly NamedEntry[],
  { key, at }: Readonly<{ key: string; at: string }>,
): Promise<readonly MemoryChange[]> {
  const changes: MemoryChange[] = [];
  for (const { id, text } of entries) {
    const changeId = toMemoryId("c", key, id);
    const stamp = { id, at, by: "user" as const };
    const decide = (core: CoreMemory) => {
      const isThere = core.human.some((entry) => entry.id === id && entry.text === text);
      return { ...applyStatement(core, { kind: "forgetting", ids: isThere ? [id] : [] }, { stamp }), text };
    };
    const { change } = await changeCore(documents, { id: changeId, at, decide });
    const dropped = change ?? (await dropFact(documents, id, { change: changeId, at }));
    if (dropped !== undefined) changes.push(dropped);
  }
  return changes;
}
