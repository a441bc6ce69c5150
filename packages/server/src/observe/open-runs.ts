/**
 * Open runs: what has begun and not ended in the runs that are running, as their events tell.
 *
 * Bounded whatever happens: of a run that pauses only its origin is kept, and the oldest is forgotten if there are too
 * many; a run that is not known is still counted, only not timed.
 */
import type { RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { TraceParent } from "../gateway/request-id.ts";

/** Where a run, or its resume, came from: what its events do not say. */
export interface RunOrigin {
  readonly requestId?: string;
  readonly traceparent?: TraceParent | undefined;
  /** A resumed run's, whose beginning was long ago. */
  readonly crew?: string;
  readonly session?: string;
  /** The latest turn of its own line before it paused or its process ended, empty if none; and that turn's agent. */
  readonly turn?: string;
  readonly agent?: string;
}

/** Something that has begun and not ended. */
export interface OpenWork {
  readonly at: number;
  /** Of a step. */
  readonly model?: string;
  /** Of a call. */
  readonly tool?: string;
  /** Of a call of an agent or a crew as a tool. */
  readonly isChild?: true;
  /** Of a call: when its tool began, once that is known. */
  readonly ranAt?: number;
  /** Of a call that waits for an answer, or did: what it waits for then is not a permit. */
  readonly asked?: "open" | "answered";
}

/** Counts of running work over all runs. */
export type WorkCounts = Readonly<Record<"agents" | "queuedCalls" | "activeCalls", number>>;

/** One segment of a run, from a start or resume to the next pause or end; or a paused run that receives a command. */
export interface ObservedRun {
  readonly id: string;
  /** Undefined if its beginning was not seen. */
  readonly beganAt: number | undefined;
  readonly origin: RunOrigin;
  /** By position: turns, steps and calls. */
  readonly begun: ReadonlyMap<string, OpenWork>;
  /** The latest turn of each lane, and its agent. */
  readonly turns: ReadonlyMap<string, string>;
  readonly agents: ReadonlyMap<string, string>;
  /** Until the first text. */
  readonly isQuiet: boolean;
}

interface Held extends ObservedRun {
  origin: RunOrigin;
  readonly begun: Map<string, OpenWork>;
  readonly turns: Map<string, string>;
  readonly agents: Map<string, string>;
  /** Calls by the questions about them. */
  readonly questions: Map<string, string>;
  isQuiet: boolean;
}

const MAX_RUNS = 10_000;
const MAX_BEGUN = 4_096;

/** The runs that are running. */
export class OpenRuns {
  readonly #runs = new Map<string, Held>();
  /** Of runs whose first event has not come yet, and of paused ones. */
  readonly #origins = new Map<string, RunOrigin>();
  /** When the tools of open calls began, by run and call; a tool may begin before its call is committed. */
  readonly #ran = new Map<string, number>();
  /** Sessions of runs that have ended, for the runs that follow them. */
  readonly #sessions = new Map<string, string>();
  readonly #forget: (run: ObservedRun) => void;

  /** `forget` is called with a run that is dropped before its end was seen. */
  constructor(forget: (run: ObservedRun) => void) {
    this.#forget = forget;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Counts of the work that is running now. */
  get underWay(): WorkCounts {
    const open = [...this.#runs.values()].flatMap(({ begun }) => [...begun.values()]);
    const isQueued = ({ tool, ranAt, asked }: OpenWork) =>
      tool !== undefined && ranAt === undefined && asked !== "open";
    return {
      agents: open.filter(({ tool, model }) => tool === undefined && model === undefined).length,
      queuedCalls: open.filter(isQueued).length,
      activeCalls: this.#ran.size,
    };
  }

  /** Takes that the tool of a call has begun; the call, if it was seen to start. */
  ran(run: string, call: string, at: number): OpenWork | undefined {
    setBounded(this.#ran, `${run}/${call}`, at);
    const known = this.#runs.get(run)?.begun;
    const begun = known?.get(call);
    if (begun !== undefined) known?.set(call, { ...begun, ranAt: at });
    return begun;
  }

  /** Says where a run comes from; best before it starts or resumes. */
  link(run: string, origin: RunOrigin): void {
    const held = this.#runs.get(run);
    if (held === undefined) setBounded(this.#origins, run, { ...this.#origins.get(run), ...origin });
    else held.origin = { ...held.origin, ...origin };
  }

  /** Whether an event belongs to a run that was not seen to start or pause here. */
  isStrange({ type, run }: RunEvent): boolean {
    return type !== "run.started" && !this.#runs.has(run) && this.#origins.get(run)?.turn === undefined;
  }

  /** Says where a strange run comes from; what a request has said of it holds. */
  introduce(run: string, origin: RunOrigin): void {
    setBounded(this.#origins, run, { ...origin, ...this.#origins.get(run) });
  }

  /** Records what an event starts; returns the run it belongs to, if known. */
  enter(event: RunEvent): ObservedRun | undefined {
    switch (event.type) {
      case "run.started":
        return this.#begin(event, {
          crew: event.crew,
          ...omitUndefined({ session: event.session ?? this.#sessionBefore(event.afterOf), requestId: event.request }),
        });
      case "run.resumed":
        return this.#begin(event, {});
      case "turn.started":
        this.#enterTurn(event, event.turn, event.agent);
        return this.#note(event, event.turn, { at: event.at });
      case "step.started":
        // A turn that was open when the run paused does not start again.
        if (!this.#knowsTurn(event))
          this.#enterTurn(event, event.step.slice(0, event.step.lastIndexOf(".")), event.agent);
        return this.#note(event, event.step, { at: event.at, model: event.model });
      case "call.started":
        return this.#note(event, event.call, {
          at: event.at,
          tool: event.tool,
          ...(event.via === undefined ? {} : { isChild: true }),
          ...omitUndefined({ ranAt: this.#ran.get(`${event.run}/${event.call}`) }),
        });
      case "question.opened":
        return this.#ask(event);
      case "question.answered":
      case "question.closed":
        return this.#answer(event);
      default:
        return this.#runs.get(event.run) ?? this.#toPaused(event.run);
    }
  }

  /** Drops what an event ends, after everybody has seen it. */
  leave(event: RunEvent): void {
    switch (event.type) {
      case "text.delta": {
        const held = this.#runs.get(event.run);
        if (held !== undefined) held.isQuiet = false;
        return;
      }
      case "turn.ended":
        this.#runs.get(event.run)?.begun.delete(event.turn);
        return;
      case "step.ended":
        this.#runs.get(event.run)?.begun.delete(event.step);
        return;
      case "call.ended":
        this.#runs.get(event.run)?.begun.delete(event.call);
        this.#ran.delete(`${event.run}/${event.call}`);
        return;
      case "run.paused":
        this.#pause(event.run);
        return;
      case "run.ended":
        this.#end(event.run);
        return;
      default:
        return;
    }
  }

  #begin({ run, at }: RunEvent, added: RunOrigin): ObservedRun {
    const before = this.#runs.get(run);
    const origin = { ...before?.origin, ...this.#origins.get(run), ...added };
    const held: Held = {
      ...toLimitState(run, origin),
      beganAt: at,
      begun: new Map(),
      questions: new Map(),
      isQuiet: true,
    };
    this.#origins.delete(run);
    const dropped = setBounded(this.#runs, run, held);
    if (dropped !== undefined) this.#forget(dropped);
    return held;
  }

  #end(run: string): void {
    const session = this.#runs.get(run)?.origin.session;
    if (session !== undefined) setBounded(this.#sessions, run, session);
    this.#runs.delete(run);
    this.#origins.delete(run);
  }

  /** Session of the run that a crew's `after` follows: it has none of its own. */
  #sessionBefore(run: string | undefined): string | undefined {
    return run === undefined ? undefined : this.#sessions.get(run);
  }

  #pause(run: string): void {
    const held = this.#runs.get(run);
    this.#runs.delete(run);
    if (held === undefined) return;
    const { crew, session, requestId } = held.origin;
    const turn = held.turns.get("") ?? "";
    setBounded(this.#origins, run, {
      turn,
      ...omitUndefined({ crew, session, requestId, agent: held.agents.get("") }),
    });
  }

  #toPaused(run: string): ObservedRun | undefined {
    const origin = this.#origins.get(run);
    return origin && { ...toLimitState(run, origin), beganAt: undefined, begun: new Map(), isQuiet: false };
  }

  #ask({ run, question, call }: RunEvent & EventBodyOf<"question.opened">): ObservedRun | undefined {
    const held = this.#runs.get(run);
    if (held === undefined || call === undefined || held.questions.size >= MAX_BEGUN) return held;
    held.questions.set(question, call);
    setAsked(held, call, "open");
    return held;
  }

  #answer({ run, question }: RunEvent & EventBodyOf<"question.answered" | "question.closed">): ObservedRun | undefined {
    const held = this.#runs.get(run);
    const call = held?.questions.get(question);
    if (held === undefined || call === undefined) return held;
    held.questions.delete(question);
    setAsked(held, call, "answered");
    return held;
  }

  #knowsTurn({ run, lane }: RunEvent): boolean {
    return this.#runs.get(run)?.turns.has(lane) ?? true;
  }

  /** A turn of the run's own line is after all lanes of the groups before it. */
  #enterTurn({ run, lane }: RunEvent, turn: string, agent: string): void {
    const held = this.#runs.get(run);
    if (held === undefined) return;
    const { turns, agents } = held;
    if (lane === "") turns.clear();
    if (lane === "") agents.clear();
    if (turns.size >= MAX_BEGUN) return;
    turns.set(lane, turn);
    agents.set(lane, agent);
  }

  #note({ run }: RunEvent, position: string, begun: OpenWork): ObservedRun | undefined {
    const held = this.#runs.get(run);
    if (held !== undefined && held.begun.size < MAX_BEGUN) held.begun.set(position, begun);
    return held;
  }
}

/** A run in the state in which it paused. */
function toLimitState(id: string, origin: RunOrigin): Pick<Held, "id" | "origin" | "turns" | "agents"> {
  const { turn = "", agent = "" } = origin;
  const ofOwnLine = (value: string) => new Map(value === "" ? [] : [["", value]]);
  return { id, origin, turns: ofOwnLine(turn), agents: ofOwnLine(agent) };
}

function setAsked({ begun }: Held, call: string, asked: "open" | "answered"): void {
  const known = begun.get(call);
  if (known !== undefined) begun.set(call, { ...known, asked });
}

/** Seconds from when something began to an event; from the resume on, if it began before a pause. */
export function secondsSince(run: ObservedRun | undefined, position: string, at: number): number | undefined {
  const beganAt = run?.begun.get(position)?.at ?? run?.beganAt;
  return beganAt === undefined ? undefined : Math.max(0, at - beganAt) / 1_000;
}

/** Sets the newest entry; what had to go for it is given back. */
function setBounded<T>(map: Map<string, T>, key: string, value: T): T | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_RUNS) return undefined;
  const [oldest] = map.keys();
  if (oldest === undefined) return undefined;
  const dropped = map.get(oldest);
  map.delete(oldest);
  return dropped;
}
