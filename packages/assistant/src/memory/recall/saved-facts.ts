/**
 * Facts store: what is remembered beside core memory, one document each, found by its words.
 *
 * The id is made of the text, so the same fact is stored once; the document names the change that wrote it last.
 */
import { BatonError } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type MemoryChange, findChange, putChange } from "../change.ts";
import { MEMORY, toMemoryId } from "../collections.ts";
import { type CoreChanged, isConflict } from "../core/core-store.ts";
import { ENTRY, type MemoryEntry } from "../core/entry.ts";
import { type MemoryClaim, decideClaim, toNewEntry } from "../core/apply-statement.ts";

const STORED = z.object({ entry: ENTRY, change: z.string() });
const MAX_TRIES = 16;
/** The number of facts that a new one is compared with. */
const COMPARED = 20;

/** The id, time and author of a change. */
export interface FactRequest {
  readonly id: string;
  readonly at: string;
  readonly by: MemoryEntry["by"];
}

/** The entry that a document of facts holds; undefined if it is damaged. */
export const parseSavedFact = ({ data }: Document): MemoryEntry | undefined => STORED.safeParse(data).data?.entry;

/** Keeps a fact, once for a change's id. */
export async function saveFact(documents: Documents, claim: MemoryClaim, request: FactRequest): Promise<CoreChanged> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const made = (await findChange(documents, request.id))?.change;
    if (made !== undefined) return toChanged(made);
    const done = await tryKeep(documents, claim, request);
    if (done !== undefined) return done;
  }
  throw new BatonError("busy", "the same fact is being written by too many requests at once; try again");
}

/** Undefined if another writer has changed the fact since it was read. */
async function tryKeep(
  documents: Documents,
  claim: MemoryClaim,
  { id, at, by }: FactRequest,
): Promise<CoreChanged | undefined> {
  const own = toMemoryId("f", claim.text.normalize("NFC").toLowerCase());
  const twin = await documents.get(MEMORY.facts, own);
  const near = await documents.search(MEMORY.facts, { text: toQuery(claim.text), match: "any", limit: COMPARED });
  const known = new Map([...(twin === undefined ? [] : [twin]), ...near].map((one) => [one.id, one]));
  const decided = decideClaim(
    [...known.values()].flatMap((one) => parseSavedFact(one) ?? []),
    claim,
  );
  if (decided.operation === "NOOP") return repeat(documents, { known: decided.known, found: known, id, at });
  const before = decided.operation === "ADD" ? undefined : decided.known;
  const text = decided.operation === "ADD" ? claim.text : decided.text;
  const after = toNewEntry({ statement: { ...claim, text }, stamp: { id: before?.id ?? own, at, by } });
  const version = known.get(after.id)?.version ?? 0;
  if (!(await putFact(documents, { entry: after, change: id }, version))) return undefined;
  const edit = { block: "human" as const, index: 0, after, ...omitUndefined({ before }) };
  const change: MemoryChange = { id, at, operation: decided.operation, in: "facts", text: claim.text, edits: [edit] };
  await putChange(documents, change);
  return { operation: decided.operation, change, entry: after };
}

/** The known fact: if this same change wrote it and was interrupted, the change is reported again. */
async function repeat(
  documents: Documents,
  {
    known,
    found,
    id,
    at,
  }: Readonly<{ known: MemoryEntry; found: ReadonlyMap<string, Document>; id: string; at: string }>,
): Promise<CoreChanged> {
  const stored = STORED.safeParse(found.get(known.id)?.data).data;
  if (stored?.change !== id) return { operation: "NOOP", entry: known };
  const edits = [{ block: "human" as const, index: 0, after: known }];
  const change: MemoryChange = { id, at, operation: "ADD", in: "facts", text: known.text, edits };
  await putChange(documents, change);
  return { operation: "ADD", change, entry: known };
}

/** Removes a fact, as a change that can be undone; undefined if there is none of this id. */
export async function dropFact(
  documents: Documents,
  id: string,
  { change: changeId, at }: Readonly<{ change: string; at: string }>,
): Promise<MemoryChange | undefined> {
  const found = await documents.get(MEMORY.facts, id);
  const before = found === undefined ? undefined : parseSavedFact(found);
  if (found === undefined || before === undefined) return undefined;
  const edits = [{ block: "human" as const, index: 0, before }];
  const change: MemoryChange = { id: changeId, at, operation: "DELETE", in: "facts", text: before.text, edits };
  await putChange(documents, change);
  await documents.delete(MEMORY.facts, id);
  return change;
}

/** Undoes a change of facts. Throws `conflict` if that is not possible any more. */
export async function undoFact(documents: Documents, change: MemoryChange, at: string): Promise<MemoryChange> {
  const [edit] = change.edits;
  const id = edit?.after?.id ?? edit?.before?.id ?? "";
  const now = await documents.get(MEMORY.facts, id);
  const entry = now === undefined ? undefined : parseSavedFact(now);
  if (entry?.at !== edit?.after?.at || entry?.text !== edit?.after?.text) {
    throw new BatonError("conflict", `the change ${change.id} cannot be undone: the fact was changed since`);
  }
  if (edit?.before === undefined) await documents.delete(MEMORY.facts, id, now?.version);
  else if (!(await putFact(documents, { entry: edit.before, change: change.id }, now?.version ?? 0))) {
    throw new BatonError("conflict", `the change ${change.id} cannot be undone: the fact was changed since`);
  }
  const undone = { ...change, undone: at };
  await putChange(documents, undone);
  return undone;
}

/** False if another writer was first. */
async function putFact(documents: Documents, data: z.output<typeof STORED>, version: number): Promise<boolean> {
  const { id, text, category, at } = data.entry;
  try {
    const index = { category, at: Date.parse(at) };
    await documents.put(MEMORY.facts, { id, data: z.json().parse(data), index, text, version });
    return true;
  } catch (thrown) {
    if (isConflict(thrown)) return false;
    throw thrown;
  }
}

const MAX_WORDS = 24;
const WORD = /[\p{L}\p{N}]+/gu;

const toQuery = (text: string): string => (text.match(WORD) ?? []).slice(0, MAX_WORDS).join(" ");

function toChanged(change: MemoryChange): CoreChanged {
  const entry = change.edits[0]?.after ?? change.edits[0]?.before;
  return { operation: change.operation, change, ...omitUndefined({ entry }) };
}
