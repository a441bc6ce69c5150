/**
 * Apply statement: what a statement does to what is known: ADD, UPDATE, DELETE, MERGE or NOOP.
 *
 * Pure. No limit is ever passed: what does not fit is a NOOP with its reason. Each result lists its edits, so that
 * `undoEdits` brings back what was before. What contradicts what is a model's to judge: it names the entry to replace.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { BLOCKS, type Category, CORE_CAPS, type CoreMemory, ENTRY, type MemoryEntry, fitsCore } from "./entry.ts";

/** The operations on memory. */
export const OPERATIONS = ["ADD", "UPDATE", "DELETE", "MERGE", "NOOP"] as const;

/** An operation on memory. */
export type Operation = (typeof OPERATIONS)[number];

/** Something to remember. Two statements with one key cannot both hold. */
export interface MemoryClaim {
  readonly kind: "claim";
  readonly text: string;
  readonly category: Category;
  readonly key?: string;
  /** The id of the entry that it takes the place of. */
  readonly replaces?: string;
}

/** A statement about a user: something to remember, or entries to forget. */
export type Statement = MemoryClaim | Readonly<{ kind: "forgetting"; ids: readonly string[] }>;

/** The id, time and author of a new entry. */
export type EntryStamp = Pick<MemoryEntry, "id" | "at" | "by">;

/** One entry that was added, removed or replaced, and its position. */
export const EDIT = z.object({
  block: z.enum(BLOCKS),
  index: z.int().min(0),
  before: ENTRY.exactOptional(),
  after: ENTRY.exactOptional(),
});

export type Edit = Readonly<z.output<typeof EDIT>>;

/** The result of a statement. */
export interface StatementResult {
  readonly operation: Operation;
  readonly core: CoreMemory;
  readonly edits: readonly Edit[];
  /** The entry that says it now, or the one that was removed. */
  readonly entry?: MemoryEntry;
  /** Why nothing was done, if something should have been. */
  readonly reason?: string;
}

/** Carries a statement out. */
export function applyStatement(core: CoreMemory, statement: Statement, stamp: EntryStamp): StatementResult {
  if (statement.kind === "forgetting") return remove(core, new Set(statement.ids));
  const { text, category, key } = statement;
  const { operation, known } = decideClaim(core.human, statement);
  if (operation === "NOOP") return { ...nothing(core), ...omitUndefined({ entry: known }) };
  const after = { ...stamp, id: known?.id ?? stamp.id, text, category, ...omitUndefined({ key }) };
  const index = known === undefined ? core.human.length : core.human.indexOf(known);
  const edit = { block: "human", index, after, ...omitUndefined({ before: known }) } as const;
  const changed = applyEdits(core, [edit]);
  if (fitsCore(changed)) return { operation, core: changed, edits: [edit], entry: after };
  const reason = `core memory is full: at most ${CORE_CAPS.human} tokens; delete or shorten an entry`;
  return { ...nothing(core), reason };
}

type ClaimDecision = Readonly<{ operation: "ADD" | "UPDATE" | "MERGE" | "NOOP"; known?: MemoryEntry }>;

/** Decides by key, then by what the claim replaces, then by its words. */
function decideClaim(entries: readonly MemoryEntry[], { text, category, key, replaces }: MemoryClaim): ClaimDecision {
  const keyed = key === undefined ? undefined : entries.find((entry) => entry.key === key);
  const replaced = keyed ?? entries.find(({ id }) => id === replaces);
  const words = wordsOf(text);
  const isSame = (entry: MemoryEntry) => words.symmetricDifference(wordsOf(entry.text)).size === 0;
  if (replaced !== undefined) return { operation: isSame(replaced) ? "NOOP" : "UPDATE", known: replaced };
  const same = entries.find(isSame);
  if (same !== undefined) return { operation: "NOOP", known: same };
  const isPart = (entry: MemoryEntry) =>
    entry.key === undefined && entry.category === category && wordsOf(entry.text).isSubsetOf(words);
  const part = key === undefined ? entries.find(isPart) : undefined;
  return part === undefined ? { operation: "ADD" } : { operation: "MERGE", known: part };
}

/** The words of a text, whatever their case and order. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text],
  );

/** Core memory after some edits. */
export function applyEdits(core: CoreMemory, edits: readonly Edit[]): CoreMemory {
  return edits.reduce((changed, { block, index, before, after }) => {
    const inserted = after === undefined ? [] : [after];
    return { ...changed, [block]: changed[block].toSpliced(index, before === undefined ? 0 : 1, ...inserted) };
  }, core);
}

/** The edits that replace all entries. */
export function replaceAll(core: CoreMemory, next: CoreMemory): readonly Edit[] {
  return BLOCKS.flatMap((block): readonly Edit[] => [
    ...core[block].map((before) => ({ block, index: 0, before })),
    ...next[block].map((after, index) => ({ block, index, after })),
  ]);
}

/** Core memory as it was before some edits; or why that cannot be. */
export function undoEdits(
  core: CoreMemory,
  edits: readonly Edit[],
): Readonly<{ ok: true; core: CoreMemory } | { ok: false; reason: string }> {
  let restored = core;
  for (const { block, index, before, after } of edits.toReversed()) {
    const entries = restored[block];
    const at = after === undefined ? Math.min(index, entries.length) : entries.findIndex(({ id }) => id === after.id);
    if (after !== undefined && !isEqual(entries[at], after)) return refuse("it was changed since");
    if (after === undefined && entries.some(({ id }) => id === before?.id)) return refuse("it is there again");
    const back = before === undefined ? [] : [before];
    restored = { ...restored, [block]: entries.toSpliced(at, after === undefined ? 0 : 1, ...back) };
  }
  const isTwice = hasTwins(restored) && !hasTwins(core);
  if (isTwice) return refuse("another entry has taken its place");
  return fitsCore(restored) ? { ok: true, core: restored } : refuse("core memory has no room for it");
}

const refuse = (reason: string) => ({ ok: false, reason }) as const;

function hasTwins({ persona, human }: CoreMemory): boolean {
  const keys = [...persona, ...human].flatMap(({ key }) => (key === undefined ? [] : [key]));
  return new Set(keys).size < keys.length;
}

const isEqual = (one: MemoryEntry | undefined, other: MemoryEntry): boolean =>
  one?.text === other.text && one.at === other.at;

function remove(core: CoreMemory, ids: ReadonlySet<string>): StatementResult {
  const edits = BLOCKS.flatMap((block) => {
    const gone = core[block].flatMap((before, index) => (ids.has(before.id) ? [{ block, index, before }] : []));
    return gone.map((edit, earlier): Edit => ({ ...edit, index: edit.index - earlier }));
  });
  const entry = edits[0]?.before;
  if (entry === undefined) return nothing(core);
  return { operation: "DELETE", core: applyEdits(core, edits), edits, entry };
}

const nothing = (core: CoreMemory): StatementResult => ({ operation: "NOOP", core, edits: [] });
