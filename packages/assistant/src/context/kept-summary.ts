/**
 * Kept summary: the summary of a session's long conversation, kept for its next questions.
 *
 * It names the messages that it covers by their number and a digest of them, so that it is used only for a conversation
 * that begins with the same messages.
 */
import { createHash } from "node:crypto";
import type { Message } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import { MEMORY, toTime } from "../memory/collections.ts";
import { redact } from "../memory/refuse/redact.ts";

/** A summary and the messages that it covers. */
export const KEPT_SUMMARY = z.object({
  text: z.string().trim().min(1),
  messages: z.int().min(1),
  digest: z.string(),
});

export type KeptSummary = Readonly<z.output<typeof KEPT_SUMMARY>>;

/** Identifies messages by what they say. */
export function digestMessages(messages: readonly Message[]): string {
  const hash = createHash("sha256");
  for (const { role, content } of messages) hash.update(JSON.stringify([role, content]));
  return hash.digest("hex");
}

/** Returns the number of messages that a summary covers: all that it was made of, or none if they are other ones. */
export function countCovered(messages: readonly Message[], kept: KeptSummary | undefined): number {
  if (kept === undefined || kept.messages > messages.length) return 0;
  return digestMessages(messages.slice(0, kept.messages)) === kept.digest ? kept.messages : 0;
}

/** Returns the summary of a session; undefined if it has none. */
export async function readKeptSummary(documents: Documents, session: string): Promise<KeptSummary | undefined> {
  return KEPT_SUMMARY.safeParse((await documents.get(MEMORY.compaction, session))?.data).data;
}

/** Keeps a summary in place of the one before; lines that hold a secret are left out. */
export async function keepSummary(
  documents: Documents,
  { session, atMs, ...kept }: KeptSummary & Readonly<{ session: string; atMs: number }>,
): Promise<void> {
  const text = kept.text.split("\n").map(redact).join("\n");
  await documents.put(MEMORY.compaction, { id: session, data: { ...kept, text, at: toTime(atMs) }, session });
}
