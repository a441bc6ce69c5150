import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";
import type { Model } from "../ports/model.ts";

const done: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays somebody.",
  effect: "irreversible",
  input: z.object({ to: z.string() }),
  run: ({ to }) => {
    done.push(to);
    return `paid ${to}`;
  },
});
const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => done.push("look"),
});
const crew = defineCrew({
  name: "shop",
  agents: [{ id: "a", tools: ["Pay", "Look"], isTerminal: true }],
  tools: [pay, look],
});
const two = [{ tool: "Pay", args: { to: "Ann" } }, { tool: "Look" }, { tool: "Pay", args: { to: "Bob" } }];

test("an irreversible call asks first, and calls that need no answer go on meanwhile", async () => {
  done.length = 0;
  const { outcome, questions, events } = await play(crew, { a: [{ call: two }, { say: "ok" }] });
  assert.equal(outcome, "paused");
  assert.deepEqual(done, ["look"]);
  assert.deepEqual(
    questions.map(({ question, tool, args }) => [question, tool, args]),
    [
      ["1.1.1", "Pay", { to: "Ann" }],
      ["1.1.3", "Pay", { to: "Bob" }],
    ],
  );
  assert.equal(of(events, "run.paused")[0]?.by, "question");
});

test("answers are used once each, in any order, and finished work never runs again", async () => {
  done.length = 0;
  const parallel = defineTool({
    name: "Pay",
    description: "Pays.",
    effect: "irreversible",
    concurrency: "parallel",
    input: z.object({ to: z.string() }),
    run: ({ to }) => done.push(to),
  });
  const both = defineCrew({
    name: "shop",
    agents: [{ id: "a", tools: ["Pay", "Look"], isTerminal: true }],
    tools: [parallel, look],
  });
  const first = await play(both, { a: [{ call: two }, { say: "ok" }] });
  assert.deepEqual(
    first.questions.map(({ question }) => question),
    ["1.1.1", "1.1.3"],
  );
  const second = await first.run.command({ type: "answer", question: "1.1.3", value: "allow" });
  const paused = await collect(second.run);
  assert.equal(paused.outcome, "paused");
  assert.deepEqual(done, ["look", "Bob"]);
  await assert.rejects(second.run.command({ type: "answer", question: "1.1.3", value: "allow" }), {
    code: "not_found",
  });
  await assert.rejects(second.run.command({ type: "answer", question: "1.1.1", value: "perhaps" }), {
    code: "invalid",
  });
  const third = await second.run.command({ type: "answer", question: "1.1.1", value: "deny" });
  const last = await collect(third.run);
  assert.equal(last.outcome, "done");
  assert.deepEqual(done, ["look", "Bob"]);
  assert.deepEqual(
    of(last.events, "call.ended").map(({ call, error }) => [call, error?.kind]),
    [
      ["1.1.2", undefined],
      ["1.1.3", undefined],
      ["1.1.1", "permission"],
    ],
  );
  assert.equal(of(last.events, "step.ended").length, 2);
  assert.equal(of(last.events, "call.started").length, 3);
  assert.deepEqual(
    last.events.map(({ seq }) => seq),
    last.events.map((_, index) => index + 1),
  );
});

test("a message to a run that waits for answers is refused, and says for which", async () => {
  const { run } = await play(crew, { a: [{ call: two }, { say: "ok" }] });
  await assert.rejects(run.command({ type: "say", text: "hurry" }), { code: "question_open" });
});

test("cancelling a paused run ends everything that was open", async () => {
  done.length = 0;
  const { run, engine } = await play(crew, { a: [{ call: two }, { say: "ok" }] });
  const { receipt } = await run.command({ type: "cancel" });
  assert.deepEqual(receipt, { stopped: [], finished: [], abandoned: [] });
  const { events, outcome } = await collect(engine.run(run.id) ?? assert.fail());
  assert.equal(outcome, "cancelled");
  assert.equal(of(events, "call.started").length, of(events, "call.ended").length);
  assert.equal(of(events, "turn.ended").length, 1);
  assert.equal(of(events, "question.closed").length, 2);
  assert.deepEqual(done, ["look"]);
  await assert.rejects(run.command({ type: "cancel" }), { code: "run_ended" });
});

test("a run that waits for a message is cancelled with an empty receipt", async () => {
  const waits = defineCrew({ name: "w", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  const { run, engine } = await play(waits, { a: [{ say: "Yes?" }] });
  await run.command({ type: "cancel", reason: "never mind" });
  const { events } = await collect(engine.run(run.id) ?? assert.fail());
  assert.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ["run.paused", "run.ended"],
  );
});

test("a member of a group may ask, and the group goes on where it was", async () => {
  done.length = 0;
  const group = defineCrew({
    name: "g",
    agents: [
      { id: "lead" },
      { id: "payer", tools: ["Pay"] },
      { id: "looker", tools: ["Look"] },
      { id: "end", isTerminal: true },
    ],
    tools: [pay, look],
    signals: { lead: [{ signal: "[ALL]", target: "both" }] },
    groups: { both: { agents: ["payer", "looker"], nextAgent: "end" } },
  });
  const first = await play(group, {
    lead: [{ say: "[ALL]" }],
    payer: [{ call: [{ tool: "Pay", args: { to: "Eve" } }] }, { say: "paid" }],
    looker: [{ call: [{ tool: "Look" }] }, { say: "looked" }],
    end: [{ say: "fine" }],
  });
  assert.equal(first.outcome, "paused");
  assert.deepEqual(done, ["look"]);
  const [question] = first.questions;
  assert.equal(question?.question, "2/both/payer/1.1.1");
  const next = await first.run.command({ type: "answer", question: question.question, value: "allow" });
  const { outcome, events } = await collect(next.run);
  assert.equal(outcome, "done");
  assert.deepEqual(done, ["look", "Eve"]);
  assert.deepEqual(of(events, "group.ended")[0]?.results, [
    { agent: "payer", text: "paid" },
    { agent: "looker", text: "looked" },
  ]);
  assert.equal(of(events, "group.started").length, 1);
});

test("a run can be paused between two steps, told something, and resumed", async () => {
  const { Engine } = await import("./engine.ts");
  const { scriptModel } = await import("../ports/script.ts");
  const script = scriptModel({ a: [{ call: [{ tool: "Look" }] }, { call: [{ tool: "Look" }] }, { say: "ok" }] });
  const told = Promise.withResolvers<void>();
  const model: Model = {
    name: "slow",
    async *stream(prompt, scope) {
      await told.promise;
      yield* script.stream(prompt, scope);
    },
  };
  await using engine = new Engine({ model: () => model });
  const run = engine.start(crew, { input: "go" });
  for await (const event of run.events()) if (event.type === "step.started") break;
  await run.command({ type: "say", text: "and be quick" });
  await run.command({ type: "pause" });
  told.resolve();
  const paused = await collect(run);
  assert.equal(paused.outcome, "paused");
  assert.equal(of(paused.events, "run.paused")[0]?.by, "command");
  assert.equal(of(paused.events, "step.ended").length, 1);
  const { run: second } = await run.command({ type: "resume", input: "go on" });
  const { outcome, events } = await collect(second);
  assert.equal(outcome, "done");
  assert.equal(of(events, "step.ended").length, 3);
  const { fold } = await import("../words/fold.ts");
  assert.deepEqual(
    fold(events)
      .history.filter(({ role }) => role === "user")
      .map(({ content }) => content),
    ["go", "and be quick", "go on"],
  );
});
