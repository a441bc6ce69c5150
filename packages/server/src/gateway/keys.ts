/**
 * Keys: a key names a tenant, a user and scopes; nothing else does.
 *
 * Without any key, a server on loopback serves everybody as `local`; from the first key on, and for ever after, only
 * clients that send one: revoking the last does not open the server again. The store holds hashes, not keys. A change
 * made here counts at once, one made by another process within the cache's time.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type Database, type KeyRecord, LOCAL as LOCAL_OWNER, type Owner } from "@baton/store";
import { Problem } from "./problem.ts";
import { keyOfToken, type NewSignIn, signIn, signOut, useSignIn } from "./sign-in.ts";

/** The scopes that a key may have. */
export const SCOPES = ["run", "read", "approve", "admin"] as const;

/** One of them; none contains another. */
export type KeyScope = (typeof SCOPES)[number];

/** Names of the sets of limits for keys. */
export const PLANS = ["free", "premium"] as const;

/** One of them. */
export type KeyPlan = (typeof PLANS)[number];

/** The caller of a request. */
export interface CallerIdentity extends Owner {
  /** The id of the key. */
  readonly key: string;
  readonly plan: KeyPlan;
  readonly scopes: readonly KeyScope[];
  /** Ids of the crews that it may use; all if absent. */
  readonly crews?: readonly string[];
}

/** Everybody, on a server that needs no keys. */
export const LOCAL_IDENTITY: CallerIdentity = Object.freeze({
  ...LOCAL_OWNER,
  key: "local",
  plan: "free",
  scopes: SCOPES,
});

/** A new key; `key` is shown once and kept nowhere. */
export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const KEY = /^bt_([0-9a-f]{16})_[0-9a-f]{64}$/;
const BEARER = /^bearer +([^ ].*)$/i;
const NO_HASH = "0".repeat(64);

/** Optional properties of a new key. */
export interface KeyOptions {
  /** The user of the key; by default the key's own id, so that no other key sees its runs. */
  readonly user?: string;
  readonly plan?: KeyPlan;
  /** Ids of the crews that it may use. Default: all. */
  readonly crews?: readonly string[];
}

/** Properties of a new key. */
interface KeyGrant extends KeyOptions {
  readonly tenant: string;
  readonly scopes: readonly KeyScope[];
}

/** Makes a key of 256 random bits: `bt_<id>_<secret>`. */
export function createKey({ tenant, scopes, user, plan, crews }: KeyGrant, createdAt: number): NewKey {
  const id = randomBytes(ID_BYTES).toString("hex");
  const key = `bt_${id}_${randomBytes(SECRET_BYTES).toString("hex")}`;
  const hash = hashOf(key).toString("hex");
  return { key, record: { id, tenant, user: user ?? id, scopes, hash, createdAt, ...omitUndefined({ plan, crews }) } };
}

/** The command that creates a key in the default store. */
export const CREATE_KEY = "baton keys create --tenant NAME --scopes run,read";

/** Lifetime of the cached keys. */
const CACHE_MS = 1_000;

/** Options of a key ring. */
export interface KeyRingOptions {
  readonly database: Pick<Database, "keys" | "documents">;
  readonly clock: Clock;
  /** Whether only this machine can reach the server. */
  readonly isLoopback: boolean;
}

interface Cached {
  readonly at: number;
  readonly keys: Promise<ReadonlyMap<string, KeyRecord>>;
}

/** The keys of a store. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #cached: Cached | undefined;

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /** Adds a key and gives it, this once. */
  async create(tenant: string, scopes: readonly KeyScope[], options: KeyOptions = {}): Promise<NewKey> {
    const { database, clock } = this.#options;
    const made = createKey({ tenant, scopes, ...options }, clock.now());
    await database.keys.add(made.record);
    this.#cached = undefined;
    return made;
  }

  /** False if there is no such key or it is already revoked. */
  async revoke(id: string): Promise<boolean> {
    const { database, clock } = this.#options;
    const isRevoked = await database.keys.revoke(id, clock.now());
    this.#cached = undefined;
    return isRevoked;
  }

  /** Throws if the server would be open to a network without a valid key. */
  async checkSafe(): Promise<void> {
    const keys = await this.#load();
    if (this.#options.isLoopback || [...keys.values()].some(({ revokedAt }) => revokedAt === undefined)) return;
    throw new BatonError(
      "invalid",
      `an address that other machines can reach needs an API key: create one with \`${CREATE_KEY}\`, or bind 127.0.0.1`,
    );
  }

  /** Whether the server answers without a key: only on loopback, and only until the first key exists. */
  async isOpen(): Promise<boolean> {
    return (await this.#load()).size === 0 && this.#options.isLoopback;
  }

  /** The caller with this `Authorization` header. Throws a `Problem` if the key is missing or not valid. */
  async identify(authorization: string | undefined): Promise<CallerIdentity> {
    const keys = await this.#load();
    if (keys.size === 0 && this.#options.isLoopback) return LOCAL_IDENTITY;
    const key = BEARER.exec(authorization?.trim() ?? "")?.[1];
    if (key === undefined) throw refusedKey();
    // A header that comes twice is joined with a comma, which no key has: it is an unknown key.
    const record = findRecord(keys, key) ?? (await this.#findSignedIn(keys, key));
    if (record === undefined) throw refusedKey();
    return toIdentity(record);
  }

  /** The caller with the key of this id, or `local`; undefined if it may not call any more. */
  async identifyById(key: string): Promise<CallerIdentity | undefined> {
    if (key === LOCAL_IDENTITY.key) return (await this.isOpen()) ? LOCAL_IDENTITY : undefined;
    const record = (await this.#load()).get(key);
    return record === undefined || record.revokedAt !== undefined ? undefined : toIdentity(record);
  }

  /** Gives a token for the caller's key, which a browser can hold instead of it; undefined if the server needs no keys. */
  async signIn({ tenant, user, key }: Owner & Pick<CallerIdentity, "key">): Promise<NewSignIn | undefined> {
    const { database, clock } = this.#options;
    if (!(await this.#load()).has(key)) return undefined;
    return signIn(database, clock, { owner: { tenant, user }, key });
  }

  /** Ends the token of this `Authorization` header; false if it has none. */
  async signOut({ tenant, user }: Owner, authorization: string | undefined): Promise<boolean> {
    const token = BEARER.exec(authorization?.trim() ?? "")?.[1];
    if (token === undefined || keyOfToken(token) === undefined) return false;
    return signOut(this.#options.database, { tenant, user }, token);
  }

  /** The key that a token was given for. */
  async #findSignedIn(keys: ReadonlyMap<string, KeyRecord>, token: string): Promise<KeyRecord | undefined> {
    const { database, clock } = this.#options;
    const record = keys.get(keyOfToken(token) ?? "");
    if (record === undefined || record.revokedAt !== undefined) return undefined;
    const { tenant, user, id: key } = record;
    return (await useSignIn(database, clock, { owner: { tenant, user }, key, token })) ? record : undefined;
  }

  /** The plan of a user, the best of the user's valid keys; undefined if the store has no keys at all. */
  async planOf({ tenant, user }: Owner): Promise<KeyPlan | undefined> {
    const keys = await this.#load();
    if (keys.size === 0) return undefined;
    const isPremium = keys
      .values()
      .some((key) => key.plan === "premium" && isOwn(key, { tenant, user }) && key.revokedAt === undefined);
    return isPremium ? "premium" : "free";
  }

  /** Whether a client that was let in with this key may stay; true while the keys cannot be read. */
  async isWelcome(key: string): Promise<boolean> {
    const keys = await this.#load().catch(() => undefined);
    if (keys === undefined) return true;
    if (key === LOCAL_IDENTITY.key) return keys.size === 0 && this.#options.isLoopback;
    const record = keys.get(key);
    return record !== undefined && record.revokedAt === undefined;
  }

  async #load(): Promise<ReadonlyMap<string, KeyRecord>> {
    const { database, clock } = this.#options;
    const now = clock.monotonic();
    let cached = this.#cached;
    if (cached === undefined || now - cached.at >= CACHE_MS) {
      cached = { at: now, keys: readKeys(database) };
      this.#cached = cached;
    }
    try {
      return await cached.keys;
    } catch (cause) {
      if (this.#cached === cached) this.#cached = undefined;
      throw new BatonError("busy", "the API keys cannot be read now", { cause, retryable: true });
    }
  }
}

function toIdentity({ id, tenant, user, plan = "free", crews, ...record }: KeyRecord): CallerIdentity {
  const scopes = SCOPES.filter((scope) => record.scopes.includes(scope));
  return { key: id, tenant, user, plan, scopes, ...omitUndefined({ crews }) };
}

function isOwn(key: KeyRecord, { tenant, user }: Owner): boolean {
  return key.tenant === tenant && key.user === user;
}

/** Throws if the caller lacks the scope. */
export function checkScope(scopes: readonly KeyScope[], needed: KeyScope): void {
  if (scopes.includes(needed)) return;
  throw new Problem("missing_scope", `This needs a key with the scope ${needed}.`, {
    headers: challenge(`, error="insufficient_scope", scope="${needed}"`),
  });
}

/** Whether a key is one of these, was not revoked, and has a scope. */
export function hasScope(records: readonly KeyRecord[], key: string, scope: KeyScope): boolean {
  const record = findRecord(new Map(records.map((one) => [one.id, one])), key);
  return record?.scopes.includes(scope) ?? false;
}

/** The record of a valid key. Compared even if there is no such id, so that the time reveals nothing. */
function findRecord(keys: ReadonlyMap<string, KeyRecord>, key: string): KeyRecord | undefined {
  const record = keys.get(KEY.exec(key)?.[1] ?? "");
  const isRight = timingSafeEqual(hashOf(key), toHash(record?.hash));
  return isRight && record?.revokedAt === undefined ? record : undefined;
}

async function readKeys(database: KeyRingOptions["database"]): Promise<ReadonlyMap<string, KeyRecord>> {
  return new Map((await database.keys.list()).map((record) => [record.id, record]));
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function toHash(hex = NO_HASH): Buffer {
  const hash = Buffer.from(hex, "hex");
  return hash.length === NO_HASH.length / 2 ? hash : Buffer.from(NO_HASH, "hex");
}

/** The one answer to a key that is missing, malformed, unknown or revoked: it says nothing of which keys there are. */
function refusedKey(): Problem {
  return new Problem(
    "invalid_api_key",
    "This server needs a valid API key: send `Authorization: Bearer KEY` once. If you did, the key is wrong or was revoked.",
    { headers: challenge("") },
  );
}

/** The answer to a request through a proxy while there is no key that it could send. */
export function keyNeeded(): Problem {
  return new Problem(
    "invalid_api_key",
    `This server has no API key yet, so it answers only requests to localhost. Create a key with \`${CREATE_KEY}\` and send it as \`Authorization: Bearer KEY\`.`,
    { headers: challenge("") },
  );
}

function challenge(more: string): { readonly "WWW-Authenticate": string } {
  return { "WWW-Authenticate": `Bearer realm="baton"${more}` };
}
