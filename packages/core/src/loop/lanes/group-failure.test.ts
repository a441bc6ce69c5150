import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../../definitions/crew.ts";
import type { Group } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import { BatonError } from "../../words/error.ts";
import type { RunEvent } from "../../words/event.ts";
import { fold } from "../../words/fold.ts";
import type { Settings } from "../../definitions/limits.ts";
import { MemoryLog } from "../../ports/memory-log.ts";
import type { Chunk, Model } from "../../ports/model.ts";
import { scriptModel } from "../../ports/script.ts";
import { collect, of, type Replies } from "../../testing/crew-runs.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";
import { defineTool } from "../../definitions/tool.ts";

const wait = defineTool({
  name: "Wait",
  description: "Waits.",
  effect: "read",
  input: z.object({ ms: z.number() }),
  timeoutMs: 1_000_000,
  run: ({ ms }, { scope }) => scope.sleep(ms).then(() => ms),
});
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});

const crewOf = (group: Partial<Group>, settings: Partial<Settings> = {}) =>
  defineCrew({
    name: "g",
    entry: "team",
    agents: [...["a", "b", "c"].map((id) => ({ id, tools: ["Wait", "Pay"] })), { id: "end", isTerminal: true }],
    tools: [wait, pay],
    groups: { team: { agents: ["a", "b", "c"], ...group } },
    settings: { toolSequenceTimeoutMs: 1_000_000, ...settings },
  });

const after = (ms: number) => ({ call: [{ tool: "Wait", args: { ms } }] });
const paying = { call: [{ tool: "Pay" }] };

/** Runs the group in simulated time to the next pause or end. */
async function run(crew: ReturnType<typeof crewOf>, model: Model) {
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => model });
  return await clock.run(collect(engine.start(crew, { input: "go" })));
}

/** Another process goes on with the run as its log stands. */
async function recover(crew: ReturnType<typeof crewOf>, events: readonly RunEvent[], model: Model) {
  const clock = new SimulatedClock(2);
  const id = events[0]?.run ?? "";
  await using engine = new Engine({
    clock,
    model: () => model,
    log: (time, observer) => {
      const log = new MemoryLog(time, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  return await clock.run(collect(engine.adopt(crew, { id, events })));
}

const ALL = crewOf({ mode: "all" });

test("with mode all one failure fails the group, though another member had answered", async () => {
  const replies: Replies = { a: [{ say: "A" }], b: [after(100), { fail: "no key" }], c: [{ say: "C" }] };
  const { outcome, error, content } = await run(ALL, scriptModel(replies));
  assert.deepEqual([outcome, error?.code, content], ["failed", "group", ""]);
  assert.match(error?.message ?? "", /b: no key/);
});

const undecided: Replies = { a: [paying, { say: "A" }], b: [after(100), { fail: "no key" }], c: [{ say: "C" }] };

test("with mode all one failure fails the group, though another member waits for an answer", async () => {
  const { outcome, error, events, questions } = await run(ALL, scriptModel(undecided));
  assert.deepEqual([outcome, error?.code, questions], ["failed", "group", []]);
  assert.match(error?.message ?? "", /b: no key/);
  assert.deepEqual([of(events, "question.opened").length, of(events, "run.paused").length], [1, 0]);
  assert.equal(fold(events).questions.size, 0);
});

test("with mode all the failure fails the group whenever the run is recovered", async () => {
  const { events } = await run(ALL, scriptModel(undecided));
  for (let end = 1; end < events.length; end++) {
    const recovered = await recover(ALL, events.slice(0, end), scriptModel(undecided));
    const place = `after event ${end}, ${events[end - 1]?.type}`;
    assert.deepEqual([recovered.outcome, recovered.error?.code], ["failed", "group"], place);
    assert.match(recovered.error?.message ?? "", /b: no key/, place);
    assert.deepEqual([of(recovered.events, "run.paused"), fold(recovered.events).questions.size], [[], 0], place);
  }
});

test("with mode all a failure after a pause fails the group, and closes the question that is left", async () => {
  const replies: Replies = { a: [paying, { say: "A" }], b: [paying, { fail: "no key" }], c: [{ say: "C" }] };
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel(replies) });
  const paused = engine.start(ALL, { input: "go" });
  assert.equal((await clock.run(paused.result)).questions.length, 2);
  const answered = await paused.command({ type: "answer", question: "1/team/b/1.1.1", value: "allow" });
  const { outcome, error, events } = await clock.run(collect(answered.run));
  assert.deepEqual([outcome, error?.code], ["failed", "group"]);
  assert.deepEqual(
    of(events, "question.closed").map(({ question }) => question),
    ["1/team/a/1.1.1"],
  );
});

const LIMIT = { name: "max_cost_per_day", value: 50 };

/** A model for which these agents have spent all they may; the others fail or answer as in the script. */
function spent(agents: readonly string[], replies: Replies = {}): Model {
  const script = scriptModel(replies);
  return {
    name: "m",
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      if (!agents.includes(prompt.agent)) yield* script.stream(prompt, scope);
      else throw new BatonError("limit", "50 dollars are spent (max_cost_per_day)", { limit: LIMIT });
    },
  };
}

test("a group whose members all reach a limit ends the run with limit", async () => {
  for (const mode of ["settled", "first"] as const) {
    const { outcome, error, events } = await run(crewOf({ mode }), spent(["a", "b", "c"]));
    const reached = of(events, "limit.reached").map(({ limit, value }) => [limit, value]);
    assert.deepEqual([outcome, error?.code, reached], ["limit", "limit", [["max_cost_per_day", 50]]], mode);
  }
});

test("a limit that only some members reach does not end the run with limit", async () => {
  const failed = await run(crewOf({}), spent(["a", "b"], { c: [{ fail: "no key" }] }));
  assert.deepEqual([failed.outcome, failed.error?.code], ["failed", "group"]);
  assert.match(failed.error?.message ?? "", /a: 50 dollars are spent.*c: no key/);
  const done = await run(crewOf({}), spent(["a", "b"], { c: [{ say: "C" }] }));
  assert.deepEqual([done.outcome, done.content], ["done", "[c] C"]);
});
