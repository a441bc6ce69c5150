import assert from "node:assert/strict";
import { test } from "node:test";
import { HEAP_MB, ThreadHarness } from "./testing/thread-harness.ts";

test("a tool that exits, fills its heap or leaves an error behind costs one call", async () => {
  await using harness = new ThreadHarness();
  const { ended } = await harness.call("Exit", "Fill", "Stray", "Where");
  const byTool = new Map(ended.map((call) => [call.tool, call]));
  assert.deepEqual(byTool.get("Exit")?.error, {
    code: "tool",
    kind: "crash",
    message: "Exit ended its thread with exit code 7",
  });
  assert.equal(byTool.get("Fill")?.error?.message, `Fill needed more than ${HEAP_MB} MB of memory`);
  assert.match(
    byTool.get("Stray")?.error?.message ?? "",
    /^Stray threw an uncaught error that ended its thread: forgotten$/,
  );
  assert.equal(byTool.get("Where")?.error, undefined);
});
