import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { BatonError, Engine, scriptModel } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { callTool, of, SimulatedClock, toolContext, toolOf } from "@baton/core/testing";
import { field, HEAP_MB, ThreadHarness } from "./testing/thread-harness.ts";
import tools from "./testing/tools.ts";
import { ToolThreads } from "./tool-threads.ts";

suite("tools in threads", () => {
  /** Shared by most tests, because starting a thread takes a tenth of a second of CPU. */
  const shared = new ThreadHarness(new ToolThreads({ size: 1, heapMb: HEAP_MB }));
  after(() => shared[Symbol.asyncDispose]());

  test("no thread is there before the first call, and one thread serves calls one after the other", async () => {
    assert.equal(shared.threads.size, 0);
    const [one] = (await shared.call("Where")).ended;
    const [two] = (await shared.call("Where")).ended;
    assert.notEqual(field(one?.output, "threadId"), 0);
    assert.deepEqual(two?.output, { threadId: field(one?.output, "threadId"), calls: 2 });
    assert.equal(shared.threads.size, 1);
  });

  test("a tool in a thread reads the recorded outputs of calls before it", async () => {
    const { ended } = await shared.call("Add", "Earlier");
    const [add, earlier] = ended;
    const outputs = [add?.output ?? null, add?.output ?? null, null];
    assert.deepEqual(earlier?.output, { calls: [["1.1.1", "Add", true]], outputs });
  });

  test("context, progress and state cross, and the call's result is what the tool returned", async () => {
    const { ended, events } = await shared.call("Add");
    const [add] = ended;
    const key = `${events[0]?.run}/1.1.1`;
    assert.deepEqual(add?.output, { sum: 3, said: 1, user: "mai", key, call: "1.1.1" });
    assert.deepEqual(add?.state, { sum: 3 });
    assert.deepEqual(of(events, "call.progressed")[0]?.progress, { n: 3 });
  });

  test("state that was set in the main thread is seen in a thread", async () => {
    const context = toolContext()();
    context.state.set("sum", 39);
    const output = await callTool(toolOf([...shared.crew.tools.values()], "Add"), { n: 3 }, context);
    assert.partialDeepStrictEqual(output, { sum: 42 });
    assert.equal(context.state.get("sum"), 42);
  });

  test("what a tool throws or returns is classed as it would be inline", async () => {
    const { ended } = await shared.call("Wrong", "Odd", "Function");
    const byTool = new Map(ended.map(({ tool, error }) => [tool, [error?.kind, error?.message]]));
    assert.deepEqual(byTool.get("Wrong"), ["permanent", "not today"]);
    assert.deepEqual(byTool.get("Odd"), ["crash", "42"]);
    assert.deepEqual(byTool.get("Function"), ["crash", "the tool returned something unusable: a function is not JSON"]);
  });

  test("as many calls run at once as there are threads, and the others wait for one", async () => {
    const { ended } = await shared.call("Where", "Where", "Where");
    assert.equal(new Set(ended.map(({ output }) => field(output, "threadId"))).size, 1);
    assert.equal(shared.threads.size, 1);
  });

  test("a cancelled call that stops in time leaves its thread to the next call", async () => {
    const clock = new SimulatedClock(1);
    const scope = Scope.root({ clock });
    const thread = await shared.threadId();
    const waiting = Promise.withResolvers<void>();
    const call = shared.callWith("Obedient", { scope, progress: () => waiting.resolve() });
    const failed = assert.rejects(call);
    await waiting.promise;
    await scope.cancel(new BatonError("cancelled", "not needed"));
    await failed;
    // The timer that would end the thread of a call that does not stop.
    assert.equal(clock.pending, 0);
    assert.equal(await shared.threadId(), thread);
    assert.equal(shared.threads.size, 1);
  });

  for (const tool of ["Obedient", "Spin"]) {
    test(`a cancelled run says of ${tool} that it was stopped`, async () => {
      const model = scriptModel({ a: [{ call: [{ tool }] }, { say: "Done." }] });
      // A busy machine may take its time to end a thread; what counts is that it ends.
      await using engine = new Engine({ model: () => model, graceMs: 30_000 });
      // A warm thread: what is cancelled is the tool, not its start.
      await shared.call("Where");
      const run = engine.start(shared.crew, { input: "go" });
      for await (const { type } of run.events()) if (type === "call.started") break;
      const { receipt } = await run.command({ type: "cancel" });
      assert.deepEqual(receipt?.abandoned, []);
      assert.ok(receipt.stopped.includes("call:1.1.1"), JSON.stringify(receipt));
      assert.equal((await run.result).outcome, "cancelled");
      if (tool === "Obedient") return;
      while (shared.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
    });
  }

  test("a tool that spins past its limit fails as a timeout, and the event loop goes on meanwhile", async () => {
    const harness = new ThreadHarness(shared.threads, { toolTimeoutMs: 100 });
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const { ended } = await harness.call("Spin").finally(() => clearInterval(ticking));
    assert.equal(ended[0]?.error?.kind, "timeout");
    assert.ok(ticks > 3, `${ticks} ticks`);
  });

  test("a tool in a thread gets the context that it would get inline", async () => {
    const context = { ...toolContext([{ role: "user", content: "go" }])(), tenant: "acme", user: "mai", session: "s1" };
    context.state.set("sum", 39);
    const inline = await callTool(toolOf(tools, "Context"), {}, context);
    assert.deepEqual(await callTool(toolOf(shared.tools, "Context"), {}, context), inline);
    assert.partialDeepStrictEqual(inline, { tenant: "acme", user: "mai", session: "s1", state: { sum: 39 } });
  });

  test("a thread that has nothing to do is ended after a while", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ idleMs: 1 }));
    await harness.call("Where");
    while (harness.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test("a thread serves one tenant only, also if the pool has room for one thread", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ size: 1 }));
    const first = await harness.callWith("Tamper", { tenant: "evil" });
    assert.partialDeepStrictEqual(first, { before: "clean" });
    assert.partialDeepStrictEqual(await harness.callWith("Tamper", { tenant: "evil" }), { before: "tampered" });
    assert.partialDeepStrictEqual(await harness.callWith("Tamper"), { before: "clean" });
    while (harness.threads.size > 1) await new Promise((resolve) => setImmediate(resolve));
  });

  test("idle threads of several tenants wait for their tenants as long as the pool has room", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ size: 2 }));
    for (const tenant of ["acme", "evil", "acme", "evil"]) await harness.callWith("Where", { tenant });
    assert.partialDeepStrictEqual(await harness.callWith("Where", { tenant: "acme" }), { calls: 3 });
    assert.equal(harness.threads.size, 2);
    await harness[Symbol.asyncDispose]();
    assert.equal(harness.threads.size, 0);
  });
});
