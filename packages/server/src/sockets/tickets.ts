/**
 * Tickets: let a client that cannot send an `Authorization` header open a WebSocket.
 *
 * A ticket is good for one use within 30 s, on any server of the store, which has only its hash.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Store } from "@baton/store";
import { z } from "zod";
import type { CallerIdentity, KeyRing } from "../gateway/keys.ts";

const TTL_MS = 30_000;
const SECRET_BYTES = 32;
const TICKET = /^wt_[0-9a-f]{64}$/;
const COLLECTION = "socket-tickets";
/** No key names such a tenant. */
const OWNER = { tenant: ":server", user: ":server" } as const;
const DATA = z.object({ key: z.string() });

/** A new ticket. */
export interface Ticket {
  readonly ticket: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The tickets of a store. */
export class Tickets {
  readonly #store: Store;
  readonly #keys: Pick<KeyRing, "identifyById">;

  constructor(store: Store, keys: Pick<KeyRing, "identifyById">) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Makes a ticket for the caller with this key. */
  async issue(key: string): Promise<Ticket> {
    const { database, clock } = this.#store;
    const ticket = `wt_${randomBytes(SECRET_BYTES).toString("hex")}`;
    await database.documents(OWNER).put(COLLECTION, { id: hashOf(ticket), data: { key }, ttlMs: TTL_MS });
    return { ticket, expiresAt: clock.now() + TTL_MS };
  }

  /** Uses a ticket up; undefined if it is unknown, was used or has expired, or its key was revoked. */
  async redeem(ticket: string): Promise<CallerIdentity | undefined> {
    if (!TICKET.test(ticket)) return undefined;
    const documents = this.#store.database.documents(OWNER);
    const id = hashOf(ticket);
    const found = DATA.safeParse((await documents.get(COLLECTION, id))?.data);
    const isFirst = await documents.delete(COLLECTION, id);
    return isFirst && found.success ? this.#keys.identifyById(found.data.key) : undefined;
  }
}

function hashOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}
