import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Crew, Engine, type Json, type RunEvent, scriptModel } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { callTool, collect, of, toolContext, toolOf } from "@baton/core/testing";
import { readCrew } from "./read.ts";
import { type TestFolder, writeFolder } from "./testing/folder.ts";
import { ToolThreads } from "./tool-threads.ts";

const CORE = JSON.stringify(import.meta.resolve("@baton/core"));
const ZOD = JSON.stringify(import.meta.resolve("zod"));

const TOOLS = `
import { defineTool, ToolError } from ${CORE};
import { z } from ${ZOD};
import { threadId } from "node:worker_threads";

const input = z.object({ n: z.number().default(1) });
const tool = (name, run, more = {}) => defineTool({ name, description: name, effect: "read", input, run, ...more });

let calls = 0;

export default [
  tool("Where", () => ({ threadId, calls: ++calls })),
  tool("Here", () => ({ threadId }), { isolation: "inline" }),
  tool("Add", ({ n }, { state, progress, messages, user, key, call }) => {
    progress({ n });
    const before = state.get("sum") ?? 0;
    state.set("sum", before + n);
    return { sum: state.get("sum"), said: messages.length, user, key, call };
  }),
  tool("Wrong", () => { throw new ToolError("permanent", "not today"); }),
  tool("Odd", () => { throw 42; }),
  tool("Function", () => () => 1),
  tool("Spin", () => { for (;;); }),
  tool("Obedient", (_, { scope }) => scope.sleep(60_000)),
  tool("Exit", () => process.exit(7)),
  tool("Fill", () => { const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length)); }),
  tool("Stray", () => { setTimeout(() => { throw new Error("forgotten"); }, 1); return new Promise(() => {}); }),
];
`;

const AGENT =
  "id: a\nname: A\nrole: r\nis_terminal: true\ntools: [Where, Here, Add, Wrong, Odd, Function, Spin, Obedient, Exit, Fill, Stray]\n";

const HEAP_MB = 48;

function writeCrew(settings: string): Promise<TestFolder> {
  const crew = `version: "1.0"\nname: threads\nagents: [a]\nsettings: { ${settings} }\n`;
  return writeFolder({ "crew.yaml": crew, "agents/a.yaml": AGENT, "tools.ts": TOOLS });
}

/** A crew whose tools run in threads. */
class Stage implements AsyncDisposable {
  readonly threads: ToolThreads;
  readonly #folder: TestFolder;
  readonly crew: Crew;

  private constructor(folder: TestFolder, crew: Crew, threads: ToolThreads) {
    this.#folder = folder;
    this.crew = crew;
    this.threads = threads;
  }

  static async open(
    settings = "tool_isolation: thread",
    threads = new ToolThreads({ heapMb: HEAP_MB }),
  ): Promise<Stage> {
    const folder = await writeCrew(settings);
    const file = await readCrew(folder.path, { providers: [], threads });
    assert.ok(file.crew, JSON.stringify(file.findings));
    return new Stage(folder, file.crew, threads);
  }

  /** What the tools of one reply came to, in order, and all events. */
  async call(
    ...tools: readonly string[]
  ): Promise<{ ended: readonly EventBodyOf<"call.ended">[]; events: readonly RunEvent[] }> {
    const calls = tools.map((tool) => ({ tool, args: { n: 3 } }));
    const model = scriptModel({ a: [{ call: calls }, { say: "Done." }] });
    await using engine = new Engine({ model: () => model });
    const { events } = await collect(engine.start(this.crew, { input: "go", user: "mai" }));
    return { ended: of(events, "call.ended"), events };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.threads[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

function field(output: Json | undefined, name: string): unknown {
  assert.ok(typeof output === "object" && output !== null && !Array.isArray(output), JSON.stringify(output));
  return Object.entries(output).find(([key]) => key === name)?.[1];
}

suite("tools in threads", () => {
  test("no thread is there before the first call, one thread serves calls one after the other, and none stays", async () => {
    const stage = await Stage.open();
    assert.equal(stage.threads.size, 0);
    const [one] = (await stage.call("Where")).ended;
    const [two] = (await stage.call("Where")).ended;
    assert.notEqual(field(one?.output, "threadId"), 0);
    assert.deepEqual(two?.output, { threadId: field(one?.output, "threadId"), calls: 2 });
    assert.equal(stage.threads.size, 1);
    await stage[Symbol.asyncDispose]();
    assert.equal(stage.threads.size, 0);
  });

  test("a tool may ask to run inline, and only tools of a file run in threads", async () => {
    await using stage = await Stage.open();
    const { ended } = await stage.call("Here", "Where");
    const byTool = new Map(ended.map(({ tool, output }) => [tool, field(output, "threadId")]));
    assert.equal(byTool.get("Here"), 0);
    assert.notEqual(byTool.get("Where"), 0);
    await using inline = await Stage.open("max_rounds: 3");
    assert.equal(field((await inline.call("Where")).ended[0]?.output, "threadId"), 0);
    assert.equal(inline.threads.size, 0);
  });

  test("context, progress and state cross, and the call's result is what the tool returned", async () => {
    await using stage = await Stage.open();
    const { ended, events } = await stage.call("Add");
    const [add] = ended;
    const key = `${events[0]?.run}/1.1.1`;
    assert.deepEqual(add?.output, { sum: 3, said: 1, user: "mai", key, call: "1.1.1" });
    assert.deepEqual(add?.state, { sum: 3 });
    assert.deepEqual(of(events, "call.progressed")[0]?.progress, { n: 3 });
  });

  test("state that was set in the main thread is seen in a thread", async () => {
    await using stage = await Stage.open();
    const context = toolContext()();
    context.state.set("sum", 39);
    const output = await callTool(toolOf([...stage.crew.tools.values()], "Add"), { n: 3 }, context);
    assert.partialDeepStrictEqual(output, { sum: 42 });
    assert.equal(context.state.get("sum"), 42);
  });

  test("what a tool throws or returns is classed as it would be inline", async () => {
    await using stage = await Stage.open();
    const { ended } = await stage.call("Wrong", "Odd", "Function");
    const byTool = new Map(ended.map(({ tool, error }) => [tool, [error?.kind, error?.message]]));
    assert.deepEqual(byTool.get("Wrong"), ["permanent", "not today"]);
    assert.deepEqual(byTool.get("Odd"), ["crash", "42"]);
    assert.deepEqual(byTool.get("Function"), ["crash", "the tool returned something unusable: a function is not JSON"]);
  });

  test("a tool that exits, fills its heap or leaves an error behind costs one call", async () => {
    await using stage = await Stage.open();
    const { ended } = await stage.call("Exit", "Fill", "Stray", "Where");
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
    await using stage = await Stage.open("tool_isolation: thread, tool_execution_timeout_seconds: 0.2");
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const { ended } = await stage.call("Spin").finally(() => clearInterval(ticking));
    assert.equal(ended[0]?.error?.kind, "timeout");
    assert.ok(ticks > 3, `${ticks} ticks`);
  });

  for (const tool of ["Spin", "Obedient"]) {
    test(`a cancelled run says of ${tool} that it was stopped`, async () => {
      await using stage = await Stage.open();
      const model = scriptModel({ a: [{ call: [{ tool }] }, { say: "Done." }] });
      // A busy machine may take its time to end a thread; what counts is that it ends.
      await using engine = new Engine({ model: () => model, graceMs: 30_000 });
      // A warm thread: what is cancelled is the tool, not its start.
      await stage.call("Where");
      const run = engine.start(stage.crew, { input: "go" });
      for await (const { type } of run.events()) if (type === "call.started") break;
      const { receipt } = await run.command({ type: "cancel" });
      assert.deepEqual(receipt?.abandoned, []);
      assert.ok(receipt.stopped.includes("call:1.1.1"), JSON.stringify(receipt));
      assert.equal((await run.result).outcome, "cancelled");
      if (tool === "Obedient") return;
      while (stage.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
    });
  }

  test("as many calls run at once as there are threads, and the others wait for one", async () => {
    await using stage = await Stage.open("tool_isolation: thread", new ToolThreads({ size: 1 }));
    const { ended } = await stage.call("Where", "Where", "Where");
    assert.equal(new Set(ended.map(({ output }) => field(output, "threadId"))).size, 1);
    assert.equal(stage.threads.size, 1);
  });

  test("a thread that has nothing to do is ended after a while", async () => {
    await using stage = await Stage.open("tool_isolation: thread", new ToolThreads({ idleMs: 1 }));
    await stage.call("Where");
    while (stage.threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await stage.call("Where")).ended[0]?.error, undefined);
  });

  test("threads that were not given are missed before anything runs", async () => {
    await using folder = await writeCrew("tool_isolation: thread");
    const { crew, findings } = await readCrew(folder.path, { providers: [] });
    assert.equal(crew, undefined);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === "error").map(({ code }) => code),
      ["no_threads"],
    );
  });
});
