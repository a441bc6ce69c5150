/**
 * SQLite database: everything in one file or in memory, written by one transaction at a time, whichever process it comes
 * from.
 */
import type { Database } from "../database.ts";
import type { Change } from "../record.ts";
import { documentsOf } from "../documents/stored-documents.ts";
import { sqliteClaims } from "./claims.ts";
import { numberOf } from "./columns.ts";
import { addChange } from "./commit.ts";
import type { SqliteConnection } from "./connection.ts";
import type { FileWatch } from "./file/file-watch.ts";
import { sqliteInbox } from "./inbox.ts";
import { sqliteDefinitions, sqliteKeys, sqliteRequests } from "./keys.ts";
import { sqliteLogs } from "./logs.ts";
import { sqliteOwners } from "./owners.ts";
import { sqliteRuns } from "./runs.ts";
import { sqliteFeedback } from "./feedback.ts";
import { sqliteSessions } from "./sessions.ts";
import { sqliteDocuments } from "./sqlite-documents.ts";
import { sqliteLedger } from "./sqlite-ledger.ts";
import type { CommitCounterFile } from "./file/commit-counter-file.ts";

/** Parts of a database on SQLite. */
export interface SqliteParts {
  readonly name: "sqlite" | "memory";
  readonly connection: SqliteConnection;
  readonly watch: FileWatch;
  /** Of a file. */
  readonly commitCounter?: CommitCounterFile;
  readonly now: () => number;
}

/** One handle on the data. */
export function sqliteDatabase(parts: SqliteParts): Database {
  const { name, connection, watch, commitCounter, now } = parts;
  const documents = sqliteDocuments(connection, now);
  return {
    name,
    get problem() {
      return connection.problem;
    },
    lost: connection.lost,
    runs: sqliteRuns(connection, now),
    logs: sqliteLogs(connection, watch),
    sessions: sqliteSessions(connection),
    claims: sqliteClaims(connection, now),
    inbox: sqliteInbox(connection, now),
    requests: sqliteRequests(connection, now),
    definitions: sqliteDefinitions(connection),
    keys: sqliteKeys(connection),
    feedback: sqliteFeedback(connection),
    owners: sqliteOwners(connection, now),
    ledger: sqliteLedger(connection, now),
    documents: (owner) => documentsOf(documents, owner),
    due: documents.due,
    commit: (changes) => commit(parts, changes),
    [Symbol.asyncDispose]: async () => {
      watch.close();
      connection.close();
      commitCounter?.close();
    },
  };
}

async function commit(
  { connection, watch, commitCounter, now }: SqliteParts,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const lost = new Set<string>();
  const grown = new Set<string>();
  const count = await connection.write(() => {
    const last: (() => void)[] = [];
    for (const change of changes) {
      if (!addChange(connection, change, { now: now(), last })) lost.add(change.claim.key);
      else if (change.batch !== undefined) grown.add(change.batch.run);
    }
    connection.run("UPDATE commits SET count = count + 1");
    for (const write of last) write();
    return connection.get("SELECT count FROM commits");
  });
  if (count !== undefined) commitCounter?.note(numberOf(count, "count"));
  if (lost.size < changes.length) watch.wrote(grown);
  return [...lost];
}
