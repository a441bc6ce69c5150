/**
 * Local run: one segment of a run in this process, from a start or resume to the next pause or end.
 *
 * All its lanes share this: what is recorded of them, the questions they ask, and whether anything of the run works.
 */
import type { CallLog } from "./call-log.ts";
import type { Command, EventBody, EventBodyOf, GivenAnswer, RunEvent } from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import type { RunGuards, Ruled } from "./guard.ts";
import type { Answer } from "./host.ts";
import type { Json } from "../words/json.ts";
import type { RunLog } from "./log.ts";
import { findCancelled, Recording } from "./recording.ts";
import { toRunClock, type RunClock } from "../lifetimes/run-clock.ts";
import type { Timer } from "../lifetimes/clock.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { hasChanges, withChanges } from "../words/state.ts";
import { count, type OpenTotals } from "../words/totals.ts";

/** Settlement of a question. */
export type Settled = Answer | "waiting" | "closed";

type Asking = Readonly<{ lane: string; resolve: (settled: Settled) => void }>;

/** Parts of a segment; `values` is the run's state, `earlier` the same before the recorded events. */
interface LocalRunParts extends Pick<
  LocalRun,
  "calls" | "totals" | "log" | "receive" | "recorded" | "scope" | "questions"
> {
  readonly values: ReadonlyMap<string, Json>;
  readonly earlier: ReadonlyMap<string, Json>;
  readonly guards?: RunGuards | undefined;
}

/** A run while something of it is running. */
export class LocalRun {
  readonly id: string;
  readonly log: RunLog;
  readonly scope: Scope;
  /** Events of the log since the open turn began; empty for a new run. */
  readonly recorded: readonly RunEvent[];
  /** The open questions of the run, kept up with its log. */
  readonly questions: Map<string, OpenQuestion>;
  /** Its finished calls, kept up with its log. */
  readonly calls: CallLog;
  /** Its tokens, money and warnings, kept up with its log. */
  readonly totals: OpenTotals;
  /** The guards of its crews' policies, if they have any. */
  readonly guards: RunGuards | undefined;
  /** Rulings of this segment, by their keys. */
  readonly rulings = new Map<string, Ruled>();
  /** Takes the next command for a lane, between two steps. */
  readonly receive: (lane: string) => Command | undefined;
  /** Lanes and calls that were cancelled alone; made when the first is. */
  #cancelled: Set<string> | undefined;
  /** Created with the first question: most runs ask nothing. */
  #asking: Map<string, Asking> | undefined;
  /** The clock of its scope; it stands still while nothing is done but to wait for a time. */
  readonly #time: RunClock;
  #working = 0;
  #sleeping = 0;
  #isPausing = false;
  /** Both are made when first read. */
  #byLane: ReadonlyMap<string, readonly RunEvent[]> | undefined;
  readonly #recordings = new Map<string, Recording>();
  #changes: readonly RunEvent[] | undefined;
  /** Replaced, never changed: a reader that holds it keeps what it saw. */
  #values: ReadonlyMap<string, Json>;
  readonly #earlier: ReadonlyMap<string, Json>;

  constructor(id: string, parts: LocalRunParts) {
    this.id = id;
    this.#values = parts.values;
    this.#earlier = parts.earlier;
    this.totals = parts.totals;
    this.log = parts.log;
    this.receive = parts.receive;
    this.scope = parts.scope;
    this.#time = toRunClock(parts.scope.clock);
    this.recorded = parts.recorded;
    this.questions = parts.questions;
    this.calls = parts.calls;
    this.guards = parts.guards;
    if (parts.recorded.length > 0) this.#cancelled = findCancelled(parts.recorded);
  }

  /** The run's state; with a place in the log, as it was before that. */
  values(before?: number): ReadonlyMap<string, Json> {
    if (before === undefined) return this.#values;
    this.#changes ??= this.recorded.filter(hasChanges);
    return withChanges(
      this.#earlier,
      this.#changes.filter(({ seq }) => seq < before),
    );
  }

  /** The recorded facts of a lane; undefined if there are none. */
  recordingOf(lane: string): Recording | undefined {
    if (this.recorded.length === 0) return undefined;
    const known = this.#recordings.get(lane);
    if (known !== undefined) return known;
    this.#byLane ??= Map.groupBy(this.recorded, (event) => event.lane);
    const events = this.#byLane.get(lane);
    if (events === undefined) return undefined;
    const recording = new Recording(events);
    this.#recordings.set(lane, recording);
    return recording;
  }

  /** Writes a fact down, and shows it to the guards; returns its time. */
  append(fact: EventBody, lane: string): number {
    const at = this.log.append(fact, lane);
    this.guards?.add({ run: this.id, seq: this.log.length, at, lane, ...fact });
    return at;
  }

  /** Whether the run waits for people, so that nothing new begins in this segment. */
  get isPausing(): boolean {
    return this.#isPausing;
  }

  /** Takes over what a step or a call has set, and that a call has ended, as soon as that is in the log. */
  apply(fact: EventBody, at: number): void {
    this.calls.add(fact, this.log.length, at);
    count(this.totals, fact);
    if (hasChanges(fact)) this.#values = withChanges(this.#values, [fact]);
  }

  /** Notes that a lane or call is cancelled alone, and takes its questions back. */
  cancel(key: string): void {
    (this.#cancelled ??= new Set()).add(key);
    for (const [question, { lane }] of this.#asking ?? []) {
      if (isIn(lane, key) || isIn(question, key)) this.takeBack(question);
    }
  }

  isCancelled(key: string): boolean {
    const all = this.#cancelled;
    return all !== undefined && (all.has(key) || all.values().some((outer) => key.startsWith(`${outer}.`)));
  }

  /** Hands an answer to the call that waits for it; false if nothing does. */
  answer(question: string, given: GivenAnswer): boolean {
    const asking = this.#asking?.get(question);
    if (asking === undefined) return false;
    this.#asking?.delete(question);
    this.questions.delete(question);
    this.append({ type: "question.answered", question, ...given }, asking.lane);
    asking.resolve({ value: given.value });
    return true;
  }

  /** Work began: the run is not waiting. */
  began(): void {
    if (this.#working++ === 0) this.#time.go();
  }

  /** Work ended: perhaps nothing can continue without an answer now. */
  finished(): void {
    this.#working--;
    this.#look();
  }

  /** Waits so long, or until all is settled, or the scope is cancelled. */
  async sleep(scope: Scope, delayMs: number, settled: readonly Promise<Settled>[]): Promise<void> {
    let timer: Timer | undefined;
    this.#sleeping++;
    this.#look();
    const begin = (wake: () => void) => {
      timer = this.#time.real.after(delayMs, wake);
      if (settled.length > 0) Promise.all(settled).then(wake, wake);
      return () => undefined;
    };
    await scope.wait<void>(begin).catch(() => undefined);
    timer?.cancel();
    if (--this.#sleeping === 0) this.#time.go();
    this.#look();
  }

  wait(question: string, lane: string): Promise<Settled> {
    const all = (this.#asking ??= new Map());
    if (all.size === 0) this.scope.onCancel(() => this.close());
    return new Promise((resolve) => {
      all.set(question, { lane, resolve });
      this.#look();
    });
  }

  /** Takes back the questions of one lane and of those in it, or of all. */
  close(lane?: string): void {
    for (const [question, asking] of this.#asking ?? []) {
      if (lane === undefined || isIn(asking.lane, lane)) this.takeBack(question);
    }
  }

  /** Takes back a question that is waited for. */
  takeBack(question: string): void {
    const asking = this.#asking?.get(question);
    if (asking === undefined) return;
    this.#asking?.delete(question);
    this.closed(question, asking.lane);
    asking.resolve("closed");
  }

  /** Writes down that a question is open. */
  opened(fact: EventBodyOf<"question.opened">, lane: string): void {
    const at = this.append(fact, lane);
    this.questions.set(fact.question, { run: this.id, seq: this.log.length, at, lane, ...fact });
  }

  /** Writes down that a question was taken back. */
  closed(question: string, lane: string): void {
    this.append({ type: "question.closed", question }, lane);
    this.questions.delete(question);
  }

  get #isBusy(): boolean {
    return this.#working > 0 || this.#sleeping > 0;
  }

  /** If no work is running and none begins by itself, every open `ask` settles as `waiting`. */
  #look(): void {
    const all = this.#asking;
    if (this.#working === 0 && this.#sleeping > 0) this.#time.stop();
    if (this.#isBusy || all === undefined || all.size === 0) return;
    this.scope.clock.soon(() => {
      if (this.#isBusy) return;
      const asking = [...all.values()];
      this.#isPausing = true;
      all.clear();
      for (const { resolve } of asking) resolve("waiting");
    });
  }
}

/** Whether a lane is another one or inside it; questions about a call, and calls that code makes, are named after it. */
function isIn(key: string, outer: string): boolean {
  return key === outer || key.startsWith(`${outer}/`) || key.startsWith(`${outer}.`);
}
