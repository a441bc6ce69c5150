/**
 * Run code: a call of `run_code`, which runs what a model wrote; each call of a tool in it is an ordinary call.
 *
 * Nothing of the interpreter is stored. Results are handed in one at a time, in the order in which the log has their
 * ends, so that code which starts again over the log comes to the same place, and goes on from there.
 */
import { isCancelled, type OpenCall, type Ready, type RunCall, toCancelled } from "./attempt.ts";
import { CodeCalls, type FinishedCode } from "./code-calls.ts";
import { countChild } from "../views/child-tool.ts";
import { toCode, toCodeResult } from "../views/code/code-tool.ts";
import type { Lane } from "../views/lane.ts";
import type { CodeRecord } from "../ports/host.ts";
import type { Interpreter } from "../ports/interpreter.ts";
import { BatonError, failure, toFailure } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";

type Ended = EventBodyOf<"call.ended">;
type Fit = Readonly<{ ready: Ready; runCall: RunCall }>;

/** Runs code; `waiting` if all that is open in it waits for people: then its instance is dropped. */
export async function runCode(lane: Lane, open: OpenCall, fit: Fit): Promise<Ended | "waiting"> {
  const { request, role, sequence } = open;
  const { interpreter } = lane.plan.crew;
  const record = lane.host.codeRecord(request.id);
  const calls = new CodeCalls(lane, open, fit.runCall);
  let finished: FinishedCode | "waiting" = { failure: failure("permanent", "there is no interpreter for code") };
  if (record.isEnded) {
    const inner = lane.host.finishedCalls().list.filter(({ call }) => call.startsWith(`${request.id}.`));
    for (const { tool } of inner) countChild({ role, counts: sequence.counts }, tool);
  } else if (interpreter !== undefined) finished = await work(lane, calls, { interpreter, record, fit });
  if (finished === "waiting") return "waiting";
  const base = { type: "call.ended", call: request.id, agent: role.agent.id, tool: request.tool, attempts: 1 } as const;
  const end = finished;
  const toEnded = async (): Promise<Ended> => {
    if (isCancelled(lane, open)) return { ...base, error: toCancelled(open) };
    if ("failure" in end) return { ...base, error: end.failure };
    return { ...base, ...toCodeResult(end, { made: calls.made, effects: calls.effects.list }) };
  };
  return lane.host.once({
    type: "call.ended",
    key: request.id,
    effect: "read",
    isPure: true,
    work: toEnded,
    failed: (error) => ({ ...base, attempts: 0, error: toFailure(error) }),
  });
}

type Working = Readonly<{ interpreter: Interpreter; record: CodeRecord; fit: Fit }>;

async function work(
  lane: Lane,
  calls: CodeCalls,
  { interpreter, record, fit }: Working,
): Promise<FinishedCode | "waiting"> {
  const { scope, request } = calls.open;
  // A cancel that came while the run was paused: its open calls are ended, and the code does not go on.
  if (!scope.live) return calls.unwind(record.open);
  const { codeMemoryMb, codeCpuSeconds, maxCodeCalls, maxConsoleChars } = lane.plan.crew.settings;
  const limits = { memoryMb: codeMemoryMb, cpuSeconds: codeCpuSeconds, maxCalls: maxCodeCalls, maxConsoleChars };
  const { at, sequence } = calls.open;
  const tools = [...(sequence.inCode ?? [])];
  const code = interpreter.start({ text: toCode(fit.ready.args), tools, limits, at, position: request.id });
  try {
    for (let step = await calls.advance(code); ;) {
      for (const made of step.calls) calls.begin(made);
      if (step.end !== undefined) return (await calls.settle()) ?? step.end;
      const next = await calls.next();
      if (next === "waiting" || "failure" in next) return next;
      step = await calls.advance(code, next);
    }
  } catch (thrown) {
    if (!(thrown instanceof BatonError) || thrown.code !== "diverged" || record.engine === interpreter.engine)
      throw thrown;
    const engines = `the code was run by ${record.engine} and is now run by ${interpreter.engine}`;
    throw new BatonError("diverged", `${thrown.message}; ${engines}`);
  } finally {
    code.close();
  }
}
