import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { scriptModel } from "../ports/script.ts";
import { play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});

const desk = defineCrew({
  name: "desk",
  agents: [
    { id: "clerk", tools: ["Pay"] },
    { id: "poet", isTerminal: true },
  ],
  tools: [pay],
  signals: { clerk: [{ signal: "[TO_POET]", target: "poet" }] },
  behaviors: { clerk: { waitForSignal: true } },
});

const REPLIES = {
  clerk: [
    { say: "What do you [want]?" },
    { say: "One moment.", call: [{ tool: "Pay" }] },
    { say: "Paid. [TO_POET] The poet is next." },
  ],
  poet: [{ say: "A cup of tea, and none for me." }],
};

test("one handle goes over a wait for a message, an approval and the end", async () => {
  await using engine = new Engine({ model: () => scriptModel(REPLIES) });
  const run = engine.start(desk, { input: "hello" });
  const all = Array.fromAsync(run.events({ until: "end" }));

  assert.equal((await Array.fromAsync(run.text())).join(""), "What do you [want]?");
  assert.equal((await run.result).outcome, "paused");
  assert.equal((await Array.fromAsync(run.events()))[0]?.type, "run.started");

  await run.resume("pay it");
  // What an agent says before a call is not its answer.
  assert.equal((await Array.fromAsync(run.text())).join(""), "");
  const { questions } = await run.result;
  assert.deepEqual(
    questions.map(({ kind }) => kind),
    ["approval"],
  );
  await run.answer(questions[0]?.question ?? "", "allow");
  assert.equal(
    (await Array.fromAsync(run.text())).join(""),
    "Paid. The poet is next.\n\nA cup of tea, and none for me.",
  );
  const { outcome, content } = await run.result;
  assert.deepEqual([outcome, content], ["done", "A cup of tea, and none for me."]);

  const events = await all;
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  assert.equal(events.filter(({ type }) => type === "run.paused").length, 2);
  assert.equal(events.at(-1)?.type, "run.ended");
});

test("until the pause, events end at the present pause and not at an earlier one", async () => {
  await using engine = new Engine({ model: () => scriptModel(REPLIES) });
  const run = engine.start(desk, { input: "hello" });
  await run.result;
  await run.say("pay it");
  const types = (await Array.fromAsync(run.events({ until: "pause" }))).map(({ type }) => type);
  assert.equal(types.filter((type) => type === "run.paused").length, 2);
  assert.equal(types.at(-1), "run.paused");
});

test("a cancel gives its receipt, and the result then is the end", async () => {
  await using engine = new Engine({ model: () => scriptModel(REPLIES) });
  const run = engine.start(desk, { input: "hello" });
  await run.result;
  assert.deepEqual(await run.cancel({ reason: "enough" }), { stopped: [], finished: [], abandoned: [] });
  assert.equal((await run.result).outcome, "cancelled");
  await assert.rejects(run.say("hello?"), { code: "run_ended" });
});

test("a pause holds the run before its next step, and it goes on without a message", async () => {
  await using engine = new Engine({ model: () => scriptModel({ a: [{ say: "one two" }], b: [{ say: "three" }] }) });
  const crew = defineCrew({
    name: "x",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    defaults: { a: "b" },
  });
  const run = engine.start(crew, { input: "go" });
  await run.pause();
  assert.equal((await run.result).outcome, "paused");
  await run.resume();
  assert.equal((await run.result).content, "three");
});

test("what agents write for the crew is not shown, and members of a group do not interleave", async () => {
  const crew = defineCrew({
    name: "team",
    agents: [{ id: "lead", audience: "crew" }, { id: "one" }, { id: "two" }, { id: "last", isTerminal: true }],
    groups: { both: { agents: ["one", "two"], nextAgent: "last" } },
    signals: { lead: [{ signal: "[GO]", target: "both" }] },
  });
  const { run } = await play(crew, {
    lead: [{ say: "for the crew alone [GO]" }],
    one: [{ say: "one one one" }],
    two: [{ say: "two two two" }],
    last: [{ say: "the end" }],
  });
  assert.equal((await Array.fromAsync(run.text())).join(""), "one one one\n\ntwo two two\n\nthe end");
});

test("a signal is held back however it is cut, in crews inside the crew as well", async () => {
  const inner = defineCrew({
    name: "inner",
    agents: [{ id: "a" }],
    signals: { a: [{ signal: "[ALL DONE]", target: "" }] },
  });
  const outer = defineCrew({
    name: "outer",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    subCrews: { inner },
    signals: { a: [{ signal: "[IN]", target: "inner", returnTo: "b" }] },
  });
  await using engine = new Engine({
    model: (_, { name }) =>
      scriptModel({ a: [{ say: name === "inner" ? "deep [all  done]" : "go [IN]" }], b: [{ say: "[IN] b" }] }),
  });
  const run = engine.start(outer, { input: "x" });
  const pieces = await Array.fromAsync(run.text());
  assert.equal(pieces.join(""), "go\n\ndeep\n\n[IN] b");
  // Of a run that is over only the log is left: then the turns say what was shown.
  const past = engine.run(run.id) ?? assert.fail();
  assert.equal((await Array.fromAsync(past.text())).join(""), "go\n\ndeep\n\n[IN] b");
});
