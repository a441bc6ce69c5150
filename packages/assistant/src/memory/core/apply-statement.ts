/**
 * Operate: what a statement does to what is known: ADD, UPDATE, DELETE, MERGE or NOOP.
 *
 * Pure. No limit is ever passed: what does not fit is a NOOP with its reason. Each result lists its edits, so that
 * `undo` brings back what was before.
 */
import { omitUndefined } from "@baton/core/util";
import {
  type CoreBlock,
  type Category,
  CORE_CAPS,
  type CoreCaps,
  type CoreMemory,
  type MemoryEntry,
  fitsCore,
  MAX_ENTRY_CHARS,
} from "./entry.ts";
import { compareGists, type Overlap, toGist } from "./overlap.ts";

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
  readonly value?: string;
  /** The id of the entry that it takes the place of. */
  readonly replaces?: string;
}

/** Something to forget: the entries of these ids. */
export interface Forgetting {
  readonly kind: "forgetting";
  readonly ids: readonly string[];
}

/** A statement about a user. */
export type Statement = MemoryClaim | Forgetting;

/** The id, time and author of a new entry. */
export interface EntryStamp {
  readonly id: string;
  readonly at: string;
  readonly by: MemoryEntry["by"];
}

/** One entry that was added, removed or replaced, and its position. */
export interface Edit {
  readonly block: CoreBlock;
  readonly index: number;
  readonly before?: MemoryEntry;
  readonly after?: MemoryEntry;
}

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

/** Carries a statement out on the block `human`. */
export function applyStatement(
  core: CoreMemory,
  statement: Statement,
  { stamp, caps = CORE_CAPS }: Readonly<{ stamp: EntryStamp; caps?: CoreCaps }>,
): StatementResult {
  if (statement.kind === "forgetting") return remove(core, ({ id }) => statement.ids.includes(id));
  const decided = decideClaim(core.human, statement);
  if (decided.operation === "NOOP") return { ...nothing(core), entry: decided.known };
  const edit = toEdit(core, decided, { statement, stamp });
  const changed = applyEdits(core, [edit]);
  if (fitsCore(changed, caps)) {
    return { operation: decided.operation, core: changed, edits: [edit], ...omitUndefined({ entry: edit.after }) };
  }
  return { ...nothing(core), reason: `core memory is full: at most ${caps.human} tokens; delete or shorten an entry` };
}

/** The decision about a claim, given the existing entries. */
export type ClaimDecision =
  | { readonly operation: "ADD" }
  | { readonly operation: "NOOP"; readonly known: MemoryEntry }
  | { readonly operation: "UPDATE" | "MERGE"; readonly known: MemoryEntry; readonly text: string };

/** Decides by what it replaces, then by key, then by words. */
export function decideClaim(entries: readonly MemoryEntry[], claim: MemoryClaim): ClaimDecision {
  const replaced = claim.replaces === undefined ? undefined : entries.find(({ id }) => id === claim.replaces);
  if (replaced !== undefined) {
    const isSame = toPlain(replaced.text) === toPlain(claim.text);
    return isSame ? { operation: "NOOP", known: replaced } : { operation: "UPDATE", known: replaced, text: claim.text };
  }
  const keyed = claim.key === undefined ? undefined : entries.find(({ key }) => key === claim.key);
  if (keyed !== undefined) {
    if (toValue(keyed) === toValue(claim)) return { operation: "NOOP", known: keyed };
    return { operation: "UPDATE", known: keyed, text: claim.text };
  }
  const gist = toGist(claim.text);
  const compared = entries.map((known) => ({ known, overlap: compareGists(gist, toGist(known.text)) }));
  const same = compared.find(({ known, overlap }) => overlap === "same" || toPlain(known.text) === toPlain(claim.text));
  if (same !== undefined) return { operation: "NOOP", known: same.known };
  if (claim.key !== undefined) return { operation: "ADD" };
  const free = compared.filter(({ known }) => known.key === undefined && known.category === claim.category);
  for (const overlap of ORDER) {
    const one = free.find((candidate) => candidate.overlap === overlap);
    const decided = one === undefined ? undefined : combine(one.known, overlap, claim);
    if (decided !== undefined) return decided;
  }
  return { operation: "ADD" };
}

/** The order in which overlaps are looked for. */
const ORDER: readonly Overlap[] = ["opposite", "within", "beyond", "renumbered", "near"];

function combine(known: MemoryEntry, overlap: Overlap, { text, category }: MemoryClaim): ClaimDecision | undefined {
  if (overlap === "within") return { operation: "NOOP", known };
  if (overlap === "opposite") return { operation: "UPDATE", known, text };
  if (overlap === "beyond") return { operation: "MERGE", known, text };
  if (overlap === "renumbered") {
    // Two facts with different figures may both be true; an aim has one.
    return category === "fact" ? undefined : { operation: "UPDATE", known, text };
  }
  const both = `${known.text}; ${text}`;
  return both.length > MAX_ENTRY_CHARS ? undefined : { operation: "MERGE", known, text: both };
}

type Placing = Readonly<{ statement: MemoryClaim; stamp: EntryStamp }>;

function toEdit(core: CoreMemory, decided: Exclude<ClaimDecision, { operation: "NOOP" }>, placing: Placing): Edit {
  if (decided.operation === "ADD") {
    return { block: "human", index: core.human.length, after: toNewEntry(placing) };
  }
  const { known, text } = decided;
  const { statement, stamp } = placing;
  const after = toNewEntry({ statement: { ...statement, text }, stamp: { ...stamp, id: known.id } });
  return { block: "human", index: core.human.indexOf(known), before: known, after };
}

/** The entry that a claim makes. */
export function toNewEntry({ statement, stamp }: Placing): MemoryEntry {
  const { text, category, key, value } = statement;
  return { ...stamp, text, category, ...omitUndefined({ key, value }) };
}

/** Core memory after some edits. */
export function applyEdits(core: CoreMemory, edits: readonly Edit[]): CoreMemory {
  return edits.reduce((changed, { block, index, before, after }) => {
    const inserted = after === undefined ? [] : [after];
    return { ...changed, [block]: changed[block].toSpliced(index, before === undefined ? 0 : 1, ...inserted) };
  }, core);
}

/** The edits that replace all entries. */
export function replaceAll(core: CoreMemory, next: CoreMemory): readonly Edit[] {
  return (["persona", "human"] as const).flatMap((block): readonly Edit[] => [
    ...core[block].map((before) => ({ block, index: 0, before })),
    ...next[block].map((after, index) => ({ block, index, after })),
  ]);
}

/** Core memory as it was before some edits; or why that cannot be. */
export function undoEdits(
  core: CoreMemory,
  edits: readonly Edit[],
  caps: CoreCaps = CORE_CAPS,
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
  return fitsCore(restored, caps) ? { ok: true, core: restored } : refuse("core memory has no room for it");
}

const refuse = (reason: string) => ({ ok: false, reason }) as const;

function hasTwins({ persona, human }: CoreMemory): boolean {
  const keys = [...persona, ...human].flatMap(({ key }) => (key === undefined ? [] : [key]));
  return new Set(keys).size < keys.length;
}

function isEqual(one: MemoryEntry | undefined, other: MemoryEntry): boolean {
  return one !== undefined && one.text === other.text && one.at === other.at && one.value === other.value;
}

function remove(core: CoreMemory, isGone: (entry: MemoryEntry) => boolean): StatementResult {
  const edits: Edit[] = [];
  for (const [index, before] of core.human.entries()) {
    if (isGone(before)) edits.push({ block: "human", index: index - edits.length, before });
  }
  const entry = edits[0]?.before;
  if (entry === undefined) return nothing(core);
  return { operation: "DELETE", core: applyEdits(core, edits), edits, entry };
}

const nothing = (core: CoreMemory): StatementResult => ({ operation: "NOOP", core, edits: [] });

const toValue = ({ value, text }: Readonly<{ value?: string; text: string }>): string => toPlain(value ?? text);

const toPlain = (text: string): string => text.normalize("NFC").toLowerCase().trim();
