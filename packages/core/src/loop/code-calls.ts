/**
 * Code calls: the calls that one code makes, and the order in which it is handed their results.
 */
import { type OpenCall, type RunCall, type Sequence, toLate } from "./attempt.ts";
import { countChild } from "../views/child-tool.ts";
import { CodeTime } from "../views/code/code-time.ts";
import { type DoneCall, findRepeated } from "../views/code/code-tool.ts";
import { findDone, type Lane } from "../views/lane.ts";
import type { Tool } from "../definitions/tool.ts";
import { Semaphore } from "../lifetimes/semaphore.ts";
import type { CodeCall, CodeEnd, CodeResult, CodeStep, RunningCode } from "../ports/interpreter.ts";
import type { CallResult } from "../words/dialogue.ts";
import { type BatonError, type Failure, failure, toBatonError } from "../words/error.ts";
import { freezeDeep, omitUndefined } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";

/** An error that ends more than the code. */
type Fatal = Readonly<{ failure: Failure }>;
/** The end of code. */
export type FinishedCode = CodeEnd | Fatal;
type Handed = CodeResult | Fatal;

/** The calls that one code makes. */
export class CodeCalls {
  readonly open: OpenCall;
  /** Calls with an effect that succeeded in this code. */
  readonly effects: DoneCall[] = [];
  made = 0;
  readonly #lane: Lane;
  readonly #runCall: RunCall;
  readonly #time: CodeTime;
  readonly #sequence: Sequence;
  /** Irreversible calls of this turn that the code knows to have succeeded. */
  readonly #done: DoneCall[];
  readonly #running = new Map<number, Promise<CallResult | "waiting">>();
  #waiting = 0;
  /** The error that one of them threw: it ends the run. */
  #thrown: BatonError | undefined;
  #wake: () => void = () => undefined;

  constructor(lane: Lane, open: OpenCall, runCall: RunCall) {
    const { scope, sequence, role, request } = open;
    this.#lane = lane;
    this.open = open;
    this.#runCall = runCall;
    this.#time = new CodeTime(scope.clock, lane.plan.crew.settings.codeTimeoutMs);
    this.#done = findDone(lane, role, request.id);
    const locks = new Map<string, Semaphore>();
    const lockOf = ({ name, concurrency }: Tool): Semaphore | undefined => {
      if (concurrency !== "sequential" && role.agent.parallelToolCalls) return undefined;
      const key = role.agent.parallelToolCalls ? name : "";
      const lock = locks.get(key) ?? new Semaphore(1);
      locks.set(key, lock);
      return lock;
    };
    const { children, counts } = sequence;
    this.#sequence = Object.assign(this.#time, { scope, children, counts, lockOf });
  }

  /** Lets the interpreter work until it waits for a result; the run does not pause meanwhile. */
  async advance(code: RunningCode, result?: CodeResult): Promise<CodeStep> {
    const { scope } = this.open;
    const leftMs = this.#time.deadlineAt - scope.clock.monotonic();
    // The call that it was handed may have used up its time.
    if (leftMs <= 0) return toFailed("timeout", toLate(this.#time));
    const time = scope.child({ name: "" });
    time.expireIn(leftMs, () => toLate(this.#time));
    this.#time.running++;
    try {
      return await this.#lane.host.during(() => time.only(() => code.step(time, result)));
    } catch (thrown) {
      const { reason } = time;
      if (reason === undefined) throw thrown;
      return toFailed(reason.code === "timeout" ? "timeout" : "cancelled", reason);
    } finally {
      this.#time.running--;
    }
  }

  begin({ tool, args, line }: CodeCall): void {
    const { request, role, sequence } = this.open;
    const id = `${request.id}.${++this.made}`;
    const inner: CallRequest = { id, tool, args: freezeDeep(args), within: request.id, ...omitUndefined({ line }) };
    const refusal = countChild({ role, counts: sequence.counts }, tool);
    const repeats = findRepeated(this.#done, inner);
    this.#run(inner, omitUndefined({ refusal, repeats }));
  }

  #run(request: CallRequest, more: Readonly<{ refusal?: Failure; repeats?: string }> = {}): void {
    const { role, sequence } = this.open;
    const offered = sequence.inCode;
    const running = this.#runCall(this.#lane, { role, request, sequence: this.#sequence, offered, ...more });
    this.#running.set(this.made, running);
    const wake = (result: CallResult | "waiting") => {
      if (result === "waiting") this.#waiting++;
      this.#wake();
    };
    running.then(wake, (thrown: unknown) => {
      this.#thrown = toBatonError(thrown, "internal");
      this.#wake();
    });
  }

  /** The result whose end the log has next. */
  async next(): Promise<Handed | "waiting"> {
    for (;;) {
      if (this.#thrown !== undefined) throw this.#thrown;
      const finished = this.#lane.host.finishedCalls();
      let [first, place, at] = [0, Infinity, 0];
      for (const call of this.#running.keys()) {
        const end = finished.endOf(`${this.open.request.id}.${call}`);
        if (end !== undefined && end.place < place) [first, place, at] = [call, end.place, end.at];
      }
      if (first > 0) return this.#hand(first, at);
      if (this.#waiting === this.#running.size) return "waiting";
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #hand(call: number, at: number): Promise<Handed | "waiting"> {
    const result = await this.#running.get(call);
    this.#running.delete(call);
    if (result === undefined || result === "waiting") return "waiting";
    const { error, output = null } = result;
    if (error === undefined) this.#keep(result);
    if (error !== undefined && error.code !== "tool") return (await this.settle()) ?? { failure: error };
    return error === undefined
      ? { call, at, output }
      : { call, at, error: { kind: error.kind ?? "permanent", message: error.message } };
  }

  #keep({ request, edited }: CallResult): void {
    const { id, tool, args } = request;
    const effect = this.open.role.tools.get(tool)?.effect;
    const done = { call: id, tool, args: edited ?? args };
    if (effect !== "read") this.effects.push(done);
    if (effect === "irreversible") this.#done.push(done);
  }

  /** Waits for all calls of code that has ended. */
  async settle(): Promise<"waiting" | undefined> {
    const results = await Promise.all(this.#running.values());
    for (const result of results) if (result !== "waiting" && result.error === undefined) this.#keep(result);
    return results.includes("waiting") ? "waiting" : undefined;
  }

  /** Ends the calls that were open when the code was cancelled. */
  async unwind(requests: readonly CallRequest[]): Promise<FinishedCode | "waiting"> {
    for (const request of requests) {
      this.made++;
      this.#run(request);
    }
    return (await this.settle()) ?? { failure: failure("cancelled", "the code was cancelled") };
  }
}

function toFailed(kind: "timeout" | "cancelled", { message }: BatonError): CodeStep {
  return { calls: [], end: { error: { kind, message } } };
}
