import assert from "node:assert/strict";
import { test } from "node:test";
import { type BaseEvent, EventType, HttpAgent, type Message, type RunFinishedEvent } from "@ag-ui/client";
import { agui } from "./agui.ts";
import { playSegment, SCENES, toAnswer } from "../testing/scenes.ts";

interface Heard {
  readonly messages: readonly Message[];
  readonly events: readonly BaseEvent[];
}

/** Runs the real agent, which checks schema and order of every event and builds the messages. */
async function run(title: string, segment = 1): Promise<Heard> {
  const frames = await playSegment(agui, title, segment);
  const agent = new HttpAgent({ url: "http://127.0.0.1/api/agui", fetch: () => Promise.resolve(toAnswer(frames)) });
  const events: BaseEvent[] = [];
  const { newMessages } = await agent.runAgent(
    {},
    {
      onEvent({ event }) {
        events.push(event);
      },
    },
  );
  return { messages: newMessages, events };
}

function textsOf({ messages }: Heard): readonly unknown[] {
  return messages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : []));
}

function endOf({ events }: Heard): RunFinishedEvent | undefined {
  return events.find((event): event is RunFinishedEvent & BaseEvent => event.type === EventType.RUN_FINISHED);
}

test("each reply is a message of its agent, without signals", async () => {
  assert.deepEqual(textsOf(await run("signals and a handoff")), ["Over to the writer.", "Done, all."]);
  assert.deepEqual(textsOf(await run("a group")), ["What do you say?", "I say right.", "I say left.", "Both it is."]);
  const { messages } = await run("a plain answer");
  assert.partialDeepStrictEqual(messages, [{ role: "assistant", name: "helper", id: "run/1.1" }]);
});

test("what agents write for the crew is reasoning, and their JSON is not shown", async () => {
  const heard = await run("agents that write for the crew");
  assert.deepEqual(textsOf(heard), ["Here is the essay."]);
  const thoughts = heard.messages.flatMap(({ role, content }) => (role === "reasoning" ? [content] : []));
  assert.deepEqual(thoughts, ["Nothing found.", "The user wants it short."]);
});

test("a sub-crew speaks like any agent, and its wait for a message is no interrupt", async () => {
  const first = await run("a sub-crew that waits for a message");
  assert.deepEqual(textsOf(first), ["Over to alpha.", "Shall I? [OK"]);
  assert.deepEqual(endOf(first)?.outcome, { type: "success" });
  const second = await run("a sub-crew that waits for a message", 2);
  assert.deepEqual(textsOf(second), ["Fine.", "Left it is.", "Alpha [ALPHA] wrote.", "Bye."]);
});

test("the client takes every segment of every scene", async () => {
  for (const title of SCENES.keys()) {
    const segments = ["approval", "pause", "client", "sub-crew"].some((word) => title.includes(word)) ? [1, 2] : [1];
    for (const segment of segments) assert.ok((await run(title, segment)).events.length > 1, title);
  }
});

test("members of a group are subagents", async () => {
  const { messages, events } = await run("a group");
  const started = events.filter(({ type }) => type === EventType.SUBAGENT_STARTED);
  assert.deepEqual(
    started.map(({ subagentRunId, name }) => ({ subagentRunId, name })),
    ["left", "right"].map((name) => ({ subagentRunId: `2/both/${name}`, name })),
  );
  assert.partialDeepStrictEqual(
    messages.find(({ content }) => content === "I say left."),
    { subagentRunId: "2/both/left" },
  );
});

test("tools show their arguments and results", async () => {
  const { messages } = await run("tools");
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  assert.deepEqual(
    calls.map((call) => call.function.arguments),
    ['{"a":1,"b":2}', '{"a":"x"}'],
  );
  const results = messages.filter(({ role }) => role === "tool");
  assert.ok(results.some(({ content }) => content === '{"sum":3}'));
  const streamed = await run("reasoning, arguments and progress");
  assert.partialDeepStrictEqual(
    streamed.messages.find(({ role }) => role === "reasoning"),
    { content: "I should add.\n\nAdding." },
  );
});

test("a question interrupts the run, and what it belongs to is suspended", async () => {
  const asked = await run("an approval in a group");
  const interrupt = {
    id: "run/2/both/right/1.1.1",
    reason: "tool_call",
    toolCallId: "run/2/both/right/1.1.1",
    subagentRunId: "2/both/right",
    responseSchema: { anyOf: [{ enum: ["allow", "deny"] }] },
  };
  assert.partialDeepStrictEqual(endOf(asked)?.outcome, { type: "interrupt", interrupts: [interrupt] });
  const answered = await run("an approval in a group", 2);
  assert.deepEqual(endOf(answered)?.outcome, { type: "success" });
  assert.ok(textsOf(answered).includes("Erased."));
});

test("a pause for a message is an end, and the next segment another run", async () => {
  const first = endOf(await run("a pause and a resume"));
  assert.deepEqual(first?.outcome, { type: "success" });
  assert.partialDeepStrictEqual(first, { runId: "run", threadId: "session", result: { outcome: "paused" } });
  assert.equal(endOf(await run("a pause and a resume", 2))?.runId, "run-2");
});

test("failures and limits are errors, and a cancel is told as one", async () => {
  for (const [title, code] of [
    ["a failure", "model"],
    ["a limit", "limit"],
  ] as const) {
    const { events } = await run(title);
    assert.partialDeepStrictEqual(events.at(-1), { type: EventType.RUN_ERROR, code });
  }
  assert.deepEqual(endOf(await run("a cancel"))?.outcome, { type: "cancelled" });
});

test("a run tells what it used, by model", async () => {
  assert.partialDeepStrictEqual(endOf(await run("a plain answer"))?.usage, [{ model: "script", totalTokens: 12 }]);
});

test("a reply that starts again says which message to drop, and is another message", async () => {
  const { events, messages } = await run("a step that starts again");
  const dropped = events.filter(({ type, name }) => type === EventType.CUSTOM && name === "step.retried");
  assert.equal(dropped.length, 4);
  assert.partialDeepStrictEqual(dropped[0], { value: { messageId: "run/1.1" } });
  assert.ok(messages.some(({ id, content }) => id === "run/1.1-2" && content === "Right by lead"));
});
