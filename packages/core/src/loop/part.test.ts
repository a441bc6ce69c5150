import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { GroupMode } from "../definitions/definition.ts";
import { Engine } from "../engine/engine.ts";
import { fold } from "../words/fold.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import type { RunEvent } from "../words/event.ts";
import type { Prompt } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes a minute.",
  effect: "idempotent",
  input: z.object({}),
  timeoutMs: 90_000,
  run: (_, { scope }) => scope.sleep(60_000).then(() => "slept"),
});
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const pick = defineTool({
  name: "PickColour",
  description: "Lets the user pick a colour.",
  effect: "read",
  input: z.object({ of: z.array(z.string()) }),
  output: z.object({ colour: z.string() }),
});

const team = (mode: GroupMode) =>
  defineCrew({
    name: "t",
    entry: "team",
    agents: ["a", "b"].map((id) => ({ id, tools: ["Slow", "Pay"] })),
    tools: [slow, pay],
    groups: { team: { agents: ["a", "b"], mode, timeoutMs: 200_000 } },
    settings: { timeoutMs: 300_000 },
  });
const solo = defineCrew({
  name: "s",
  agents: [{ id: "a", tools: ["Slow", "Pay", "PickColour"], isTerminal: true }],
  tools: [slow, pay, pick],
});
const calling = (...tools: string[]) => ({ call: tools.map((tool) => ({ tool })) });

/** A run of a crew in simulated time, and what it has said so far. */
function start(crew = solo, replies: Parameters<typeof scriptModel>[0]) {
  const clock = new SimulatedClock(1);
  const prompts: Prompt[] = [];
  const script = scriptModel(replies);
  const engine = new Engine({
    clock,
    model: ({ model }) => ({
      ...script,
      name: model?.name ?? script.name,
      stream(prompt, scope) {
        prompts.push(prompt);
        return script.stream(prompt, scope);
      },
    }),
  });
  const run = engine.start(crew, { input: "go" });
  return { clock, engine, run, prompts };
}

/** The run goes on in another process with what the log had at that moment. */
async function recover(crew: typeof solo, events: readonly RunEvent[], replies: Parameters<typeof scriptModel>[0]) {
  const clock = new SimulatedClock(2);
  const id = events[0]?.run ?? "";
  const engine = new Engine({
    clock,
    model: () => scriptModel(replies),
    log: (time, observer) => {
      const log = new MemoryLog(time, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  const run = engine.adopt(crew, { id, events });
  const result = await clock.run(run.result);
  return { ...result, events: await Array.fromAsync(run.events()) };
}

test("a call that is cancelled alone fails, the others and the run go on, and the receipt names it", async () => {
  const { clock, run } = start(solo, { a: [calling("Slow", "Slow"), { say: "done" }] });
  await clock.advance(10);
  const { receipt } = await clock.run(run.command({ type: "cancel", call: "1.1.1", reason: "too slow" }));
  assert.deepEqual(receipt, { stopped: ["call:1.1.1"], finished: [], abandoned: [] });
  const { outcome, content } = await clock.run(run.result);
  const events = await Array.fromAsync(run.events());
  assert.deepEqual([outcome, content], ["done", "done"]);
  assert.deepEqual(
    of(events, "call.ended").map(({ call, error, output }) => [call, error?.kind ?? output]),
    [
      ["1.1.1", "cancelled"],
      ["1.1.2", "slept"],
    ],
  );
  assert.equal(of(events, "call.ended")[0]?.error?.code, "tool");
});

test("a member that is cancelled alone counts neither as an answer nor as a failure", async () => {
  for (const mode of ["settled", "all"] as const) {
    const { clock, run } = start(team(mode), {
      a: [calling("Slow"), { say: "A" }],
      b: [calling("Slow"), { say: "B" }],
    });
    await clock.advance(10);
    await clock.run(run.command({ type: "cancel", lane: "1/team/a" }));
    const { outcome, content } = await clock.run(run.result);
    assert.deepEqual([outcome, content], ["done", "[b] B"], mode);
    const events = await Array.fromAsync(run.events());
    assert.deepEqual(of(events, "warning.raised"), []);
    assert.equal(of(events, "group.ended")[0]?.results[0]?.error?.lane, "1/team/a");
  }
});

test("a group fails if every member was cancelled", async () => {
  const { clock, run } = start(team("settled"), { a: [calling("Slow")], b: [calling("Slow")] });
  await clock.advance(10);
  for (const lane of ["1/team/a", "1/team/b"]) await clock.run(run.command({ type: "cancel", lane }));
  const { outcome, error } = await clock.run(run.result);
  assert.deepEqual([outcome, error?.code], ["failed", "group"]);
});

test("a cancel of what is not running is refused, and changes nothing", async () => {
  const { clock, run } = start(solo, { a: [calling("Slow"), { say: "ok" }] });
  await clock.advance(10);
  for (const part of [{ call: "9.9.9" }, { lane: "1/team/a" }]) {
    await assert.rejects(run.command({ type: "cancel", ...part }), { code: "not_found" });
  }
  await assert.rejects(run.command({ type: "cancel", call: "1.1.1", lane: "x" }), { code: "invalid" });
  assert.equal((await clock.run(run.result)).outcome, "done");
});

test("a paused run goes on without the call or the lane that it waited for", async () => {
  const one = start(solo, { a: [calling("Pay"), { say: "ok" }] });
  await one.clock.run(one.run.result);
  const { run } = await one.run.command({ type: "cancel", call: "1.1.1" });
  assert.equal((await one.clock.run(run.result)).outcome, "done");
  const events = await Array.fromAsync(run.events());
  assert.deepEqual([of(events, "question.closed").length, of(events, "call.ended")[0]?.error?.kind], [1, "cancelled"]);
  const two = start(team("settled"), { a: [calling("Pay"), { say: "A" }], b: [{ say: "B" }] });
  await two.clock.run(two.run.result);
  const after = await two.run.command({ type: "cancel", lane: "1/team/a" });
  const { outcome, content } = await two.clock.run(after.run.result);
  assert.deepEqual([outcome, content], ["done", "[b] B"]);
});

test("a part that was cancelled just before a crash is not begun again", async () => {
  const replies = { a: [calling("Slow", "Pay"), { say: "A" }], b: [{ say: "B" }] };
  for (const [crew, part] of [
    [solo, { call: "1.1.1" }],
    [team("settled"), { lane: "1/team/a" }],
  ] as const) {
    const { clock, run } = start(crew, replies);
    await clock.advance(10);
    const commanded = clock.run(run.command({ type: "cancel", ...part }));
    await commanded;
    const all = await Array.fromAsync({
      async *[Symbol.asyncIterator]() {
        yield* ((await clock.run(run.result), run.events()));
      },
    });
    const at = all.findIndex(({ type }) => type === "command.received");
    const recovered = await recover(crew, all.slice(0, at + 1), replies);
    const ended = of(recovered.events, "call.ended").find(({ tool }) => tool === "Slow");
    assert.ok(ended?.error?.kind === "cancelled" || ended?.error?.code === "cancelled", JSON.stringify(part));
    if ("lane" in part) assert.deepEqual([recovered.outcome, recovered.content], ["done", "[b] B"]);
    else assert.equal(recovered.outcome, "paused");
  }
});

test("a configured model, temperature and limit hold from the next step on, for one agent or for all", async () => {
  const { clock, run, prompts } = start(solo, { a: [calling("Slow"), { say: "ok" }] });
  await clock.advance(10);
  await run.command({ type: "configure", model: "other/model", temperature: 0.1 });
  await run.command({ type: "configure", agent: "a", maxTokens: 50, temperature: 0.2 });
  await clock.run(run.result);
  assert.deepEqual(
    prompts.map(({ temperature, maxTokens }) => [temperature, maxTokens]),
    [
      [0.7, 8_000],
      [0.2, 50],
    ],
  );
  const events = await Array.fromAsync(run.events());
  assert.deepEqual(
    of(events, "step.started").map(({ model }) => model),
    ["script", "other/model"],
  );
});

test("a paused run takes a configuration without waking, and keeps it over a crash", async () => {
  const { clock, run, prompts } = start(solo, { a: [calling("Pay"), { say: "ok" }] });
  await clock.run(run.result);
  await run.command({ type: "configure", temperature: 0 });
  const { run: after } = await run.command({ type: "answer", question: "1.1.1", value: "allow" });
  await clock.run(after.result);
  assert.equal(prompts[1]?.temperature, 0);
  const events = await Array.fromAsync(after.events());
  const configured = events.findIndex(({ type }) => type === "command.received");
  assert.equal(fold(events.slice(0, configured + 1)).status, "paused");
  assert.equal(fold(events).configured.length, 1);
});

test("a configuration that cannot be used is refused, and says why", async () => {
  const engine = new Engine({
    model: ({ model }) => {
      if (model?.name === "none/such") throw new Error("there is no such model");
      return scriptModel({ a: [calling("Pay")] });
    },
  });
  const run = engine.start(solo, { input: "x" });
  await run.result;
  await assert.rejects(run.command({ type: "configure" }), { code: "invalid" });
  await assert.rejects(run.command({ type: "configure", agent: "aa", temperature: 1 }), { code: "not_found" });
  await assert.rejects(run.command({ type: "configure", temperature: 3 }), { code: "invalid" });
  await assert.rejects(run.command({ type: "configure", maxTokens: 0.5 }), { code: "invalid" });
  await assert.rejects(run.command({ type: "configure", model: "none/such" }), /no such model/);
  await engine[Symbol.asyncDispose]();
});

const picking = { call: [{ tool: "PickColour", args: { of: ["red", "blue"] } }] };

test("a tool without run is carried out by the client, whose answer is the result", async () => {
  const { clock, run } = start(solo, { a: [picking, { when: "blue", say: "Blue it is." }, { say: "no" }] });
  const { questions } = await clock.run(run.result);
  assert.deepEqual(
    questions.map(({ question, kind, tool, args }) => [question, kind, tool, args]),
    [["1.1.1/tool", "tool", "PickColour", { of: ["red", "blue"] }]],
  );
  await assert.rejects(run.command({ type: "answer", question: "1.1.1/tool", value: { color: "blue" } }), {
    message: /colour is missing/,
  });
  const { run: after } = await run.command({ type: "answer", question: "1.1.1/tool", value: { colour: "blue" } });
  assert.equal((await clock.run(after.result)).content, "Blue it is.");
  const [ended] = of(await Array.fromAsync(after.events()), "call.ended");
  assert.deepEqual(ended?.output, { colour: "blue" });
});

test("a client's tool that was answered before a crash is not asked for again", async () => {
  const replies = { a: [picking, { say: "Blue it is." }] };
  const { clock, run } = start(solo, replies);
  await clock.run(run.result);
  const { run: after } = await run.command({ type: "answer", question: "1.1.1/tool", value: { colour: "blue" } });
  await clock.run(after.result);
  const events = await Array.fromAsync(after.events());
  const answered = events.findIndex(({ type }) => type === "question.answered");
  const recovered = await recover(solo, events.slice(0, answered + 1), replies);
  assert.equal(recovered.outcome, "done");
  assert.equal(of(recovered.events, "question.opened").length, 1);
  assert.deepEqual(of(recovered.events, "call.ended")[0]?.output, { colour: "blue" });
});

test("a tool of the client that cannot be undone is approved first", async () => {
  const send = defineTool({ name: "Send", description: "Sends.", effect: "irreversible", input: z.object({}) });
  const crew = defineCrew({ name: "s", agents: [{ id: "a", tools: ["Send"], isTerminal: true }], tools: [send] });
  const { clock, run } = start(crew, { a: [calling("Send"), { say: "ok" }] });
  await clock.run(run.result);
  const allowed = await run.command({ type: "answer", question: "1.1.1", value: "allow" });
  const { questions } = await clock.run(allowed.run.result);
  assert.deepEqual(
    questions.map(({ question }) => question),
    ["1.1.1/tool"],
  );
});
