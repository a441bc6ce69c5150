/**
 * SQLite database: everything in one file, written by one transaction at a time, whichever process it comes from.
 *
 * It gives back what was written or says `damaged`; a run that is damaged does not keep the others from being
 * written.
 */
import { BatonError } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
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
import * as claims from "./claim-tables.ts";
import type { Connection } from "./connection.ts";
import * as inbox from "./inbox-table.ts";
import * as keys from "./key-table.ts";
import * as logs from "./log-tables.ts";
import { deleteOwner, transfer } from "./ownership.ts";
import * as requests from "./request-table.ts";
import * as runs from "./run-table.ts";
import { bodyOf, checksumOf, numberOf, SEALED } from "./sealed.ts";
import * as sessions from "./session-tables.ts";
import { deleteExpired, SqliteDocuments } from "./sqlite-documents.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import type { Tip } from "./tip.ts";
import { Watchers } from "./watchers.ts";
import { findDue } from "../document-due.ts";
import type { DueDocument, DueQuery, VectorDocuments } from "../document-table.ts";
import { toFateText } from "../posted-fate.ts";
import { StoredDocuments } from "../stored-documents.ts";

/** What it is made of. */
export interface Parts {
  readonly connection: Connection;
  readonly tip: Tip;
  readonly now: () => number;
}

/** One handle on the file. */
export class SqliteDatabase implements Database {
  readonly name = "sqlite";
  readonly #connection: Connection;
  readonly #tip: Tip;
  readonly #now: () => number;
  readonly #watchers: Watchers;
  readonly #documents: SqliteDocuments;

  constructor({ connection, tip, now }: Parts) {
    this.#connection = connection;
    this.#tip = tip;
    this.#now = now;
    this.#watchers = new Watchers(connection);
    this.#documents = new SqliteDocuments(connection, now);
  }

  get problem(): BatonError | undefined {
    return this.#connection.problem;
  }

  async commit(changes: readonly Change[]): Promise<readonly string[]> {
    const lost = new Set<string>();
    const grown = new Set<string>();
    const count = this.#connection.write(() => {
      for (const change of changes) {
        if (!this.#tryAdd(change)) lost.add(change.claim.key);
        else if (change.batch !== undefined) grown.add(change.batch.run);
      }
      return this.#connection.get("UPDATE commits SET count = count + 1 RETURNING count");
    });
    if (count !== undefined) this.#tip.note(numberOf(count, "count"));
    for (const run of grown) this.#watchers.wake(run);
    if (lost.size < changes.length) this.#watchers.wakeAll();
    return [...lost];
  }

  async batches(run: string, after: number, maxBytes: number): Promise<readonly Batch[]> {
    return this.#read((connection) => logs.readBatches(connection, run, { after, maxBytes }));
  }

  async length(run: string): Promise<number> {
    return this.#read((connection) => logs.readLength(connection, run));
  }

  watch(run: string, changed: () => void): () => void {
    return this.#read(() => this.#watchers.add(run, changed));
  }

  watchAll(changed: () => void): () => void {
    return this.#read(() => this.#watchers.addAll(changed));
  }

  async run(id: string): Promise<RunRecord | undefined> {
    return this.#read((connection) => runs.findRun(connection, id));
  }

  async runs(filter: RunFilter): Promise<readonly RunRecord[]> {
    return this.#read((connection) => runs.findRuns(connection, filter));
  }

  async deleteRun(id: string): Promise<boolean> {
    return this.#write((connection) => runs.deleteRun(connection, id));
  }

  async prune(retention: Retention): Promise<number> {
    return this.#write((connection) => {
      deleteExpired(connection, this.#now());
      return runs.pruneRuns(connection, retention);
    });
  }

  async post(command: Posted): Promise<boolean> {
    return this.#write((connection) => inbox.post(connection, command));
  }

  async inbox(run: string): Promise<readonly Posted[]> {
    return this.#read((connection) => inbox.findPosted(connection, run));
  }

  async settle(command: Pick<Posted, "run" | "id">, fate: Posted["fate"] | "withdrawn"): Promise<boolean> {
    return this.#write((connection) => {
      if (fate === "withdrawn") return inbox.removePosted(connection, command);
      return inbox.changeFate(connection, command, toFateText(fate));
    });
  }

  async unread(): Promise<readonly string[]> {
    return this.#connection.readShared(() => inbox.findUnread(this.#connection));
  }

  async session(owner: Owner, id: string): Promise<SessionRecord | undefined> {
    return this.#read((connection) => sessions.findSession(connection, owner, id));
  }

  async sessions(filter: SessionFilter): Promise<readonly SessionRecord[]> {
    return this.#read((connection) => sessions.findSessions(connection, filter));
  }

  async sessionRuns(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, SessionRuns>> {
    return this.#read((connection) => sessions.findSessionRuns(connection, owner, ids));
  }

  async messages(owner: Owner, session: string): Promise<readonly string[]> {
    return this.#read((connection) => sessions.findMessages(connection, owner, session));
  }

  async deleteSession(owner: Owner, id: string): Promise<boolean> {
    return this.#write((connection) => sessions.deleteSession(connection, owner, id));
  }

  async transfer(from: Owner, to: Owner): Promise<Transferred> {
    return this.#write((connection) => transfer(connection, { from, to, now: this.#now() }));
  }

  async deleteOwner(owner: Owner): Promise<void> {
    this.#write((connection) => deleteOwner(connection, owner, this.#now()));
  }

  documents(owner: Owner): VectorDocuments {
    return new StoredDocuments(() => this.#documents, owner);
  }

  async due(collection: string, query: DueQuery): Promise<readonly DueDocument[]> {
    return findDue(this.#documents, collection, query);
  }

  async request(key: string): Promise<RequestRecord | undefined> {
    return this.#read((connection) => requests.findRequest(connection, key, this.#now()));
  }

  async saveDefinition(hash: string, body: string): Promise<void> {
    this.#write((connection) =>
      connection.run(
        "INSERT OR IGNORE INTO definitions (hash, checksum, body) VALUES (?, ?, ?)",
        hash,
        checksumOf(`definition ${hash}`, body),
        body,
      ),
    );
  }

  async definition(hash: string): Promise<string | undefined> {
    return this.#read((connection) => {
      const row = connection.get(`SELECT ${SEALED} FROM definitions WHERE hash = ?`, hash);
      return row === undefined ? undefined : bodyOf(`definition ${hash}`, row);
    });
  }

  async renew(owner: string, leaseMs: number): Promise<void> {
    this.#writeLightly((connection) => claims.renew(connection, owner, { now: this.#now(), leaseMs }));
  }

  async claim(claim: Claim): Promise<boolean> {
    return this.#writeLightly((connection) => claims.takeClaim(connection, claim, this.#now()));
  }

  async release(claim: Claim): Promise<void> {
    this.#writeLightly((connection) => claims.release(connection, claim));
  }

  async leave(owner: string): Promise<void> {
    this.#writeLightly((connection) => claims.leave(connection, owner));
  }

  async isInUse(): Promise<boolean> {
    return this.#connection.readShared(() => claims.isInUse(this.#connection, this.#now()));
  }

  async interrupted(crews?: readonly string[]): Promise<readonly string[]> {
    return this.#connection.readShared(() => runs.findInterrupted(this.#connection, { crews, now: this.#now() }));
  }

  ledger(): Ledger {
    return new SqliteLedger(this.#connection, this.#now);
  }

  async addKey(key: KeyRecord): Promise<void> {
    this.#write((connection) => keys.saveKey(connection, key));
  }

  async keys(): Promise<readonly KeyRecord[]> {
    return this.#connection.readShared(() => keys.findKeys(this.#connection));
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    return this.#write((connection) => keys.revokeKey(connection, id, at));
  }

  async deleteKeys(): Promise<number> {
    return this.#write((connection) => keys.deleteKeys(connection));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.close();
    this.#connection.close();
    this.#tip.close();
  }

  /** Whether a change was written; a run that is damaged is lost to its writer, and the others go on. */
  #tryAdd(change: Change): boolean {
    try {
      if (this.#add(change)) return true;
    } catch (error) {
      if (!(error instanceof BatonError && error.code === "damaged")) throw error;
    }
    if (change.begins === true) claims.release(this.#connection, change.claim);
    return false;
  }

  /** Writes what comes under a claim that is held; false where it is not, or its log is not what its writer believes. */
  #add(change: Change): boolean {
    const { claim, begins, ends, run, batch, next, session, messages, request, takes = [] } = change;
    const connection = this.#connection;
    if (!this.#mayCarryOut(change) || !runs.isNew(connection, change)) return false;
    // What begins and ends at once leaves no claim behind: it is enough that nobody else has one.
    const isWhole = begins === true && ends === true;
    if (!(isWhole ? this.#isFree(change) : this.#hold(change))) return logs.isDone(connection, change);
    const id = run?.id ?? batch?.run;
    const hasRecord = run !== undefined;
    const isNextNew = next !== undefined && batch !== undefined && !logs.isStored(connection, batch);
    const wasRecorded = id === undefined ? false : logs.addToLog(connection, { run: id, batch, hasRecord });
    if (wasRecorded === undefined) return false;
    if (run !== undefined && wasRecorded) runs.changeRun(connection, run);
    else if (run !== undefined) runs.addRun(connection, run);
    if (isNextNew) this.#addNext(next);
    for (const taken of takes) inbox.removePosted(connection, { run: id ?? "", id: taken });
    if (session !== undefined) sessions.saveSession(connection, session);
    if (messages !== undefined) sessions.saveMessages(connection, messages);
    if (request !== undefined) requests.saveRequest(connection, request, this.#now());
    if (ends === true && !isWhole) claims.release(connection, claim);
    return true;
  }

  /** Adds a queued run, unless there is one with its id. */
  #addNext(run: RunRecord): void {
    const connection = this.#connection;
    if (connection.get("SELECT id FROM runs WHERE id = ?", run.id) !== undefined) return;
    logs.addToLog(connection, { run: run.id, batch: undefined, hasRecord: true });
    runs.addRun(connection, run);
  }

  /** Whether the request that it carries out, if any, is still its writer's. */
  #mayCarryOut({ also }: Change): boolean {
    return also === undefined || claims.isHeld(this.#connection, also);
  }

  #isFree({ claim }: Change): boolean {
    return claims.isFree(this.#connection, claim.key, this.#now()) || claims.isHeld(this.#connection, claim);
  }

  /** Whether the claim is held, or was taken just now. */
  #hold({ claim, begins }: Change): boolean {
    const isTaken = begins === true && claims.takeClaim(this.#connection, claim, this.#now());
    return isTaken || claims.isHeld(this.#connection, claim);
  }

  #read<T>(work: (connection: Connection) => T): T {
    return this.#connection.read(() => work(this.#connection));
  }

  #write<T>(work: (connection: Connection) => T): T {
    return this.#connection.write(() => work(this.#connection));
  }

  #writeLightly<T>(work: (connection: Connection) => T): T {
    return this.#connection.writeLightly(() => work(this.#connection));
  }
}
