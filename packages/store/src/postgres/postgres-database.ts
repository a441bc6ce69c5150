/**
 * Postgres database: a store that several processes and machines share.
 */
import { type Clock, SystemClock } from "@baton/core/ports";
import type { Database } from "../database.ts";
import { documentsOf } from "../documents/stored-documents.ts";
import { postgresClaims } from "./claims.ts";
import { commit } from "./commit.ts";
import { PostgresConnection } from "./connection.ts";
import { postgresInbox } from "./inbox.ts";
import { postgresDefinitions, postgresKeys, postgresRequests } from "./keys.ts";
import { postgresLedger } from "./ledger.ts";
import { Listener } from "./listener.ts";
import { postgresLogs } from "./logs.ts";
import { postgresFeedback } from "./feedback.ts";
import { postgresOwners } from "./owners.ts";
import { postgresDocuments } from "./postgres-documents.ts";
import { postgresRuns } from "./runs.ts";
import { makeTables } from "./schema.ts";
import { postgresSessions } from "./sessions.ts";

/** Where the database is. */
export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with the driver's options behind a question mark. */
  readonly url: string;
  /** By which the windows of the ledger begin and requests are forgotten; leases go by the server's. */
  readonly clock?: Clock;
}

/** Opens a database, and makes its tables. */
export async function openPostgres({ url, clock = new SystemClock() }: PostgresOptions): Promise<Database> {
  const connection = new PostgresConnection(url);
  try {
    await makeTables(connection);
    return toDatabase(connection, clock);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

function toDatabase(connection: PostgresConnection, clock: Clock): Database {
  const now = (): number => clock.now();
  const listener = new Listener(connection);
  const documents = postgresDocuments(connection, now);
  return {
    name: "postgres",
    problem: undefined,
    runs: postgresRuns(connection, now),
    logs: postgresLogs(connection, listener),
    sessions: postgresSessions(connection),
    claims: postgresClaims(connection),
    inbox: postgresInbox(connection, listener),
    requests: postgresRequests(connection, now),
    definitions: postgresDefinitions(connection),
    keys: postgresKeys(connection),
    feedback: postgresFeedback(connection),
    owners: postgresOwners(connection, now),
    ledger: postgresLedger(connection, now),
    documents: (owner) => documentsOf(documents, owner),
    due: documents.due,
    commit: (changes) => commit(connection.ask, changes, now()),
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}
