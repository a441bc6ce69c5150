/** Played code: code in a real worker, with a tool `get` that gives its arguments back and a tool `fail` that fails. */
import assert from "node:assert/strict";
import { type CodeCall, type CodeEnd, type CodeResult, Scope, SystemClock } from "@baton/core/ports";
import type { QuickjsInterpreter } from "../interpreter/quickjs-interpreter.ts";

/** Limits that hostile code reaches soon. */
export const LIMITS = { memoryMb: 16, cpuSeconds: 0.03, maxCalls: 5, maxConsoleChars: 60 };
/** Code before its text. */
export const START = {
  tools: ["get", "fail", "get-order"],
  limits: LIMITS,
  at: 1_700_000_000_000,
  position: "1.1.1",
};

/** Plays code to its end, and tells the lines of its calls. */
export async function playCode(
  interpreter: QuickjsInterpreter,
  text: string,
): Promise<CodeEnd & { readonly lines: readonly (number | undefined)[] }> {
  const scope = Scope.root({ clock: new SystemClock() });
  const code = interpreter.start({ ...START, text });
  const lines: (number | undefined)[] = [];
  const queue: CodeCall[] = [];
  try {
    let step = await code.step(scope);
    for (let call = 1; ; call++) {
      lines.push(...step.calls.map(({ line }) => line));
      queue.push(...step.calls);
      if (step.end !== undefined) return { ...step.end, lines };
      const next = queue.shift() ?? assert.fail("nothing is open");
      const at = START.at + call * 1_000;
      const error = { kind: "permission", message: "not allowed" } as const;
      const result: CodeResult = next.tool === "fail" ? { call, at, error } : { call, at, output: next.args };
      step = await code.step(scope, result);
    }
  } finally {
    code.close();
  }
}
