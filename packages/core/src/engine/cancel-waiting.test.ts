/** Cancelling a run that waits or is in a group, and a call that waits behind another: the text that is kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import { toResult } from "../handle/run-result.ts";
import { scriptModel } from "../ports/script.ts";
import { of, type Replies } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

type Crew = ReturnType<typeof defineCrew>;

const done: string[] = [];
const slow = defineTool({
  name: "Slow",
  description: "Takes ten seconds.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(10_000),
});
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => done.push("paid"),
});
const note = defineTool({
  name: "Note",
  description: "Takes a note, after what comes before it.",
  effect: "idempotent",
  concurrency: "sequential",
  input: z.object({}),
  run: () => done.push("noted"),
});
const REASON = { code: "cancelled", message: "not needed any more" } as const;
const CANCEL = { type: "cancel", reason: REASON.message } as const;

/** A run in simulated time, and what it has said so far. */
function start(crew: Crew, replies: Replies) {
  const clock = new SimulatedClock(1);
  const events: RunEvent[] = [];
  const observe = (event: RunEvent) => {
    events.push(event);
  };
  const engine = new Engine({ clock, model: () => scriptModel(replies), observe });
  return { clock, run: engine.start(crew, { input: "go" }), events };
}

/** Cancels the run now and returns its end, which its log must confirm. */
async function cancel({ clock, run, events }: ReturnType<typeof start>) {
  const { run: last } = await clock.run(run.command(CANCEL));
  const result = await clock.run(last.result);
  assert.deepEqual(toResult(fold(events)), result);
  const { outcome, agent, content, raw, error } = result;
  assert.deepEqual([outcome, error], ["cancelled", REASON]);
  return { agent, content, raw };
}

const asking = defineCrew({
  name: "c",
  agents: [{ id: "a" }, { id: "b", tools: ["Slow"] }],
  tools: [slow],
  defaults: { a: "b" },
  signals: {
    b: [
      { signal: "[LATER]", target: "a" },
      // @ts-expect-error the compiler knows that there is no such agent
      { signal: "[ASK]", target: "nobody" },
    ],
  },
  behaviors: { b: { waitForSignal: true } },
});

test("a run that is cancelled while it waits for a message keeps the last text, and says why it was cancelled", async () => {
  const started = start(asking, { a: [{ say: "Hello." }], b: [{ say: "Which one? [ASK]" }] });
  assert.equal((await started.clock.run(started.run.result)).outcome, "paused");
  assert.deepEqual(await cancel(started), { agent: "b", content: "Which one?", raw: "Which one? [ASK]" });
});

test("a run that is cancelled while a command pauses it has no answer yet, and says why it was cancelled", async () => {
  const started = start(asking, {
    a: [{ say: "Hello." }],
    b: [{ say: "One moment. [LATER]", call: [{ tool: "Slow" }] }],
  });
  await started.clock.advance(10);
  await started.run.command({ type: "pause" });
  assert.equal((await started.clock.run(started.run.result)).outcome, "paused");
  assert.deepEqual(await cancel(started), { agent: "b", content: "", raw: "" });
});

test("a run that is cancelled inside a group keeps what its members have said", async () => {
  const crew = defineCrew({
    name: "g",
    entry: "team",
    agents: ["a", "b", "c"].map((id) => ({ id, tools: ["Slow"] })),
    tools: [slow],
    groups: { team: { agents: ["a", "b", "c"] } },
  });
  const call = [{ tool: "Slow" }];
  const started = start(crew, { a: [{ say: "Let me see.", call }], b: [{ call }], c: [{ say: "C is done." }] });
  await started.clock.advance(10);
  const said = "[c] C is done.";
  assert.deepEqual(await cancel(started), { agent: "team", content: said, raw: said });
});

test("a call that waits behind one that asks can be cancelled while the run is paused, which waits on", async () => {
  const tools = [pay, note];
  const crew = defineCrew({ name: "s", agents: [{ id: "a", tools: ["Pay", "Note"], isTerminal: true }], tools });
  const { clock, run, events } = start(crew, {
    a: [{ call: [{ tool: "Pay" }, { tool: "Note" }] }, { say: "ok" }],
  });
  assert.equal((await clock.run(run.result)).outcome, "paused");
  const cancelled = await run.command({ ...CANCEL, call: "1.1.2" });
  assert.deepEqual(cancelled.receipt?.stopped, ["call:1.1.2"]);
  const { outcome, questions } = await clock.run(cancelled.run.result);
  assert.deepEqual([outcome, questions.map(({ question }) => question)], ["paused", ["1.1.1"]]);
  assert.deepEqual(
    of(events, "call.ended").map(({ call, error }) => [call, error?.kind]),
    [["1.1.2", "cancelled"]],
  );
  await assert.rejects(run.command({ ...CANCEL, call: "1.1.2" }), { code: "not_found" });
  const answered = await run.command({ type: "answer", question: "1.1.1", value: "allow" });
  assert.equal((await clock.run(answered.run.result)).outcome, "done");
  assert.deepEqual(done, ["paid"]);
});
