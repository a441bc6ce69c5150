import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { crew } from "./crew.ts";
import { playSegment, SCENES } from "./testing/scenes.ts";

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
      { agent: "writer", turn: "1" },
      { agent: "alpha", turn: "2", crew: "alpha-crew" },
      { agent: "asker", turn: "2/alpha/1", lane: "2/alpha" },
    ],
  );
});

test("a sub-crew that waits for a message pauses like any agent, and asks nothing", async () => {
  const pause = (await frames("a sub-crew in a sub-crew")).find(({ type }) => type === "pause");
  assert.equal(pause?.content, "[PAUSE:asker] waits for your message");
  assert.deepEqual(pause?.metadata, { resume_agent_id: "asker", by: "signal", questions: [] });
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

test("a ping is a frame without an id", () => {
  const { id, data } = crew.toPing?.(0) ?? { data: "" };
  assert.equal(id, undefined);
  assert.equal(FRAME.parse(JSON.parse(data)).type, "ping");
});
