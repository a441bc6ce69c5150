/**
 * Change document: reads a document, decides, and writes it with the version that was read. Writers at the same time all
 * take effect: one that finds a newer version decides again.
 */
import { BatonError } from "@baton/core";
import type { Document, Documents, NewDocument } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";

/** More writers than this at the same moment are refused. */
const MAX_TRIES = 64;

/** The result of a decision, and the document to write, if any. */
export type DocumentChange<T> = Readonly<{ result: T; put?: Omit<NewDocument, "id" | "version"> }>;

/** Changes one document; `decide` is called again if another writer was first. */
export async function changeDocument<T>(
  documents: Documents,
  { collection, id }: Readonly<{ collection: string; id: string }>,
  decide: (found: Document | undefined) => DocumentChange<T> | Promise<DocumentChange<T>>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await documents.get(collection, id);
    const { result, put } = await decide(found);
    if (put === undefined) return result;
    if (await isWritten(documents.put(collection, { ...put, id, version: found?.version ?? 0 }))) return result;
  }
  throw new BatonError("busy", "this memory is being changed by too many requests at once; try again");
}

/** Whether a write took place; false if another writer was first. */
export async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (thrown) {
    if (toBatonError(thrown, "internal").code !== "conflict") throw thrown;
    return false;
  }
}
