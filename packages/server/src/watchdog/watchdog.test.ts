import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { WATCHDOG_EXIT_CODE } from "./watchdog.ts";

const PROCESS = join(import.meta.dirname, "testing", "hanging-worker.ts");
const LINE = z.object({ level: z.literal("fatal"), stack: z.string(), msg: z.string() });

function hang(way: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [PROCESS, way], { encoding: "utf8", timeout: 60_000 });
}

for (const [way, frame] of [
  ["loop", /at spinForEver .*hanging-worker\.ts:\d+/],
  ["expression", /at expression .*hanging-worker\.ts:\d+/],
  ["wait", /at wait .*hanging-worker\.ts:\d+/],
] as const) {
  test(`a process that hangs in a ${way} ends with code 70, and its log has the stack`, () => {
    const { status, stderr } = hang(way);
    assert.equal(status, WATCHDOG_EXIT_CODE, stderr);
    const { stack, msg } = LINE.parse(JSON.parse(stderr.split("\n").find((line) => line.startsWith("{")) ?? ""));
    assert.match(stack, frame);
    assert.match(msg, /the event loop has not turned for 0\.6 s/);
  });
}

test("a process whose event loop turns is left alone, and is not kept alive", () => {
  const { status, stderr } = hang("short work");
  assert.deepEqual([status, stderr], [0, ""]);
});
