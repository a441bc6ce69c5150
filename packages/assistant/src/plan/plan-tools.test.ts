import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, type Json } from "@baton/core";
import { of, play } from "@baton/core/testing";
import { z } from "zod";
import { definePlanTools } from "./plan-tools.ts";

const crew = defineCrew({
  name: "desk",
  agents: [{ id: "analyst", tools: ["createPlan", "updatePlan"], isTerminal: true }],
  tools: definePlanTools(),
});

const task = (id: string, more: object = {}) => ({ id, title: `Task ${id}`, tool: "look", ...more });

/** What each call gave, and the plans that were told. */
async function use(...calls: readonly (readonly [tool: string, args: Json])[]) {
  const steps = calls.map(([tool, args]) => ({ call: [{ tool, args }] }));
  const { events } = await play(crew, { analyst: [...steps, { say: "Done." }] });
  const results = of(events, "call.ended").map(({ output, error }) => error?.message ?? output);
  const plans = of(events, "note.made")
    .filter(({ kind }) => kind === "plan")
    .map(({ data }) =>
      SHOWN.parse(data)
        .plan.tasks.map(({ id, status }) => `${id}:${status}`)
        .join(" "),
    );
  return { results, plans };
}

const SHOWN = z.object({ plan: z.object({ tasks: z.array(z.object({ id: z.string(), status: z.string() })) }) });

const create = ["createPlan", { title: "Plan", tasks: [task("a"), task("b", { depends_on: ["a"] })] }] as const;
const update = (...changes: readonly Json[]) => ["updatePlan", { changes }] as const;

test("a plan is written down, told, and replaced by the next", async () => {
  const { results, plans } = await use(create, ["createPlan", { title: "Other", tasks: [task("c")] }]);
  assert.deepEqual(plans, ["a:pending b:pending", "c:pending"]);
  assert.deepEqual(results[1], {
    plan: { title: "Other", tasks: [{ ...task("c"), status: "pending", depends_on: [] }] },
  });
});

test("tasks are added, changed, removed and put in another order", async () => {
  const { plans } = await use(
    create,
    update({ op: "modify", id: "a", task: { status: "completed" } }),
    update({ op: "add", task: task("c") }, { op: "add", task: task("d"), before: "b" }),
    update({ op: "reorder", ids: ["c", "d", "b", "a"] }),
    update({ op: "remove", id: "a" }),
  );
  assert.deepEqual(plans, [
    "a:pending b:pending",
    "a:completed b:pending",
    "a:completed d:pending b:pending c:pending",
    "c:pending d:pending b:pending a:completed",
    "c:pending d:pending b:pending",
  ]);
});

test("a change that cannot be made changes nothing, and says why", async () => {
  const none = await use(update({ op: "remove", id: "a" }));
  assert.match(JSON.stringify(none.results[0]), /there is no plan yet: use createPlan first/);
  const { results, plans } = await use(
    create,
    update({ op: "remove", id: "x" }),
    update({ op: "modify", id: "a", task: { depends_on: ["b"] } }),
    update({ op: "reorder", ids: ["a", "a"] }),
    update({ op: "add", task: task("a") }),
    update({ op: "add", task: task("e", { depends_on: ["nowhere"] }) }),
    ["createPlan", { title: "x", tasks: [task("a", { depends_on: ["a"] })] }],
  );
  assert.deepEqual(plans, ["a:pending b:pending"]);
  const expected = [
    /there is no task x; there are a, b/,
    /these tasks wait for each other: a, b/,
    /reorder must name every task once: a, b/,
    /two tasks have the same id/,
    /task e depends on nowhere/,
    /wait for each other: a/,
  ];
  for (const [index, pattern] of expected.entries()) assert.match(JSON.stringify(results[index + 1]), pattern);
});
