/**
 * Working store: working memory in a user's documents, one for a session, for one hour after it was last written.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import { MEMORY } from "../collections.ts";
import { isConflict } from "../core/core-store.ts";
import { NO_WORKING, WORKING, type WorkingMemory } from "./working.ts";

const HOUR_MS = 3_600_000;
const MAX_TRIES = 64;

/** The working memory of a session. */
export async function readWorking(documents: Documents, session: string): Promise<WorkingMemory> {
  return (await read(documents, session)).memory;
}

/** Changes the working memory of a session; `change` is called again if another writer was first. */
export async function changeWorking<T extends Readonly<{ memory: WorkingMemory }>>(
  documents: Documents,
  session: string,
  change: (memory: WorkingMemory) => T,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { memory, version } = await read(documents, session);
    const changed = change(memory);
    try {
      const data = z.json().parse(changed.memory);
      await documents.put(MEMORY.working, { id: session, data, session, version, ttlMs: HOUR_MS });
      return changed;
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }
  throw new BatonError("busy", "working memory is being changed by too many requests at once; try again");
}

async function read(documents: Documents, session: string) {
  const document = await documents.get(MEMORY.working, session);
  // What cannot be read is an hour's notes: it is begun again.
  const memory = WORKING.safeParse(document?.data).data ?? NO_WORKING;
  return { memory, version: document?.version ?? 0 };
}
