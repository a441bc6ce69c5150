/**
 * SQLite database: everything in one file or in memory, written by one transaction at a time, whichever process it comes
 * from.
 */
import type { BatonError } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
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
import { numberOf } from "./columns.ts";
import { addChange } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { inboxIn } from "./inbox.ts";
import { definitionsIn, keysIn } from "./keys.ts";
import { logsIn } from "./logs.ts";
import { ownersIn } from "./owners.ts";
import { requestsIn } from "./requests.ts";
import { runsIn } from "./runs.ts";
import { sessionsIn } from "./sessions.ts";
import { SqliteDocuments } from "./sqlite-documents.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import type { Tip } from "./tip.ts";
import type { Watchers } from "./watchers.ts";

/** What it is made of. */
export interface Parts {
  readonly name: "sqlite" | "memory";
  readonly connection: Connection;
  readonly watchers: Watchers;
  /** Of a file. */
  readonly tip?: Tip;
  readonly now: () => number;
}

/** One handle on the data. */
export class SqliteDatabase implements Database {
  readonly name: "sqlite" | "memory";
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
  readonly #parts: Parts;
  readonly #documents: SqliteDocuments;

  constructor(parts: Parts) {
    const { name, connection, watchers, now } = parts;
    this.name = name;
    this.runs = runsIn(connection, now);
    this.logs = logsIn(connection, watchers);
    this.sessions = sessionsIn(connection);
    this.claims = claimsIn(connection, now);
    this.inbox = inboxIn(connection, now);
    this.requests = requestsIn(connection, now);
    this.definitions = definitionsIn(connection);
    this.keys = keysIn(connection);
    this.owners = ownersIn(connection, now);
    this.ledger = new SqliteLedger(connection, now);
    this.#parts = parts;
    this.#documents = new SqliteDocuments(connection, now);
  }

  get problem(): BatonError | undefined {
    return this.#parts.connection.problem;
  }

  documents(owner: Owner): VectorDocuments {
    return new StoredDocuments(() => this.#documents, owner);
  }

  async due(collection: string, query: DueQuery): Promise<readonly DueDocument[]> {
    return findDue(this.#documents, collection, query);
  }

  async commit(changes: readonly Change[]): Promise<readonly string[]> {
    const { connection, watchers, tip, now } = this.#parts;
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
    for (const run of grown) watchers.wake(run);
    if (lost.size < changes.length) watchers.wakeAll();
    return [...lost];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { connection, watchers, tip } = this.#parts;
    watchers.close();
    connection.close();
    tip?.close();
  }
}
