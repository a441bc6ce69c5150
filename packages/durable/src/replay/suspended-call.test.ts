/** Suspended calls in a run's own line, in a child and beside others: interrupted, replayed and forked at every event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, type RunEvent, scriptModel, suspend } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { toFork, toForkCrew } from "./fork.ts";
import { replay } from "./replay.ts";
import { continueRun, playRun } from "../testing/play-run.ts";
import { ANYTHING } from "../testing/shop.ts";

const started: string[] = [];

/** Asks twice with the same name, and gives what it was told. */
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: ANYTHING,
  run: (_, { kept, answers, call }) => {
    if (kept === undefined) started.push(call);
    const round = typeof kept === "number" ? kept : 0;
    const question = { name: "consent", kind: "approval", text: `Round ${round}?`, who: "operator" } as const;
    return round === 2 ? { paid: answers ?? null } : suspend({ keep: round + 1, questions: [question] });
  },
});
const crew = defineCrew({
  name: "shop",
  entry: "boss",
  agents: [
    { id: "boss", tools: ["Pay", { agent: "helper", as: "help" }], isTerminal: true },
    { id: "helper", tools: ["Pay"] },
  ],
  tools: [pay],
  permissions: { Pay: "allow" },
});
const model = scriptModel({
  boss: [{ call: [{ tool: "Pay" }, { tool: "help", args: { input: "pay" } }] }, { say: "All is paid." }],
  helper: [{ call: [{ tool: "Pay" }] }, { say: "Paid." }],
});

const outputs = (events: readonly RunEvent[]) =>
  of(events, "call.ended")
    .filter(({ tool }) => tool === "Pay")
    .map(({ call, output, error }) => [call, output ?? error] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));
const doubts = (events: readonly RunEvent[]) => of(events, "question.opened").filter(({ kind }) => kind === "doubt");

test("a run with suspended calls that is interrupted after any event ends the same, and its log is replayed", async () => {
  const whole = await playRun(crew, model, { input: "go", id: "first" });
  assert.equal(whole.content, "All is paid.");
  assert.deepEqual(outputs(whole.events), [
    ["1.1.1", { paid: { consent: "allow" } }],
    ["1.1.2/helper/1.1.1", { paid: { consent: "allow" } }],
  ]);
  assert.equal(await replay(crew, whole.events), undefined);
  for (let seq = 1; seq < whole.events.length; seq++) {
    const left = whole.events.slice(0, seq);
    const at = `after event ${seq}, ${left.at(-1)?.type}`;
    assert.equal(await replay(crew, left), undefined, at);
    started.length = 0;
    const { events } = await continueRun(crew, model, { events: left });
    assert.deepEqual(outputs(events), outputs(whole.events), at);
    assert.equal(of(events, "call.suspended").length, 4, at);
    const kept = new Set(of(left, "call.suspended").map(({ call }) => call));
    for (const call of started) assert.ok(!kept.has(call), `${at}: ${call} began anew`);
    for (const { call = "" } of doubts(events)) assert.ok(!kept.has(call), `${at}: ${call} is in doubt`);
    assert.equal(await replay(crew, events), undefined, at);
  }
});

test("a fork before the end of a suspended call has neither what it kept nor its questions", async () => {
  const whole = await playRun(crew, model, { input: "go", id: "first" });
  for (const { seq } of whole.events) {
    const prefix = toFork(whole.events, seq, "fork");
    const ended = new Set(of(prefix, "call.ended").map(({ call }) => call));
    for (const { call } of of(prefix, "call.suspended")) assert.ok(ended.has(call), `forked at ${seq}`);
    const fork = await continueRun(toForkCrew(crew), model, { events: prefix });
    assert.deepEqual(outputs(fork.events), outputs(whole.events), `forked at ${seq}`);
    assert.equal(await replay(toForkCrew(crew), fork.events), undefined, `forked at ${seq}`);
  }
});

test("a run whose call was in doubt and then suspended is replayed", async () => {
  const whole = await playRun(crew, model, { input: "go", id: "first" });
  const intended = whole.events.findIndex(({ type }) => type === "effect.intended");
  const { events } = await continueRun(crew, model, { events: whole.events.slice(0, intended + 1) });
  assert.equal(doubts(events).length, 1);
  assert.equal(await replay(crew, events), undefined);
  for (let seq = 1; seq < events.length; seq++)
    assert.equal(await replay(crew, events.slice(0, seq)), undefined, `up to ${seq}`);
});

test("a run that polls, and one whose suspended call is cancelled, are replayed", async () => {
  const poll = defineTool({
    name: "Poll",
    description: "Polls.",
    effect: "read",
    input: ANYTHING,
    run: (_, { kept }) => (kept === undefined ? suspend({ keep: { task: 1 }, afterMs: 100 }) : "ready"),
  });
  const polling = defineCrew({
    name: "p",
    agents: [{ id: "a", tools: ["Poll", "Pay"] }],
    tools: [poll, pay],
    permissions: { Pay: "allow" },
  });
  const calls = scriptModel({ a: [{ call: [{ tool: "Poll" }, { tool: "Pay" }] }, { say: "Done." }] });
  await using engine = new Engine({ model: () => calls });
  const paused = engine.start(polling, { input: "x" });
  assert.equal((await paused.result).outcome, "paused");
  await paused.command({ type: "cancel", call: "1.1.2" });
  const { events, outcome } = await collect(paused);
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "call.ended").map(({ output, error }) => output ?? error?.kind),
    ["ready", "cancelled"],
  );
  assert.equal(await replay(polling, events), undefined);
});
