/**
 * Facts store: what is remembered beside core memory, one document each, found by its words.
 *
 * The id is made of the text, so the same fact is stored once; the document names the change that wrote it.
 */
import { BatonError } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { z } from "zod";
import { type MemoryChange, findChange, putChange } from "../change.ts";
import { changeDocument } from "../change-document.ts";
import { MEMORY, toMemoryId } from "../collections.ts";
import { type Remembered, toRemembered } from "../core/core-store.ts";
import { ENTRY, type MemoryEntry } from "../core/entry.ts";

const STORED = z.object({ entry: ENTRY, change: z.string() });

/** The id and time of a change. */
export type FactRequest = Readonly<{ change: string; at: string }>;

/** The entry that a document of facts holds; undefined if it is damaged. */
export const parseSavedFact = ({ data }: Document): MemoryEntry | undefined => STORED.safeParse(data).data?.entry;

/** Keeps a fact, once for a change's id. */
export async function saveFact(
  documents: Documents,
  fact: Pick<MemoryEntry, "text" | "category" | "by">,
  { change: changeId, at }: FactRequest,
): Promise<Remembered> {
  const made = await findChange(documents, changeId);
  if (made !== undefined) return toRemembered(made);
  const id = toMemoryId("f", fact.text.normalize("NFC").toLowerCase());
  const entry: MemoryEntry = { id, at, ...fact };
  const stored = await changeDocument(documents, { collection: MEMORY.facts, id }, (found) => {
    const known = found === undefined ? undefined : STORED.safeParse(found.data).data;
    return known === undefined
      ? { result: { entry, change: changeId }, put: toPut(entry, changeId) }
      : { result: known };
  });
  // A change that was interrupted after its write is reported again.
  if (stored.change !== changeId) return { operation: "NOOP", entry: stored.entry };
  const change = toChange("ADD", { after: stored.entry }, { change: changeId, at });
  await putChange(documents, change);
  return toRemembered(change);
}

/** Removes a fact, as a change that can be undone; undefined if there is none of this id. */
export async function dropFact(documents: Documents, id: string, request: FactRequest) {
  const found = await documents.get(MEMORY.facts, id);
  const before = found === undefined ? undefined : parseSavedFact(found);
  if (before === undefined) return undefined;
  const change = toChange("DELETE", { before }, request);
  await putChange(documents, change);
  await documents.delete(MEMORY.facts, id);
  return change;
}

/** Undoes a change of facts. Throws `conflict` if that is not possible any more. */
export async function undoFact(documents: Documents, change: MemoryChange, at: string): Promise<MemoryChange> {
  const { before, after } = change.edits[0] ?? {};
  const id = after?.id ?? before?.id ?? "";
  const now = await documents.get(MEMORY.facts, id);
  const entry = now === undefined ? undefined : parseSavedFact(now);
  if (entry?.at !== after?.at) {
    throw new BatonError("conflict", `the change ${change.id} cannot be undone: the fact was changed since`);
  }
  if (before === undefined) await documents.delete(MEMORY.facts, id, now?.version);
  else await documents.put(MEMORY.facts, { ...toPut(before, change.id), id, version: now?.version ?? 0 });
  const undone = { ...change, undone: at };
  await putChange(documents, undone);
  return undone;
}

type FactEdit = Pick<MemoryChange["edits"][number], "before" | "after">;

function toChange(operation: "ADD" | "DELETE", edit: FactEdit, { change: id, at }: FactRequest): MemoryChange {
  const text = edit.after?.text ?? edit.before?.text ?? "";
  return { id, at, operation, in: "facts", text, edits: [{ block: "human", index: 0, ...edit }] };
}

function toPut(entry: MemoryEntry, change: string) {
  const { text, category, at } = entry;
  return { data: z.json().parse({ entry, change }), index: { category, at: Date.parse(at) }, text };
}
