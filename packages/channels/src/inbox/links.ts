/**
 * Links: codes by which a chat becomes a user's. A code is good for one use within 15 minutes; the store has its hash.
 */
import { createHash, randomInt } from "node:crypto";
import type { Database, Owner } from "@baton/store";
import { CODE, ChannelRecords, type NewRecord } from "../state/channel-records.ts";

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_CHARS = 8;
const TTL_MS = 15 * 60 * 1_000;

/** A new code. */
export interface LinkCode {
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Makes a code for a user. */
export async function createLinkCode(
  { database, now }: { readonly database: Pick<Database, "documents">; readonly now: number },
  channel: string,
  owner: Owner,
): Promise<LinkCode> {
  const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  await new ChannelRecords(database, channel).add(ChannelRecords.code(hashOf(code), owner, TTL_MS));
  return { code, expiresAt: now + TTL_MS };
}

/** The user of a code, and the record that uses it up; undefined if the code is not valid. */
export async function redeemLinkCode(
  records: ChannelRecords,
  { code, chat }: { readonly code: string; readonly chat: string },
): Promise<{ readonly owner: Owner; readonly record: NewRecord } | undefined> {
  const hash = hashOf(code.toUpperCase());
  const found = await records.findVersion(CODE, `code/${hash}`);
  if (found === undefined || found.value.usedBy !== undefined) return undefined;
  const { tenant, user } = found.value;
  const record = ChannelRecords.code(hash, { tenant, user, usedBy: chat }, TTL_MS);
  return { owner: { tenant, user }, record: { ...record, version: found.version } };
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
