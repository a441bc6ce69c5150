/**
 * Test keys: a database in memory with keys, for servers that need them.
 */
import { SystemClock } from "@baton/core/ports";
import { openLasting } from "@baton/store/testing";
import { type KeyOptions, KeyRing, type KeyScope } from "../gateway/keys.ts";

/** A database with keys. */
export class TestKeys {
  readonly database = openLasting();
  readonly ring = new KeyRing({ database: this.database, clock: new SystemClock(), isLoopback: true });

  /** Creates a key and returns the header that sends it. */
  async make(tenant: string, scopes: readonly KeyScope[], options: KeyOptions = {}) {
    return { Authorization: `Bearer ${(await this.ring.create(tenant, scopes, options)).key}` };
  }
}
