import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { HEAP_MB, ThreadHarness } from "./testing/thread-harness.ts";
import { ToolThreads } from "./tool-threads.ts";

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

/** What happens to threads between two calls. */
const BETWEEN: readonly (readonly [title: string, check: () => Promise<void>])[] = [
  [
    "a call after an idle thread has ended starts another one, and its variables are new",
    async () => {
      await using harness = new ThreadHarness(new ToolThreads({ idleMs: 1 }));
      await harness.call("Where", "Where");
      while (harness.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
      assert.partialDeepStrictEqual((await harness.call("Where")).ended[0]?.output, { calls: 1 });
    },
  ],
  [
    "a thread that a tenant has tampered with is never another tenant's, in any order of calls",
    async () => {
      await using harness = new ThreadHarness(new ToolThreads({ size: 2 }));
      const seen = new Map<string, string[]>();
      for (const tenant of ["evil", "acme", "evil", "acme", "acme", "other", "evil", "acme"]) {
        const output = await harness.callWith("Tamper", { tenant });
        seen.set(tenant, [...(seen.get(tenant) ?? []), String(Reflect.get(Object(output), "before"))]);
      }
      for (const [tenant, [first]] of seen) assert.equal(first, "clean", tenant);
    },
  ],
  [
    "a thread that ended under a call is replaced, and the pool has room for all again",
    async () => {
      await using harness = new ThreadHarness(new ToolThreads({ size: 1, heapMb: HEAP_MB }));
      for (const name of ["Exit", "Where", "Stray", "Where", "Fill", "Where"]) await harness.call(name);
      assert.partialDeepStrictEqual((await harness.call("Where")).ended[0]?.output, { calls: 2 });
    },
  ],
  [
    "a shared thread that runs out of memory is replaced, and names the call that was at fault",
    async () => {
      await using harness = new ThreadHarness(new ToolThreads({ heapMb: HEAP_MB }), { retryMaxMs: 1 }, "shared");
      const { ended } = await harness.call("Fill", "Where");
      assert.equal(ended.find(({ tool }) => tool === "Fill")?.error?.kind, "crash");
      assert.equal((await harness.call("Where")).ended[0]?.error, undefined);
    },
  ],
];

for (const [title, check] of inSlice(BETWEEN)) test(title, check);
