/**
 * Replay host: a run that lives only in its log. What was done is taken from there; nothing is done.
 *
 * A lane stops if it says or wants something else than its log has, and the difference is noted; one that has come
 * to the end of its log stops too. Other lanes continue, so that the first difference of all is found.
 */
import { BatonError, type Command, type Failure, type Json, type RunEvent } from "@baton/core";
import { findFirst, isKeyed, toPermissionKey, withoutWords } from "@baton/core/engine";
import {
  type Answer,
  type CodeRecord,
  type EventBody,
  type EventBodyOf,
  type FinishedCalls,
  type GuardedCall,
  type Host,
  type LanePlan,
  type LanesEnd,
  type RecordedWork,
  type RecordType,
  type Rest,
  type Ruled,
  type RunGuard,
  Scope,
  type SuspendedCall,
  toRuled,
} from "@baton/core/ports";
import { omitUndefined, toBatonError } from "@baton/core/util";
import { setImmediate } from "node:timers/promises";
import { isSame, type ReplayedAction, toDifference, toWish } from "./difference.ts";
import { toCanonicalText } from "../engine/crew-record.ts";
import { isCopied, isCut, isInterrupted } from "./copied-end.ts";
import type { LaneTape } from "./lane-tape.ts";
import type { ReplayedRun } from "./replayed-run.ts";

/** Error that stops a lane; the engine lets it through. */
const STOP = new BatonError("diverged", "the replay stops here");

type Started = EventBodyOf<"step.started">;

/** An approval as older logs have it: its answer was one of two words. */
function toOldApproval(now: EventBodyOf<"question.opened">): EventBodyOf<"question.opened"> {
  const { effect: _, ...question } = now;
  return { ...question, schema: OLD_SCHEMA };
}

const OLD_SCHEMA = { enum: ["allow", "deny"] };

/** A pause as older logs have it: it did not say who may answer. */
function toOldPause({ who, ...question }: EventBodyOf<"question.opened">): EventBodyOf<"question.opened"> {
  return who === "operator" ? { ...question, who } : question;
}

/** Error of a call that is refused before it starts. */
const REFUSALS: readonly Failure["kind"][] = ["validation", "permission", "permanent"];

/** One lane of a replayed run. */
export class ReplayHost implements Host {
  readonly run: string;
  readonly lane: string;
  readonly scope: Scope;
  readonly #replayed: ReplayedRun;
  readonly #tape: LaneTape;
  turnEndedAt = 0;

  constructor(replayed: ReplayedRun, lane: string, scope: Scope) {
    this.run = replayed.id;
    this.lane = lane;
    this.scope = scope;
    this.#replayed = replayed;
    this.#tape = replayed.tape(lane);
  }

  /** The next event of the lane's own line. */
  get next(): RunEvent | undefined {
    return this.#tape.next;
  }

  /** Text that had been written when the run ended. */
  get text(): string {
    return this.#replayed.text;
  }

  /** Events inside recorded work are in the log already. */
  emit(fact: EventBody): number {
    if (fact.type === "call.started") return this.#start(fact);
    return isKeyed(fact) ? this.scope.clock.now() : this.repeat(fact);
  }

  /** A call that had not started when the log ended has no end either, which is told when that is asked for. */
  #start(fact: EventBodyOf<"call.started">): number {
    const event = this.#tape.recording.startOf(fact.call);
    const ended = this.#tape.ended.get(fact.call);
    if (event === undefined && ended !== undefined) throw this.#differ(ended, fact);
    if (event === undefined) return this.scope.clock.now();
    this.#tape.repeatAsking(fact.type, fact.call);
    if (!isSame(fact, event)) throw this.#differ(event, fact);
    return event.at;
  }

  /** Says what the log must have next. */
  repeat(fact: EventBody): number {
    const event = this.#tape.next;
    if (event === undefined) throw this.#want(fact);
    const now = fact.type === "step.started" && event.type === "step.started" ? withModelOf(event, fact) : fact;
    if (!this.#isRepeated(now, event)) throw this.#differ(event, now);
    this.#tape.advance();
    if (fact.type === "turn.ended") this.turnEndedAt = event.seq;
    return event.at;
  }

  /** A whole replay compares every byte; to rebuild one step's prompt, the engine may have said it in other words. */
  #isRepeated(fact: EventBody, event: RunEvent): boolean {
    return (
      isSame(fact, event) || (this.#replayed.step !== undefined && isSame(withoutWords(fact), withoutWords(event)))
    );
  }

  /** Takes the next event of the line as it is. */
  skip(): void {
    this.#tape.advance();
  }

  say(): void {}

  async once<Type extends RecordType>(once: RecordedWork<Type>): Promise<EventBodyOf<Type>> {
    const { type, key } = once;
    if (type === "step.ended" && key === this.#replayed.step) {
      this.#replayed.prompt = once.prompt?.();
      throw STOP;
    }
    const done = this.#tape.recording.done(type, key);
    this.#tape.repeatAsking(type, key);
    const ended = type === "step.ended" ? this.#tape.ended.get(key) : undefined;
    if (ended?.type === "step.ended") this.#tape.expectCalls(ended.calls);
    // For one step's prompt it does not matter what today's tools and programs would do.
    if (done !== undefined && this.#replayed.step !== undefined) return done;
    if (type === "call.ended" && once.isPure !== true) await this.#decideCall(once, this.#tape.ended.get(key));
    if (done !== undefined && once.isPure === true) await this.#decideAgain(once, this.#tape.ended.get(key));
    if (done !== undefined) return done;
    const decided = type === "permission.decided" ? this.#tape.decided.get(key) : undefined;
    throw await this.#part(toWish(once.failed(STOP)), decided);
  }

  guards(policies: readonly Json[], step?: string): readonly RunGuard[] {
    if (this.#replayed.step !== undefined) return [];
    return this.#replayed.guards(policies, this.#tape.startedAt.get(step ?? "") ?? Infinity);
  }

  /** Stops if the rules decide otherwise than they did, or would have. */
  async rule(policies: readonly Json[], call: GuardedCall): Promise<Ruled | undefined> {
    const key = toPermissionKey({ ...call, rules: [] });
    const logged = this.#tape.recording.done("permission.decided", key);
    this.#tape.repeatAsking("permission.decided", key);
    const place = this.#tape.decisionOf(call);
    if (this.#replayed.step !== undefined || place === undefined) return logged;
    const now = toRuled(this.#replayed.guards(policies, place.seq), call);
    if (now === undefined ? logged === undefined : logged !== undefined && isSame(now, logged)) return logged;
    throw await this.#part(now ?? `decides about ${call.call} by no rule`, place);
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  values(step?: string): ReadonlyMap<string, Json> {
    return this.#replayed.values(step === undefined ? Infinity : (this.#tape.startedAt.get(step) ?? Infinity));
  }

  finishedCalls(key?: string): FinishedCalls {
    return this.#replayed.finishedCalls(
      (key === undefined ? undefined : this.#tape.recording.startedAt(key)) ?? Infinity,
    );
  }

  async outputOf(call: string): Promise<Json | undefined> {
    return this.#replayed.outputOf(call);
  }

  /** Code runs again, but for ends that it did not come to by itself; those are copied, with what is in them. */
  codeRecord(call: string): CodeRecord {
    const ended = this.#tape.recording.done("call.ended", call);
    const isEnded = isCopied(ended) || (ended !== undefined && this.#replayed.step !== undefined);
    this.#tape.expectWithin(call, isEnded ? "skip" : "ask");
    return { ...this.#tape.recording.codeRecord(call), isEnded, open: [] };
  }

  modelOf(step: string): string | undefined {
    return this.#tape.recording.modelOf(step);
  }

  begun(key: string): number {
    return this.#tape.doubts(key);
  }

  /** A call that was cancelled alone failed then, and its failure is in the log. */
  isCancelled(): boolean {
    return false;
  }

  trimmed(step: string): EventBodyOf<"history.trimmed"> | undefined {
    return step === this.#replayed.step ? this.#tape.lastTrimmed.get(step) : this.#tape.recording.trimmed(step);
  }

  async lanes<T>(plan: LanePlan<T>, work: (host: Host, place: number) => Promise<T>): Promise<LanesEnd<T>> {
    const members = plan.keys.map(async (key, place) => {
      const { bound } = plan;
      // Whether it began was decided by who else worked then, and is in the log.
      if (bound !== undefined && !this.#replayed.has(key)) {
        return { result: bound.unstarted(key, this.#tape.unstartedBy(bound.owner, place)), turnEndedAt: 0 };
      }
      await using scope = this.scope.child({ name: `lane:${key}` });
      const host = new ReplayHost(this.#replayed, key, scope);
      return { result: await work(host, place), turnEndedAt: host.turnEndedAt };
    });
    await Promise.allSettled(members);
    const ended = await Promise.all(members);
    return { results: ended.map(({ result }) => result), first: findFirst(plan, ended) };
  }

  async ask(question: EventBodyOf<"question.opened">): Promise<Answer | "waiting" | "closed"> {
    const { question: id, call = "" } = question;
    const opened = this.#tape.questions.get(id);
    if (opened === undefined) {
      // It was interrupted before it could ask.
      if (isCut(this.#tape.recording.done("call.ended", call))) return "closed";
      throw await this.#part(`would ask: ${question.text}`, this.#tape.decided.get(call));
    }
    this.#tape.repeatAsking("question.opened", id);
    const isOld = question.kind === "approval" && toCanonicalText(opened.schema) === toCanonicalText(OLD_SCHEMA);
    const now = isOld ? toOldApproval(question) : opened.who === undefined ? toOldPause(question) : question;
    // Older logs start a call before they ask about it.
    if (isOld) this.#tape.repeatAsking("call.started", call);
    if (!isSame(now, opened)) throw await this.#part(now, opened);
    const answer = this.#tape.recording.answer(id) ?? "waiting";
    const reason = answer === "closed" && question.kind === "message" ? this.#replayed.reasonOf(this.lane) : undefined;
    if (reason !== undefined) await this.scope.cancel(reason);
    return answer;
  }

  suspended(call: string): SuspendedCall | undefined {
    return this.#tape.recording.suspended(call);
  }

  /** No time passes: whether it had was decided then. */
  rest({ questions }: Rest): Promise<readonly (Answer | "waiting" | "closed")[]> {
    return Promise.all(questions.map((question) => this.ask(question)));
  }

  receive(): Command | undefined {
    const event = this.#tape.next;
    if (event?.type !== "command.received") return undefined;
    this.#tape.advance();
    return event.command;
  }

  /** Stops if a call is refused now and was made then, or the other way round. */
  async #decideCall<Type extends RecordType>(once: RecordedWork<Type>, event: RunEvent | undefined): Promise<void> {
    const refused: EventBody = await once
      .work()
      .catch((error: unknown) => once.failed(toBatonError(error, "internal")));
    const isMade = this.#replayed.calls.has(once.key);
    const now = isMade ? toWish(once.failed(STOP)) : refused;
    if (event?.type !== "call.ended") throw await this.#part(now, undefined);
    const wasRefused = event.attempts === 0 && REFUSALS.includes(event.error?.kind);
    if (isCut(event) || (isMade ? !wasRefused : isSame(refused, event))) return;
    throw await this.#part(now, event);
  }

  /** Stops if a program decides something else than it did. */
  async #decideAgain<Type extends RecordType>(once: RecordedWork<Type>, event: RunEvent | undefined): Promise<void> {
    if (event === undefined || isInterrupted(event) || (event.type === "call.ended" && isCopied(event))) return;
    const now: EventBody = await once.work().catch((error: unknown) => once.failed(toBatonError(error, "internal")));
    if (!isSame(now, event)) throw await this.#part(now, event);
    const [logged, notes] = [this.#tape.notes(once.key), once.notes?.() ?? []];
    for (let at = 0; at < Math.max(logged.length, notes.length); at++) {
      const [before, note] = [logged[at], notes[at]];
      if (note === undefined) throw await this.#part("would make no such note", before);
      if (before === undefined || !isSame(note, before)) throw await this.#part(note, before ?? event);
    }
  }

  /** Notes what the lane does now, once all else in it has come as far as it can. */
  async #part(now: ReplayedAction, event: RunEvent | undefined): Promise<BatonError> {
    await setImmediate();
    const logged = event ?? this.#tape.next;
    return logged === undefined ? this.#want(now) : this.#differ(logged, now);
  }

  #differ(event: RunEvent, now: ReplayedAction): BatonError {
    if (!isStopped(now)) this.#replayed.differences.push(toDifference(event, now));
    return STOP;
  }

  #want(now: ReplayedAction): BatonError {
    this.#replayed.wants.push({ lane: this.lane, now });
    return STOP;
  }
}

/** Whether something fails only because a lane inside it has stopped: the difference is there. */
function isStopped(now: ReplayedAction): boolean {
  return typeof now !== "string" && "error" in now && now.error?.message === STOP.message;
}

/** No model is asked for here, not even for its name or for what it counts. */
function withModelOf({ model, tokens, window }: Started, { tokens: _1, window: _2, ...fact }: Started): Started {
  return { ...fact, model, ...omitUndefined({ tokens, window }) };
}
