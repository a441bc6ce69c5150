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

/** The finished calls of one run, kept up with its log. */
export class CallLog {
  /** Replaced, never changed: a reader keeps what it saw. */
  #calls: readonly FinishedCall[] = NONE;
  /** Made with the first call: many runs make none. */
  #open: Map<string, Json> | undefined;
  #ends: Map<string, number> | undefined;

  /** Takes the next fact of the log. */
  add(fact: EventBody, seq: number): void {
    if (fact.type === "call.started") (this.#open ??= new Map()).set(fact.call, fact.args);
    if (fact.type !== "call.ended") return;
    const { call, tool, agent, error } = fact;
    const args = this.#open?.get(call) ?? null;
    this.#open?.delete(call);
    (this.#ends ??= new Map()).set(call, seq);
    this.#calls = Object.freeze([...this.#calls, Object.freeze({ call, tool, agent, args, ok: error === undefined })]);
  }

  /** The calls that ended before a place in the log; all of them without one. */
  before(seq?: number): readonly FinishedCall[] {
    return seq === undefined ? this.#calls : this.#calls.filter(({ call }) => (this.endOf(call) ?? seq) < seq);
  }

  /** Where in the log a call ended. */
  endOf(call: string): number | undefined {
    return this.#ends?.get(call);
  }
}

const NONE: readonly FinishedCall[] = Object.freeze([]);

/** No calls, for a call or model that is used outside a run. */
export const NO_RECORDED_CALLS: RecordedCalls = Object.freeze({ calls: NONE, outputOf: async () => undefined });

/** These calls, with their outputs read from where the run lives. */
export function toRecordedCalls(calls: readonly FinishedCall[], read: RecordedCalls["outputOf"]): RecordedCalls {
  const isOf = (call: string) => calls.some((one) => one.call === call && one.ok);
  return { calls, outputOf: async (call) => (isOf(call) ? read(call) : undefined) };
}
