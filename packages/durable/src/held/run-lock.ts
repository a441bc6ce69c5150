/**
 * Run lock: the right of this process to write to a run: the claim on the run itself, or on its session and all its runs.
 */
import type { Message } from "@baton/core";
import type { Database, Owner, SessionRecord, Store } from "@baton/store";
import { type Claim, type ClaimOptions, damagedLogError, runKey, sessionKey } from "@baton/store/ports";

/** A conversation of an owner. */
export interface SessionName extends Owner {
  readonly id: string;
}

/** The right to write. */
export interface Lock {
  readonly claim: Claim;
  /** The claim is taken with the first thing that is written. */
  readonly isNew: boolean;
  /** The session whose claim it is. */
  readonly session?: SessionRecord;
  /** It stays with its lender when a run under it ends. */
  readonly isLent?: true;
  /** Gives the right back; once. */
  release(): Promise<void>;
}

/** A session that this process may run in. */
export type SessionLock = Lock & { readonly session: SessionRecord };

/** The lock of a run that is about to begin. */
export function lockNewRun(store: Store, id: string): Lock {
  return toLock(store, store.lease.next(runKey(id)), { isNew: true });
}

/** The lock of a run without a session, or of a queued one; undefined while a living process has it. */
export async function lockRun(store: Store, id: string, how?: ClaimOptions): Promise<Lock | undefined> {
  const claim = await store.lease.claim(runKey(id), how);
  return claim && toLock(store, claim, { isNew: false });
}

/** The lock of a new session: it is taken with the first write. */
export function lockNewSession(store: Store, name: SessionName): SessionLock {
  const session = toNewSession(store, name);
  return { ...toLock(store, store.lease.next(sessionKey(name, name.id)), { isNew: true }), session };
}

/** The lock of a session; undefined while a living process has it. */
export async function lockSession(
  store: Store,
  name: SessionName,
  how?: ClaimOptions,
): Promise<SessionLock | undefined> {
  const claim = await store.lease.claim(sessionKey(name, name.id), how);
  if (claim === undefined) return undefined;
  const lock = toLock(store, claim, { isNew: false });
  try {
    return { ...lock, session: (await store.database.sessions.find(name, name.id)) ?? toNewSession(store, name) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The same lock for a run that ends while its lender continues. */
export function lend(lock: SessionLock): SessionLock {
  return { ...lock, isLent: true, release: () => Promise.resolve() };
}

/** Reads the messages of a session so far. */
export async function historyOf(database: Database, session: SessionName): Promise<readonly Message[]> {
  return (await database.sessions.messages(session, session.id)).map((text) => parseMessage(text, session.id));
}

/** A claim that cannot be given back now is given back with one of the next renewals. */
export async function giveBack(store: Store, claim: Claim): Promise<void> {
  await store.lease.release(claim).catch(() => undefined);
}

function toLock(store: Store, claim: Claim, { isNew }: Pick<Lock, "isNew">): Lock {
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (isReleased) return;
    isReleased = true;
    await giveBack(store, claim);
  };
  return { claim, isNew, release };
}

function toNewSession({ clock }: Store, { tenant, user, id }: SessionName): SessionRecord {
  const now = clock.now();
  return { id, tenant, user, createdAt: now, updatedAt: now };
}

function parseMessage(text: string, session: string): Message {
  const value: unknown = JSON.parse(text);
  if (isMessage(value)) return value;
  throw damagedLogError(session, "a message of its session cannot be read");
}

/** Only messages are written there, and the database gives back what was written. */
function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "role" in value && "content" in value;
}
