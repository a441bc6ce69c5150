/**
 * Postgres database: a store that several processes and machines share.
 */
import { type Clock, SystemClock } from "@baton/core/ports";
import type { Database } from "../database.ts";
import { toDocuments } from "../documents/stored-documents.ts";
import { claimsIn } from "./claims.ts";
import { commit } from "./commit.ts";
import { Connection } from "./connection.ts";
import { inboxIn } from "./inbox.ts";
import { definitionsIn, keysIn, requestsIn } from "./keys.ts";
import { ledgerIn } from "./ledger.ts";
import { Listener } from "./listener.ts";
import { logsIn } from "./logs.ts";
import { ownersIn } from "./owners.ts";
import { documentsIn } from "./postgres-documents.ts";
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
    return toDatabase(connection, clock);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

function toDatabase(connection: Connection, clock: Clock): Database {
  const now = (): number => clock.now();
  const listener = new Listener(connection);
  const documents = documentsIn(connection, now);
  return {
    name: "postgres",
    problem: undefined,
    runs: runsIn(connection, now),
    logs: logsIn(connection, listener),
    sessions: sessionsIn(connection),
    claims: claimsIn(connection),
    inbox: inboxIn(connection),
    requests: requestsIn(connection, now),
    definitions: definitionsIn(connection),
    keys: keysIn(connection),
    owners: ownersIn(connection, now),
    ledger: ledgerIn(connection, now),
    documents: (owner) => toDocuments(documents, owner),
    due: documents.due,
    commit: (changes) => commit(connection.ask, changes, now()),
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}
