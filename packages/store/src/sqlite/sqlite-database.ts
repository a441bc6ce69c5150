/**
 * SQLite database: everything in one file or in memory, written by one transaction at a time, whichever process it comes
 * from.
 */
import type { Database } from "../database.ts";
import type { Change } from "../record.ts";
import { toDocuments } from "../documents/stored-documents.ts";
import { claimsIn } from "./claims.ts";
import { numberOf } from "./columns.ts";
import { addChange } from "./commit.ts";
import type { Connection } from "./connection.ts";
import type { FileWatch } from "./file/file-watch.ts";
import { inboxIn } from "./inbox.ts";
import { definitionsIn, keysIn, requestsIn } from "./keys.ts";
import { logsIn } from "./logs.ts";
import { ownersIn } from "./owners.ts";
import { runsIn } from "./runs.ts";
import { sessionsIn } from "./sessions.ts";
import { documentsIn } from "./sqlite-documents.ts";
import { ledgerIn } from "./sqlite-ledger.ts";
import type { Tip } from "./file/commit-counter-file.ts";

/** What it is made of. */
export interface Parts {
  readonly name: "sqlite" | "memory";
  readonly connection: Connection;
  readonly watch: FileWatch;
  /** Of a file. */
  readonly tip?: Tip;
  readonly now: () => number;
}

/** One handle on the data. */
export function toDatabase(parts: Parts): Database {
  const { name, connection, watch, tip, now } = parts;
  const documents = documentsIn(connection, now);
  return {
    name,
    get problem() {
      return connection.problem;
    },
    runs: runsIn(connection, now),
    logs: logsIn(connection, watch),
    sessions: sessionsIn(connection),
    claims: claimsIn(connection, now),
    inbox: inboxIn(connection, now),
    requests: requestsIn(connection, now),
    definitions: definitionsIn(connection),
    keys: keysIn(connection),
    owners: ownersIn(connection, now),
    ledger: ledgerIn(connection, now),
    documents: (owner) => toDocuments(documents, owner),
    due: documents.due,
    commit: async (changes) => commit(parts, changes),
    [Symbol.asyncDispose]: async () => {
      watch.close();
      connection.close();
      tip?.close();
    },
  };
}

function commit({ connection, watch, tip, now }: Parts, changes: readonly Change[]): readonly string[] {
  const lost = new Set<string>();
  const grown = new Set<string>();
  const count = connection.write(() => {
    for (const change of changes) {
      if (!addChange(connection, change, now())) lost.add(change.claim.key);
      else if (change.batch !== undefined) grown.add(change.batch.run);
    }
    return connection.get("UPDATE commits SET count = count + 1 RETURNING count");
  });
  if (count !== undefined) tip?.note(numberOf(count, "count"));
  if (lost.size < changes.length) watch.wrote(grown);
  return [...lost];
}
