/**
 * Postgres database: a store that several processes and machines share.
 *
 * Each method is one statement, or a few in one transaction; what they ask is in the files of their tables.
 */
import { type Clock, type Ledger, SystemClock } from "@baton/core/ports";
import type {
  Batch,
  Change,
  Claim,
  Database,
  KeyRecord,
  Posted,
  RequestRecord,
  Retention,
  RunFilter,
  RunRecord,
  SessionFilter,
  SessionRecord,
  SessionRuns,
  Transferred,
} from "../database.ts";
import type { Owner } from "../owner.ts";
import * as claims from "./claims.ts";
import { commit } from "./commit.ts";
import { Connection } from "./connection.ts";
import * as inbox from "./inbox.ts";
import { PostgresLedger } from "./ledger.ts";
import { Listener } from "./listener.ts";
import { readBatches, readLength } from "./logs.ts";
import { deleteOwner, transfer } from "./ownership.ts";
import { PostgresDocuments } from "./postgres-documents.ts";
import * as records from "./records.ts";
import { readRequest } from "./requests.ts";
import * as runs from "./runs.ts";
import { migrate } from "./schema.ts";
import * as sessions from "./sessions.ts";
import { findDue } from "../document-due.ts";
import type { DueDocument, DueQuery, VectorDocuments } from "../document-table.ts";
import { StoredDocuments } from "../stored-documents.ts";

/** Where the database is. */
export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with the driver's options behind a question mark. */
  readonly url: string;
  /** By which the windows of the ledger begin and requests are forgotten; leases go by the server's. */
  readonly clock?: Clock;
}

/** Opens a database, and makes or updates its tables. */
export async function openPostgres({ url, clock = new SystemClock() }: PostgresOptions): Promise<Database> {
  const connection = new Connection(url);
  try {
    await migrate(connection);
    return new PostgresDatabase(connection, clock);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

class PostgresDatabase implements Database {
  readonly name = "postgres";
  readonly problem = undefined;
  readonly #connection: Connection;
  readonly #listener: Listener;
  readonly #clock: Clock;
  readonly #documents: PostgresDocuments;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#listener = new Listener(connection);
    this.#clock = clock;
    this.#documents = new PostgresDocuments(connection, () => clock.now());
  }

  async commit(changes: readonly Change[]): Promise<readonly string[]> {
    return commit(this.#connection.ask, changes, this.#clock.now());
  }

  async batches(run: string, after: number, maxBytes: number): Promise<readonly Batch[]> {
    return readBatches(this.#connection.ask, { run, after, maxBytes });
  }

  async length(run: string): Promise<number> {
    return readLength(this.#connection.ask, run);
  }

  watch(run: string, changed: () => void): () => void {
    return this.#listener.watch(run, changed);
  }

  watchAll(changed: () => void): () => void {
    return this.#listener.watchAll(changed);
  }

  async run(id: string): Promise<RunRecord | undefined> {
    return runs.readRun(this.#connection.ask, id);
  }

  async runs(filter: RunFilter): Promise<readonly RunRecord[]> {
    return runs.findRuns(this.#connection.ask, filter);
  }

  async deleteRun(id: string): Promise<boolean> {
    return runs.deleteRun(this.#connection.ask, id);
  }

  async prune(retention: Retention): Promise<number> {
    return runs.prune(this.#connection.ask, retention, this.#clock.now());
  }

  async post(command: Posted): Promise<boolean> {
    return inbox.post(this.#connection.ask, command);
  }

  async inbox(run: string): Promise<readonly Posted[]> {
    return inbox.findPosted(this.#connection.ask, run);
  }

  async settle(command: Pick<Posted, "run" | "id">, fate: Posted["fate"] | "withdrawn"): Promise<boolean> {
    return inbox.settle(this.#connection.ask, command, fate);
  }

  async unread(): Promise<readonly string[]> {
    return inbox.findUnread(this.#connection.ask);
  }

  async session(owner: Owner, id: string): Promise<SessionRecord | undefined> {
    return sessions.readSession(this.#connection.ask, owner, id);
  }

  async sessions(filter: SessionFilter): Promise<readonly SessionRecord[]> {
    return sessions.findSessions(this.#connection.ask, filter);
  }

  async sessionRuns(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, SessionRuns>> {
    return sessions.findSessionRuns(this.#connection.ask, owner, ids);
  }

  async messages(owner: Owner, session: string): Promise<readonly string[]> {
    return sessions.readMessages(this.#connection.ask, owner, session);
  }

  async deleteSession(owner: Owner, id: string): Promise<boolean> {
    return sessions.deleteSession(this.#connection.ask, owner, id);
  }

  async transfer(from: Owner, to: Owner): Promise<Transferred> {
    return this.#connection.transaction(async (ask) => transfer(ask, { from, to, now: this.#clock.now() }));
  }

  async deleteOwner(owner: Owner): Promise<void> {
    return this.#connection.transaction(async (ask) => deleteOwner(ask, owner));
  }

  documents(owner: Owner): VectorDocuments {
    return new StoredDocuments(() => this.#documents, owner);
  }

  async due(collection: string, query: DueQuery): Promise<readonly DueDocument[]> {
    return findDue(this.#documents, collection, query);
  }

  async request(key: string): Promise<RequestRecord | undefined> {
    return readRequest(this.#connection.ask, key, this.#clock.now());
  }

  async saveDefinition(hash: string, body: string): Promise<void> {
    return records.saveDefinition(this.#connection.ask, hash, body);
  }

  async definition(hash: string): Promise<string | undefined> {
    return records.readDefinition(this.#connection.ask, hash);
  }

  async renew(owner: string, leaseMs: number): Promise<void> {
    return claims.renew(this.#connection.ask, owner, leaseMs);
  }

  async claim(claim: Claim): Promise<boolean> {
    return claims.claim(this.#connection.ask, claim);
  }

  async release(claim: Claim): Promise<void> {
    return claims.release(this.#connection.ask, claim);
  }

  async leave(owner: string): Promise<void> {
    return claims.leave(this.#connection.ask, owner);
  }

  async isInUse(): Promise<boolean> {
    return claims.isInUse(this.#connection.ask);
  }

  async interrupted(crews?: readonly string[]): Promise<readonly string[]> {
    return runs.interrupted(this.#connection.ask, crews);
  }

  ledger(): Ledger {
    return new PostgresLedger({ connection: this.#connection, clock: this.#clock });
  }

  async addKey(key: KeyRecord): Promise<void> {
    return records.addKey(this.#connection.ask, key);
  }

  async keys(): Promise<readonly KeyRecord[]> {
    return records.findKeys(this.#connection.ask);
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    return this.#connection.transaction(async (ask) => records.revokeKey(ask, id, at));
  }

  async deleteKeys(): Promise<number> {
    return records.deleteKeys(this.#connection.ask);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]();
    await this.#connection[Symbol.asyncDispose]();
  }
}
