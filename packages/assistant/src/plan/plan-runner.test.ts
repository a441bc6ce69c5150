import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, defineTool, type Json, scriptModel, ToolError } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { of, play } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";
import { AssistantMeter } from "../metrics/assistant-meter.ts";
import { planRunner, type RunnerOptions } from "./plan-runner.ts";

type Look = (word: string, count: number) => Json | Promise<Json>;

/** A crew that carries out a plan with one tool, and what the tool was asked in its order. */
function deskOf(look: Look, options: RunnerOptions = {}) {
  const asked: string[] = [];
  const tool = defineTool({
    name: "look",
    description: "Looks up a word.",
    effect: "read",
    input: z.object({ word: z.string() }),
    run: ({ word }) => {
      asked.push(word);
      return look(word, asked.filter((one) => one === word).length);
    },
  });
  const crew: Crew = defineCrew({
    name: "desk",
    agents: [
      { id: "planner", audience: "crew" },
      { id: "runner", model: { name: "code/runner" }, audience: "crew", tools: ["look"], maxSteps: 60 },
      { id: "writer", isTerminal: true },
    ],
    tools: [tool],
    programs: { runner: planRunner(options) },
    defaults: { planner: "runner", runner: "writer" },
  });
  return { crew, asked };
}

const task = (id: string, args: Json, depends_on: readonly string[] = []) => {
  return { id, title: id, tool: "look", args, depends_on };
};

const repliesOf = (...tasks: readonly object[]) => ({
  planner: [{ say: `Here it is: ${JSON.stringify({ title: "Plan", tasks })} as asked.` }],
  writer: [{ say: "Written." }],
});

const PLAN = z.object({
  title: z.string(),
  tasks: z.array(z.object({ id: z.string(), status: z.string(), message: z.string().optional() })),
});

/** Each state of the plan that was told, as `a:completed b:failed`. */
function statesOf(events: Parameters<typeof of>[0]): readonly string[] {
  return of(events, "note.made")
    .filter(({ kind }) => kind === "plan")
    .map(({ data }) => z.object({ plan: PLAN }).parse(data).plan.tasks)
    .map((tasks) => tasks.map(({ id, status }) => `${id}:${status}`).join(" "));
}

test("tasks that are ready are called at once, what they make ready after them, with their values", async () => {
  const { crew, asked } = deskOf((word) => ({ data: { word: `${word}!` } }));
  const replies = repliesOf(
    task("a", { word: "one" }),
    task("b", { word: "two" }),
    task("c", { word: "$a.data.word" }, ["b"]),
    task("d", { word: "$NVDA" }),
  );
  const { outcome, events } = await play(crew, replies);
  assert.equal(outcome, "done");
  assert.deepEqual(asked, ["one", "two", "$NVDA", "one!"]);
  assert.deepEqual(
    of(events, "step.ended").map(({ calls }) => calls.length),
    [0, 3, 1, 0, 0],
  );
  assert.deepEqual(statesOf(events), [
    "a:in_progress b:in_progress c:pending d:in_progress",
    "a:completed b:completed c:in_progress d:completed",
    "a:completed b:completed c:completed d:completed",
  ]);
});

test("a task with a smaller number goes first among those that are ready", async () => {
  const { crew, asked } = deskOf(() => "found");
  const late = { ...task("a", { word: "late" }), priority: 5 };
  await play(crew, repliesOf(late, { ...task("b", { word: "first" }), priority: 1 }));
  assert.deepEqual(asked, ["first", "late"]);
});

test("a task that fails is tried twice more; what waits for it is skipped, directly or not", async () => {
  const { crew, asked } = deskOf((word, count) => {
    if (word === "never" || (word === "third" && count < 3)) throw new ToolError("permanent", "closed");
    return "found";
  });
  const replies = repliesOf(
    task("constructor", { word: "never" }),
    task("b", { word: "third" }),
    task("c", { word: "x" }, ["constructor"]),
    task("d", { word: "y" }, ["c", "b"]),
    task("e", { word: "z" }, ["b"]),
  );
  const { events } = await play(crew, replies);
  assert.deepEqual(asked, ["never", "third", "never", "third", "never", "third", "z"]);
  assert.equal(statesOf(events).at(-1), "constructor:failed b:completed c:skipped d:skipped e:completed");
  const last = of(events, "step.ended").findLast(({ set }) => set !== undefined)?.set;
  assert.equal(
    last?.["not_found"],
    [
      "\n<NOT_FOUND>",
      'look {"word":"never"} failed: closed',
      'look {"word":"x"} skipped: constructor gave nothing',
      'look {"word":"y"} skipped: c gave nothing',
      "</NOT_FOUND>",
    ].join("\n"),
  );
});

test("arguments that do not fit are not tried again, and a value that is not there fails its task", async () => {
  const { crew, asked } = deskOf((word) => ({ word }));
  const replies = repliesOf(
    task("a", { word: 1 }),
    task("b", { word: "one" }),
    task("c", { word: "$b.data.nothing" }),
    task("d", { word: "x" }, ["c"]),
  );
  const { events } = await play(crew, replies);
  assert.deepEqual(asked, ["one"]);
  assert.equal(of(events, "call.ended").length, 2);
  assert.equal(statesOf(events).at(-1), "a:failed b:completed c:failed d:skipped");
});

test("a result that says that there is nothing completes its task with the reason", async () => {
  const { crew } = deskOf(() => ({ no_data: true, message: "no such word" }), { messageOf: () => "no such word" });
  const { events } = await play(crew, repliesOf(task("a", { word: "one" })));
  const notes = of(events, "note.made").filter(({ kind }) => kind === "plan");
  assert.partialDeepStrictEqual(notes.at(-1)?.data, {
    plan: { tasks: [{ status: "completed", found: false, reason: "no such word" }] },
  });
  assert.ok(of(events, "step.ended").some(({ text }) => text.endsWith("1 of 1 tasks completed, 1 without data.")));
});

test("a task that failed once and then succeeded has no reason, and the result counts as found", async () => {
  const failures = ["the line is busy"];
  const { crew } = deskOf((word) => {
    const message = failures.pop();
    if (message !== undefined) throw new ToolError("permanent", message);
    return { word };
  });
  const { events } = await play(crew, repliesOf(task("a", { word: "one" })));
  const plans = of(events, "note.made").filter(({ kind }) => kind === "plan");
  assert.match(JSON.stringify(plans), /the line is busy/);
  const last = JSON.stringify(plans.at(-1)?.data);
  assert.match(last, /"status":"completed"/);
  assert.doesNotMatch(last, /message|reason|found/);
});

test("a plan that cannot be carried out is told, and the answer is written without it", async () => {
  const { crew, asked } = deskOf(() => "found");
  for (const replies of [
    repliesOf(task("a", { word: "x" }, ["a"])),
    repliesOf(...Array.from({ length: 16 }, (_, index) => task(`t${index}`, { word: "x" }))),
    repliesOf({ ...task("a", {}), tool: "fly" }),
    { planner: [{ say: "no plan at all" }], writer: [{ say: "Written." }] },
  ]) {
    const { outcome, content, events } = await play(crew, replies);
    assert.deepEqual([outcome, content, asked], ["done", "Written.", []]);
    const [warning] = of(events, "warning.raised");
    assert.match(warning?.text ?? "", /^the plan cannot be carried out: ./);
    const set = of(events, "step.ended").find((event) => event.set !== undefined)?.set;
    assert.match(JSON.stringify(set?.["not_found"]), /the plan cannot be carried out/);
  }
});

test("fifteen tasks in a row are carried out", async () => {
  const { crew, asked } = deskOf((word) => ({ next: `${Number(word) + 1}` }));
  const tasks = Array.from({ length: 15 }, (_, n) => task(`t${n}`, { word: n === 0 ? "0" : `$t${n - 1}.next` }));
  const { outcome } = await play(crew, repliesOf(...tasks));
  assert.equal(outcome, "done");
  assert.deepEqual(
    asked,
    Array.from({ length: 15 }, (_, n) => `${n}`),
  );
});

test("a plan continues in another process: what was finished is not looked up again", async () => {
  const database = openLasting();
  const clock = new SystemClock();
  const stuck = Promise.withResolvers<void>();
  const isStuck = { now: true };
  const { crew, asked } = deskOf((word) => {
    if (word !== "b:a" || !isStuck.now) return { word };
    stuck.resolve();
    return new Promise<never>(() => {});
  });
  const replies = repliesOf(
    task("a", { word: "a" }),
    task("b", { word: "b:a" }, ["a"]),
    task("c", { word: "$a.word" }, ["b"]),
  );
  const options = { crews: [crew], model: () => scriptModel(replies) };
  const open = () => Store.open({ database, clock, leaseMs: 50 });
  let id = "";
  {
    await using store = await open();
    const engine = new DurableEngine({ ...options, store });
    ({ id } = await engine.start(crew, { input: "plan" }));
    await stuck.promise;
    await engine.stop();
  }
  isStuck.now = false;
  await using store = await open();
  await using engine = new DurableEngine({ ...options, store });
  const { outcome } = await (await engine.recoverRun(id)).result;
  assert.equal(outcome, "done");
  assert.deepEqual(asked, ["a", "b:a", "b:a", "a"], "only the task that was interrupted is called again");
});

test("each plan is counted once, by how it ended", async () => {
  const meter = new AssistantMeter();
  const { crew } = deskOf((word) => (word === "bad" ? Promise.reject(new ToolError("validation", "no")) : 1), {
    meter,
  });
  const [good, bad] = [task("a", { word: "good" }), task("b", { word: "bad" })];
  for (const tasks of [[good], [good, bad], [bad], [{ id: "x" }], [good]]) await play(crew, repliesOf(...tasks));
  assert.deepEqual(
    meter.read("assistant_plans").map(([{ outcome }, count]) => `${outcome} ${count}`),
    ["completed 2", "partial 1", "failed 1", "invalid 1"],
  );
});
