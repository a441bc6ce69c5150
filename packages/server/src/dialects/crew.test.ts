import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { z } from "zod";
import { crew } from "./crew.ts";
import { scene } from "./testing/play.ts";
import { playSegment, SCENES, toContext, toSegments } from "./testing/scenes.ts";

const FRAME = z.strictObject({
  type: z.enum([
    ..."start agent_start agent_delta agent_response tool_start tool_result signal handoff".split(" "),
    ..."pause terminate warning error ping done".split(" "),
  ]),
  agent: z.string().min(1),
  content: z.string(),
  timestamp: z.iso.datetime(),
  metadata: z.record(z.string(), z.unknown()),
});

async function frames(title: string, segment = 1) {
  return (await playSegment(crew, title, segment)).map(({ data }) => FRAME.parse(JSON.parse(data)));
}

test("every frame has the five fields and a known type, from a start to a done or an error", async () => {
  for (const title of SCENES.keys()) {
    for (const segment of title.includes("pause") || title.includes("approval") ? [1, 2] : [1]) {
      const told = await frames(title, segment);
      assert.equal(told.at(0)?.type, "start", title);
      assert.equal(told.at(-1)?.type, title.startsWith("a failure") ? "error" : "done", title);
      assert.equal(told.filter(({ type }) => type === "start" || type === "done" || type === "error").length, 2);
    }
  }
});

test("what agents write for the crew is shown as it is, and a sub-crew's agents with their lane", async () => {
  const told = await frames("agents that write for the crew");
  const said = told.flatMap(({ type, agent, content }) => (type === "agent_response" ? [[agent, content]] : []));
  assert.deepEqual(said, [
    ["intent", '{"kind": "essay"}'],
    ["scout", "Nothing found."],
    ["thinker", "The user wants it short. [WRITE]"],
    ["writer", "Here is the essay."],
  ]);
  const begun = (await frames("a sub-crew that waits for a message")).filter(({ type }) => type === "agent_start");
  assert.deepEqual(
    begun.map(({ agent, metadata }) => ({ agent, ...metadata })),
    [
      { agent: "writer", turn: "1", agent_state: "thinking" },
      { agent: "alpha", turn: "2", crew: "alpha-crew", agent_state: "thinking" },
      { agent: "asker", turn: "2/alpha/1", agent_state: "thinking", lane: "2/alpha" },
    ],
  );
});

test("a sub-crew that waits for a message pauses like any agent, and asks nothing", async () => {
  const pause = (await frames("a sub-crew in a sub-crew")).find(({ type }) => type === "pause");
  assert.equal(pause?.content, "[PAUSE:asker] waits for your message");
  const metadata = { resume_agent_id: "asker", by: "signal", questions: [], agent_state: "finished" };
  assert.deepEqual(pause?.metadata, metadata);
});

test("a pause names the agent to resume, and what it asks", async () => {
  const pause = (await frames("a pause and a resume")).find(({ type }) => type === "pause");
  assert.equal(pause?.content, "[PAUSE:clarifier] waits for your message");
  const asked = (await frames("an approval that is given")).find(({ type }) => type === "pause");
  assert.equal(asked?.content, "[PAUSE:helper] Helper wants to use erase");
  assert.partialDeepStrictEqual(asked?.metadata, { questions: [{ question: "1.1.1", args: { path: "notes.txt" } }] });
});

test("a signal with no target terminates, and text is shown raw", async () => {
  const told = await frames("signals and a handoff");
  const types = told.map(({ type }) => type);
  assert.deepEqual(types.slice(types.lastIndexOf("signal")), ["signal", "terminate", "done"]);
  const raw = told.filter(({ type, agent }) => type === "agent_delta" && agent === "router");
  assert.equal(raw.map(({ content }) => content).join(""), "Over to the writer. [ROUTE_WRITER]");
});

test("a reply that starts again names the step whose text to drop", async () => {
  const told = await frames("a crash in the middle of a reply");
  const at = told.findIndex(({ type, metadata }) => type === "warning" && metadata["drop"] === "1.1");
  assert.ok(at > 0 && told[at - 1]?.metadata["step"] === "1.1");
});

const toStates = (told: Awaited<ReturnType<typeof frames>>) =>
  told.flatMap(({ type, metadata }) => (type === "agent_delta" ? [] : [[type, metadata["agent_state"]]]));

test("each frame says what its agent does from then on", async () => {
  const told = await frames("tools");
  assert.deepEqual(toStates(told), [
    ["start", undefined],
    ["agent_start", "thinking"],
    ["agent_response", "acting"],
    ["tool_start", "acting"],
    ["tool_start", "acting"],
    ["tool_result", "acting"],
    ["tool_result", "thinking"],
    ["agent_response", "finished"],
    ["done", undefined],
  ]);
  assert.deepEqual(toStates(await frames("a failure")).at(-1), ["error", "error"]);
  const groups = new Set(["both", "checks", "system"]);
  for (const title of SCENES.keys())
    for (const { type, agent, metadata } of await frames(title)) {
      assert.equal(metadata["agent_state"] === undefined, groups.has(agent), `${title}: ${type} of ${agent}`);
      if (type === "agent_delta") assert.equal(metadata["agent_state"], "streaming", title);
    }
});

test("members of a group have their own states, and frames of a child lane have the lane", async () => {
  const told = await frames("a group with a failing member");
  const failed = told.find(({ type, agent }) => type === "warning" && agent === "left");
  assert.partialDeepStrictEqual(failed?.metadata, { agent_state: "error", lane: "2/both/left" });
  const answered = told.find(({ type, agent }) => type === "agent_response" && agent === "right");
  assert.partialDeepStrictEqual(answered?.metadata, { agent_state: "finished", lane: "2/both/right" });
  const handoffs = (await frames("a sub-crew in a sub-crew")).filter(({ type }) => type === "handoff");
  assert.deepEqual(
    handoffs.map(({ agent, metadata }) => [agent, metadata["lane"]]),
    [
      ["lead", undefined],
      ["writer", "2/middle"],
    ],
  );
});

test("nothing is shown of a step that asks for a forgotten signal, but the signal", async () => {
  const clerks = defineCrew({
    name: "clerks",
    agents: [{ id: "clerk" }, { id: "poet", isTerminal: true }],
    signals: { clerk: [{ signal: "[TO_POET]", target: "poet" }] },
    behaviors: { clerk: { onMissingSignal: "correct" } },
  });
  const replies = { clerk: [{ say: "It costs 12." }, { say: "[TO_POET]" }], poet: [{ say: "Twelve." }] };
  const played = await scene(clerks, replies);
  const told = toSegments(crew, toContext(played), played.events)
    .flat()
    .map(({ data }) => FRAME.parse(JSON.parse(data)));
  assert.deepEqual(
    told.flatMap(({ agent, type, metadata }) => (agent === "clerk" ? [[type, metadata["agent_state"]]] : [])),
    [
      ["agent_start", "thinking"],
      ...Array.from({ length: 3 }, () => ["agent_delta", "streaming"]),
      ["agent_response", "finished"],
      ["signal", "finished"],
      ["handoff", "finished"],
    ],
  );
});

test("a ping is a frame without an id", () => {
  const { id, data } = crew.toPing?.(0) ?? { data: "" };
  assert.equal(id, undefined);
  assert.equal(FRAME.parse(JSON.parse(data)).type, "ping");
});
