import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import * as fc from "fast-check";
import { fillReferences, MAX_TASKS, parsePlan, type ParsedPlan, referencesOf, toShown, outputAt } from "./plan.ts";

const task = (id: string, more: object = {}) => ({ id, title: `Task ${id}`, tool: "look", ...more });
const planOf = (...tasks: readonly object[]) => ({ title: "Plan", tasks });

function problemsOf(parsed: ParsedPlan): readonly string[] {
  return parsed.ok ? [] : parsed.problems;
}

test("a plan is read with its defaults, and every task is pending", () => {
  const parsed = parsePlan(planOf(task("a"), task("b", { depends_on: ["a"], priority: 3, args: { n: 1 } })));
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.plan.tasks, [
    { ...task("a"), args: {}, depends_on: [], priority: 0, status: "pending" },
    { ...task("b"), args: { n: 1 }, depends_on: ["a"], priority: 3, status: "pending" },
  ]);
});

test("a task that refers to another depends on it, also if it does not say so", () => {
  const parsed = parsePlan(planOf(task("a"), task("b", { args: { list: [{ deep: "$a.data.rows.0.symbol" }] } })));
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.plan.tasks[1]?.depends_on, ["a"]);
});

test("what is wrong with a plan is all told", () => {
  const tools = new Set(["look"]);
  const wrong = planOf(
    task("a", { tool: "fly" }),
    task("a"),
    task("b", { depends_on: ["c"], args: { x: "$nowhere.at.all", y: "$NVDA" } }),
    task("d", { depends_on: ["e"] }),
    task("e", { depends_on: ["d"] }),
  );
  assert.deepEqual(problemsOf(parsePlan(wrong, tools)), [
    "two tasks have the same id",
    "task a: there is no tool fly",
    "task b depends on c, which is not in the plan",
    "task b depends on nowhere, which is not in the plan",
    "these tasks wait for each other: d, e",
  ]);
  assert.deepEqual(problemsOf(parsePlan(planOf(task("a", { depends_on: ["a"] })))), [
    "these tasks wait for each other: a",
  ]);
});

test("what is no plan is refused by the field that is wrong", () => {
  for (const [value, field] of [
    [undefined, ""],
    ["text", ""],
    [{ title: "x", tasks: [] }, "tasks"],
    [{ title: "", tasks: [task("a")] }, "title"],
    [planOf({ id: "a b", title: "x", tool: "look" }), "tasks.0.id"],
    [planOf(...Array.from({ length: MAX_TASKS + 1 }, (_, index) => task(`t${index}`))), "tasks"],
  ] as const) {
    const [first = "nothing"] = problemsOf(parsePlan(value));
    assert.ok(first.startsWith(`${field}:`), first);
  }
  assert.ok(parsePlan(planOf(...Array.from({ length: MAX_TASKS }, (_, index) => task(`t${index}`)))).ok);
});

test("whatever a plan's order is, one that is taken can be carried out, and one with a circle is not taken", (t) => {
  // To play a failure again: BATON_SEED=N
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 12 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const tasks = [0, 1, 2, 3, 4, 5].map((index) =>
        task(`t${index}`, { depends_on: pairs.filter(([to]) => to === index).map(([, from]) => `t${from}`) }),
      );
      const done = new Set<string>();
      for (let before = -1; before < done.size;) {
        before = done.size;
        for (const { id, depends_on } of tasks.map((one) => ({ depends_on: [], ...one }))) {
          if (depends_on.every((other) => done.has(other))) done.add(id);
        }
      }
      assert.equal(parsePlan(planOf(...tasks)).ok, done.size === tasks.length);
    }),
    { seed },
  );
});

test("references are replaced wherever they stand, and other text stays", () => {
  const output: Json = { data: { rows: [{ symbol: "A" }, { symbol: "B" }], note: null } };
  const valueOf = ({ task: id, path }: { readonly task: string; readonly path: string }) =>
    id === "a" ? outputAt(output, path) : undefined;
  const args: Json = { one: "$a.data.rows.1.symbol", list: ["$a.data.rows.0", "costs $5"], whole: "$a", n: 1, x: null };
  assert.deepEqual(fillReferences(args, valueOf), {
    one: "B",
    list: [{ symbol: "A" }, "costs $5"],
    whole: output,
    n: 1,
    x: null,
  });
  assert.equal(fillReferences({ one: "$b.data" }, valueOf), undefined);
  assert.equal(fillReferences(["$a.data.rows.7.symbol"], valueOf), undefined);
  assert.deepEqual(referencesOf({ a: "$x.y", b: ["$z", "$ 5", "a $x"] }), [
    { task: "x", path: "y" },
    { task: "z", path: "" },
  ]);
});

test("users are shown what is done and why something is not, and no arguments", () => {
  const shown = toShown({
    title: "Plan",
    tasks: [{ ...task("a"), args: { secret: 1 }, depends_on: [], priority: 0, status: "failed", message: "closed" }],
  });
  assert.deepEqual(shown, {
    title: "Plan",
    tasks: [{ id: "a", title: "Task a", tool: "look", status: "failed", depends_on: [], message: "closed" }],
  });
});
