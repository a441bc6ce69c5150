/**
 * Local host: a run that lives in this process, on any log.
 *
 * One `LocalRun` is one segment of the run, from a start or resume to the next pause or end; each lane has a
 * `LocalHost` on it. A lane that has ended writes nothing more, which fences off abandoned work.
 */
import type { CallLog, FinishedCalls } from "./call-log.ts";
import { BatonError, toBatonError } from "../words/error.ts";
import type { Command, EventBody, EventBodyOf, GivenAnswer, RunEvent } from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import {
  type Answer,
  findFirst,
  type Host,
  type LanePlan,
  type LanesEnd,
  type RecordedWork,
  type RecordType,
} from "./host.ts";
import type { Json } from "../words/json.ts";
import type { RunLog, TextSource } from "./log.ts";
import { findCancelled, isKeyed, Recording } from "./recording.ts";
import { isMember } from "../words/position.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { hasChanges, withChanges } from "../words/state.ts";
import { count, type OpenTotals } from "../words/totals.ts";

/** Settlement of a question. */
type Settled = Answer | "waiting" | "closed";

type Asking = Readonly<{ lane: string; resolve: (settled: Settled) => void }>;

/** Parts of a segment; `values` is the run's state, `earlier` the same before the recorded events. */
interface LocalRunParts extends Pick<
  LocalRun,
  "calls" | "totals" | "log" | "receive" | "recorded" | "scope" | "questions"
> {
  readonly values: ReadonlyMap<string, Json>;
  readonly earlier: ReadonlyMap<string, Json>;
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
  /** Takes the next command, between two steps. */
  readonly receive: () => Command | undefined;
  /** Lanes and calls that were cancelled alone; made when the first is. */
  #cancelled: Set<string> | undefined;
  /** Created with the first question: most runs ask nothing. */
  #asking: Map<string, Asking> | undefined;
  #working = 0;
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
    this.recorded = parts.recorded;
    this.questions = parts.questions;
    this.calls = parts.calls;
    if (parts.recorded.length > 0) this.#cancelled = findCancelled(parts.recorded);
  }

  /** The run's state; with a place in the log, as it was before that. */
  values(before?: number): ReadonlyMap<string, Json> {
    if (before === undefined) return this.#values;
    return withChanges(
      this.#earlier,
      this.recorded.filter(({ seq }) => seq < before),
    );
  }

  /** Takes over what a step or a call has set, and that a call has ended, as soon as that is in the log. */
  apply(fact: EventBody): void {
    this.calls.add(fact, this.log.length);
    count(this.totals, fact);
    if (hasChanges(fact)) this.#values = withChanges(this.#values, [fact]);
  }

  /** Notes that a lane or call is cancelled alone, and takes its questions back. */
  cancel(key: string): void {
    (this.#cancelled ??= new Set()).add(key);
    for (const [question, { lane }] of this.#asking ?? []) {
      if (lane === key || isOfCall(question, key)) this.#close(question);
    }
  }

  isCancelled(key: string): boolean {
    return this.#cancelled?.has(key) === true;
  }

  /** Hands an answer to the call that waits for it; false if nothing does. */
  answer(question: string, given: GivenAnswer): boolean {
    const asking = this.#asking?.get(question);
    if (asking === undefined) return false;
    this.#asking?.delete(question);
    this.questions.delete(question);
    this.log.append({ type: "question.answered", question, ...given }, asking.lane);
    asking.resolve({ value: given.value });
    return true;
  }

  /** Work began: the run is not waiting. */
  began(): void {
    this.#working++;
  }

  /** Work ended: perhaps nothing can continue without an answer now. */
  finished(): void {
    this.#working--;
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

  /** Takes back the questions of one lane, or of all. */
  close(lane?: string): void {
    for (const [question, asking] of this.#asking ?? []) {
      if (lane === undefined || asking.lane === lane) this.#close(question);
    }
  }

  #close(question: string): void {
    const asking = this.#asking?.get(question);
    if (asking === undefined) return;
    this.#asking?.delete(question);
    this.closed(question, asking.lane);
    asking.resolve("closed");
  }

  /** Writes down that a question is open. */
  opened(fact: EventBodyOf<"question.opened">, lane: string): void {
    const at = this.log.append(fact, lane);
    this.questions.set(fact.question, { run: this.id, seq: this.log.length, at, lane, ...fact });
  }

  /** Writes down that a question was taken back. */
  closed(question: string, lane: string): void {
    this.log.append({ type: "question.closed", question }, lane);
    this.questions.delete(question);
  }

  /** If no work is running and none begins by itself, every open `ask` settles as `waiting`. */
  #look(): void {
    const all = this.#asking;
    if (this.#working > 0 || all === undefined || all.size === 0) return;
    this.scope.clock.soon(() => {
      if (this.#working > 0) return;
      const asking = [...all.values()];
      all.clear();
      for (const { resolve } of asking) resolve("waiting");
    });
  }
}

/** Questions about a call are named after it. */
function isOfCall(question: string, call: string): boolean {
  return question === call || question.startsWith(`${call}/`);
}

/** One lane of a run in this process. */
export class LocalHost implements Host {
  readonly run: string;
  readonly lane: string;
  readonly scope: Scope;
  readonly #segment: LocalRun;
  readonly #recording: Recording | undefined;
  #turnEndedAt = 0;
  #ended = false;

  constructor(segment: LocalRun, lane: string, scope: Scope) {
    this.run = segment.id;
    this.lane = lane;
    this.scope = scope;
    this.#segment = segment;
    this.#recording = segment.recorded.length > 0 ? new Recording(segment.recorded, lane) : undefined;
  }

  get turnEndedAt(): number {
    return this.#turnEndedAt;
  }

  emit(fact: EventBody): number {
    if (this.#ended) return this.scope.clock.now();
    const { log } = this.#segment;
    const recording = this.#recording;
    const event = recording === undefined || isKeyed(fact) ? undefined : recording.repeat(fact);
    const at = event?.at ?? log.append(fact, this.lane);
    if (fact.type === "turn.ended") this.#turnEndedAt = event?.seq ?? log.length;
    if (event !== undefined) return at;
    if (fact.type === "call.started") this.#segment.calls.add(fact, log.length);
    if (fact.type === "warning.raised") count(this.#segment.totals, fact);
    return at;
  }

  say(source: TextSource, text: string): void {
    if (!this.#ended) this.#segment.log.appendText(source, text);
  }

  once<Type extends RecordType>(once: RecordedWork<Type>): EventBodyOf<Type> | Promise<EventBodyOf<Type>> {
    const done = this.#recording?.done(once.type, once.key);
    if (done !== undefined) return done;
    return once.effect === "read" && this.#segment.log.room() === undefined ? this.#do(once) : this.#commit(once);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#segment.began();
    try {
      return await work();
    } finally {
      this.#segment.finished();
    }
  }

  values(step?: string): ReadonlyMap<string, Json> {
    return this.#segment.values(step === undefined ? undefined : this.#recording?.startedAt(step));
  }

  finishedCalls(key?: string): FinishedCalls {
    return this.#segment.calls.before(key === undefined ? undefined : this.#recording?.startedAt(key));
  }

  async outputOf(call: string): Promise<Json | undefined> {
    const { calls, log } = this.#segment;
    const end = calls.endOf(call);
    if (end === undefined) return undefined;
    await log.committed();
    const [event] = await log.read(end - 1);
    return event?.type === "call.ended" ? event.output : undefined;
  }

  modelOf(step: string): string | undefined {
    return this.#recording?.modelOf(step);
  }

  begun(key: string): number {
    return this.#recording?.begun(key) ?? 0;
  }

  isCancelled(key: string): boolean {
    return this.#segment.isCancelled(key);
  }

  trimmed(step: string): EventBodyOf<"history.trimmed"> | undefined {
    return this.#recording?.trimmed(step);
  }

  async lanes<T>(plan: LanePlan<T>, work: (host: Host, place: number) => Promise<T>): Promise<LanesEnd<T>> {
    const lanes: { readonly host: LocalHost; readonly scope: Scope }[] = plan.keys.map((key) => {
      const scope = this.scope.child({ name: `lane:${key}` });
      scope.expireIn(plan.timeoutMs, () => plan.late(key));
      return { scope, host: new LocalHost(this.#segment, key, scope) };
    });
    // Cancelled in an earlier segment: it repeats what it did, and the cancel takes effect at its next `once`.
    const cancelled = lanes.filter(({ host }) => this.isCancelled(host.lane));
    if (cancelled.length > 0) await Promise.all(cancelled.map(({ host }) => host.cancel("cancelled by command")));
    let isDecided = false;
    const ended = await Promise.all(
      lanes.map(async ({ host, scope }, place) => {
        const result = await work(host, place);
        await host.end();
        if (!isDecided && plan.isDecisive(result)) {
          isDecided = true;
          const others = lanes.filter((lane) => lane.scope !== scope);
          await Promise.all(others.map((other) => other.host.cancel(`${host.lane} has decided for the group`)));
        }
        return { result, host };
      }),
    );
    return { results: ended.map(({ result }) => result), first: findFirst(plan, ended) };
  }

  async ask(question: EventBodyOf<"question.opened">): Promise<Settled> {
    const id = question.question;
    const recorded = this.#recording?.answer(id);
    if (recorded !== undefined) return recorded;
    if (this.#recording?.isOpened(id) !== true) this.#segment.opened(question, this.lane);
    const isOpen = this.scope.live && !this.isCancelled(question.call ?? "");
    if (isOpen) return this.#segment.wait(id, this.lane);
    this.#segment.closed(id, this.lane);
    return "closed";
  }

  receive(): Command | undefined {
    if (isMember(this.lane)) return undefined;
    if (this.#recording?.isBehind === true) return this.#recording.command();
    const command = this.#segment.receive();
    if (command !== undefined) this.emit({ type: "command.received", command });
    return command;
  }

  /** Stops this lane alone. */
  cancel(why: string): Promise<unknown> {
    this.#segment.close(this.lane);
    return this.scope.cancel(new BatonError("cancelled", why, { lane: this.lane }));
  }

  /** The fence: from here on the lane writes nothing. */
  end(): Promise<void> {
    this.#segment.close(this.lane);
    this.#ended = true;
    return this.scope[Symbol.asyncDispose]();
  }

  /** The intention is on disk before the effect, and the effect before anything builds on it. */
  async #commit<Type extends RecordType>(once: RecordedWork<Type>): Promise<EventBodyOf<Type>> {
    const { key, effect } = once;
    const { log } = this.#segment;
    this.#segment.began();
    try {
      await log.room();
      if (effect === "read") return await this.#do(once);
      if (this.scope.live) log.append({ type: "effect.intended", key, effect }, this.lane);
      await log.committed();
      const fact = await this.#do(once);
      await log.committed();
      return fact;
    } finally {
      this.#segment.finished();
    }
  }

  #do<Type extends RecordType>(once: RecordedWork<Type>): EventBodyOf<Type> | Promise<EventBodyOf<Type>> {
    const record = (fact: EventBodyOf<Type>) => {
      this.#segment.finished();
      if (this.#ended) return fact;
      for (const note of once.notes?.() ?? []) this.#segment.log.append(note, this.lane);
      this.#segment.log.append(fact, this.lane);
      this.#segment.apply(fact);
      return fact;
    };
    const fail = (error: BatonError) => {
      if (once.isUnknown?.(error) !== true) return record(once.failed(error));
      this.#segment.finished();
      throw error;
    };
    this.#segment.began();
    const { reason } = this.scope;
    if (reason !== undefined) return fail(reason);
    return once.work().then(record, (error: unknown) => fail(toBatonError(error, "internal")));
  }
}
