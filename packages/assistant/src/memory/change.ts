/**
 * Change: one write to memory, kept so that the user sees it as a card and can undo it.
 */
import type { Json } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MEMORY } from "./collections.ts";
import { EDIT, OPERATIONS } from "./core/apply-statement.ts";
import type { MemoryEntry } from "./core/entry.ts";

/** A change as it is stored. */
export const CHANGE = z.object({
  id: z.string(),
  at: z.string(),
  operation: z.enum(OPERATIONS),
  in: z.enum(["core", "facts"]),
  text: z.string(),
  edits: z.array(EDIT),
  undone: z.string().exactOptional(),
});

/** A write that can be undone. */
export type MemoryChange = Readonly<z.output<typeof CHANGE>>;

/** A card that is older cannot be undone any more. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** The change of an id. */
export async function findChange(documents: Documents, id: string): Promise<MemoryChange | undefined> {
  const found = await documents.get(MEMORY.changes, id);
  return found && parseChange(found);
}

/** The change that a document holds; undefined if it is damaged. */
export const parseChange = ({ data }: Document): MemoryChange | undefined => CHANGE.safeParse(data).data;

/** Writes a change; with `version` 0 only if it is not there yet. */
export async function putChange(documents: Documents, change: MemoryChange, version?: number): Promise<void> {
  const at = Date.parse(change.at);
  const data: Json = z.json().parse(change);
  await documents.put(MEMORY.changes, {
    id: change.id,
    data,
    index: { at: Number.isFinite(at) ? at : 0 },
    ttlMs: KEPT_MS,
    ...omitUndefined({ version }),
  });
}

const MAX_UNDONE = 100;

/** The entries that the newest changes made and the user has undone. */
export async function listUndone(documents: Documents): Promise<readonly MemoryEntry[]> {
  const query = { orderBy: "at", order: "descending", limit: MAX_UNDONE } as const;
  const changes = (await documents.list(MEMORY.changes, query)).documents.flatMap((one) => parseChange(one) ?? []);
  const undone = changes.filter((change) => change.undone !== undefined);
  return undone.flatMap(({ edits }) => edits.flatMap(({ after }) => after ?? []));
}

/** A change as its user sees it: the data of the note `memory`. */
export const CARD = z.object({
  change: z.string(),
  operation: z.enum(OPERATIONS),
  text: z.string(),
  before: z.string().exactOptional(),
  undo: z.string().describe("POST here to undo it"),
});

/** Converts a change to its card. */
export function toCard({ id, operation, text, edits }: MemoryChange): z.output<typeof CARD> {
  const texts = edits.flatMap(({ before }) => before?.text ?? []);
  const before = texts.length === 0 ? undefined : texts.join("; ");
  return { change: id, operation, text, ...omitUndefined({ before }), undo: `/api/memory/${id}/undo` };
}
