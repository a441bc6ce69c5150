/**
 * Sign-ins: tokens that a browser holds instead of an API key.
 *
 * A token has the rights of the key that it was given for and ends with it, after 12 hours, or after an hour without a
 * request. The store holds hashes, among the documents of the key's owner, so that every server knows them.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@baton/core/ports";
import type { Database, Owner } from "@baton/store";
import { z } from "zod";

const COLLECTION = "sign-ins";
const MAX_MS = 12 * 3_600_000;
const MAX_IDLE_MS = 3_600_000;
/** Uses within this time are written down once. */
const USE_MS = 60_000;
const TOKEN = /^bs_([0-9a-f]{16})_[0-9a-f]{64}$/;
const SIGN_IN = z.object({ key: z.string(), usedAt: z.number() });

/** A new token; it is shown once and kept nowhere. */
export interface NewSignIn {
  readonly token: string;
  readonly expiresAt: number;
}

/** The key that a token was given for, if the text is a token. */
export function keyOfToken(text: string): string | undefined {
  return TOKEN.exec(text)?.[1];
}

/** Makes a token for a key of this owner. */
export async function signIn(database: Documented, clock: Clock, { owner, key }: KeyOwner): Promise<NewSignIn> {
  const token = `bs_${key}_${randomBytes(32).toString("hex")}`;
  const now = clock.now();
  const document = { id: idOf(token), data: { key, usedAt: now }, ttlMs: MAX_MS };
  await database.documents(owner).put(COLLECTION, document);
  return { token, expiresAt: now + MAX_MS };
}

/** Ends a token; false if it had ended. */
export async function signOut(database: Documented, owner: Owner, token: string): Promise<boolean> {
  return database.documents(owner).delete(COLLECTION, idOf(token));
}

/** Whether a token is valid; notes that it was used. */
export async function useSignIn(
  database: Documented,
  clock: Clock,
  { owner, key, token }: UsedToken,
): Promise<boolean> {
  const documents = database.documents(owner);
  const found = await documents.get(COLLECTION, idOf(token));
  const signedIn = SIGN_IN.safeParse(found?.data);
  if (found === undefined || !signedIn.success || signedIn.data.key !== key) return false;
  const now = clock.now();
  const idleMs = now - signedIn.data.usedAt;
  if (idleMs < USE_MS) return true;
  if (idleMs >= MAX_IDLE_MS) return false;
  const { id, version, expiresAt = now + MAX_MS } = found;
  const renewed = { id, version, data: { key, usedAt: now }, ttlMs: Math.max(1, expiresAt - now) };
  // A conflict is a use at the same moment, or a sign-out, which the next request sees.
  await documents.put(COLLECTION, renewed).catch(() => undefined);
  return true;
}

type Documented = Pick<Database, "documents">;
type KeyOwner = Readonly<{ owner: Owner; key: string }>;
type UsedToken = KeyOwner & Readonly<{ token: string }>;

function idOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
