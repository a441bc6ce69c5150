/** Stored evaluations: what is kept of them, for whom, and without secrets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { LOCAL, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { parseCase } from "./eval-case.ts";
import { evaluate, toAgreement, toReport } from "./evaluate.ts";
import { listEvals, readEval, saveEval } from "./stored-evals.ts";
import type { TrialResult } from "./trial.ts";

const result = (id: string, why = ""): TrialResult => ({
  case: id,
  trial: 1,
  version: "v",
  status: why === "" ? "pass" : "fail",
  run: "r",
  checks: [{ check: "judge: is kind", pass: why === "", why }],
  cost_usd: 0.5,
  seconds: 2,
});

test("evaluations are listed newest first, read whole, and stay with their tenant", async () => {
  await using store = await Store.open({ database: openMemory() });
  const documents = store.database.documents(LOCAL);
  const many = Array.from({ length: 60 }, (_, at) => result(`case-${at}`, `${at} secret ${"x".repeat(20_000)}`));
  const clean = (text: string) => text.replaceAll("secret", "***");
  await saveEval(documents, toReport("shop", 1, [result("a")]), { id: "one", at: 1_000, clean });
  await saveEval(documents, toReport("shop", 60, many), { id: "two", at: 2_000, clean });
  await saveEval(documents, toReport("other", 1, [result("a")]), { id: "three", at: 3_000, clean });
  const ids = async (filter: object) => (await listEvals(documents, { limit: 10, ...filter })).map(({ id }) => id);
  assert.deepEqual(await ids({}), ["three", "two", "one"]);
  assert.deepEqual(
    [await ids({ crew: "shop" }), await ids({ before: 2_000 }), await ids({ limit: 1 })],
    [["two", "one"], ["one"], ["three"]],
  );
  const whole = await readEval(documents, "two");
  assert.deepEqual(
    [whole?.trials, whole?.failed, whole?.pass_1, whole?.cost_usd, whole?.p50_seconds],
    [60, 60, 0, 30, 2],
  );
  assert.deepEqual(
    whole?.results.map((one) => one.case),
    many.map((one) => one.case),
  );
  assert.ok(!JSON.stringify(whole).includes("secret"));
  const others = store.database.documents({ tenant: "another", user: LOCAL.user });
  assert.deepEqual([await listEvals(others, { limit: 10 }), await readEval(others, "two")], [[], undefined]);
});

test("labels are compared with the judge's verdicts", () => {
  const report = toReport("shop", 2, [result("a"), result("b", "no")]);
  const label = (id: string, yes: boolean) => ({ case: id, criterion: "is kind", label: yes });
  assert.deepEqual(toAgreement(report, [label("a", true), label("b", false)]), { labels: 2, agreement: 1, kappa: 1 });
  assert.deepEqual(toAgreement(report, [label("a", true), label("b", true)]), { labels: 2, agreement: 0.5, kappa: 0 });
  assert.equal(toAgreement(report, [label("c", true)]), undefined);
});

test("what a crew runs after an answer does not run in an eval", async () => {
  const written: string[] = [];
  const keep = defineTool({
    name: "Keep",
    description: "Keeps.",
    effect: "idempotent",
    input: z.object({}),
    run: () => written.push("kept"),
  });
  const after = defineCrew({ name: "learn", tools: [keep], agents: [{ id: "b", tools: ["Keep"], isTerminal: true }] });
  const crew = defineCrew({ name: "shop", agents: [{ id: "a", isTerminal: true }], after });
  await using store = await Store.open({ database: openMemory() });
  const model = scriptModel({ a: [{ say: "Hi." }], b: [{ call: [{ tool: "Keep", args: {} }] }, { say: "Kept." }] });
  const cases = [parseCase({ id: "x", input: "hi", checks: { outcome: "done" } })];
  const { passed } = await evaluate({ crew, cases, store, version: "v", model: () => () => model });
  assert.deepEqual([passed, written, (await store.database.runs.list({})).length], [1, [], 1]);
});

test("the cap holds over all trials, and recorded replies do not use it up", async () => {
  const crew = defineCrew({ name: "shop", agents: [{ id: "a", isTerminal: true }] });
  const caps: (number | undefined)[] = [];
  const costing = (name: string | undefined) => ({
    name: "paid/x",
    async *stream({ limits }: { readonly limits?: { readonly maxUsd?: number } }) {
      caps.push(limits?.maxUsd);
      const usage = { inputTokens: 1, outputTokens: 1 };
      yield [{ type: "text" as const, text: "Hi." }];
      yield [
        {
          type: "end" as const,
          finish: "stop" as const,
          usage,
          costUsd: 0.25,
          ...(name !== undefined && { model: name }),
        },
      ];
    },
  });
  const cases = ["x", "y"].map((id) => parseCase({ id, input: "hi", checks: { outcome: "done" } }));
  for (const [answered, left] of [
    [undefined, 0.5],
    ["recorded", 1],
  ] as const) {
    await using store = await Store.open({ database: openMemory() });
    const purse = { leftUsd: 1 };
    await evaluate({ crew, cases, store, version: "v", purse, parallel: 2, model: () => () => costing(answered) });
    assert.equal(purse.leftUsd, left);
  }
  assert.deepEqual(caps, [0.5, 0.5, 0.5, 0.5]);
});
