/** Evals: what passes, what fails, what is an error, and that nothing passes because its input is missing. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { z } from "zod";
import { defineCrew, defineTool, type Json, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import type { Replies } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { stringify } from "yaml";
import { type EvalCase, readCases } from "./eval-case.ts";
import { redactSecrets, toJunit } from "./eval-output.ts";
import { compareReports, evaluate, findBrokenGates, toReport } from "./evaluate.ts";
import { findUngrounded } from "./grounded.ts";
import { importCases } from "./import-cases.ts";
import { judge } from "./judge.ts";
import { openReplies } from "./recorded-replies.ts";
import { toKappa, toPassK, toSignP } from "./statistics.ts";
import { toCase } from "./to-case.ts";
import { playCase, type TrialResult } from "./trial.ts";
import { matches } from "./value-match.ts";

const written: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({ amount: z.number() }),
  run: ({ amount }) => {
    written.push(`paid ${amount}`);
    return amount;
  },
});
const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => ({ price: 12.5 }),
});
const crew = defineCrew({
  name: "shop",
  tools: [pay, look],
  agents: [{ id: "a", tools: ["Pay", "Look"], isTerminal: true }],
  permissions: { Pay: "allow" },
});
const PAYING = {
  a: [
    { call: [{ tool: "Look", args: {} }] },
    { call: [{ tool: "Pay", args: { amount: 5 } }] },
    { say: "Paid 5, it costs 12.50 USD." },
  ],
};

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "evals-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readAll(cases: unknown): Promise<readonly EvalCase[]> {
  return inFolder(async (folder) => {
    const file = join(folder, "cases.yaml");
    await writeFile(file, stringify(cases));
    return readCases([file]);
  });
}

async function play(cases: unknown, replies: Replies = PAYING) {
  await using store = await Store.open({ database: openMemory() });
  return await evaluate({
    crew,
    store,
    cases: await readAll(cases),
    version: "v",
    model: () => () => scriptModel(replies),
  });
}

const DOUBLE = { Pay: [{ args: { amount: { lte: 10 } }, output: "ok" }] };

suite("a trial", () => {
  test("passes if all checks hold, and no real write happens", async () => {
    const checks = {
      outcome: "done",
      route: ["a"],
      calls_exactly: [{ tool: "Look" }, { tool: "Pay", args: { amount: 5 } }],
      text: { like: "paid*usd.", contains: "12.50" },
      limits: { steps: 3, cost_usd: 1 },
      pauses: 0,
      never: ["Refund"],
      denied: [],
    };
    const report = await play([{ id: "x", input: "pay 5", tools: DOUBLE, checks }]);
    assert.deepEqual(
      report.results.map(({ status, checks: all }) => [status, all.filter(({ pass }) => !pass)]),
      [["pass", []]],
    );
    assert.deepEqual(written, []);
  });

  test("fails with each check that does not hold, why, and what came", async () => {
    const checks = {
      outcome: "paused",
      route: ["b"],
      never: ["Pay"],
      text: { not_contains: "paid" },
      output: { fields: { x: 1 } },
    };
    const [result] = (await play([{ id: "x", input: "pay", tools: DOUBLE, checks }])).results;
    assert.equal(result?.status, "fail");
    assert.deepEqual(
      result?.checks.map(({ why }) => why.slice(0, 20)),
      ["the outcome is done", "the route is a", 'was called: Pay({"am', "the answer contains ", "there is no structur"],
    );
  });

  test("is an error without a double, without a reply, with a check that throws or is missing, and never a pass", async () => {
    const base = { input: "pay", checks: { outcome: "done" } };
    const report = await play([
      { ...base, id: "no-double" },
      { ...base, id: "no-fitting-double", tools: { Pay: [{ args: { amount: 1 }, output: 1 }] } },
      { ...base, id: "no-reply", script: { b: [{ say: "x" }] } },
      { ...base, id: "no-check", tools: DOUBLE, checks: { code: "nope" } },
      { ...base, id: "no-judge", tools: DOUBLE, checks: { judge: { criteria: ["is kind"] } } },
    ]);
    assert.deepEqual([report.errors, report.passed, report.failed], [5, 0, 0]);
    assert.deepEqual(findBrokenGates(report, { minPass: 0, noWorse: false }), ["5 of 5 trials are errors"]);
    assert.deepEqual(written, []);
  });

  test("fails, and does not pass, if there is no answer to look at", async () => {
    const asking = [{ id: "x", input: "pay", checks: { text: { not_contains: "secret" }, grounded: true } }] as const;
    const { results } = await play([...asking], { a: [{ fail: "down" }] });
    assert.equal(results[0]?.status, "error");
  });
});

test("a case file with anything wrong is refused with its line", async () => {
  await assert.rejects(readAll([{ id: "a", input: "x", checks: { outcomes: "done" } }]), {
    code: "invalid",
    message: /cases\.yaml:\d+: checks has no field `outcomes`/,
  });
  await assert.rejects(readAll([{ id: "a", input: "x", checks: { expected: true } }]), {
    message: /needs the case's `expected`/,
  });
  await assert.rejects(readAll([{ id: "a", input: "x", checks: { judge: { criteria: ["names how many"] } } }]), {
    message: /is about a figure/,
  });
  await assert.rejects(
    readAll([
      { id: "a", input: "x", checks: { pauses: 0 } },
      { id: "a", input: "y", checks: { pauses: 0 } },
    ]),
    { message: /the id a is also at/ },
  );
  await assert.rejects(readAll([{ id: "a", input: "x", script: "no.yaml", checks: { outcome: "done" } }]), {
    message: /cases\.yaml:3: there is no script no\.yaml/,
  });
});

test("a run becomes a case that passes at once, with no model", async () => {
  await using store = await Store.open({ database: openMemory() });
  const [one] = await readAll([{ id: "x", input: "pay 5", tools: DOUBLE, checks: { outcome: "done" } }]);
  assert.ok(one);
  const { events } = await playCase(one, 1, { crew, store, model: () => () => scriptModel(PAYING) });
  const report = await play([toCase("again", events)], {});
  assert.deepEqual(
    report.results.map(({ status, checks }) => [status, checks.filter(({ pass }) => !pass)]),
    [["pass", []]],
  );
});

test("values match by the fields given, and comparisons compare", () => {
  assert.ok(matches({ a: 1, b: [1, 2] }, { a: { gte: 1, lt: 2 }, b: [1, { any: true }] }));
  assert.ok(matches("Hello", { contains: "hell" }) && matches([1, 2], { contains: 2 }) && matches(3, { in: [1, 3] }));
  assert.ok(!matches(undefined, { any: true }) && !matches({ a: 1 }, { a: 1, b: 2 }) && !matches("2", { gte: 1 }));
});

test("figures are found at the precision shown and in other scales; names, markers and the user's own are none", () => {
  const outputs: readonly Json[] = [{ price: 1234.567, share: 0.1534, big: 2_500_000 }, "about 7.25 units"];
  assert.deepEqual(
    findUngrounded("1. BA2 costs 1,234.57, or 15.3 %, 2.5 million, 7.25 and 40 as you said", outputs, ["is it 40?"]),
    [],
  );
  assert.deepEqual(findUngrounded("It costs 1,235.57 in 2031", outputs, []), ["1,235.57", "2031"]);
});

test("pass^k, the sign test and kappa are what they are by hand", () => {
  const [one, two] = toPassK([
    { passed: 2, trials: 2 },
    { passed: 1, trials: 2 },
  ]);
  assert.deepEqual([one?.value, two?.value], [0.75, 0.5]);
  assert.deepEqual([toSignP(0, 0), toSignP(5, 0), toSignP(3, 3)], [1, 0.0625, 1]);
  assert.equal(
    toKappa([
      [true, true],
      [false, false],
    ]),
    1,
  );
  const result = (id: string, status: "pass" | "fail"): TrialResult => ({
    case: id,
    trial: 1,
    version: "",
    status,
    run: "",
    checks: [],
    cost_usd: 0,
    seconds: 0,
  });
  const ids = ["a", "b", "c", "d", "e", "f"];
  const [good, bad] = (["pass", "fail"] as const).map((status) =>
    toReport(
      "c",
      6,
      ids.map((id) => result(id, status)),
    ),
  );
  assert.ok(good && bad);
  assert.deepEqual(
    [compareReports(good, bad).verdict, compareReports(bad, good).verdict, compareReports(good, good).verdict],
    ["better", "worse", "no evidence"],
  );
});

test("a judge needs a majority of yes or no", async () => {
  const ask = async (...says: readonly string[]) => {
    let at = 0;
    const { verdict } = await judge(
      {
        name: "j",
        async *stream() {
          yield [
            { type: "text", text: says[at++] ?? "" },
            { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
          ];
        },
      },
      { input: "q", answer: "a", criterion: "is kind", reference: "r" },
    );
    return verdict;
  };
  assert.deepEqual([await ask("yes", "Yes.", "no"), await ask("no", "maybe", "no")], [true, false]);
  assert.match(String(await ask("maybe", "yes", "no")), /no majority/);
});

test("recorded replies answer again, and never ask if they must not", async () => {
  await inFolder(async (folder) => {
    let asked = 0;
    const counted = {
      name: "paid/x",
      stream: (...args: Parameters<ReturnType<typeof scriptModel>["stream"]>) => {
        asked += 1;
        return scriptModel({ a: [{ say: "Hi." }] }).stream(...args);
      },
    };
    const cases = await readAll([{ id: "x", input: "hello", checks: { text: { equals: "Hi." } } }]);
    const run = async (mode: "kept" | "recorded", model = counted) => {
      await using store = await Store.open({ database: openMemory() });
      const keep = await openReplies(folder, mode);
      return await evaluate({ crew, cases, store, version: "v", model: (trial) => () => keep(model, trial) });
    };
    assert.equal((await run("recorded")).errors, 1);
    assert.deepEqual(
      [(await run("kept")).passed, (await run("kept")).passed, (await run("recorded")).passed, asked],
      [1, 1, 1, 1],
    );
  });
});

test("imported data become cases, and a bad line is named", () => {
  const lines = [
    {
      input: [
        { role: "system", content: "s" },
        { role: "user", content: "2+2?" },
      ],
      ideal: "4",
    },
    { input: "x", expected: "y", tags: ["t"] },
  ];
  const cases = importCases(lines.map((line) => JSON.stringify(line)).join("\n"), "f")
    .trim()
    .split("\n");
  assert.deepEqual(
    cases.map((line): unknown => JSON.parse(line)),
    [
      { id: "f-1", input: "2+2?", expected: "4", checks: { expected: true } },
      { id: "f-2", input: "x", tags: ["t"], expected: "y", checks: { expected: true } },
    ],
  );
  assert.throws(() => importCases("{}\n", "f"), { message: /line 1/ });
});

test("no secret of the environment is written, and JUnit is well-formed XML", () => {
  assert.equal(redactSecrets("a sk-12345678 b", { OPENAI_API_KEY: "sk-12345678", HOME: "/root" }), "a [secret] b");
  const failed: TrialResult = {
    case: "a<b",
    trial: 1,
    version: "",
    status: "fail",
    run: "",
    checks: [{ check: "text", pass: false, why: '"<&>\u0000' }],
    cost_usd: 0,
    seconds: 1,
  };
  assert.match(toJunit(toReport("c", 1, [failed])), /name="a&lt;b #1".*<failure message="text: &quot;&lt;&amp;&gt;">/);
});
