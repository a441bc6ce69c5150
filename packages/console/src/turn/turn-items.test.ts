/** A conversation shows turns, groups, teams and messages in the order of the log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, type RunEvent, scriptModel } from "@baton/core";
import { RunStore } from "../store/run-store.ts";
import { answerOf, buildTurnItems, questionsOfCall, splitAtMessages, type TurnItem, turnsOf } from "./turn-items.ts";

const exam = defineCrew({
  name: "exam",
  agents: [{ id: "teacher" }, { id: "student" }, { id: "reporter" }, { id: "closer", isTerminal: true }],
  signals: {
    teacher: [
      { signal: "[ASK]", target: "both" },
      { signal: "[END]", target: "closer" },
    ],
    student: [{ signal: "[ANSWER]", target: "teacher" }],
  },
  groups: { both: { agents: ["student", "reporter"], nextAgent: "teacher" } },
});

async function record(): Promise<readonly TurnItem[]> {
  const script = {
    teacher: [{ say: "Which planet is red? [ASK]" }, { say: "Well done. [END]" }],
    student: [{ say: "Mars. [ANSWER]" }],
    reporter: [{ say: "Noted." }],
    closer: [{ say: "Goodbye." }],
  };
  await using engine = new Engine({ model: () => scriptModel(script) });
  const events: RunEvent[] = [];
  for await (const event of engine.start(exam, { input: "Examine me" }).events()) events.push(event);
  const store = new RunStore("r", (work) => work());
  store.ingest(events);
  return buildTurnItems(store.story, store.events);
}

test("turns and groups stand between the handoffs that lead to them", async () => {
  const items = await record();
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ["user", "turn", "handoff", "group", "handoff", "turn", "handoff", "turn"],
  );
  const group = items.find((item) => item.kind === "group");
  assert.deepEqual(
    group?.members.map(({ agent, items: inner }) => [agent, inner.length]),
    [
      ["student", 1],
      ["reporter", 1],
    ],
  );
});

test("a turn has the signals that it gave, also those that a group does not follow", async () => {
  const items = await record();
  const signals = items.flatMap((item) => (item.kind === "turn" ? [item.signals] : []));
  assert.deepEqual(signals, [["[ASK]"], ["[END]"], []]);
  const inner = items.flatMap((item) => (item.kind === "group" ? item.members.flatMap((one) => one.items) : []));
  assert.deepEqual(
    inner.map((item) => (item.kind === "turn" ? item.signals : undefined)),
    [["[ANSWER]"], []],
  );
});

test("the last turn for the user is the answer, and all turns are found", async () => {
  const items = await record();
  assert.equal(answerOf(items)?.agent, "closer");
  assert.equal(turnsOf(items).length, 5);
});

test("segments begin with the user's messages and leave nothing out", async () => {
  const items = await record();
  const more: TurnItem = { kind: "user", seq: 1_000, text: "And now?", images: 0 };
  const segments = splitAtMessages([...items, more]);
  assert.deepEqual(
    segments.map(({ user, items: inner, to }) => [user?.text, inner.length, to]),
    [
      ["Examine me", items.length - 1, 1_000],
      ["And now?", 0, Infinity],
    ],
  );
});

const erase = defineTool({
  name: "erase",
  description: "Erases.",
  effect: "irreversible",
  input: { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) },
  run: () => "erased",
});
const kids = defineCrew({
  name: "kids",
  entry: "boss",
  tools: [erase],
  agents: [
    { id: "boss", tools: [{ agent: "helper", as: "help" }], output: { type: "object" } },
    { id: "helper", tools: ["erase"] },
    { id: "check", tools: ["erase"] },
    { id: "sum", isTerminal: true },
  ],
  signals: { boss: [{ when: {}, target: "each" }] },
  groups: { each: { map: "check", over: "output.list", maxParallel: 50, nextAgent: "sum" } },
});

async function recordKids() {
  const list = Array.from({ length: 20 }, (_, at) => `item ${at + 1}`);
  const script = {
    boss: [{ call: [{ tool: "help", args: { input: "x" } }] }, { say: JSON.stringify({ list }) }],
    helper: [{ call: [{ tool: "erase" }] }, { say: "Helped." }],
    check: [{ when: "item 18", fail: "unlucky" }, { when: "item 17", call: [{ tool: "erase" }] }, { say: "Fine." }],
    sum: [{ say: "Done." }],
  };
  await using engine = new Engine({ model: () => scriptModel(script) });
  const events: RunEvent[] = [];
  let run = engine.start(kids, { input: "go" });
  for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
    const question = result.questions[0]?.question ?? "";
    ({ run } = await run.command({ type: "answer", question, value: "allow" }));
  }
  for await (const event of run.events()) events.push(event);
  const store = new RunStore("r", (work) => work());
  store.ingest(events);
  return store;
}

test("questions stand at the call that asks them, those of items that are not shown in the conversation", async () => {
  const { story, events } = await recordKids();
  const items = buildTurnItems(story, events);
  const asked = (questions: typeof story.questions) => questions.map(({ asked: { question } }) => question);
  assert.deepEqual(asked(items.flatMap((item) => (item.kind === "question" ? [item.question] : []))), [
    "2/each/17/1.1.1",
  ]);
  assert.deepEqual(asked([...questionsOfCall(story, "1.1.1")]), ["1.1.1/helper/1.1.1"]);
});

test("a group has the items of a map, numbered: the first, and those that failed; a call has its agent's turns", async () => {
  const { story, events } = await recordKids();
  const items = buildTurnItems(story, events);
  const group = items.find((item) => item.kind === "group");
  assert.deepEqual(
    group?.members.map(({ index, items: inner }) => [index, turnsOf(inner).length]),
    [...Array.from({ length: 12 }, (_, at) => [at + 1, 1]), [18, 1]],
  );
  const turns = items.filter((item) => item.kind === "turn");
  assert.deepEqual(
    turns.map(({ turn, children }) => [turn.agent, turnsOf([...children.values()].flat()).map(({ agent }) => agent)]),
    [
      ["boss", ["helper"]],
      ["sum", []],
    ],
  );
});

test("up to an event there is only what had happened", async () => {
  const { story, events } = await recordKids();
  const first = story.turns[0]?.from.seq ?? 0;
  assert.deepEqual(
    buildTurnItems(story, events, first).map(({ kind }) => kind),
    ["user", "turn"],
  );
});
