/** Code of a model: its calls are ordinary calls, and it goes on over its log after any event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool, type Tool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { type CodeScript, scriptInterpreter } from "../ports/script-interpreter.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, SimulatedClock } from "../testing/index.ts";
import type { RunEvent } from "../words/event.ts";
import { crashEverywhere } from "../testing/crash-everywhere.ts";

const ID = z.object({ id: z.number() });
const get = defineTool({
  name: "get",
  description: "One order.",
  effect: "read",
  input: ID,
  run: ({ id }) => ({ id, usd: id * 10 }),
});

const PAY = { name: "pay", description: "Pays.", effect: "irreversible", input: ID } as const;

const run = (code: string): ScriptEntry => ({ call: [{ tool: "run_code", args: { code } }] });

function toCrew(scripts: Readonly<Record<string, CodeScript>>, paid: number[] = []) {
  const pay = defineTool({
    ...PAY,
    run: ({ id }) => {
      paid.push(id);
      return `paid ${id}`;
    },
  });
  return defineCrew({
    name: "shop",
    tools: [get, pay],
    agents: [{ id: "a", tools: ["get", "pay"], pinnedTools: ["get"], toolCalls: "code", isTerminal: true }],
    permissions: { pay: "allow" },
    interpreter: scriptInterpreter(scripts),
  });
}

const SUM: CodeScript = async (tools, now) => {
  const all = await Promise.all([3, 1, 2].map((id) => tools("get", { id })));
  const paid = await tools("pay", { id: 7 });
  return { all, paid, isLater: now() > 0 };
};

test("each call of code is an ordinary call within run_code, and the model reads what the code returns", async () => {
  const paid: number[] = [];
  const model = scriptModel({ a: [run("sum"), { say: "Done." }] });
  await using engine = new Engine({ model: () => model });
  const { events, ...result } = await collect(engine.start(toCrew({ sum: SUM }, paid), { input: "go" }));
  assert.equal(result.outcome, "done");
  const started = of(events, "call.started").map(({ call, tool, within, engine: name }) => [call, tool, within, name]);
  assert.deepEqual(started[0], ["1.1.1", "run_code", undefined, "script"]);
  assert.deepEqual(started.at(-1), ["1.1.1.4", "pay", "1.1.1", undefined]);
  const end = of(events, "call.ended").at(-1);
  assert.deepEqual(end?.output, {
    result: { all: [3, 1, 2].map((id) => ({ id, usd: id * 10 })), paid: "paid 7", isLater: true },
    calls: 4,
  });
  assert.deepEqual(paid, [7]);
  assert.equal(result.history.filter(({ role }) => role === "tool").length, 1);
});

test("code goes on over its log after a crash at any event", async () => {
  await crashEverywhere({
    crew: () => toCrew({ sum: async (tools) => [await tools("get", { id: 1 }), await tools("get", { id: 2 })] }),
    replies: { a: [run("sum"), { say: "Done." }] },
  });
});

/** A tool that takes a second, and stops when it is told to. */
const slow = defineTool({
  name: "slow",
  description: "Takes its time.",
  effect: "read",
  input: ID,
  run: async ({ id }, { scope }) => {
    await scope.sleep(1_000);
    return id;
  },
});

const ask = defineTool({ ...PAY, name: "ask", run: ({ id }) => `did ${id}` });

/** A run of one code with simulated time. */
function start(code: CodeScript, tools: readonly Tool[] = [get, slow, ask]) {
  const clock = new SimulatedClock(1);
  const names = tools.map(({ name }) => name);
  const crew = defineCrew({
    name: "shop",
    tools,
    agents: [{ id: "a", tools: names, toolCalls: "code", isTerminal: true }],
    interpreter: scriptInterpreter({ code }),
  });
  const model = scriptModel({ a: [run("code"), { say: "Done." }] });
  const engine = new Engine({ clock, model: () => model });
  return { clock, run: engine.start(crew, { input: "go" }) };
}

const kindsOf = (events: readonly RunEvent[]) =>
  of(events, "call.ended").map(({ call, error, output }) => [call, error?.kind ?? output]);

const ALL: CodeScript = (tools) =>
  Promise.all([tools("slow", { id: 1 }), tools("ask", { id: 2 }), tools("get", { id: 3 })]);

test("a cancel of run_code stops its calls, closes their questions, and the receipt names each", async () => {
  const { clock, run: code } = start(ALL);
  await clock.advance(10);
  const { receipt } = await clock.run(code.command({ type: "cancel", call: "1.1.1" }));
  assert.deepEqual(receipt, { stopped: ["call:1.1.1", "call:1.1.1.1", "call:1.1.1.2"], finished: [], abandoned: [] });
  const { outcome } = await clock.run(code.result);
  const events = await Array.fromAsync(code.events());
  assert.equal(outcome, "done");
  assert.deepEqual(kindsOf(events), [
    ["1.1.1.3", { id: 3, usd: 30 }],
    ["1.1.1.1", "cancelled"],
    ["1.1.1.2", "cancelled"],
    ["1.1.1", "cancelled"],
  ]);
  assert.deepEqual(
    of(events, "question.closed").map(({ question }) => question),
    ["1.1.1.2"],
  );
});

test("a cancel of run_code while people are asked ends its open calls, and the run goes on", async () => {
  const { clock, run: code } = start((tools) => Promise.all([1, 2].map((id) => tools("ask", { id }))));
  assert.equal((await clock.run(code.result)).outcome, "paused");
  const { receipt, run: next } = await clock.run(code.command({ type: "cancel", call: "1.1.1" }));
  assert.deepEqual(receipt?.stopped.toSorted(), ["call:1.1.1", "call:1.1.1.1", "call:1.1.1.2"]);
  assert.equal((await clock.run(next.result)).outcome, "done");
  assert.deepEqual(kindsOf(await Array.fromAsync(next.events())), [
    ["1.1.1.1", "cancelled"],
    ["1.1.1.2", "cancelled"],
    ["1.1.1", "cancelled"],
  ]);
});

test("a cancel of one call of code throws in the code, which goes on", async () => {
  for (const call of ["1.1.1.1", "1.1.1.2"]) {
    const { clock, run: code } = start(async (tools) => {
      const all = await Promise.allSettled([
        tools("slow", { id: 1 }),
        tools("ask", { id: 2 }),
        tools("get", { id: 3 }),
      ]);
      return all.map(({ status }) => status);
    });
    await clock.advance(10);
    const { receipt, run: next } = await clock.run(code.command({ type: "cancel", call }));
    assert.deepEqual(receipt?.stopped, [`call:${call}`]);
    let { outcome, questions } = await clock.run(next.result);
    let last = next;
    for (const { question } of questions) {
      ({ run: last } = await clock.run(next.command({ type: "answer", question, value: "allow" })));
      ({ outcome, questions } = await clock.run(last.result));
    }
    const events = await Array.fromAsync(last.events());
    const failed = call === "1.1.1.1" ? ["rejected", "fulfilled"] : ["fulfilled", "rejected"];
    assert.deepEqual(
      [outcome, of(events, "call.ended").at(-1)?.output],
      ["done", { result: [...failed, "fulfilled"], calls: 3 }],
    );
    const cancelled = of(events, "call.ended").filter(({ error }) => error?.kind === "cancelled");
    assert.deepEqual(
      cancelled.map((ended) => ended.call),
      [call],
    );
  }
});

test("an irreversible call that succeeded earlier in the turn asks a person before it is repeated", async () => {
  const paid: number[] = [];
  const pays =
    (...ids: number[]): CodeScript =>
    async (tools) => {
      for (const id of ids) await tools("pay", { id });
      return null;
    };
  const crew = toCrew({ first: pays(7, 8), second: pays(9, 7) }, paid);
  const model = scriptModel({ a: [run("first"), run("second"), { say: "Done." }] });
  await using engine = new Engine({ model: () => model });
  const started = engine.start(crew, { input: "go" });
  const { outcome, questions } = await started.result;
  assert.deepEqual([outcome, questions.map(({ call }) => call)], ["paused", ["1.2.1.2"]]);
  assert.match(questions[0]?.text ?? "", /pay was done with the same arguments/u);
  assert.deepEqual(paid, [7, 8, 9]);
  const { run: next } = await started.command({ type: "answer", question: "1.2.1.2", value: "deny" });
  const result = await next.result;
  assert.deepEqual([result.outcome, paid], ["done", [7, 8, 9]]);
});

test("no two calls of a sequential tool run at once, and one that waits for a person holds nobody up", async () => {
  let [running, most] = [0, 0];
  const one = defineTool({
    ...PAY,
    name: "one",
    concurrency: "sequential",
    permission: (args) => ({ decision: ID.parse(args).id === 1 ? "ask" : "allow" }),
    run: async ({ id }, { scope }) => {
      most = Math.max(most, ++running);
      await scope.sleep(10);
      running--;
      return id;
    },
  });
  const { clock, run: code } = start((tools) => Promise.all([1, 2, 3].map((id) => tools("one", { id }))), [one]);
  assert.equal((await clock.run(code.result)).outcome, "paused");
  const events = await Array.fromAsync(code.events());
  assert.deepEqual(kindsOf(events), [
    ["1.1.1.2", 2],
    ["1.1.1.3", 3],
  ]);
  assert.equal(most, 1);
});
