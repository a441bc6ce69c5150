/**
 * Core store: core memory in a user's documents.
 *
 * A change is named by its caller, so the same one is made once, however often it is tried; its record is in the document
 * of core memory until it has its own.
 */
import { BatonError } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { CHANGE, type MemoryChange, findChange, putChange } from "../change.ts";
import { changeDocument, isWritten } from "../change-document.ts";
import { CORE_ID, MEMORY } from "../collections.ts";
import { CORE, type CoreMemory, fitsCore, NO_CORE } from "./entry.ts";
import { type StatementResult, undoEdits } from "./apply-statement.ts";

const STORED = CORE.extend({ pending: z.array(CHANGE).default([]) });
const PLACE = { collection: MEMORY.core, id: CORE_ID } as const;

/** A change that is asked for. */
export interface CoreRequest {
  /** The id of the change. */
  readonly id: string;
  readonly at: string;
  /** Decides from core memory as it is; `text` is what the change says. */
  readonly decide: (core: CoreMemory) => StatementResult & Readonly<{ text: string }>;
}

/** The result of a change of memory. `change` is undefined if nothing had to be changed. */
export interface Remembered extends Pick<StatementResult, "operation" | "entry" | "reason"> {
  readonly change?: MemoryChange;
}

/** Core memory as it is. */
export async function readCore(documents: Documents): Promise<CoreMemory> {
  return parseStored(await documents.get(MEMORY.core, CORE_ID)).core;
}

/** Changes core memory, once for an id. */
export async function changeCore(documents: Documents, { id, at, decide }: CoreRequest): Promise<Remembered> {
  const done = await changeDocument<Remembered>(documents, PLACE, async (found) => {
    const { core, pending } = parseStored(found);
    const made = pending.find((change) => change.id === id) ?? (await findChange(documents, id));
    if (made !== undefined) return { result: toRemembered(made) };
    const { operation, edits, core: next, text, entry, reason } = decide(core);
    if (operation === "NOOP") return { result: { operation, ...omitUndefined({ entry, reason }) } };
    const change: MemoryChange = { id, at, operation, in: "core", text, edits: [...edits] };
    await record(documents, pending);
    return { result: { operation, change, ...omitUndefined({ entry }) }, put: toPut(next, change) };
  });
  if (done.change !== undefined) await record(documents, [done.change]);
  return done;
}

/** Undoes a change of core memory. Throws `conflict` if it is already undone or cannot be undone any more. */
export async function undoCore(documents: Documents, id: string, at: string): Promise<MemoryChange> {
  const marked = await changeDocument<MemoryChange>(documents, PLACE, async (found) => {
    const { core, pending } = parseStored(found);
    await record(documents, pending);
    const change = await findChange(documents, id);
    if (change === undefined) throw new BatonError("not_found", `there is no change ${id} of memory`);
    if (change.undone !== undefined) throw new BatonError("conflict", `the change ${id} is already undone`);
    const undone = undoEdits(core, change.edits);
    if (!undone.ok) throw new BatonError("conflict", `the change ${id} cannot be undone: ${undone.reason}`);
    const result = { ...change, undone: at };
    return { result, put: toPut(undone.core, result) };
  });
  await record(documents, [marked]);
  return marked;
}

/** A change that was made before, as the result of making it. */
export function toRemembered(change: MemoryChange): Remembered {
  const { operation, edits } = change;
  return { operation, change, ...omitUndefined({ entry: edits[0]?.after ?? edits[0]?.before }) };
}

function parseStored(document: Document | undefined) {
  if (document === undefined) return { core: NO_CORE, pending: [] };
  const { data, success } = STORED.safeParse(document.data);
  if (!success) throw new BatonError("damaged", "core memory is damaged; delete it, or import it again");
  const { persona, human, pending } = data;
  return { core: { persona, human }, pending };
}

function toPut(core: CoreMemory, change: MemoryChange) {
  if (!fitsCore(core))
    throw new BatonError("invalid", "core memory would exceed its size limit: delete or shorten an entry first");
  return { data: z.json().parse({ ...core, pending: [change] }) };
}

/** Gives changes documents of their own, unless they have them; what is undone stays so. */
async function record(documents: Documents, changes: readonly MemoryChange[]): Promise<void> {
  for (const change of changes) {
    await isWritten(putChange(documents, change, change.undone === undefined ? 0 : undefined));
  }
}
