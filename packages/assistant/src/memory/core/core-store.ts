/**
 * Core store: core memory in a user's documents.
 *
 * Writers at the same time all take effect: a writer that finds a newer version decides again. A change is named by its caller,
 * so the same one is made once, however often it is tried; its record is in the document until it has its own.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import { z } from "zod";
import { CHANGE, type MemoryChange, findChange, putChange } from "../change.ts";
import { CORE_ID, MEMORY } from "../collections.ts";
import { CORE, type CoreMemory, fitsCore, NO_CORE } from "./entry.ts";
import { type Edit, type StatementResult, type Operation, undoEdits } from "./apply-statement.ts";

const STORED = CORE.extend({ pending: z.array(CHANGE).default([]) });
/** More writers than this at the same moment are refused. */
const MAX_TRIES = 64;

/** The decision of a change, from core memory as it is. */
export type CoreDecision = Pick<StatementResult, "operation" | "edits" | "core" | "reason"> &
  Readonly<{ text: string; entry?: StatementResult["entry"] }>;

/** A change that is asked for. */
export interface CoreRequest {
  /** The id of the change. */
  readonly id: string;
  readonly at: string;
  readonly decide: (core: CoreMemory) => CoreDecision;
}

/** The result of a change. `change` is undefined if nothing had to be changed. */
export interface CoreChanged {
  readonly operation: Operation;
  readonly change?: MemoryChange;
  readonly entry?: StatementResult["entry"];
  readonly reason?: string;
}

interface ReadCore {
  readonly core: CoreMemory;
  readonly version: number;
  readonly pending: readonly MemoryChange[];
}

/** Core memory as it is. */
export async function readCore(documents: Documents): Promise<CoreMemory> {
  return (await read(documents)).core;
}

/** Changes core memory, once for an id. */
export async function changeCore(documents: Documents, request: CoreRequest): Promise<CoreChanged> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = await read(documents);
    const made = now.pending.find(({ id }) => id === request.id) ?? (await findChange(documents, request.id))?.change;
    if (made !== undefined) {
      await record(documents, [made]);
      return toChanged(made);
    }
    const { operation, edits, core, text, entry, reason } = request.decide(now.core);
    if (operation === "NOOP") return { operation, ...(entry && { entry }), ...(reason && { reason }) };
    const change: MemoryChange = {
      id: request.id,
      at: request.at,
      operation,
      in: "core",
      text,
      edits: toStored(edits),
    };
    await record(documents, now.pending);
    if (await write(documents, { core, version: now.version, pending: [change] })) {
      await record(documents, [change]);
      return { operation, change, ...(entry && { entry }) };
    }
  }
  throw new BatonError("busy", "core memory is being changed by too many requests at once; try again");
}

/** Undoes a change of core memory. Throws `conflict` if it is already undone or cannot be undone any more. */
export async function undoCore(documents: Documents, id: string, at: string): Promise<MemoryChange> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = await read(documents);
    await record(documents, now.pending);
    const found = await findChange(documents, id);
    if (found === undefined) throw new BatonError("not_found", `there is no change ${id} of memory`);
    const { change } = found;
    if (change.undone !== undefined) throw new BatonError("conflict", `the change ${id} is already undone`);
    const undone = undoEdits(now.core, change.edits);
    if (!undone.ok) throw new BatonError("conflict", `the change ${id} cannot be undone: ${undone.reason}`);
    const marked = { ...change, undone: at };
    if (await write(documents, { core: undone.core, version: now.version, pending: [marked] })) {
      await record(documents, [marked]);
      return marked;
    }
  }
  throw new BatonError("busy", "core memory is being changed by too many requests at once; try again");
}

async function read(documents: Documents): Promise<ReadCore> {
  const document = await documents.get(MEMORY.core, CORE_ID);
  if (document === undefined) return { core: NO_CORE, version: 0, pending: [] };
  const { data, success } = STORED.safeParse(document.data);
  if (!success) throw new BatonError("damaged", "core memory is damaged; delete it, or import it again");
  const { persona, human, pending } = data;
  return { core: { persona, human }, version: document.version, pending };
}

/** False if another writer was first. */
async function write(documents: Documents, { core, version, pending }: ReadCore): Promise<boolean> {
  if (!fitsCore(core))
    throw new BatonError("invalid", "core memory would exceed its size limit: delete or shorten an entry first");
  const data = z.json().parse({ ...core, pending });
  try {
    await documents.put(MEMORY.core, { id: CORE_ID, data, version });
    return true;
  } catch (thrown) {
    if (isConflict(thrown)) return false;
    throw thrown;
  }
}

/** Gives changes documents of their own, unless they have them; what is undone stays so. */
async function record(documents: Documents, changes: readonly MemoryChange[]): Promise<void> {
  for (const change of changes) {
    try {
      await putChange(documents, change, change.undone === undefined ? 0 : undefined);
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }
}

/** Whether another writer was first. */
export const isConflict = (thrown: unknown): boolean => toBatonError(thrown, "internal").code === "conflict";

function toChanged(change: MemoryChange): CoreChanged {
  const { operation, edits } = change;
  const entry = edits[0]?.after ?? edits[0]?.before;
  return { operation, change, ...(entry && { entry }) };
}

const toStored = (edits: readonly Edit[]): MemoryChange["edits"] => edits.map((edit) => ({ ...edit }));
