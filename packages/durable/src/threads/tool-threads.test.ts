import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  BatonError,
  type CallContext,
  type Crew,
  defineCrew,
  Engine,
  type Json,
  type RunEvent,
  scriptModel,
  type Tool,
} from "@baton/core";
import { type EventBodyOf, Scope } from "@baton/core/ports";
import { callTool, collect, of, SimulatedClock, toolContext, toolOf } from "@baton/core/testing";
import tools from "./testing/tools.ts";
import { ToolThreads } from "./tool-threads.ts";

const FILE = join(import.meta.dirname, "testing/tools.ts");
const HEAP_MB = 48;

/** A crew whose tools run in threads. */
class ThreadHarness implements AsyncDisposable {
  readonly threads: ToolThreads;
  readonly tools: readonly Tool[];
  readonly crew: Crew;

  constructor(threads = new ToolThreads({ heapMb: HEAP_MB }), settings: Partial<Crew["settings"]> = {}) {
    this.threads = threads;
    this.tools = tools.map((tool) => threads.wrap(tool, FILE));
    const names = tools.map(({ name }) => name);
    this.crew = defineCrew({
      name: "threads",
      agents: [{ id: "a", isTerminal: true, tools: names }],
      tools: this.tools,
      settings,
    });
  }

  /** The results of the tools of one reply, in order, and all events. */
  async call(
    ...names: readonly string[]
  ): Promise<{ ended: readonly EventBodyOf<"call.ended">[]; events: readonly RunEvent[] }> {
    const calls = names.map((tool) => ({ tool, args: { n: 3 } }));
    const model = scriptModel({ a: [{ call: calls }, { say: "Done." }] });
    await using engine = new Engine({ model: () => model });
    const { events } = await collect(engine.start(this.crew, { input: "go", user: "mai" }));
    return { ended: of(events, "call.ended"), events };
  }

  /** One call outside of a run. */
  callWith(name: string, context: Partial<CallContext> = {}): Promise<unknown> {
    return callTool(toolOf(this.tools, name), {}, { ...toolContext()(), ...context });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.threads[Symbol.asyncDispose]();
  }
}

function field(output: Json | undefined, name: string): unknown {
  assert.ok(typeof output === "object" && output !== null && !Array.isArray(output), JSON.stringify(output));
  return Object.entries(output).find(([key]) => key === name)?.[1];
}

suite("tools in threads", () => {
  test("a tool in a thread reads the recorded outputs of calls before it", async () => {
    await using harness = new ThreadHarness();
    const { ended } = await harness.call("Add", "Earlier");
    const [add, earlier] = ended;
    const outputs = [add?.output ?? null, add?.output ?? null, null];
    assert.deepEqual(earlier?.output, { calls: [["1.1.1", "Add", true]], outputs });
  });

  test("no thread is there before the first call, one thread serves calls one after the other, and none stays", async () => {
    const harness = new ThreadHarness();
    assert.equal(harness.threads.size, 0);
    const [one] = (await harness.call("Where")).ended;
    const [two] = (await harness.call("Where")).ended;
    assert.notEqual(field(one?.output, "threadId"), 0);
    assert.deepEqual(two?.output, { threadId: field(one?.output, "threadId"), calls: 2 });
    assert.equal(harness.threads.size, 1);
    await harness[Symbol.asyncDispose]();
    assert.equal(harness.threads.size, 0);
  });

  test("context, progress and state cross, and the call's result is what the tool returned", async () => {
    await using harness = new ThreadHarness();
    const { ended, events } = await harness.call("Add");
    const [add] = ended;
    const key = `${events[0]?.run}/1.1.1`;
    assert.deepEqual(add?.output, { sum: 3, said: 1, user: "mai", key, call: "1.1.1" });
    assert.deepEqual(add?.state, { sum: 3 });
    assert.deepEqual(of(events, "call.progressed")[0]?.progress, { n: 3 });
  });

  test("state that was set in the main thread is seen in a thread", async () => {
    await using harness = new ThreadHarness();
    const context = toolContext()();
    context.state.set("sum", 39);
    const output = await callTool(toolOf([...harness.crew.tools.values()], "Add"), { n: 3 }, context);
    assert.partialDeepStrictEqual(output, { sum: 42 });
    assert.equal(context.state.get("sum"), 42);
  });

  test("what a tool throws or returns is classed as it would be inline", async () => {
    await using harness = new ThreadHarness();
    const { ended } = await harness.call("Wrong", "Odd", "Function");
    const byTool = new Map(ended.map(({ tool, error }) => [tool, [error?.kind, error?.message]]));
    assert.deepEqual(byTool.get("Wrong"), ["permanent", "not today"]);
    assert.deepEqual(byTool.get("Odd"), ["crash", "42"]);
    assert.deepEqual(byTool.get("Function"), ["crash", "the tool returned something unusable: a function is not JSON"]);
  });

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

  test("a tool that spins past its limit fails as a timeout, and the event loop goes on meanwhile", async () => {
    await using harness = new ThreadHarness(undefined, { toolTimeoutMs: 200 });
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const { ended } = await harness.call("Spin").finally(() => clearInterval(ticking));
    assert.equal(ended[0]?.error?.kind, "timeout");
    assert.ok(ticks > 3, `${ticks} ticks`);
  });

  for (const tool of ["Spin", "Obedient"]) {
    test(`a cancelled run says of ${tool} that it was stopped`, async () => {
      await using harness = new ThreadHarness();
      const model = scriptModel({ a: [{ call: [{ tool }] }, { say: "Done." }] });
      // A busy machine may take its time to end a thread; what counts is that it ends.
      await using engine = new Engine({ model: () => model, graceMs: 30_000 });
      // A warm thread: what is cancelled is the tool, not its start.
      await harness.call("Where");
      const run = engine.start(harness.crew, { input: "go" });
      for await (const { type } of run.events()) if (type === "call.started") break;
      const { receipt } = await run.command({ type: "cancel" });
      assert.deepEqual(receipt?.abandoned, []);
      assert.ok(receipt.stopped.includes("call:1.1.1"), JSON.stringify(receipt));
      assert.equal((await run.result).outcome, "cancelled");
      if (tool === "Obedient") return;
      while (harness.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
    });
  }

  test("as many calls run at once as there are threads, and the others wait for one", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ size: 1 }));
    const { ended } = await harness.call("Where", "Where", "Where");
    assert.equal(new Set(ended.map(({ output }) => field(output, "threadId"))).size, 1);
    assert.equal(harness.threads.size, 1);
  });

  test("a thread that has nothing to do is ended after a while", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ idleMs: 1 }));
    await harness.call("Where");
    while (harness.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await harness.call("Where")).ended[0]?.error, undefined);
  });

  test("a tool in a thread gets the context that it would get inline", async () => {
    await using harness = new ThreadHarness();
    const context = { ...toolContext([{ role: "user", content: "go" }])(), tenant: "acme", user: "mai", session: "s1" };
    context.state.set("sum", 39);
    const inline = await callTool(toolOf(tools, "Context"), {}, context);
    assert.deepEqual(await callTool(toolOf(harness.tools, "Context"), {}, context), inline);
    assert.partialDeepStrictEqual(inline, { tenant: "acme", user: "mai", session: "s1", state: { sum: 39 } });
  });

  test("a cancelled call that stops in time leaves its thread to the next call", async () => {
    await using harness = new ThreadHarness();
    const clock = new SimulatedClock(1);
    const scope = Scope.root({ clock });
    const waiting = Promise.withResolvers<void>();
    const call = harness.callWith("Obedient", { scope, progress: () => waiting.resolve() });
    const failed = assert.rejects(call);
    await waiting.promise;
    await scope.cancel(new BatonError("cancelled", "not needed"));
    await failed;
    // The timer that would end the thread of a call that does not stop.
    assert.equal(clock.pending, 0);
    assert.partialDeepStrictEqual(await harness.callWith("Where"), { calls: 1 });
    assert.equal(harness.threads.size, 1);
  });

  test("a thread serves one tenant only, also if the pool has room for one thread", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ size: 1 }));
    const first = await harness.callWith("Tamper", { tenant: "evil" });
    assert.partialDeepStrictEqual(first, { before: "clean" });
    assert.partialDeepStrictEqual(await harness.callWith("Tamper", { tenant: "evil" }), { before: "tampered" });
    assert.partialDeepStrictEqual(await harness.callWith("Tamper", { tenant: "acme" }), { before: "clean" });
    assert.partialDeepStrictEqual(await harness.callWith("Tamper"), { before: "clean" });
    while (harness.threads.size > 1) await new Promise((resolve) => setImmediate(resolve));
  });

  test("idle threads of several tenants wait for their tenants as long as the pool has room", async () => {
    await using harness = new ThreadHarness(new ToolThreads({ size: 2 }));
    for (const tenant of ["acme", "evil", "acme", "evil"]) await harness.callWith("Where", { tenant });
    assert.partialDeepStrictEqual(await harness.callWith("Where", { tenant: "acme" }), { calls: 3 });
    assert.equal(harness.threads.size, 2);
  });
});
