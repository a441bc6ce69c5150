/**
 * Code calls: the calls that one code makes, and the order in which it is handed their results.
 */
import { type OpenCall, type RunCall, type Sequence, toLate } from "./attempt.ts";
import { countChild } from "../views/child-tool.ts";
import { CodeEffects } from "../views/code/code-effects.ts";
import { toLocks } from "../views/code/code-locks.ts";
import { CodeTime } from "../views/code/code-time.ts";
import { findDone, type Lane } from "../views/lane.ts";
import type { CodeCall, CodeEnd, CodeResult, CodeStep, RunningCode } from "../ports/interpreter.ts";
import type { CallResult } from "../words/dialogue.ts";
import { type BatonError, type Failure, failure, toBatonError } from "../words/error.ts";
import { freezeDeep, omitUndefined } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";

/** An error that ends more than the code. */
type Fatal = Readonly<{ failure: Failure }>;
/** The end of code. */
export type FinishedCode = CodeEnd | Fatal;

/** The calls that one code makes. */
export class CodeCalls {
  readonly open: OpenCall;
  readonly effects: CodeEffects;
  made = 0;
  readonly #lane: Lane;
  readonly #runCall: RunCall;
  readonly #sequence: Sequence;
  /** Calls whose results the code was not handed, by position. */
  readonly #running = new Map<string, Promise<CallResult | "waiting">>();
  #waiting = 0;
  /** The error that one of them threw: it ends the run. */
  #thrown: BatonError | undefined;
  #wake: () => void = () => undefined;

  constructor(lane: Lane, open: OpenCall, runCall: RunCall) {
    const { scope, role, request } = open;
    const { children, counts } = open.sequence;
    this.#lane = lane;
    this.open = open;
    this.#runCall = runCall;
    this.effects = new CodeEffects(role.tools, findDone(lane, role, request.id));
    const time = new CodeTime(scope.clock, lane.plan.crew.settings.codeTimeoutMs);
    this.#sequence = Object.assign(time, { scope, children, counts, lockOf: toLocks(role.agent) });
  }

  /** Lets the interpreter work until it waits for a result; the run does not pause meanwhile. */
  async advance(code: RunningCode, result?: CodeResult): Promise<CodeStep> {
    const { scope } = this.open;
    const leftMs = this.#sequence.deadlineAt - scope.clock.monotonic();
    // The call that it is handed may have used up its time.
    if (leftMs <= 0) return toFailed("timeout", toLate(this.#sequence));
    const time = scope.child({ name: "" });
    time.expireIn(leftMs, () => toLate(this.#sequence));
    this.#sequence.running++;
    try {
      return await this.#lane.host.during(() => time.only(() => code.step(time, result)));
    } catch (thrown) {
      const { reason } = time;
      if (reason === undefined) throw thrown;
      return toFailed(reason.code === "timeout" ? "timeout" : "cancelled", reason);
    } finally {
      this.#sequence.running--;
    }
  }

  begin({ tool, args, line }: CodeCall): void {
    const { request, role, sequence } = this.open;
    const id = `${request.id}.${this.made + 1}`;
    const inner: CallRequest = { id, tool, args: freezeDeep(args), within: request.id, ...omitUndefined({ line }) };
    const refusal = countChild({ role, counts: sequence.counts }, tool);
    this.#run(inner, omitUndefined({ refusal, repeats: this.effects.findRepeated(inner) }));
  }

  #run(request: CallRequest, more: Readonly<{ refusal?: Failure; repeats?: string }> = {}): void {
    const { role, sequence } = this.open;
    const asked = { role, request, sequence: this.#sequence, offered: sequence.inCode, ...more };
    const running = this.#runCall(this.#lane, asked);
    this.made++;
    this.#running.set(request.id, running);
    const wake = (result?: CallResult | "waiting"): void => {
      if (result === "waiting") this.#waiting++;
      this.#wake();
    };
    running.then(wake, (thrown: unknown) => {
      this.#thrown = toBatonError(thrown, "internal");
      wake();
    });
  }

  /** The result whose end the log has next. */
  async next(): Promise<CodeResult | Fatal | "waiting"> {
    for (;;) {
      if (this.#thrown !== undefined) throw this.#thrown;
      const first = this.#lane.host.finishedCalls().firstOf(this.#running.keys());
      if (first !== undefined) return this.#hand(first.call, first.at);
      if (this.#waiting === this.#running.size) return "waiting";
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #hand(id: string, at: number): Promise<CodeResult | Fatal | "waiting"> {
    const result = await this.#running.get(id);
    this.#running.delete(id);
    if (result === undefined || result === "waiting") return "waiting";
    const { error, output = null } = result;
    this.effects.keep(result);
    const call = Number(id.slice(this.open.request.id.length + 1));
    if (error === undefined) return { call, at, output };
    if (error.code !== "tool") return (await this.settle()) ?? { failure: error };
    return { call, at, error: { kind: error.kind ?? "permanent", message: error.message } };
  }

  /** Waits for all calls of code that has ended. */
  async settle(): Promise<"waiting" | undefined> {
    const results = await Promise.all(this.#running.values());
    for (const result of results) if (result !== "waiting") this.effects.keep(result);
    return results.includes("waiting") ? "waiting" : undefined;
  }

  /** Ends the calls that were open when the code was cancelled. */
  async unwind(requests: readonly CallRequest[]): Promise<FinishedCode | "waiting"> {
    for (const request of requests) this.#run(request);
    return (await this.settle()) ?? { failure: failure("cancelled", "the code was cancelled") };
  }
}

function toFailed(kind: "timeout" | "cancelled", { message }: BatonError): CodeStep {
  return { calls: [], end: { error: { kind, message } } };
}
