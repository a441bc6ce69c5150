/**
 * Stored log: the engine's log, on a database.
 *
 * What is appended is serialised once, and seen by readers only when it is on disk. Of each run that is at work the
 * newest events are kept in memory for those who follow; older ones are read from the database.
 * Reads: batch, database, reader, tally, writer. Read by: store.
 */
import { BatonError, type Clock, type Fact, type Log, type Message, type Observer } from "@baton/core";
import type { RunEvent, RunLog, TextSource } from "@baton/core";
import { toBatch } from "./batch.ts";
import { runKey } from "./claim-key.ts";
import type { Change, Claim, Database, RunRecord, SessionRecord } from "./database.ts";
import { readEvents } from "./reader.ts";
import { Tally } from "./tally.ts";
import type { Source, Writer } from "./writer.ts";

/** A run that is to be at work here: who may write, and what is stored of it so far. */
export interface Seat {
  readonly claim: Claim;
  /** The claim is the run's own, and taken with the first thing that is written. */
  readonly isClaimNew: boolean;
  readonly record: RunRecord;
  /** Its record is not stored yet. */
  readonly isNew: boolean;
  /** How many events are stored. */
  readonly length: number;
  /** How many messages its session had before it. */
  readonly past: number;
  /** Its session's record, if it has a session. */
  readonly session?: SessionRecord;
  /** Called once where another process has taken the run over. */
  readonly lost: () => void;
}

interface Parts {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly observer: () => Observer | undefined;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: BatonError) => void;
}

/** Events kept in memory of a run at work. */
const MAX_RECENT = 512;

/** The logs of the runs that are at work in this process. */
export class StoredLog implements Log {
  readonly #runs = new Map<string, StoredRunLog>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes room for a run; before the engine opens its log. */
  seat(seat: Seat): StoredRunLog {
    const made = new StoredRunLog(seat, this.#parts);
    this.#runs.set(seat.record.id, made);
    return made;
  }

  open(run: string): StoredRunLog {
    const found = this.#runs.get(run);
    if (found === undefined) throw new BatonError("internal", `run ${run} has no seat in the store`);
    return found;
  }

  /** Undefined for a run that is seated but has not begun: the engine may start it. */
  find(run: string): StoredRunLog | undefined {
    const found = this.#runs.get(run);
    return found === undefined || found.length === 0 ? undefined : found;
  }

  /** The run's log if it is at work here, begun or not. */
  seated(run: string): StoredRunLog | undefined {
    return this.#runs.get(run);
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}

/** The log of one run at work. */
export class StoredRunLog implements RunLog, Source {
  readonly #run: string;
  readonly #seat: Seat;
  readonly #parts: Parts;
  readonly #tally: Tally;
  #claim: Claim;
  /** The session it runs in. */
  #session: SessionRecord | undefined;
  #past: number;
  /** The newest events; the last ones may not be on disk yet. */
  #recent: RunEvent[] = [];
  #lines: string[] = [];
  #length: number;
  /** The seq of the last event on disk. */
  #stored: number;
  #messages: readonly string[] | undefined;
  #sessionRecord: SessionRecord | undefined;
  /** Its record has been written. */
  #isRecorded: boolean;
  /** Its claim is taken. */
  #isBegun: boolean;
  /** Its claim is given back with what is written next. */
  #isEnding = false;
  #isSealed = false;
  #waiters: Waiter[] = [];
  #wakes: (() => void)[] = [];
  #prefix: { readonly source: TextSource; readonly text: string } | undefined;

  constructor(seat: Seat, parts: Parts) {
    this.#run = seat.record.id;
    this.#seat = seat;
    this.#parts = parts;
    this.#claim = seat.claim;
    this.#session = seat.session;
    this.#past = seat.past;
    this.#length = seat.length;
    this.#stored = seat.length;
    this.#tally = new Tally(seat.record, seat);
    this.#isRecorded = !seat.isNew;
    this.#isBegun = !seat.isClaimNew;
    if (seat.isNew) parts.writer.add(this, 0);
  }

  get length(): number {
    return this.#length;
  }

  get isSealed(): boolean {
    return this.#isSealed;
  }

  /** What is known of the run now. */
  get record(): RunRecord {
    return this.#tally.record;
  }

  /** From here on it writes under its session's claim. */
  guard(claim: Claim, session: SessionRecord): void {
    this.#claim = claim;
    this.#session = session;
    this.#isBegun = true;
  }

  append(fact: Fact, lane: string): number {
    const at = this.#parts.clock.now();
    if (this.#isSealed) return at;
    const event = { run: this.#run, seq: this.#length + 1, at, lane, ...fact };
    this.#tally.add(fact, lane, at);
    if (fact.type === "run.started") this.#past = fact.history.length;
    if (fact.type === "run.ended") this.#isEnding = this.#claim.key === runKey(this.#run);
    if (this.#session !== undefined) this.#noteSession(fact, at);
    this.#push(event, JSON.stringify(event));
    return at;
  }

  appendText(source: TextSource, text: string): void {
    if (this.#isSealed) return;
    const { lane, step, agent } = source;
    const seq = this.#length + 1;
    const at = this.#parts.clock.now();
    if (this.#prefix?.source !== source) {
      const part = JSON.stringify({ lane, type: "text.delta", step, agent }).slice(1, -1);
      this.#prefix = { source, text: part };
    }
    const line = `{"run":"${this.#run}","seq":${seq},"at":${at},${this.#prefix.text},"text":${JSON.stringify(text)}}`;
    this.#push({ run: this.#run, seq, at, lane, type: "text.delta", step, agent, text }, line);
  }

  committed(): Promise<void> | undefined {
    if (this.#stored === this.#length && this.#isRecorded) return undefined;
    if (this.#isSealed) return Promise.reject(this.#toClosed());
    const seq = this.#length;
    return new Promise((resolve, reject) => this.#waiters.push({ seq, resolve, reject }));
  }

  read(after: number): readonly RunEvent[] | Promise<readonly RunEvent[]> {
    const first = this.#length - this.#recent.length + 1;
    if (after + 1 < first) return readEvents(this.#parts.database, this.#run, after);
    return this.#recent.slice(after + 1 - first, this.#stored + 1 - first);
  }

  grown(after: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wakes.push(resolve);
      if (this.#stored > after || this.#isSealed) this.#wake();
    });
  }

  room(): Promise<void> | undefined {
    return this.#parts.writer.room();
  }

  remember(history: readonly Message[]): void {
    if (this.#session === undefined) return;
    this.#messages = history.slice(this.#past).map((message) => JSON.stringify(message));
  }

  /** What was appended before is still written. Nobody is told so: who waited might go on with what must not begin. */
  seal(): void {
    this.#isSealed = true;
    this.#refuse(this.#toClosed());
    this.#wake();
  }

  take(): Change | undefined {
    const lines = this.#lines;
    const { isChanged } = this.#tally;
    if (lines.length === 0 && !isChanged) return undefined;
    const { tenant } = this.#seat.record;
    const id = this.#session?.id;
    const change: Change = {
      claim: this.#claim,
      ...(this.#isBegun ? {} : { begins: true }),
      ...(this.#isEnding ? { ends: true } : {}),
      ...(isChanged ? { run: this.#tally.record } : {}),
      ...(lines.length > 0 ? { batch: toBatch(this.#run, this.#length - lines.length + 1, lines) } : {}),
      ...(this.#sessionRecord === undefined ? {} : { session: this.#sessionRecord }),
      ...(this.#messages === undefined || id === undefined
        ? {}
        : { messages: { tenant, session: id, run: this.#run, messages: this.#messages } }),
    };
    this.#isBegun = true;
    this.#lines = [];
    this.#tally.isChanged = false;
    this.#sessionRecord = undefined;
    this.#messages = undefined;
    return change;
  }

  wrote({ batch }: Change): void {
    const before = this.#stored;
    this.#stored = batch?.last ?? before;
    this.#isRecorded = true;
    const observe = this.#parts.observer();
    const first = this.#length - this.#recent.length + 1;
    if (observe !== undefined) this.#recent.slice(before + 1 - first, this.#stored + 1 - first).forEach(observe);
    if (this.#recent.length > 2 * MAX_RECENT) this.#trim(first);
    const ready = this.#waiters.filter(({ seq }) => seq <= this.#stored);
    if (ready.length > 0) this.#waiters = this.#waiters.filter(({ seq }) => seq > this.#stored);
    for (const { resolve } of ready) resolve();
    if (this.#wakes.length > 0) this.#wake();
  }

  lost(): void {
    this.#isSealed = true;
    const error = new BatonError("conflict", `run ${this.#run} was taken over by another process`);
    this.#refuse(error);
    this.#wake();
    this.#seat.lost();
  }

  #refuse(error: BatonError): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }

  #toClosed(): BatonError {
    return new BatonError("closed", `run ${this.#run} was left`);
  }

  #push(event: RunEvent, line: string): void {
    this.#length++;
    this.#recent.push(event);
    this.#lines.push(line);
    this.#parts.writer.add(this, line.length);
  }

  /** Forgets events that are on disk, all but the newest. */
  #trim(first: number): void {
    const last = Math.min(this.#stored, this.#length - MAX_RECENT);
    this.#recent = this.#recent.slice(Math.max(0, last + 1 - first));
  }

  /** A session knows which of its runs waits, in the same transaction as the run's own word for it. */
  #noteSession({ type }: Fact, at: number): void {
    const known = this.#session;
    if (known === undefined) return;
    const { id, tenant, createdAt } = known;
    const base = { id, tenant, createdAt, updatedAt: at };
    if (type === "run.paused") this.#sessionRecord = { ...base, paused: this.#run };
    else if (type === "run.started" || type === "run.resumed" || type === "run.ended") this.#sessionRecord = base;
  }

  #wake(): void {
    const wakes = this.#wakes;
    if (wakes.length === 0) return;
    this.#wakes = [];
    this.#parts.clock.soon(() => {
      for (const wake of wakes) wake();
    });
  }
}
