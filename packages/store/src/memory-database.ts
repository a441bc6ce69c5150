/**
 * Memory database: keeps everything in this process, for tests and for runs that need not outlive it.
 *
 * Handles on the same `MemoryData` see the same, as processes on one file do.
 */
import type { Ledger } from "@baton/core/ports";
import { runKey, sessionKey } from "./claim-key.ts";
import type {
  Batch,
  Change,
  Claim,
  Conversation,
  Database,
  KeyRecord,
  Posted,
  RequestRecord,
  Retention,
  RunFilter,
  RunRecord,
  SessionFilter,
  SessionPlace,
  SessionRecord,
  SessionRuns,
  Transferred,
} from "./database.ts";
import { findDue } from "./document-due.ts";
import type { DueDocument, DueQuery, VectorDocuments } from "./document-table.ts";
import { isHeld, isHeldBy, MemoryData } from "./memory-data.ts";
import { deleteOwner, transfer } from "./memory-transfer.ts";
import { type Owner, isSameOwner } from "./owner.ts";
import { closed } from "./refusal.ts";
import { toShortId } from "./run-id.ts";
import { StoredDocuments } from "./stored-documents.ts";

/** One handle on it. */
export class MemoryDatabase implements Database {
  readonly name = "memory";
  readonly problem = undefined;
  readonly #shared: MemoryData;
  #isClosed = false;

  constructor(data: MemoryData = new MemoryData()) {
    this.#shared = data;
  }

  get #data(): MemoryData {
    if (this.#isClosed) throw closed();
    return this.#shared;
  }

  async commit(changes: readonly Change[]): Promise<readonly string[]> {
    const data = this.#data;
    const lengths = new Map<string, number>();
    const lost = new Set<string>();
    const written: Change[] = [];
    for (const { ...change } of changes) {
      if (mayWrite(data, change) && follows(data, lengths, change.batch)) written.push(change);
      else if (!isDone(data, change)) lost.add(change.claim.key);
    }
    for (const change of written) write(data, change);
    for (const run of lengths.keys()) for (const wake of data.watchers.get(run) ?? []) queueMicrotask(wake);
    if (written.length > 0) for (const wake of data.allWatchers) queueMicrotask(wake);
    return [...lost];
  }

  async batches(run: string, after: number, maxBytes: number): Promise<readonly Batch[]> {
    const log = this.#data.logs.get(run) ?? [];
    const rows: Batch[] = [];
    let bytes = 0;
    for (const row of log.slice(log.findLastIndex(({ last }) => last <= after) + 1)) {
      if (rows.length > 0 && bytes >= maxBytes) break;
      bytes += row.body.length;
      rows.push(row);
    }
    return rows;
  }

  async length(run: string): Promise<number> {
    return lengthOf(this.#data, run);
  }

  watch(run: string, changed: () => void): () => void {
    const { watchers } = this.#data;
    const wake = (): void => changed();
    const all = watchers.get(run) ?? new Set();
    watchers.set(run, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0 && watchers.get(run) === all) watchers.delete(run);
    };
  }

  watchAll(changed: () => void): () => void {
    const { allWatchers } = this.#data;
    const wake = (): void => changed();
    allWatchers.add(wake);
    return () => allWatchers.delete(wake);
  }

  async run(id: string): Promise<RunRecord | undefined> {
    return this.#data.runs.get(id);
  }

  async runs({ text = "", before, limit = 100, ...same }: RunFilter): Promise<readonly RunRecord[]> {
    const { runs } = this.#data;
    const last = before === undefined ? undefined : runs.get(before);
    if (before !== undefined && last === undefined) return [];
    const found = [...runs.values()].filter(
      (record) =>
        (last === undefined || byAge(record, last) < 0) &&
        (same.tenant ?? record.tenant) === record.tenant &&
        (same.user ?? record.user) === record.user &&
        isOfStatus(record, same.status) &&
        (same.outcome ?? record.outcome) === record.outcome &&
        record.createdAt >= (same.since ?? -Infinity) &&
        record.createdAt < (same.until ?? Infinity) &&
        record.updatedAt >= (same.changedSince ?? -Infinity) &&
        (same.crew ?? record.crew) === record.crew &&
        (same.session ?? record.session) === record.session &&
        (same.request ?? record.requestId) === record.requestId &&
        (same.shortId === undefined || same.shortId === toShortId(record.id)) &&
        record.input.toLowerCase().includes(text.toLowerCase()),
    );
    return found.toSorted((one, other) => byAge(other, one)).slice(0, limit);
  }

  async deleteRun(id: string): Promise<boolean> {
    this.#data.requests.forgetRun(id);
    return forget(this.#data, id);
  }

  async prune({ maxRuns = Infinity, endedBefore = -Infinity }: Retention): Promise<number> {
    const data = this.#data;
    const ended = [...data.runs.values()].filter(({ status }) => status === "ended");
    const forgotten = ended
      .toSorted((one, other) => byAge(other, one))
      .filter(({ updatedAt }, index) => index >= maxRuns || updatedAt < endedBefore);
    for (const { id } of forgotten) forget(data, id);
    data.documents.deleteExpired(data.clock.now());
    return forgotten.length;
  }

  async post(command: Posted): Promise<boolean> {
    const { runs, inbox } = this.#data;
    const { run, id } = command;
    if ((runs.get(run)?.status ?? "ended") === "ended") return false;
    inbox.set(run, (inbox.get(run) ?? new Map<string, Posted>()).set(id, command));
    return true;
  }

  async inbox(run: string): Promise<readonly Posted[]> {
    const kept = this.#data.inbox.get(run)?.values() ?? [];
    return [...kept].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async settle({ run, id }: Pick<Posted, "run" | "id">, fate: Posted["fate"] | "withdrawn"): Promise<boolean> {
    const kept = this.#data.inbox.get(run);
    const command = kept?.get(id);
    if (kept === undefined || command === undefined) return false;
    if (fate === "withdrawn") kept.delete(id);
    else kept.set(id, { ...command, fate });
    return true;
  }

  async unread(): Promise<readonly string[]> {
    const kept = [...this.#data.inbox].filter(([, all]) => all.values().some(({ fate }) => fate === "sent"));
    return kept.map(([run]) => run).slice(0, 1_000);
  }

  async session(owner: Owner, id: string): Promise<SessionRecord | undefined> {
    return this.#data.sessions.get(sessionKey(owner, id));
  }

  async sessions({ text = "", before, limit = 100, ...owner }: SessionFilter): Promise<readonly SessionRecord[]> {
    const found = [...this.#data.sessions.values()].filter(
      (session) =>
        isSameOwner(session, owner) &&
        (before === undefined || byUse(session, before) < 0) &&
        (session.title ?? "").toLowerCase().includes(text.toLowerCase()),
    );
    return found.toSorted((one, other) => byUse(other, one)).slice(0, limit);
  }

  async sessionRuns(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, SessionRuns>> {
    const wanted = new Set(ids);
    const found = new Map<string, SessionRuns>();
    for (const { session, crew, status, ...run } of [...this.#data.runs.values()].toSorted(byAge)) {
      if (session === undefined || !wanted.has(session) || !isSameOwner(run, owner)) continue;
      found.set(session, { runs: (found.get(session)?.runs ?? 0) + 1, crew, status });
    }
    return found;
  }

  async messages(owner: Owner, session: string): Promise<readonly string[]> {
    const said = this.#data.messages.get(sessionKey(owner, session)) ?? new Map<string, Conversation>();
    return [...said.values()].flatMap(({ messages }) => messages);
  }

  async deleteSession(owner: Owner, id: string): Promise<boolean> {
    const data = this.#data;
    const key = sessionKey(owner, id);
    data.documents.deleteSession(owner, id);
    if (!data.sessions.delete(key)) return false;
    data.messages.delete(key);
    data.claims.delete(key);
    const runs = [...data.runs.values()].filter((run) => run.session === id && isSameOwner(run, owner));
    for (const run of runs) data.requests.forgetRun(run.id);
    for (const run of runs) forget(data, run.id);
    return true;
  }

  async transfer(from: Owner, to: Owner): Promise<Transferred> {
    return transfer(this.#data, from, to);
  }

  async deleteOwner(owner: Owner): Promise<void> {
    deleteOwner(this.#data, owner);
  }

  documents(owner: Owner): VectorDocuments {
    return new StoredDocuments(() => this.#data.documents, owner);
  }

  async due(collection: string, query: DueQuery): Promise<readonly DueDocument[]> {
    return findDue(this.#data.documents, collection, query);
  }

  async request(key: string): Promise<RequestRecord | undefined> {
    return this.#data.requests.get(key, this.#data.clock.now());
  }

  async saveDefinition(hash: string, body: string): Promise<void> {
    if (!this.#data.definitions.has(hash)) this.#data.definitions.set(hash, body);
  }

  async definition(hash: string): Promise<string | undefined> {
    return this.#data.definitions.get(hash);
  }

  async renew(owner: string, leaseMs: number): Promise<void> {
    this.#data.leases.set(owner, this.#data.clock.now() + leaseMs);
  }

  async claim(claim: Claim): Promise<boolean> {
    if (isHeld(this.#data, claim.key)) return false;
    this.#data.claims.set(claim.key, claim);
    return true;
  }

  async release(claim: Claim): Promise<void> {
    if (isHeldBy(this.#data, claim)) this.#data.claims.delete(claim.key);
  }

  async leave(owner: string): Promise<void> {
    const { leases, claims } = this.#data;
    leases.delete(owner);
    for (const claim of claims.values()) if (claim.owner === owner) claims.delete(claim.key);
  }

  async isInUse(): Promise<boolean> {
    const { leases, clock } = this.#data;
    return [...leases.values()].some((endsAt) => endsAt > clock.now());
  }

  async interrupted(crews?: readonly string[]): Promise<readonly string[]> {
    const data = this.#data;
    const open = [...data.runs.values()].filter(
      ({ id, crew, session, status, ...owner }) =>
        (status === "queued" || status === "running") &&
        (crews === undefined || crews.includes(crew)) &&
        !isHeld(data, runKey(id)) &&
        (session === undefined || !isHeld(data, sessionKey(owner, session))),
    );
    return open.toSorted(byAge).map(({ id }) => id);
  }

  ledger(): Ledger {
    return this.#data.ledger;
  }

  async addKey(key: KeyRecord): Promise<void> {
    this.#data.keys.set(key.id, key);
  }

  async keys(): Promise<readonly KeyRecord[]> {
    return [...this.#data.keys.values()].toSorted(byAge);
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    const key = this.#data.keys.get(id);
    if (key === undefined || key.revokedAt !== undefined) return false;
    this.#data.keys.set(id, { ...key, revokedAt: at });
    return true;
  }

  async deleteKeys(): Promise<number> {
    const { keys } = this.#data;
    const count = keys.size;
    keys.clear();
    return count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
  }
}

function isOfStatus({ status }: RunRecord, wanted: RunFilter["status"]): boolean {
  return wanted === "open" ? status !== "ended" : (wanted ?? status) === status;
}

/** Whether a batch is the next one of its run, or there already; counts it as added. */
function follows(data: MemoryData, lengths: Map<string, number>, batch: Batch | undefined): boolean {
  if (batch === undefined || isStored(data, batch)) return true;
  if (batch.first !== (lengths.get(batch.run) ?? lengthOf(data, batch.run)) + 1) return false;
  lengths.set(batch.run, batch.last);
  return true;
}

function isStored({ logs }: MemoryData, { run, first, last, checksum }: Batch): boolean {
  const stored = logs.get(run)?.findLast((row) => row.last <= last);
  return stored?.first === first && stored.last === last && stored.checksum === checksum;
}

/** Whether the claims are held, or taken with this change, and what it creates is new. */
function mayWrite(data: MemoryData, change: Change): boolean {
  const { claim, also, begins } = change;
  if (also !== undefined && !isHeldBy(data, also)) return false;
  if (!isNew(data, change)) return false;
  if (begins === true && !isHeld(data, claim.key)) data.claims.set(claim.key, claim);
  return isHeldBy(data, claim);
}

/** Whether nothing is there of the run that a change creates, or just what it writes. */
function isNew(data: MemoryData, { creates, run, batch }: Change): boolean {
  if (creates !== true || run === undefined) return true;
  const stored = data.runs.get(run.id);
  const length = lengthOf(data, run.id);
  if (stored === undefined && length === 0) return true;
  return JSON.stringify(stored) === JSON.stringify(run) && length === (batch?.last ?? 0);
}

/** Whether a last change was written before, and its claim given back with it. */
function isDone(data: MemoryData, { ends, batch }: Change): boolean {
  return ends === true && batch !== undefined && isStored(data, batch);
}

function write(data: MemoryData, change: Change): void {
  const { claim, ends, run, batch, next, session, messages, request, takes = [] } = change;
  for (const id of takes) data.inbox.get(run?.id ?? batch?.run ?? "")?.delete(id);
  if (ends === true) data.claims.delete(claim.key);
  if (run !== undefined) data.runs.set(run.id, run);
  if (batch !== undefined && !isStored(data, batch)) {
    logOf(data, batch.run).push(batch);
    if (next !== undefined && !data.runs.has(next.id)) data.runs.set(next.id, next);
  }
  if (session !== undefined) data.sessions.set(sessionKey(session, session.id), session);
  if (request !== undefined) data.requests.put(request, data.clock.now());
  if (messages === undefined) return;
  const key = sessionKey(messages, messages.session);
  const known = messages.replaces === true ? undefined : data.messages.get(key);
  data.messages.set(key, (known ?? new Map<string, Conversation>()).set(messages.run, messages));
}

/** The run's rows, to be added to. */
function logOf({ logs }: MemoryData, run: string): Batch[] {
  const known = logs.get(run) ?? [];
  logs.set(run, known);
  return known;
}

function forget(data: MemoryData, run: string): boolean {
  data.logs.delete(run);
  data.inbox.delete(run);
  data.claims.delete(runKey(run));
  return data.runs.delete(run);
}

function lengthOf({ logs }: MemoryData, run: string): number {
  return logs.get(run)?.at(-1)?.last ?? 0;
}

/** The one that was used first comes first; of the same time, by id. */
function byUse(one: SessionPlace, other: SessionPlace): number {
  return byAge({ id: one.id, createdAt: one.updatedAt }, { id: other.id, createdAt: other.updatedAt });
}

/** Oldest first; of the same time, by id. */
function byAge(one: Aged, other: Aged): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}

type Aged = Readonly<{ id: string; createdAt: number }>;
