/**
 * Working store: working memory in a user's documents, one for a session, for one hour after it was last written.
 */
import type { Document, Documents } from "@baton/core/ports";
import { z } from "zod";
import { changeDocument } from "../change-document.ts";
import { MEMORY } from "../collections.ts";
import { NO_WORKING, WORKING, type WorkingMemory } from "./working.ts";

const HOUR_MS = 3_600_000;

/** The working memory of a session. */
export async function readWorking(documents: Documents, session: string): Promise<WorkingMemory> {
  return parseWorking(await documents.get(MEMORY.working, session));
}

/** Changes the working memory of a session; `change` is called again if another writer was first. */
export function changeWorking<T extends Readonly<{ memory: WorkingMemory }>>(
  documents: Documents,
  session: string,
  change: (memory: WorkingMemory) => T,
): Promise<T> {
  return changeDocument(documents, { collection: MEMORY.working, id: session }, (found) => {
    const result = change(parseWorking(found));
    return { result, put: { data: z.json().parse(result.memory), session, ttlMs: HOUR_MS } };
  });
}

/** Returns empty working memory for a damaged document: it holds an hour's notes. */
const parseWorking = (document: Document | undefined): WorkingMemory =>
  WORKING.safeParse(document?.data).data ?? NO_WORKING;
