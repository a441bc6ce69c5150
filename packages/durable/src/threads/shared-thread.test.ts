/** All tools of a file in one thread: many calls at once, and what happens to them if one of them ends the thread. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { BatonError, defineCrew, Engine, scriptModel, type Tool } from "@baton/core";
import { type Document, type Documents, noDocuments } from "@baton/core/ports";
import { of, toolOf } from "@baton/core/testing";
import { field, FILE, HEAP_MB, ThreadHarness } from "./testing/thread-harness.ts";
import tools from "./testing/tools.ts";
import { ToolThreads } from "./tool-threads.ts";

const openShared = (settings = {}, threads = new ToolThreads({ heapMb: HEAP_MB })) =>
  new ThreadHarness(threads, settings, "shared");

suite("tools in a shared thread", () => {
  const shared = openShared();
  after(() => shared[Symbol.asyncDispose]());

  test("run in one thread, any number at once, and share the variables of their module", async () => {
    const { ended } = await shared.call("Where", "Where", "Where", "Where", "Where", "Where");
    const ids = new Set(ended.map(({ output }) => field(output, "threadId")));
    assert.equal(ids.size, 1);
    assert.ok(!ids.has(0));
    assert.deepEqual(new Set(ended.map(({ output }) => field(output, "calls"))), new Set([1, 2, 3, 4, 5, 6]));
    assert.equal(shared.threads.size, 1);
  });

  test("suspend their calls, go on with what they kept, and give it back there", async () => {
    const pause = toolOf(shared.tools, "Pause");
    await pause.release?.({ threadId: 0 }, { key: "r/1.1.1" });
    const { ended, events } = await shared.call("Pause");
    assert.equal(of(events, "call.suspended").length, 1);
    const kept: unknown = Reflect.get(Object(ended[0]?.output), "kept");
    assert.notEqual(Reflect.get(Object(kept), "threadId"), 0);
    assert.equal(field(ended[0]?.output, "given"), 1);
  });

  test("serve every tenant in the same thread", async () => {
    const [one, other] = [
      await shared.callWith("Where", { tenant: "a" }),
      await shared.callWith("Where", { tenant: "b" }),
    ];
    assert.deepEqual(Reflect.get(Object(one), "threadId"), Reflect.get(Object(other), "threadId"));
  });

  test("get state, progress, notes and earlier outputs, and give them back", async () => {
    const { ended, events } = await shared.call("Add", "Note", "Earlier");
    assert.deepEqual(ended.find(({ tool }) => tool === "Add")?.state, { sum: 3 });
    assert.deepEqual(of(events, "call.progressed")[0]?.progress, { n: 3 });
    assert.equal(of(events, "note.made")[0]?.kind, "seen");
    const earlier = ended.find(({ tool }) => tool === "Earlier")?.output;
    assert.partialDeepStrictEqual(earlier, {
      calls: [
        ["1.1.1", "Add", true],
        ["1.1.2", "Note", true],
      ],
    });
  });

  test("read and write documents in the main thread, and see its errors", async () => {
    const kept = new Map<string, Document>();
    const documents: Documents = {
      ...noDocuments("not in this test"),
      put: async (collection, { id, data, version }) => {
        if (version !== undefined) throw new BatonError("conflict", "another version");
        const document = { collection, id, data, version: 4, updatedAt: 0 };
        kept.set(id, document);
        return document;
      },
      get: async (_collection, id) => kept.get(id),
      nearest: async (_collection, { vector }) =>
        [...kept.values()].map((document) => ({ ...document, similarity: vector.length })),
    };
    const output = await shared.callWith("Documents", { documents });
    assert.deepEqual(output, { data: 1, found: 1, refused: "conflict" });
  });
});

test("a call that exits fails as a crash, and the other calls of its thread are tried again", async () => {
  await using harness = openShared({ retryMinMs: 0, retryMaxMs: 1 });
  const { ended, events } = await harness.call("Wait", "LateExit");
  const byTool = new Map(ended.map((call) => [call.tool, call]));
  assert.deepEqual(byTool.get("LateExit")?.error, {
    code: "tool",
    kind: "crash",
    message: "LateExit ended its thread with exit code 9",
  });
  const [retried] = of(events, "call.retried");
  assert.deepEqual([retried?.tool, retried?.error.kind], ["Wait", "temporary"]);
  assert.match(retried?.error.message ?? "", /LateExit ended its thread/);
  assert.equal(byTool.get("Wait")?.output, "again");
});

test("an irreversible call whose thread another call ended is a question, and is not made again by itself", async () => {
  await using threads = new ToolThreads({ heapMb: HEAP_MB });
  const crew = defineCrew({
    name: "shop",
    agents: [{ id: "a", isTerminal: true, tools: ["Pay", "LateExit"] }],
    tools: ["Pay", "LateExit"].map((name) => threads.wrap(toolOf(tools, name), { file: FILE }, "shared")),
    permissions: { "*": "allow" },
  });
  const model = scriptModel({ a: [{ call: [{ tool: "Pay" }, { tool: "LateExit" }] }, { say: "Done." }] });
  await using engine = new Engine({ model: () => model });
  const run = engine.start(crew, { input: "go" });
  const { outcome, questions } = await run.result;
  assert.equal(outcome, "paused");
  assert.deepEqual(
    questions.map(({ question, kind, tool }) => [question, kind, tool]),
    [["1.1.1/doubt", "doubt", "Pay"]],
  );
  const { run: next } = await run.command({ type: "answer", question: "1.1.1/doubt", value: "skip" });
  assert.equal((await next.result).outcome, "done");
});

test("a call that spins is ended with its thread, and the next call has a new one", async () => {
  await using harness = openShared({ toolTimeoutMs: 150 });
  const { ended } = await harness.call("Spin");
  assert.equal(ended[0]?.error?.kind, "timeout");
  assert.equal((await harness.call("Where")).ended[0]?.error, undefined);
});

test("a thread whose event loop turns is not ended by a cancelled call", async () => {
  await using harness = openShared();
  const thread = await harness.threadId();
  const model = scriptModel({ a: [{ call: [{ tool: "Obedient" }] }] });
  await using engine = new Engine({ model: () => model });
  const run = engine.start(harness.crew, { input: "go" });
  for await (const { type } of run.events()) if (type === "call.progressed") break;
  const { receipt } = await run.command({ type: "cancel" });
  assert.ok(receipt?.stopped.includes("call:1.1.1"), JSON.stringify(receipt));
  assert.equal(await harness.threadId(), thread);
});

test("an uncaught error fails the call that left it behind, is told, and does not end the thread", async () => {
  const told: string[] = [];
  await using harness = openShared({}, new ToolThreads({ heapMb: HEAP_MB, onStray: (text) => told.push(text) }));
  const thread = await harness.threadId();
  const { ended } = await harness.call("Stray");
  assert.deepEqual(
    [ended[0]?.error?.kind, ended[0]?.error?.message],
    ["crash", "Stray threw an uncaught error: forgotten"],
  );
  assert.deepEqual(told, ["Stray left an uncaught error behind: forgotten"]);
  assert.equal(await harness.threadId(), thread);
});

test("auto is inline until others depend on the process, and shared from then on", async () => {
  await using harness = new ThreadHarness(new ToolThreads(), {}, "auto");
  assert.equal(await harness.threadId(), 0);
  harness.threads.shareAuto();
  assert.notEqual(await harness.threadId(), 0);
});

test("the code of a file is shut down where its calls ran: here, or in its thread after the last call", async () => {
  await using threads = new ToolThreads();
  const where: Tool = threads.wrap(toolOf(tools, "Where"), { file: FILE }, "shared");
  let here = 0;
  const own = { hook: () => here++, isUsedHere: false };
  await threads.toShutdown({ file: FILE }, own)();
  assert.equal(here, 1);
  await where.warmUp?.(undefined);
  assert.equal(threads.size, 1);
  await threads.toShutdown({ file: FILE }, own)();
  assert.equal(here, 1);
  while (threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
});
