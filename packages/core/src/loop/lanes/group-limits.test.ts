import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../../definitions/crew.ts";
import type { CrewDefinition, Group } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { Settings } from "../../definitions/limits.ts";
import { type ScriptEntry, scriptModel } from "../../ports/script.ts";
import { collect, of, type Replies } from "../../testing/crew-runs.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";
import { defineTool } from "../../definitions/tool.ts";

const hang = defineTool({
  name: "Hang",
  description: "Takes an hour.",
  effect: "irreversible",
  input: z.object({}),
  timeoutMs: 3_600_000,
  run: (_, { scope }) => scope.sleep(3_600_000),
});

/** Runs a crew that begins with a group of a and b, and goes on with next and last. */
async function run(replies: Replies, settings: Partial<Settings>, group: Partial<Group> = {}) {
  const definition: CrewDefinition = {
    name: "g",
    entry: "team",
    agents: [
      { id: "a", tools: ["Hang"] },
      { id: "b", tools: ["Hang"] },
      { id: "next", handoffTargets: ["last"] },
      { id: "last", isTerminal: true },
    ],
    tools: [hang],
    permissions: { Hang: "allow" },
    groups: { team: { agents: ["a", "b"], nextAgent: "next", ...group } },
    settings,
  };
  const crew = defineCrew(definition);
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel(replies) });
  return await clock.run(collect(engine.start(crew, { input: "go" })));
}

const quick = { a: [{ say: "A" }], b: [{ say: "B" }], next: [{ say: "N" }], last: [{ say: "L" }] };

test("the handoff after a group that the run begins with counts by itself", async () => {
  const { outcome, events } = await run(quick, { maxHandoffs: 3 });
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "handoff.made").map(({ from, to, count }) => [from, to, count]),
    [
      ["team", "next", 1],
      ["next", "last", 2],
    ],
  );
});

test("the handoff after a group that the run begins with is not made if it reaches max_handoffs", async () => {
  const { outcome, content, events } = await run(quick, { maxHandoffs: 1 });
  assert.deepEqual([outcome, content, of(events, "handoff.made")], ["limit", "[a] A\n\n[b] B", []]);
  assert.deepEqual(
    of(events, "warning.raised").map(({ text }) => text),
    ["team did not hand over to next: max_handoffs is 1"],
  );
});

/** Why member a, which never answers, failed, and why its call did if it made one. */
async function lateness(entry: ScriptEntry, settings: Partial<Settings>, group: Partial<Group> = {}) {
  const { events } = await run({ ...quick, a: [entry, { say: "A" }] }, settings, group);
  const [member] = of(events, "group.ended")[0]?.results ?? [];
  return { member: member?.error?.message, call: of(events, "call.ended")[0]?.error?.message };
}

test("a member that is late is told the setting that was too short for it", async () => {
  const late = { say: "one two three", delayMs: 1_000 };
  assert.equal(
    (await lateness(late, { groupTimeoutMs: 1_500 })).member,
    "a took longer than 1.5 s (parallel_timeout_seconds)",
  );
  assert.equal(
    (await lateness(late, { groupTimeoutMs: 500 }, { timeoutMs: 2_000 })).member,
    "a took longer than 2 s (the group's timeout_seconds)",
  );
});

test("a tool that has no more time than its group is told the group's setting, else the one that is shorter", async () => {
  const hanging = { call: [{ tool: "Hang" }] };
  const told = async (settings: Partial<Settings>, group: Partial<Group> = {}) =>
    (await lateness(hanging, settings, group)).call;
  assert.equal(await told({ groupTimeoutMs: 10_000 }), "Hang took longer than 9.5 s (parallel_timeout_seconds)");
  assert.equal(await told({}, { timeoutMs: 20_000 }), "Hang took longer than 19.5 s (the group's timeout_seconds)");
  const short = { groupTimeoutMs: 90_000, toolSequenceTimeoutMs: 5_000 };
  assert.equal(await told(short), "Hang took longer than 4.5 s (tool_result_timeout_seconds)");
  const long = { groupTimeoutMs: 90_000, timeoutMs: 8_000 };
  assert.equal(await told(long), "Hang took longer than 7.5 s (timeout_seconds)");
});
