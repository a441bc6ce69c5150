import assert from "node:assert/strict";
import { AssertionError } from "node:assert";
import { test } from "node:test";
import { z } from "zod";
import { isRetryable, ToolError, toToolFailure } from "./error.ts";

const withCode = (error: Error, code: string) => Object.assign(error, { code });

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}

test("a failure of a tool is classed by its class and codes", async () => {
  const refused: unknown = await fetch("http://127.0.0.1:9/").catch((error: unknown) => error);
  const cases: readonly (readonly [unknown, string])[] = [
    [new ToolError("permanent", "gone"), "permanent"],
    [new Error("connection reset, required field"), "temporary"],
    [new TypeError("x is not a function"), "crash"],
    [new ReferenceError("x is not defined"), "crash"],
    [new RangeError("Invalid array length"), "crash"],
    [thrownBy(() => JSON.parse("{")), "crash"],
    [thrownBy(() => decodeURIComponent("%")), "crash"],
    [new EvalError(), "crash"],
    [new AssertionError({ message: "1 is not 2" }), "crash"],
    [withCode(new TypeError("bad argument"), "ERR_INVALID_ARG_TYPE"), "crash"],
    [withCode(new TypeError("no file"), "ENOENT"), "temporary"],
    [new TypeError("odd", { cause: withCode(new Error("reset"), "ECONNRESET") }), "network"],
    [new TypeError("fetch failed"), "network"],
    [new TypeError("terminated"), "network"],
    [refused, "network"],
    [withCode(new Error("slow"), "ETIMEDOUT"), "timeout"],
    [AbortSignal.abort().reason, "timeout"],
    [z.object({ a: z.string() }).safeParse({}).error, "validation"],
    [Object.assign(new TypeError("does not fit"), { issues: [] }), "validation"],
    ["just text", "crash"],
    [undefined, "crash"],
  ];
  for (const [thrown, kind] of cases) assert.equal(toToolFailure(thrown).kind, kind, String(thrown));
  assert.deepEqual(
    cases.filter(([thrown]) => isRetryable(toToolFailure(thrown))).map(([, kind]) => kind),
    ["temporary", "temporary", "network", "network", "network", "network", "timeout", "timeout"],
  );
});
