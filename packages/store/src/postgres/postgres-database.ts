/**
 * Postgres database: a store that several processes and machines share.
 */
import { type Clock, type Ledger, SystemClock } from "@baton/core/ports";
import type {
  Claims,
  Database,
  Definitions,
  Inbox,
  Keys,
  Logs,
  Owners,
  Requests,
  Runs,
  Sessions,
} from "../database.ts";
import { findDue } from "../document-due.ts";
import type { DueDocument, DueQuery, VectorDocuments } from "../document-table.ts";
import type { Owner } from "../owner.ts";
import type { Change } from "../record.ts";
import { StoredDocuments } from "../stored-documents.ts";
import { claimsIn } from "./claims.ts";
import { commit } from "./commit.ts";
import { Connection } from "./connection.ts";
import { inboxIn } from "./inbox.ts";
import { definitionsIn, keysIn } from "./keys.ts";
import { PostgresLedger } from "./ledger.ts";
import { Listener } from "./listener.ts";
import { logsIn } from "./logs.ts";
import { ownersIn } from "./owners.ts";
import { PostgresDocuments } from "./postgres-documents.ts";
import { requestsIn } from "./requests.ts";
import { runsIn } from "./runs.ts";
import { migrate } from "./schema.ts";
import { sessionsIn } from "./sessions.ts";

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
  readonly runs: Runs;
  readonly logs: Logs;
  readonly sessions: Sessions;
  readonly claims: Claims;
  readonly inbox: Inbox;
  readonly requests: Requests;
  readonly definitions: Definitions;
  readonly keys: Keys;
  readonly owners: Owners;
  readonly ledger: Ledger;
  readonly #connection: Connection;
  readonly #listener: Listener;
  readonly #now: () => number;
  readonly #documents: PostgresDocuments;

  constructor(connection: Connection, clock: Clock) {
    const now = (): number => clock.now();
    const listener = new Listener(connection);
    this.runs = runsIn(connection, now);
    this.logs = logsIn(connection, listener);
    this.sessions = sessionsIn(connection);
    this.claims = claimsIn(connection);
    this.inbox = inboxIn(connection);
    this.requests = requestsIn(connection, now);
    this.definitions = definitionsIn(connection);
    this.keys = keysIn(connection);
    this.owners = ownersIn(connection, now);
    this.ledger = new PostgresLedger({ connection, clock });
    this.#connection = connection;
    this.#listener = listener;
    this.#now = now;
    this.#documents = new PostgresDocuments(connection, now);
  }

  documents(owner: Owner): VectorDocuments {
    return new StoredDocuments(() => this.#documents, owner);
  }

  async due(collection: string, query: DueQuery): Promise<readonly DueDocument[]> {
    return findDue(this.#documents, collection, query);
  }

  async commit(changes: readonly Change[]): Promise<readonly string[]> {
    return commit(this.#connection.ask, changes, this.#now());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]();
    await this.#connection[Symbol.asyncDispose]();
  }
}
