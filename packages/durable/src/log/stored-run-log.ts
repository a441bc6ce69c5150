/**
 * Stored run log: the log of one held run, on a database.
 *
 * What is appended is serialised once, and seen by readers only when it is on disk. The newest events are kept in
 * memory for those who follow; older ones are read from the database.
 */
import { BatonError, type Message, type RunEvent } from "@baton/core";
import type { EventBody, Observer, RunLog, TextSource } from "@baton/core/ports";
import type { RunRecord, Store } from "@baton/store";
import {
  type Change,
  type WriteSource,
  isTransient,
  readEvents,
  unwritableError,
  type ClaimedRequest,
} from "@baton/store/ports";
import { isSettledBy, type PostedCommand } from "../commands/posted-command.ts";
import { PendingChange, type RunLogOptions } from "./pending-change.ts";

/** The parts that all logs of a process share. */
interface LogContext {
  readonly store: Pick<Store, "database" | "writer" | "clock">;
  readonly observer: Observer | undefined;
}

/** A caller that waits until something is on disk. */
interface Waiter {
  /** It learns the truth, even after the log was sealed. */
  readonly isFirm: boolean;
  readonly resolve: () => void;
  readonly reject: (error: BatonError) => void;
}

/** Events of a held run that are kept in memory. */
const MAX_RECENT = 512;
/** Size of one page of the lines in memory. */
const MAX_PAGE_CHARS = 1_048_576;
/** Pause before a read is retried after an error of the store. */
const RETRY_MS = 100;

/** The log of one held run. */
export class StoredRunLog implements RunLog, WriteSource {
  readonly #run: string;
  /** The beginning of all its lines. */
  readonly #head: string;
  readonly #options: RunLogOptions;
  readonly #store: LogContext["store"];
  readonly #observer: Observer | undefined;
  readonly #pending: PendingChange;
  /** The newest events and their lines; the last ones may not be on disk yet. */
  #recent: RunEvent[] = [];
  #lines: string[] = [];
  #length: number;
  /** The seq of the last event on disk. */
  #stored: number;
  /** Something is to be written, and is not on its way to the disk. */
  #isDirty = false;
  /** Those who wait for it, and those who wait for what is being written; undefined if nothing is. */
  #waiting: Waiter[] = [];
  #writing: Waiter[] | undefined;
  /** Why nothing more will be written. */
  #gone: BatonError | undefined;
  #isGivenBack = false;
  #isUnseen = false;
  #next: string | undefined;
  #isSealed = false;
  #wakes: (() => void)[] = [];
  /** Posted commands that a fact will settle. */
  #expected: PostedCommand[] = [];
  /** No text of the segment was observed yet. */
  #isQuiet = true;
  /** Steps that have said something and not ended. */
  readonly #speaking = new Set<TextSource>();
  /** The part after the seq that the lines of a source's text share. */
  #same: { readonly source: TextSource; readonly at: number; readonly text: string } | undefined;

  constructor(options: RunLogOptions, { store, observer }: LogContext) {
    this.#run = options.record.id;
    this.#head = `{"run":"${this.#run}","seq":`;
    this.#options = options;
    this.#store = store;
    this.#observer = observer;
    this.#pending = new PendingChange(options);
    this.#length = options.length;
    this.#stored = options.length;
    this.#addRecord();
  }

  get length(): number {
    return this.#length;
  }

  get isSealed(): boolean {
    return this.#isSealed;
  }

  /** Whether no client was acknowledged yet: an unacknowledged start or resume is dropped if the write fails. */
  get isUnknown(): boolean {
    const { known } = this.#pending;
    return this.#gone === undefined && (known === undefined || known === "paused");
  }

  /** Its claim went with its last event, so there is nothing to give back. */
  get isGivenBack(): boolean {
    return this.#isGivenBack;
  }

  /** Its claim was taken and released with one change: no process can have waited for it. */
  get isUnseen(): boolean {
    return this.#isUnseen;
  }

  /** The run that was queued with its end. */
  get next(): string | undefined {
    return this.#next;
  }

  /** The run's current record. */
  get record(): RunRecord {
    return this.#pending.builder.record;
  }

  /** Number of messages that were sent to the run and that it has not heard yet. */
  get unheard(): number {
    return this.#expected.filter(({ command }) => command.type === "say").length;
  }

  /** Writes a client's idempotency key together with the events that were just appended. */
  carryOut(once: ClaimedRequest | undefined): void {
    this.#pending.once = once;
  }

  /** A posted command is settled by one of the next facts. */
  expect(posted: PostedCommand): void {
    this.#expected.push(posted);
  }

  /** A posted command was refused; false if a fact has settled it. */
  forget(posted: PostedCommand): boolean {
    const index = this.#expected.indexOf(posted);
    if (index !== -1) this.#expected.splice(index, 1);
    return index !== -1;
  }

  append(fact: EventBody, lane: string): number {
    const at = this.#store.clock.now();
    if (this.#isSealed) return at;
    const event = { run: this.#run, seq: this.#length + 1, at, lane, ...fact };
    this.#pending.note(fact, lane, at);
    if (this.#expected.length > 0) this.#settle(fact);
    if (fact.type === "step.ended") this.#speaking.clear();
    // As `JSON.stringify(event)` would have it, without reading again what all its events share.
    const line = `${this.#head}${event.seq},"at":${at},"lane":${JSON.stringify(lane)},${JSON.stringify(fact).slice(1)}`;
    this.#push(event, line);
    this.#store.writer.add(this, line.length);
    return at;
  }

  appendText(source: TextSource, text: string): void {
    if (this.#isSealed) return;
    const { lane, step, agent } = source;
    const seq = this.#length + 1;
    const at = this.#store.clock.now();
    this.#pending.builder.text(at);
    // Text that comes in one turn of the event loop differs only in its seq and its words.
    if (this.#same?.source !== source || this.#same.at !== at) {
      const part = JSON.stringify({ at, lane, type: "text.delta", step, agent }).slice(1, -1);
      this.#same = { source, at, text: `,${part},"text":` };
    }
    const line = `${this.#head}${seq}${this.#same.text}${JSON.stringify(text)}}`;
    this.#push({ run: this.#run, seq, at, lane, type: "text.delta", step, agent, text }, line);
    // The first words of a step are what its reader waits for: only those that follow wait for more.
    if (this.#speaking.has(source)) return this.#store.writer.addText(this, line.length);
    this.#speaking.add(source);
    this.#store.writer.add(this, line.length);
  }

  committed(): Promise<void> | undefined {
    if (this.#isWritten) return undefined;
    return this.#isSealed ? Promise.reject(this.#toClosed()) : this.#wait({ isFirm: false });
  }

  /** Resolves once everything so far is on disk, sealed or not; rejects if it will never be. */
  async stored(): Promise<void> {
    if (!this.#isWritten) await this.#wait({ isFirm: true });
  }

  read(after: number): readonly RunEvent[] | Promise<readonly RunEvent[]> {
    const first = this.#first;
    if (after + 1 < first) return this.#readOlder(after);
    return this.#recent.slice(after + 1 - first, this.#stored + 1 - first);
  }

  /**
   * Some lines beyond `after` that are on disk, as many as the database gives at a time; undefined if they are not in memory any more, or if something is being written:
   * a reader may know that it is on disk before this log does.
   */
  lines(after: number): readonly string[] | undefined {
    if (this.#writing !== undefined) return undefined;
    const first = this.#first;
    return after + 1 < first ? undefined : toPage(this.#lines.slice(after + 1 - first, this.#stored + 1 - first));
  }

  grown(after: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wakes.push(resolve);
      if (this.#stored > after || this.#isSealed) this.#wake();
    });
  }

  /** The beginning of a run that others know of is on disk first: if its first step crashes the process, they see that it ran. */
  room(): Promise<void> | undefined {
    // One that is left or lost meanwhile feels that by its scope.
    if (this.#pending.known !== undefined && this.#stored === 0) return this.committed()?.catch(() => undefined);
    return this.#store.writer.room();
  }

  remember(history: readonly Message[]): void {
    this.#pending.remember(history);
  }

  /** Stops accepting events. Pending lines are still written, but waiters are rejected so that the run cannot start another effect. */
  seal(): void {
    if (this.#isSealed) return;
    this.#isSealed = true;
    this.#pending.builder.leave();
    this.#addRecord();
    const refused = this.#toClosed();
    const refuse = (waiter: Waiter): boolean => {
      if (!waiter.isFirm) waiter.reject(refused);
      return waiter.isFirm;
    };
    this.#waiting = this.#waiting.filter(refuse);
    this.#writing = this.#writing?.filter(refuse);
    this.#wake();
  }

  take(): Change | undefined {
    if (this.#gone !== undefined) return undefined;
    this.#isDirty = false;
    this.#writing = this.#waiting;
    this.#waiting = [];
    return this.#pending.take(this.#length);
  }

  wrote(change: Change): void {
    const { batch, begins, ends, next } = change;
    const before = this.#stored;
    this.#pending.wrote(change);
    if (next !== undefined) this.#next = next.id;
    if (ends === true) this.#isGivenBack = true;
    this.#isUnseen = begins === true && ends === true;
    this.#stored = batch?.last ?? before;
    if (this.#observer !== undefined) this.#observe(this.#observer, before);
    if (this.#recent.length > 2 * MAX_RECENT) this.#trim(this.#first);
    const written = this.#writing ?? [];
    this.#writing = undefined;
    for (const { resolve } of written) resolve();
    if (this.#wakes.length > 0) this.#wake();
  }

  /** Observers see all events but the text of models, and of that the first piece of each segment. */
  #observe(observe: Observer, after: number): void {
    const first = this.#first;
    for (const event of this.#recent.slice(after + 1 - first, this.#stored + 1 - first)) {
      const isText = event.type === "text.delta";
      if (isText && !this.#isQuiet) continue;
      if (isText) this.#isQuiet = false;
      else if (event.type === "run.resumed") this.#isQuiet = true;
      observe(event);
    }
  }

  lost(): void {
    const message = `run ${this.#run} was begun or taken over by another process`;
    this.#giveUp(new BatonError("conflict", message));
    this.#options.lost();
  }

  givenUp(why?: BatonError): void {
    if (why === undefined) return this.#giveUp(this.#toClosed());
    this.#giveUp(unwritableError(why));
    this.#options.lost();
  }

  /** The seq of the oldest event in memory. */
  get #first(): number {
    return this.#length - this.#recent.length + 1;
  }

  get #isWritten(): boolean {
    return !this.#isDirty && this.#writing === undefined && this.#gone === undefined;
  }

  /** Waits for all that was appended so far, and for nothing that comes later. */
  #wait({ isFirm }: Pick<Waiter, "isFirm">): Promise<void> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    if (this.#isDirty) this.#store.writer.add(this, 0);
    const waiters = this.#isDirty ? this.#waiting : (this.#writing ?? this.#waiting);
    return new Promise((resolve, reject) => waiters.push({ isFirm, resolve, reject }));
  }

  /** One command for each fact, and all of them with the run's end. */
  #settle(fact: EventBody): void {
    const settled = this.#expected.filter(({ command }) => isSettledBy(command, fact));
    const taken = fact.type === "run.ended" ? settled : settled.slice(0, 1);
    this.#expected = this.#expected.filter((posted) => !taken.includes(posted));
    for (const { id } of taken) this.#pending.takes.push(id);
  }

  #giveUp(error: BatonError): void {
    this.#isSealed = true;
    this.#gone = error;
    for (const { reject } of [...(this.#writing ?? []), ...this.#waiting]) reject(error);
    this.#writing = undefined;
    this.#waiting = [];
    this.#wake();
  }

  #toClosed(): BatonError {
    return new BatonError("closed", `run ${this.#run} was handed over when its process stopped`);
  }

  /** Asks for the record to be written if it has changed. */
  #addRecord(): void {
    if (!this.#pending.builder.isChanged) return;
    this.#isDirty = true;
    this.#store.writer.add(this, 0);
  }

  #push(event: RunEvent, line: string): void {
    this.#isDirty = true;
    this.#length++;
    this.#recent.push(event);
    this.#lines.push(line);
    this.#pending.addLine(line);
  }

  /** Events that are no longer in memory; an error of the store that may pass is waited out. */
  async #readOlder(after: number): Promise<readonly RunEvent[]> {
    const { database, clock } = this.#store;
    for (;;) {
      try {
        return await readEvents(database, this.#run, after);
      } catch (error) {
        if (this.#isSealed || !isTransient(error)) throw error;
      }
      await new Promise<void>((resolve) => {
        clock.after(RETRY_MS, resolve);
      });
    }
  }

  /** Forgets events that are on disk, all but the newest. */
  #trim(first: number): void {
    const last = Math.min(this.#stored, this.#length - MAX_RECENT);
    const count = Math.max(0, last + 1 - first);
    this.#recent = this.#recent.slice(count);
    this.#lines = this.#lines.slice(count);
  }

  #wake(): void {
    const wakes = this.#wakes;
    if (wakes.length === 0) return;
    this.#wakes = [];
    this.#store.clock.soon(() => {
      for (const wake of wakes) wake();
    });
  }
}

/** At most about a page of lines, but at least one. */
function toPage(lines: readonly string[]): readonly string[] {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length) > MAX_PAGE_CHARS);
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
