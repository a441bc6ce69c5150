/**
 * Call log: the finished calls of a run, in the order in which the log has their ends.
 *
 * A step or call sees the calls that ended before it started. That is a function of the log, so that recovery, replay
 * and a fork see the same. Outputs are not kept here: the log has them.
 */
import type { EventBody } from "../words/event.ts";
import type { Json } from "../words/json.ts";

/** A call that has ended; `ok` if it succeeded. */
export type FinishedCall = Readonly<{ call: string; tool: string; agent: string; args: Json; ok: boolean }>;

/** Earlier calls as a tool, a program or a model may read them. */
export interface RecordedCalls {
  readonly calls: readonly FinishedCall[];
  /** The recorded output of one of them; undefined if it failed or is not one of them. */
  readonly outputOf: (call: string) => Promise<Json | undefined>;
}

/** Ended calls in the order of their ends, with the place of each; only ever added to. */
type Ended = Readonly<{ calls: FinishedCall[]; seqs: number[]; ats: number[]; places: Map<string, number> }>;

/** The finished calls of one run, kept up with its log. */
export class CallLog {
  /** Both are made with the first call: many runs make none. */
  #open: Map<string, Json> | undefined;
  #ended: Ended | undefined;
  /** The list that was read last. */
  #list: readonly FinishedCall[] = NONE;

  /** Takes the next fact of the log. */
  add(fact: EventBody, seq: number, at = 0): void {
    if (fact.type === "call.started") (this.#open ??= new Map()).set(fact.call, fact.args);
    if (fact.type !== "call.ended") return;
    const { call, tool, agent, error } = fact;
    const args = this.#open?.get(call) ?? null;
    this.#open?.delete(call);
    const ended: Ended = (this.#ended ??= { calls: [], seqs: [], ats: [], places: new Map() });
    ended.places.set(call, ended.calls.length);
    ended.seqs.push(seq);
    ended.ats.push(at);
    ended.calls.push(Object.freeze({ call, tool, agent, args, ok: error === undefined }));
  }

  /** Returns the calls that ended before a place in the log; all of them without one. */
  before(seq = Infinity): FinishedCalls {
    return new FinishedCalls(this, countBelow(this.#ended?.seqs ?? [], seq));
  }

  /** Returns the place in the log at which a call ended. */
  endOf(call: string): number | undefined {
    const place = this.placeOf(call);
    return place === undefined ? undefined : this.#ended?.seqs[place];
  }

  /** Returns the number of calls that ended before a call. */
  placeOf(call: string): number | undefined {
    return this.#ended?.places.get(call);
  }

  /** Returns the time at which the call at a place ended. */
  timeOf(place: number): number {
    return this.#ended?.ats[place] ?? 0;
  }

  at(place: number): FinishedCall | undefined {
    return this.#ended?.calls[place];
  }

  /** Lists the first calls, frozen; readers that see equally many share the list. */
  first(length: number): readonly FinishedCall[] {
    if (this.#list.length !== length) this.#list = Object.freeze(this.#ended?.calls.slice(0, length) ?? []);
    return this.#list;
  }
}

/** The finished calls that one reader sees; calls that end later do not change them. */
export class FinishedCalls {
  readonly #log: CallLog;
  readonly #length: number;
  /** Places of calls after the first ones that it sees too, in order. */
  readonly #more: readonly number[];

  constructor(log: CallLog, length: number, more: readonly number[] = []) {
    this.#log = log;
    this.#length = length;
    this.#more = more;
  }

  /** All of them. Copied when it is read: a run with thousands of calls has thousands of readers, and few read it. */
  get list(): readonly FinishedCall[] {
    const first = this.#log.first(this.#length);
    if (this.#more.length === 0) return first;
    return Object.freeze([...first, ...this.#more.flatMap((place) => this.#log.at(place) ?? [])]);
  }

  find(call: string): FinishedCall | undefined {
    const place = this.#log.placeOf(call);
    const isSeen = place !== undefined && (place < this.#length || this.#more.includes(place));
    return isSeen ? this.#log.at(place) : undefined;
  }

  /** Returns which of some calls ended first, and when. */
  firstOf(calls: Iterable<string>): Readonly<{ call: string; at: number }> | undefined {
    let [first, place] = ["", this.#length];
    for (const call of calls) {
      const own = this.#log.placeOf(call) ?? Infinity;
      if (own < place) [first, place] = [call, own];
    }
    return first === "" ? undefined : { call: first, at: this.#log.timeOf(place) };
  }

  /** Returns these calls and those of the given ones that have ended by now. */
  including(calls: readonly string[]): FinishedCalls {
    const places = calls.flatMap((call) => this.#log.placeOf(call) ?? []).filter((place) => place >= this.#length);
    const more = new Set([...this.#more, ...places]);
    return new FinishedCalls(
      this.#log,
      this.#length,
      Array.from(more).toSorted((one, other) => one - other),
    );
  }
}

/** Counts the numbers below a limit in an ascending list. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? Infinity) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

const NONE: readonly FinishedCall[] = Object.freeze([]);

/** No calls, for a call or model that is used outside a run. */
export const NO_RECORDED_CALLS: RecordedCalls = Object.freeze({ calls: NONE, outputOf: async () => undefined });
