/**
 * Links: codes by which a chat becomes a user's. A code is good for one use within 15 minutes; the store has its hash.
 */
import { createHash, randomInt } from "node:crypto";
import type { Database, Owner } from "@baton/store";
import { CODE, ChannelRecords } from "../state/channel-records.ts";

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
  await new ChannelRecords(database, channel).write(ChannelRecords.code(hashOf(code), owner, TTL_MS));
  return { code, expiresAt: now + TTL_MS };
}

/** Uses a code up; gives the user, or undefined if the code is not valid. */
export async function redeemLinkCode(records: ChannelRecords, code: string): Promise<Owner | undefined> {
  const id = `code/${hashOf(code.toUpperCase())}`;
  const owner = await records.find(CODE, id);
  return owner !== undefined && (await records.remove(id)) ? owner : undefined;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
