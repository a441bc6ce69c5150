/**
 * Local host: a run that lives in this process, on any log.
 *
 * Each lane of a segment has a host of its own. A lane that has ended writes nothing more, which fences off abandoned
 * work.
 */
import type { FinishedCalls } from "./call-log.ts";
import { BatonError, toBatonError } from "../words/error.ts";
import type { Command, EventBody, EventBodyOf } from "../words/event.ts";
import {
  type CodeRecord,
  type EndedLane,
  findFirst,
  type Host,
  type LanePlan,
  type LanesEnd,
  type RecordedWork,
  type RecordType,
  type Rest,
  type SuspendedCall,
} from "./host.ts";
import { type GuardedCall, type RunGuard, type Ruled, toRuled } from "./guard.ts";
import type { Json } from "../words/json.ts";
import type { LocalRun, Settled } from "./local-run.ts";
import type { TextSource } from "./log.ts";
import { isKeyed, NO_CODE, type Recording, toPermissionKey } from "./recording.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { Release, Semaphore } from "../lifetimes/semaphore.ts";
import { count } from "../words/totals.ts";

/** A lane, before and while it is worked in. */
type OpenLane = Readonly<{ key: string; scope: Scope }>;

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
    this.#recording = segment.recordingOf(lane);
  }

  get turnEndedAt(): number {
    return this.#turnEndedAt;
  }

  emit(fact: EventBody): number {
    if (this.#ended) return this.scope.clock.now();
    const { log } = this.#segment;
    const recording = this.#recording;
    const isRepeated = fact.type === "call.started" || !isKeyed(fact);
    const event = isRepeated ? recording?.repeat(fact) : undefined;
    const at = event?.at ?? this.#segment.append(fact, this.lane);
    if (fact.type === "turn.ended") this.#turnEndedAt = event?.seq ?? log.length;
    if (event !== undefined) return at;
    if (fact.type === "call.started") this.#segment.calls.add(fact, log.length);
    if (fact.type === "group.ended") this.#segment.apply(fact, at);
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

  guards(policies: readonly Json[]): readonly RunGuard[] {
    return this.#segment.guards?.of(policies) ?? [];
  }

  /** Decided and written in one go, so that nothing comes between what the rules saw and their ruling. */
  rule(policies: readonly Json[], call: GuardedCall): Ruled | undefined {
    const { rulings } = this.#segment;
    const key = toPermissionKey({ ...call, rules: [] });
    const known = rulings.get(key) ?? this.#recording?.done("permission.decided", key);
    if (known !== undefined || this.#recording?.isDecided(call.call, call.edited) === true) return known;
    const ruled = toRuled(this.guards(policies), call);
    if (ruled === undefined || this.#ended) return ruled;
    this.#segment.append(ruled, this.lane);
    rulings.set(key, ruled);
    return ruled;
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

  codeRecord(call: string): CodeRecord {
    return this.#recording?.codeRecord(call) ?? NO_CODE;
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
    const parent = plan.scope ?? this.scope;
    const lanes = plan.keys.map((key): OpenLane => ({ key, scope: parent.child({ name: `lane:${key}` }) }));
    // Cancelled in an earlier segment: it repeats what it did, and the cancel takes effect at its next `once`.
    for (const lane of lanes) if (this.isCancelled(lane.key)) await this.#stop(lane, "cancelled by command");
    let isDecided = false;
    const begin = async (lane: OpenLane, place: number): Promise<EndedLane<T>> => {
      const { key, scope } = lane;
      const release = plan.bound === undefined ? undefined : await this.#enter(lane, plan.bound.permits);
      if (release === "unstarted") return this.#leaveOut(plan, lane);
      scope.expireIn(plan.timeoutMs, () => plan.late(key));
      const host = new LocalHost(this.#segment, key, scope);
      try {
        const result = await work(host, place);
        await host.end();
        if (!isDecided && plan.isDecisive(result)) {
          isDecided = true;
          const others = lanes.filter((other) => other !== lane);
          await Promise.all(others.map((other) => this.#stop(other, `${key} has decided for the group`)));
        }
        return { result, turnEndedAt: host.turnEndedAt };
      } finally {
        release?.();
      }
    };
    const started = new Map<OpenLane, Promise<EndedLane<T>>>();
    const start = (lane: OpenLane, place: number) => started.has(lane) || started.set(lane, begin(lane, place));
    // Finished ones first: they may have decided, and then no other lane starts.
    const isFinished = ({ key }: OpenLane) => this.#segment.recordingOf(key)?.isFinished === true;
    if (plan.bound !== undefined) for (const [place, lane] of lanes.entries()) if (isFinished(lane)) start(lane, place);
    if (started.size > 0) await Promise.all(started.values());
    for (const [place, lane] of lanes.entries()) start(lane, place);
    const ended = await Promise.all(lanes.flatMap((lane) => started.get(lane) ?? []));
    return { results: ended.map(({ result }) => result), first: findFirst(plan, ended) };
  }

  /** Waits until a lane may begin; one that had begun in an earlier segment always goes on. */
  async #enter({ key, scope }: OpenLane, permits: Semaphore): Promise<Release | "unstarted" | undefined> {
    const isRecorded = this.#segment.recordingOf(key) !== undefined;
    try {
      const permit = permits.acquire(scope);
      const release = permit instanceof Promise ? await permit : permit;
      if (isRecorded || !this.#segment.isPausing) return release;
      release();
      return "unstarted";
    } catch {
      return isRecorded ? undefined : "unstarted";
    }
  }

  async #leaveOut<T>({ bound }: LanePlan<T>, { key, scope }: OpenLane): Promise<EndedLane<T>> {
    const { reason } = scope;
    await scope[Symbol.asyncDispose]();
    if (bound === undefined) throw new BatonError("internal", `lane ${key} was left out`);
    return { result: bound.unstarted(key, reason), turnEndedAt: 0 };
  }

  #stop({ key, scope }: OpenLane, why: string): Promise<unknown> {
    this.#segment.close(key);
    return scope.cancel(new BatonError("cancelled", why, { lane: key }));
  }

  async ask(question: EventBodyOf<"question.opened">): Promise<Settled> {
    const id = question.question;
    this.#recording?.checkQuestion(question);
    const recorded = this.#recording?.answer(id);
    if (recorded !== undefined) return recorded;
    if (this.#recording?.isOpened(id) !== true) this.#segment.opened(question, this.lane);
    const isOpen = this.scope.live && !this.isCancelled(question.call ?? "");
    if (isOpen) return this.#segment.wait(id, this.lane);
    this.#segment.closed(id, this.lane);
    return "closed";
  }

  suspended(call: string): SuspendedCall | undefined {
    return this.#recording?.suspended(call);
  }

  async rest({ scope, questions, untilAt }: Rest): Promise<readonly Settled[]> {
    const asked = questions.map((question) => this.ask(question));
    if (untilAt !== undefined) {
      await this.#segment.sleep(scope, untilAt - scope.clock.now(), asked);
      for (const { question } of questions) this.#segment.takeBack(question);
    }
    return Promise.all(asked);
  }

  receive(): Command | undefined {
    if (this.#recording?.isBehind === true) return this.#recording.command();
    const command = this.#segment.receive(this.lane);
    if (command !== undefined) this.emit({ type: "command.received", command });
    return command;
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
      if (this.scope.live && once.isBegun !== true)
        this.#segment.append({ type: "effect.intended", key, effect }, this.lane);
      await log.committed();
      const fact = await this.#do(once);
      await log.committed();
      return fact;
    } finally {
      this.#segment.finished();
    }
  }

  #suspend(fact: EventBody, at: number): void {
    if (fact.type === "call.suspended") this.#recording?.suspend(fact, at);
  }

  #do<Type extends RecordType>(once: RecordedWork<Type>): EventBodyOf<Type> | Promise<EventBodyOf<Type>> {
    const record = (fact: EventBodyOf<Type>) => {
      this.#segment.finished();
      if (this.#ended || once.isKnown?.(fact) === true) return fact;
      for (const note of once.notes?.() ?? []) this.#segment.append(note, this.lane);
      const at = this.#segment.append(fact, this.lane);
      this.#suspend(fact, at);
      this.#segment.apply(fact, at);
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
