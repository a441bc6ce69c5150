/** Starts of one session in the same tick and typed outputs, in code and over HTTP, and a crew inside a crew that is cancelled. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defineCrew, defineTool, type Message, type Model, scriptModel } from "@baton/core";
import { z } from "zod";
import { openBaton } from "./index.ts";

const textOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => (typeof content === "string" && content !== "" ? [content] : [])).join("|");

/** Answers `a1`, `a2` … and keeps what it was shown. */
function countingModel(seen: string[]): Model {
  return {
    name: "counting",
    async *stream({ messages }) {
      const text = `a${seen.push(textOf(messages))}`;
      await new Promise(setImmediate);
      yield [{ type: "text", text }];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
    },
  };
}

const TALK = defineCrew({ name: "talk", agents: [{ id: "a", systemPrompt: "x", isTerminal: true }] });
const SHOWN = ["one", "one|a1|two", "one|a1|two|a2|three"];

for (const kind of ["memory", "disk"]) {
  test(`starts of the same tick in one session call the model once each, in order (${kind})`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-talk-"));
    const seen: string[] = [];
    const where = kind === "disk" ? { data: folder } : ({ store: "memory" } as const);
    {
      await using baton = await openBaton({ ...where, model: countingModel(seen), env: {} });
      const runs = ["one", "two", "three"].map((input) => baton.start(TALK, input, { session: "s" }));
      const results = await Promise.all(runs.map(({ result }) => result));
      assert.deepEqual(
        results.map(({ outcome, content, history }) => [outcome, content, history.length]),
        [1, 2, 3].map((turn) => ["done", `a${turn}`, turn * 2]),
      );
      const records = await baton.runs();
      assert.deepEqual(
        records.map(({ steps, inputTokens }) => [steps, inputTokens]),
        [1, 2, 3].map(() => [1, 1]),
      );
    }
    assert.deepEqual(seen, SHOWN);
    await rm(folder, { recursive: true });
  });
}

test("starts of the same tick over HTTP are answered one after the other, each with what was said before", async () => {
  const seen: string[] = [];
  await using baton = await openBaton({ store: "memory", model: countingModel(seen), crews: [TALK], env: {} });
  const handle = baton.handler({ logLevel: "error" });
  const answer = z.object({ outcome: z.string(), result: z.object({ content: z.string() }) });
  const post = async (input: string) => {
    const response = await handle(
      new Request("http://127.0.0.1/api/runs", {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait" },
        body: JSON.stringify({ crew: "talk", input, session_id: "h" }),
      }),
    );
    const { outcome, result } = answer.parse(await response.json());
    return [response.status, outcome, result.content];
  };
  assert.deepEqual(await Promise.all(["one", "two", "three"].map(post)), [
    [200, "done", "a1"],
    [200, "done", "a2"],
    [200, "done", "a3"],
  ]);
  assert.deepEqual(seen, SHOWN);
});

test("an output that is not JSON is told over HTTP as the model wrote it", async () => {
  const output = z.object({
    big: z.number().transform(BigInt),
    tags: z.array(z.string()).transform((tags) => new Set(tags)),
  });
  const crew = defineCrew({ name: "typed", agents: [{ id: "a", output, isTerminal: true }] });
  const model = scriptModel({ a: [{ say: '{"big":5,"tags":["x"]}' }] });
  await using baton = await openBaton({ store: "memory", model, crews: [crew], env: {} });
  const handle = baton.handler({ logLevel: "error" });
  const response = await handle(
    new Request("http://127.0.0.1/api/runs", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait" },
      body: JSON.stringify({ crew: "typed", input: "go" }),
    }),
  );
  const { result } = z.object({ result: z.object({ output: z.json() }) }).parse(await response.json());
  assert.deepEqual(result.output, { big: 5, tags: ["x"] });
  assert.deepEqual((await baton.start(crew, "go").result).output, { big: 5n, tags: new Set(["x"]) });
});

test("an irreversible tool runs once for each of the starts of the same tick", async () => {
  const keys: string[] = [];
  const charge = defineTool({
    name: "Charge",
    description: "Charges.",
    effect: "irreversible",
    input: z.object({}),
    run: (_, { key }) => {
      keys.push(key);
      return "ok";
    },
  });
  const crew = defineCrew({
    name: "shop",
    agents: [{ id: "a", systemPrompt: "x", isTerminal: true, tools: ["Charge"] }],
    tools: [charge],
    permissions: { Charge: "allow" },
  });
  const model = scriptModel({ a: [{ call: [{ tool: "Charge", args: {} }] }, { say: "charged" }] });
  await using baton = await openBaton({ store: "memory", model, env: {} });
  const runs = ["one", "two", "three"].map((input) => baton.start(crew, input, { session: "s" }));
  const last = (await Promise.all(runs.map(({ result }) => result))).at(-1);
  assert.equal(textOf(last?.history ?? []), "one|ok|charged|two|ok|charged|three|ok|charged");
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys.length, 3);
});

test("a cancel of a run stops the crew that one of its agents called as a tool, and its receipt says so", async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const endless: Model = {
    name: "endless",
    async *stream(_, { abort }) {
      start();
      yield [{ type: "text", text: "one " }];
      const left = Promise.withResolvers<never>();
      abort.addEventListener("abort", () => {
        stop();
        left.reject(abort.reason);
      });
      await left.promise;
    },
  };
  const inner = defineCrew({
    name: "inner",
    agents: [{ id: "i", isTerminal: true, model: { name: "code/endless" } }],
    programs: { endless },
  });
  const outer = defineCrew({
    name: "outer",
    agents: [{ id: "o", tools: [{ crew: "inner" }], isTerminal: true }],
    subCrews: { inner },
  });
  const model = scriptModel({ o: [{ call: [{ tool: "inner", args: { input: "q" } }] }, { say: "end" }] });
  await using baton = await openBaton({ store: "memory", model, env: {} });
  const run = baton.start(outer, "go");
  await started;
  const receipt = await run.cancel();
  await stopped;
  assert.deepEqual(receipt.abandoned, []);
  assert.ok(receipt.stopped.includes("agent:i"), receipt.stopped.join());
  assert.deepEqual(
    (await baton.runs()).map(({ crew, status, outcome }) => [crew, status, outcome]),
    [["outer", "ended", "cancelled"]],
  );
});

test("a run that a tool starts is cancelled with the tool if it is given the tool's abort", async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const endless: Model = {
    name: "endless",
    async *stream(_, scope) {
      start();
      yield [{ type: "text", text: "one " }];
      await scope.sleep(60_000);
    },
  };
  const inner = defineCrew({
    name: "inner",
    agents: [{ id: "i", isTerminal: true, model: { name: "code/endless" } }],
    programs: { endless },
  });
  const ask = defineTool({
    name: "Ask",
    description: "Asks another crew.",
    effect: "read",
    input: z.object({}),
    run: async (_, { scope }) => (await baton.start(inner, "q", { abort: scope.abort }).result).content,
  });
  const outer = defineCrew({ name: "outer", agents: [{ id: "o", tools: ["Ask"], isTerminal: true }], tools: [ask] });
  const model = scriptModel({ o: [{ call: [{ tool: "Ask", args: {} }] }, { say: "end" }] });
  await using baton = await openBaton({ store: "memory", model, env: {} });
  const run = baton.start(outer, "go");
  await started;
  assert.deepEqual((await run.cancel()).abandoned, []);
  await baton.idle();
  const records = await baton.runs();
  assert.deepEqual(records.map(({ crew, outcome }) => `${crew} ${outcome}`).toSorted(), [
    "inner cancelled",
    "outer cancelled",
  ]);
  const late = baton.start(inner, "q", { abort: AbortSignal.abort() });
  assert.equal((await late.result).outcome, "cancelled");
});
