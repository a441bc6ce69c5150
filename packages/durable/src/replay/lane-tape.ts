/**
 * Lane tape: what a run's log holds of one lane, and how much of that the replayed run has come to.
 *
 * The line is what the lane said by itself, in order; what it did, asked and waited for is found by its key.
 */
import { BatonError, type RunEvent } from "@baton/core";
import { isKeyed, Recording, toPermissionKey } from "@baton/core/engine";
import type { CallRequest, EventBodyOf, MemberResult, RecordType } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";

/** A question whether to make a call again, and how often it had been begun. */
type Doubt = Readonly<{ question: string; begun: number }>;
type Opened = RunEvent & EventBodyOf<"question.opened">;

/** One lane's log. */
export class LaneTape {
  readonly #line: readonly RunEvent[];
  /** Events of the lane by their keys. */
  readonly recording: Recording;
  /** Questions about each call, by its key. */
  readonly #asked = new Map<string, Map<string, RunEvent>>();
  /** Calls that are not yet started again; of those that the run has come to, what is not yet asked again. */
  readonly #due = new Map<string, RunEvent>();
  /** Ends of calls and steps. */
  readonly ended = new Map<string, RunEvent>();
  readonly questions: Map<string, Opened> = new Map();
  /** Events that show that a call continued without another question or hook. */
  readonly decided = new Map<string, RunEvent>();
  /** First events that show what rules decided about a call, or that none did. */
  readonly #decisions = new Map<string, RunEvent>();
  readonly #begun = new Map<string, number>();
  /** Results of groups, by their turns. */
  readonly #results = new Map<string, readonly MemberResult[]>();
  /** Where in the log each step and group was begun. */
  readonly startedAt = new Map<string, number>();
  readonly #doubts = new Map<string, Doubt>();
  /** Questions of suspended calls. */
  readonly #ofTools = new Set<string>();
  readonly #notes = new Map<string, RunEvent[]>();
  /** Messages that were left out of the history when a step was last started, finished or not. */
  readonly lastTrimmed = new Map<string, EventBodyOf<"history.trimmed">>();
  #index = 0;

  constructor(events: readonly RunEvent[]) {
    this.#line = events.filter(isOfLine);
    this.recording = new Recording(events);
    for (const event of events) this.#add(event);
  }

  /** The next event of the line; undefined if all has been said. */
  get next(): RunEvent | undefined {
    return this.#line[this.#index];
  }

  advance(): void {
    this.#index++;
  }

  /** Notes that a reply asked for calls: what was asked about them must be asked again. */
  expectCalls(calls: readonly CallRequest[]): void {
    for (const { id } of calls) for (const [key, asked] of this.#asked.get(id) ?? []) this.#due.set(key, asked);
  }

  /** Notes that code runs again, so that what it asked must be asked again, or that it does not. */
  expectWithin(code: string, way: "ask" | "skip"): void {
    const isInside = (key: string) => key.startsWith(`${code}.`);
    for (const [call, asked] of this.#asked) {
      if (way === "ask" && isInside(call)) for (const [key, event] of asked) this.#due.set(key, event);
    }
    for (const [key, event] of this.#due) {
      if (way === "skip" && event.type === "call.started" && isInside(event.call)) this.#due.delete(key);
    }
  }

  /** Why a lane of a call or group never began; undefined if those had not ended. */
  unstartedBy(owner: string, place: number): BatonError | undefined {
    const ended = this.ended.get(owner);
    const own = ended?.type === "call.ended" ? ended : this.#results.get(owner)?.[place];
    if (own === undefined) return undefined;
    const { code = "cancelled", message = "", limit, lane } = own.error ?? {};
    return new BatonError(code, message, omitUndefined({ limit, lane }));
  }

  /** Notes that others made in a step or call. */
  notes(of: string): readonly RunEvent[] {
    return this.#notes.get(of) ?? [];
  }

  /** Notes that the run asks or starts again what it did then. */
  repeatAsking(type: RecordType | "question.opened" | "call.started", key: string): void {
    this.#due.delete(`${type} ${key}`);
  }

  /** The first event that follows from the rules about a call; of edited arguments, about those. */
  decisionOf({ call, edited }: Pick<EventBodyOf<"permission.decided">, "call" | "edited">): RunEvent | undefined {
    return this.#decisions.get(edited === true ? `${call}/edit` : call);
  }

  /** Starts of a call before the last question whether to repeat it. */
  doubts(call: string): number {
    return this.#doubts.get(call)?.begun ?? 0;
  }

  /** The first event that the run has not come to, or has passed by. */
  get left(): RunEvent | undefined {
    const events = [...this.#due.values(), ...this.#line.slice(this.#index, this.#index + 1)];
    return events.toSorted((one, other) => one.seq - other.seq)[0];
  }

  #add(event: RunEvent): void {
    if (event.type === "step.started") this.startedAt.set(event.step, event.seq);
    if (event.type === "group.started") this.startedAt.set(event.turn, event.seq);
    if (event.type === "call.started") this.#due.set(`${event.type} ${event.call}`, event);
    if (event.type === "group.ended") this.#results.set(event.turn, event.results);
    if (event.type === "note.made") this.#notes.set(event.of, [...this.notes(event.of), event]);
    if (event.type === "history.trimmed") this.lastTrimmed.set(event.step, event);
    if (event.type === "call.suspended") this.#suspend(event);
    this.#decide(event);
    if (event.type === "question.opened") this.#open(event);
    else if (event.type === "effect.intended") this.#begin(event);
    else if (event.type === "permission.decided") this.#ask(event, event.call, toPermissionKey(event));
    else if (event.type === "call.ended") this.ended.set(event.call, event);
    else if (event.type === "step.ended") this.ended.set(event.step, event);
    if (event.type !== "call.ended" && event.type !== "permission.decided") return;
    if (!this.decided.has(event.call)) this.decided.set(event.call, event);
  }

  #decide(event: RunEvent): void {
    const isRuled = event.type === "permission.decided" && event.rules !== undefined;
    const isAsked = event.type === "question.opened" && event.kind === "approval";
    if (!isRuled && !isAsked && event.type !== "call.started") return;
    const { call = "" } = event;
    const isEdited = isRuled && event.edited === true;
    if (!isEdited && !this.#decisions.has(call)) this.#decisions.set(call, event);
    const edit = `${call}/edit`;
    if ((isEdited || event.type === "call.started") && !this.#decisions.has(edit)) this.#decisions.set(edit, event);
  }

  #ask(event: RunEvent, call: string, key: string): void {
    const asked = this.#asked.get(call) ?? new Map<string, RunEvent>();
    this.#asked.set(call, asked.set(`${event.type} ${key}`, event));
  }

  #begin(event: RunEvent & EventBodyOf<"effect.intended">): void {
    const { key } = event;
    this.#begun.set(key, (this.#begun.get(key) ?? 0) + 1);
    if (!this.decided.has(key)) this.decided.set(key, event);
  }

  /** Drops the doubts about a call, which are settled once its tool has run, and the questions of its tool, which come from outside. */
  #suspend({ call, questions }: EventBodyOf<"call.suspended">): void {
    this.#asked.get(call)?.delete(`question.opened ${this.#doubts.get(call)?.question}`);
    this.#doubts.delete(call);
    this.decided.delete(call);
    for (const id of questions.map(({ name }) => `${call}/${name}`)) {
      this.#ofTools.add(id);
      this.questions.delete(id);
    }
  }

  /** Of several doubts about a call only the last is asked again. */
  #open(event: Opened): void {
    const { question, kind, call } = event;
    this.questions.set(question, event);
    if (call === undefined || this.#ofTools.has(question)) return;
    if (kind === "doubt") {
      this.#asked.get(call)?.delete(`${event.type} ${this.#doubts.get(call)?.question}`);
      this.#doubts.set(call, { question, begun: this.#begun.get(call) ?? 0 });
    }
    this.#ask(event, call, question);
  }
}

/** Pauses for a message and what follows them belong to the run's line: nothing of a turn is open then. */
function isOfLine(event: RunEvent): boolean {
  if (event.type === "run.paused") return event.by === "signal" && event.questions.length === 0;
  if (event.type === "run.resumed") return event.input !== undefined;
  return !isKeyed(event);
}
