/**
 * Recording: what a run's log already holds of the turn or group that is open, lane by lane.
 *
 * A run that continues after a pause runs again from the start of that turn: it must say what it said before, and the
 * results of what it did are read from here, so that nothing is done twice.
 */
import { BatonError, type Failure } from "../words/error.ts";
import type { Command, EventBody, EventBodyOf, RunEvent } from "../words/event.ts";
import type { Answer, CodeRecord, RecordType, SuspendedCall } from "./host.ts";
import { isEqualJson, omitUndefined } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";

/** Facts that belong to a `once`, a question or a pause, and not to the lane's own line. */
const KEYED: ReadonlySet<string> = new Set<EventBody["type"]>([
  "text.delta",
  "reasoning.delta",
  "args.delta",
  "step.retried",
  "step.ended",
  "history.trimmed",
  "limit.waiting",
  "call.started",
  "call.progressed",
  "call.retried",
  "call.suspended",
  "call.ended",
  "note.made",
  "permission.decided",
  "effect.intended",
  "question.opened",
  "question.answered",
  "question.closed",
  "run.paused",
  "run.resumed",
]);

/** Whether a fact is found by its key and not by its place in the lane's own line. */
export function isKeyed(fact: EventBody): boolean {
  if (fact.type === "command.received") return isOutside(fact.command);
  return KEYED.has(fact.type) || (fact.type === "warning.raised" && fact.of !== undefined);
}

/** Whether a command acts by itself, at any moment, and is not taken between two steps. */
function isOutside({ type }: Command): boolean {
  return type === "cancel" || type === "configure";
}

/** The lanes and calls that were cancelled alone. */
export function findCancelled(events: readonly RunEvent[]): Set<string> {
  const keys = new Set<string>();
  for (const event of events) {
    if (event.type !== "command.received" || event.command.type !== "cancel") continue;
    const key = event.command.lane ?? event.command.call;
    if (key !== undefined) keys.add(key);
  }
  return keys;
}

/** The key of a decision: rules and a hook both decide, and again about arguments that a person changed. */
export function toPermissionKey({
  call,
  edited,
  rules,
}: Pick<EventBodyOf<"permission.decided">, "call" | "edited" | "rules">): string {
  return `${call}${edited === true ? "/edit" : ""}${rules === undefined ? "" : "/rules"}`;
}

/** No code was started. */
export const NO_CODE: CodeRecord = { isEnded: false, open: [] };

/** Recorded facts of one lane since the open turn began. */
export class Recording {
  readonly #line: RunEvent[] = [];
  readonly #done = new Map<string, RunEvent>();
  readonly #answers = new Map<string, Answer | "closed">();
  readonly #opened = new Map<string, EventBodyOf<"question.opened">>();
  readonly #started = new Map<string, number>();
  readonly #calls = new Map<string, RunEvent>();
  readonly #models = new Map<string, string>();
  readonly #begun = new Map<string, number>();
  readonly #suspended = new Map<string, SuspendedCall>();
  readonly #trimmed = new Map<string, EventBodyOf<"history.trimmed">>();
  #index = 0;

  /** `events` are those of one lane. */
  constructor(events: readonly RunEvent[]) {
    for (const event of events) this.#add(event);
  }

  /** Whether the lane had nothing more to do, as far as it can be told from its last fact. */
  get isFinished(): boolean {
    return this.#line.at(-1)?.type === "turn.ended" && [...this.#opened.keys()].every((id) => this.#answers.has(id));
  }

  /**
   * The next recorded event, which must be this fact; undefined after the last one. A call starts when it is allowed,
   * so its start is found by its key.
   */
  repeat(fact: EventBody): RunEvent | undefined {
    const event = fact.type === "call.started" ? this.#calls.get(fact.call) : this.#line[this.#index];
    if (event === undefined) return undefined;
    if (!isSame(fact, event)) {
      throw new BatonError("diverged", `event ${event.seq} is ${event.type}, but the run now gives ${fact.type}`);
    }
    if (fact.type !== "call.started") this.#index++;
    return event;
  }

  /** The start of a call. */
  startOf(call: string): RunEvent | undefined {
    return this.#calls.get(call);
  }

  /** The command that was received at this place. */
  command(): EventBodyOf<"command.received">["command"] | undefined {
    const event = this.#line[this.#index];
    if (event?.type !== "command.received") return undefined;
    this.#index++;
    return event.command;
  }

  /** True while there are recorded facts that the run has not repeated. */
  get isBehind(): boolean {
    return this.#index < this.#line.length;
  }

  done<Type extends RecordType>(type: Type, key: string): EventBodyOf<Type> | undefined {
    const event = this.#done.get(`${type} ${key}`);
    return event !== undefined && isOf(event, type) ? event : undefined;
  }

  /** Counts how often something was started without a recorded end. */
  begun(key: string): number {
    return this.#begun.get(key) ?? 0;
  }

  /** Returns the last suspension of a call that has not ended. */
  suspended(call: string): SuspendedCall | undefined {
    return this.#suspended.get(call);
  }

  /** Returns the trim of the history before a step that was made. */
  trimmed(step: string): EventBodyOf<"history.trimmed"> | undefined {
    return this.#begun.has(step) ? undefined : this.#trimmed.get(step);
  }

  /** Returns the answer to a question, or `closed`, if it was settled. */
  answer(question: string): Answer | "closed" | undefined {
    return this.#answers.get(question);
  }

  isOpened(question: string): boolean {
    return this.#opened.has(question);
  }

  /** Whether a call was asked about or started: then no rule matched, unless that is recorded. */
  isDecided(call: string, edited?: true): boolean {
    return this.#calls.has(call) || (edited === undefined && this.#opened.has(call));
  }

  /** Throws if a question of code is about another call than then: the answer was not given for this one. */
  checkQuestion({ question, tool, args, within }: EventBodyOf<"question.opened">): void {
    const opened = within === undefined ? undefined : this.#opened.get(question);
    if (opened === undefined || (opened.tool === tool && isEqualJson(opened.args, args))) return;
    throw new BatonError("diverged", `question ${question} was about ${opened.tool}, but the code now calls ${tool}`);
  }

  /** Returns what is recorded of a call of `run_code`. */
  codeRecord(call: string): CodeRecord {
    const started = this.#calls.get(call);
    const engine = started?.type === "call.started" ? started.engine : undefined;
    const open = new Map<string, CallRequest>();
    for (const event of [...this.#opened.values(), ...this.#calls.values()]) {
      if (event.type !== "question.opened" && event.type !== "call.started") continue;
      const { within, call: id = "", tool = "", args = null, line } = event;
      if (within !== call || this.#done.has(`call.ended ${id}`)) continue;
      open.set(id, { id, tool, args, within, ...omitUndefined({ line }) });
    }
    return { isEnded: this.#done.has(`call.ended ${call}`), open: [...open.values()], ...omitUndefined({ engine }) };
  }

  /** Returns the model that a step was made with. */
  modelOf(step: string): string | undefined {
    return this.#models.get(step);
  }

  /** Where in the log a step, call or group started. */
  startedAt(key: string): number | undefined {
    return this.#started.get(key);
  }

  /** Takes the suspension of a call. A question may be asked again then: what was answered before does not count. */
  suspend(fact: EventBodyOf<"call.suspended">, at: number): void {
    const { call, questions } = fact;
    const asked = (this.#suspended.get(call)?.asked ?? 0) + Math.sign(questions.length);
    this.#suspended.set(call, { fact, at, asked });
    for (const { name } of questions) {
      this.#opened.delete(`${call}/${name}`);
      this.#answers.delete(`${call}/${name}`);
    }
  }

  #add(event: RunEvent): void {
    if (event.type === "step.started") {
      this.#begun.set(event.step, 1);
      this.#started.set(event.step, event.seq);
      this.#models.set(event.step, event.model);
    } else if (event.type === "call.started") {
      this.#started.set(event.call, event.seq);
      this.#calls.set(event.call, event);
    } else if (event.type === "group.started") this.#started.set(event.turn, event.seq);
    else if (event.type === "effect.intended") this.#begun.set(event.key, this.begun(event.key) + 1);
    else if (event.type === "step.ended") this.#end(event, event.step);
    else if (event.type === "call.ended") this.#end(event, event.call);
    else if (event.type === "call.suspended") this.suspend(event, event.at);
    else if (event.type === "permission.decided") this.#done.set(`${event.type} ${toPermissionKey(event)}`, event);
    else if (event.type === "history.trimmed") this.#trimmed.set(event.step, event);
    else if (event.type === "question.opened") this.#opened.set(event.question, event);
    else if (event.type === "question.answered") this.#answers.set(event.question, { value: event.value });
    else if (event.type === "question.closed") this.#answers.set(event.question, "closed");
    if (!isKeyed(event)) this.#line.push(event);
  }

  #end(event: RunEvent, key: string): void {
    this.#suspended.delete(key);
    this.#done.set(`${event.type} ${key}`, event);
    this.#begun.delete(key);
  }
}

function isOf<Type extends EventBody["type"]>(event: EventBody, type: Type): event is EventBodyOf<Type> {
  return event.type === type;
}

/** A run may continue with another model, and with tools whose effect has changed. */
const MAY_DIFFER: ReadonlySet<string> = new Set([
  "model",
  "effect",
  "tokens",
  "window",
  "place",
  "tools",
  "commentary",
  "engine",
]);

/** Whether the event is this fact; sentences for people and the stamp are not compared. */
function isSame(fact: EventBody, event: RunEvent): boolean {
  const recorded = new Map(Object.entries(withoutWords(event)));
  return Object.entries(withoutWords(fact)).every(
    ([key, value]) => MAY_DIFFER.has(key) || JSON.stringify(value) === JSON.stringify(recorded.get(key)),
  );
}

/**
 * A fact without the sentences that the engine itself writes for people: a run recorded earlier may have other ones.
 * Failures of calls and steps keep theirs, because models read them.
 */
export function withoutWords(fact: EventBody): EventBody {
  if (fact.type === "warning.raised") return { ...fact, text: "" };
  if (fact.type === "group.ended") return { ...wordless(fact), results: fact.results.map(wordless) };
  return fact.type === "turn.ended" || fact.type === "run.ended" ? wordless(fact) : fact;
}

const wordless = <T extends { readonly error?: Failure }>(fact: T): T =>
  fact.error === undefined ? fact : { ...fact, error: { ...fact.error, message: "" } };
