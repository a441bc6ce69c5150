/** A person who is asked about a call allows it, denies it with a reason, or gives other arguments. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool, type Permission } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { defineProgram } from "../ports/program.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { BatonError } from "../words/error.ts";
import { fold } from "../words/fold.ts";
import type { Json } from "../words/json.ts";

type Hook = (args: Json) => Permission;

/** A crew that pays, and what it has paid. */
function toShop(permission?: Hook) {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: "Pay",
    description: "Pays somebody.",
    effect: "irreversible",
    concurrency: "parallel",
    input: z.object({ to: z.string().refine((to) => to !== "Eve", "must not be Eve"), sum: z.number().max(100) }),
    ...(permission === undefined ? {} : { permission }),
    run: (input) => {
      paid.push(input);
      return `paid ${input.sum} to ${input.to}`;
    },
  });
  const crew = defineCrew({ name: "shop", agents: [{ id: "a", tools: ["Pay"], isTerminal: true }], tools: [pay] });
  return { crew, paid };
}

const ANN = { to: "Ann", sum: 5 };
const REPLIES: readonly ScriptEntry[] = [{ call: [{ tool: "Pay", args: ANN }] }, { say: "ok" }];

async function start(crew: ReturnType<typeof toShop>["crew"], replies = REPLIES) {
  const engine = new Engine({ model: () => scriptModel({ a: replies }) });
  const run = engine.start(crew, { input: "go", id: "r" });
  await run.result;
  const results = async () => {
    const { history } = await run.result;
    return history.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  };
  return { engine, run, results, events: () => Array.fromAsync(run.events()) };
}

test("a call starts behind its approval, with the arguments that a person gave, and the model reads which changed", async () => {
  const { crew, paid } = toShop();
  const { run, results, events, engine } = await start(crew);
  await using _engine = engine;
  assert.deepEqual(of(await events(), "call.started"), []);
  await run.answer("1.1.1", { decision: "edit", args: { to: "Ann", sum: 3 } });
  assert.equal((await run.result).outcome, "done");
  assert.deepEqual(paid, [{ to: "Ann", sum: 3 }]);
  const log = await events();
  const [started] = of(log, "call.started");
  assert.deepEqual([started?.args, started?.edited], [{ to: "Ann", sum: 3 }, true]);
  assert.deepEqual(of(log, "step.ended")[0]?.calls[0]?.args, ANN);
  assert.deepEqual(of(log, "question.answered")[0]?.value, { decision: "edit", args: { to: "Ann", sum: 3 } });
  assert.deepEqual(await results(), ["[a person changed the arguments before the call: sum]\npaid 3 to Ann"]);
  assert.deepEqual(fold(log).history, (await run.result).history);
});

test("the reason of a denial reaches the model", async () => {
  const { crew, paid } = toShop();
  for (const [answer, text] of [
    ["deny", "Error (permission): a person refused Pay"],
    [{ decision: "deny" }, "Error (permission): a person refused Pay"],
    [{ decision: "deny", reason: "not today" }, "Error (permission): a person refused Pay: not today"],
  ] as const) {
    const { run, results, engine } = await start(crew);
    await using _engine = engine;
    await run.answer("1.1.1", answer);
    assert.deepEqual(await results(), [text]);
  }
  assert.deepEqual(paid, []);
});

test("an answer that does not fit is refused with every problem, and the question stays open", async () => {
  const { crew, paid } = toShop();
  const { run, engine, events } = await start(crew);
  await using _engine = engine;
  const wrong: [Json, RegExp][] = [
    [{ decision: "edit", args: { to: "Eve", sum: 101 } }, /args\.to must not be Eve; args\.sum .*100/],
    [{ decision: "edit", args: {} }, /args\.to .*; args\.sum /],
    [{ decision: "edit" }, /args is missing/],
    [{ decision: "edit", args: ANN, reason: "x" }, /reason is not allowed/],
    [{ decision: "allow", args: ANN }, /decision must be one of "deny", "edit"/],
    [{ decision: "deny", reason: "x".repeat(2_001) }, /reason must be at most 2000 characters/],
    [{ decision: "deny", args: ANN }, /args is not allowed/],
    ["maybe", /must be one of "allow", "deny"/],
    [null, /must be one of "allow", "deny"/],
  ];
  const before = await events();
  for (const [answer, message] of wrong) {
    await assert.rejects(run.answer("1.1.1", answer), { code: "invalid", message }, JSON.stringify(answer));
  }
  assert.deepEqual(await events(), before);
  await run.answer("1.1.1", "allow");
  await run.result;
  assert.deepEqual(paid, [ANN]);
});

test("of two answers at once the first counts, and the other is told that the question is not open", async () => {
  const { crew, paid } = toShop();
  const { run, engine } = await start(crew);
  await using _engine = engine;
  const edit = (sum: number) => run.answer("1.1.1", { decision: "edit", args: { to: "Ann", sum } });
  const [one, other] = await Promise.allSettled([edit(1), edit(2)]);
  assert.equal(one.status, "fulfilled");
  const refused: unknown = other.status === "rejected" ? other.reason : undefined;
  assert.ok(refused instanceof BatonError && refused.code === "not_found" && /question 1\.1\.1/.test(refused.message));
  await run.result;
  assert.deepEqual(paid, [{ to: "Ann", sum: 1 }]);
});

test("the tool's hook is asked about edited arguments: its denial holds, its question is answered, its change applies", async () => {
  const toSum = (args: Json): number => z.object({ sum: z.number() }).parse(args).sum;
  const { crew, paid } = toShop((args) => {
    const sum = toSum(args);
    if (sum > 50) return { decision: "deny", reason: "too much" };
    if (sum === 7) return { decision: "transform", args: { to: "Bob", sum: 8 } };
    return { decision: "ask" };
  });
  const outcomes: unknown[] = [];
  for (const sum of [60, 7, 6]) {
    const { run, engine, events } = await start(crew);
    await using _engine = engine;
    await run.answer("1.1.1", { decision: "edit", args: { to: "Ann", sum } });
    await run.result;
    const log = await events();
    const [ended] = of(log, "call.ended");
    outcomes.push([ended?.output ?? ended?.error?.message, of(log, "call.started")[0]?.args]);
    assert.deepEqual(
      of(log, "permission.decided").map(({ edited }) => edited),
      [undefined, true],
    );
    assert.equal(of(log, "question.opened").length, 1);
  }
  assert.deepEqual(outcomes, [
    ["too much", ANN],
    ["paid 8 to Bob", { to: "Bob", sum: 8 }],
    ["paid 6 to Ann", { to: "Ann", sum: 6 }],
  ]);
  assert.equal(paid.length, 2);
});

test("a call that waits for its approval can be cancelled, in a paused run too", async () => {
  const { crew, paid } = toShop();
  const { run, engine, events } = await start(crew);
  await using _engine = engine;
  await run.cancel({ call: "1.1.1" });
  assert.equal((await run.result).outcome, "done");
  const types = (await events()).map(({ type }) => type).filter((type) => /^(call|question)\./.test(type));
  assert.deepEqual(types, ["question.opened", "question.closed", "call.started", "call.ended"]);
  assert.deepEqual(paid, []);
});

test("a program reads the arguments that its call was made with", async () => {
  const { crew } = toShop();
  const seen: unknown[] = [];
  const program = defineProgram(({ results }) => {
    if (results.length === 0) return { call: [{ tool: "Pay", args: ANN }] };
    seen.push(results[0]?.args);
    return { say: "ok" };
  });
  const coded = defineCrew({
    name: "shop",
    agents: [{ id: "a", model: { name: "code/p" }, tools: ["Pay"], isTerminal: true }],
    tools: [...crew.tools.values()],
    programs: { p: program },
  });
  const { run, engine } = await start(coded);
  await using _engine = engine;
  await run.answer("1.1.1", { decision: "edit", args: { to: "Ann", sum: 1 } });
  await run.result;
  assert.deepEqual(seen, [{ to: "Ann", sum: 1 }]);
});

test("the schema of the question has the tool's own, with its definitions at the root", async () => {
  const Node: z.ZodType = z.object({ next: z.lazy(() => Node).optional() }).meta({ id: "Node" });
  const link = defineTool({
    name: "Link",
    description: "Links.",
    effect: "irreversible",
    input: z.object({ node: Node }),
    run: () => "linked",
  });
  const crew = defineCrew({ name: "l", agents: [{ id: "a", tools: ["Link"], isTerminal: true }], tools: [link] });
  const { run, engine } = await start(crew, [{ call: [{ tool: "Link", args: { node: {} } }] }, { say: "ok" }]);
  await using _engine = engine;
  const [question] = (await run.result).questions;
  assert.partialDeepStrictEqual(question?.schema, {
    anyOf: [{ enum: ["allow", "deny"] }, {}, { properties: { args: { type: "object", required: ["node"] } } }],
    $defs: { Node: { type: "object" } },
  });
  await assert.rejects(run.answer("1.1.1", { decision: "edit", args: { node: { next: 7 } } }), /args\.node\.next/);
  await run.answer("1.1.1", { decision: "edit", args: { node: { next: {} } } });
  assert.equal((await run.result).outcome, "done");
});
