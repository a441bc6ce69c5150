import assert from "node:assert/strict";
import { test } from "node:test";
import { type BaseEvent, EventType, HttpAgent, type Message } from "@ag-ui/client";
import { Chat } from "../../testing/chat.ts";
import { OPENS, PICKS, PICKS_AND_ASKS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const BLUE = { colour: "blue" };

/** The first call of the newest run. */
async function firstCall(server: TestServer): Promise<object> {
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  return sentOf(await server.get(`/api/runs/${runs[0]?.id}/calls/1.1.1`));
}

test("the AI SDK's chat carries out a tool of the client, and continues with its output", async () => {
  await using server = await startTestServer([PICKS]);
  const inputs: unknown[] = [];
  const chat = new Chat(`${server.url}/api/chat`, {
    tool(_, input) {
      inputs.push(input);
      return { output: BLUE };
    },
  });
  await chat.sendMessage({ text: "hello" });
  assert.equal(chat.error, undefined);
  assert.deepEqual([chat.called, inputs], [["pickColour"], [{ of: ["red", "blue"] }]]);
  assert.deepEqual(chat.said, ["hello", "Blue it is."]);
  assert.deepEqual(chat.tools, [["pickColour", "output-available"]]);
  assert.equal(
    chat.lastMessage?.parts.some(({ type }) => type === "data-question"),
    false,
  );
  assert.partialDeepStrictEqual(await firstCall(server), { status: "ended", output: BLUE });
});

test("a tool that fails in the AI SDK's chat is told to the agent, as an output or as a cancelled call", async () => {
  await using server = await startTestServer([PICKS, OPENS]);
  const tool = () => ({ state: "output-error", errorText: "the screen is off" }) as const;
  const chat = new Chat(`${server.url}/api/chat`, { tool });
  await chat.sendMessage({ text: "hello" });
  assert.equal(chat.error, undefined);
  assert.equal(chat.said.at(-1), "Then not.");
  assert.partialDeepStrictEqual(await firstCall(server), { error: { kind: "cancelled" } });
  const free = new Chat(`${server.url}/api/chat?crew=opens`, { tool });
  await free.sendMessage({ text: "hello" });
  await free.addToolApprovalResponse({ id: approvalOf(free), approved: true });
  await free.settle();
  assert.partialDeepStrictEqual(await firstCall(server), { output: { error: "the screen is off" } });
});

test("the AI SDK's chat carries out a tool of the client only after its approval", async () => {
  await using server = await startTestServer([OPENS]);
  const chat = new Chat(`${server.url}/api/chat`, { tool: () => ({ output: "it is open" }) });
  await chat.sendMessage({ text: "hello" });
  assert.deepEqual([chat.called, chat.tools], [[], [["openDoor", "approval-requested"]]]);
  await chat.addToolApprovalResponse({ id: approvalOf(chat), approved: true });
  await chat.settle();
  assert.equal(chat.error, undefined);
  assert.deepEqual([chat.called, chat.tools], [["openDoor"], [["openDoor", "output-available"]]]);
  assert.equal(chat.said.at(-1), "Come in.");
});

test("the AI SDK's chat never carries out a tool that is refused", async () => {
  await using server = await startTestServer([OPENS]);
  const chat = new Chat(`${server.url}/api/chat`, { tool: () => ({ output: "it is open" }) });
  await chat.sendMessage({ text: "hello" });
  await chat.addToolApprovalResponse({ id: approvalOf(chat), approved: false });
  await chat.settle();
  assert.deepEqual([chat.error, chat.called, chat.tools], [undefined, [], [["openDoor", "output-denied"]]]);
});

test("the AI SDK's chat answers a tool and an approval of the same reply one after the other", async () => {
  await using server = await startTestServer([PICKS_AND_ASKS]);
  const chat = new Chat(`${server.url}/api/chat`, { tool: () => ({ output: BLUE }) });
  await chat.sendMessage({ text: "hello" });
  assert.equal(chat.error, undefined);
  assert.deepEqual(chat.tools, [
    ["pickColour", "output-available"],
    ["erase", "approval-requested"],
  ]);
  await chat.addToolApprovalResponse({ id: approvalOf(chat), approved: true });
  await chat.settle();
  assert.equal(chat.error, undefined);
  assert.deepEqual(chat.tools[1], ["erase", "output-available"]);
  assert.equal(chat.said.at(-1), "Both are done.");
});

test("an output that does not fit the tool's schema is refused with its place, and the run waits on", async () => {
  await using server = await startTestServer([PICKS]);
  const chat = new Chat(`${server.url}/api/chat`, { tool: () => ({ output: { color: "blue" } }) });
  await chat.sendMessage({ text: "hello" });
  assert.match(chat.error?.message ?? "", /"messages\.1\.parts\.[0-9]+\.output".*colour is missing/);
  assert.partialDeepStrictEqual(await firstCall(server), { status: "waiting" });
});

function approvalOf(chat: Chat): string {
  const parts = chat.lastMessage?.parts ?? [];
  return (
    parts.flatMap((part) => ("approval" in part && part.approval !== undefined ? [part.approval.id] : []))[0] ?? ""
  );
}

/** AG-UI's own agent, with what it was told of the last run. */
class Agent {
  readonly http: HttpAgent;
  readonly events: BaseEvent[] = [];
  newMessages: readonly Message[] = [];

  constructor(url: string) {
    this.http = new HttpAgent({ url, threadId: "thread-1" });
    this.http.addMessage({ id: "m-1", role: "user", content: "hello" });
  }

  async run(parameters: Parameters<HttpAgent["runAgent"]>[0] = {}): Promise<void> {
    this.events.length = 0;
    const { newMessages } = await this.http.runAgent(parameters, {
      onEvent: ({ event }) => {
        this.events.push(event);
      },
    });
    this.newMessages = newMessages;
  }

  /** The calls that the client finds in a run, as CopilotKit looks for them: in new messages, and without a result. */
  get calls(): readonly { readonly id: string; readonly name: string; readonly args: string }[] {
    const answered = this.newMessages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
    return this.newMessages
      .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      .filter(({ id }) => !answered.includes(id))
      .map(({ id, function: { name, arguments: args } }) => ({ id, name, args }));
  }

  answer(content: string, more: { readonly error?: string } = {}): void {
    for (const { id } of this.calls)
      this.http.addMessage({ id: `result of ${id}`, role: "tool", toolCallId: id, content, ...more });
  }

  get outcome(): unknown {
    return this.events.findLast(({ type }) => type === EventType.RUN_FINISHED)?.["outcome"];
  }

  get texts(): readonly unknown[] {
    return this.newMessages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : []));
  }
}

test("AG-UI's agent finds a call of its tool, and continues with the tool's message", async () => {
  await using server = await startTestServer([PICKS]);
  const agent = new Agent(`${server.url}/api/agui`);
  await agent.run();
  const [call] = agent.calls;
  assert.partialDeepStrictEqual(call, { name: "pickColour", args: '{"of":["red","blue"]}' });
  assert.deepEqual(agent.outcome, { type: "success", pendingToolCallIds: [call?.id] });
  agent.answer(JSON.stringify(BLUE));
  await agent.run();
  assert.deepEqual([agent.texts, agent.outcome], [["Blue it is."], { type: "success" }]);
  // The client has its own message of the tool.
  assert.equal(
    agent.events.some(({ type }) => type === EventType.TOOL_CALL_RESULT),
    false,
  );
  assert.equal(agent.http.messages.filter(({ role }) => role === "tool").length, 1);
  assert.partialDeepStrictEqual(await firstCall(server), { output: BLUE });
  agent.http.addMessage({ id: "m-2", role: "user", content: "and again" });
  await agent.run();
  assert.equal(agent.calls.length, 1);
});

test("AG-UI's agent finds a call of its tool only after its approval", async () => {
  await using server = await startTestServer([OPENS]);
  const agent = new Agent(`${server.url}/api/agui`);
  await agent.run();
  assert.deepEqual(agent.calls, []);
  assert.partialDeepStrictEqual(agent.outcome, { type: "interrupt" });
  const [interrupt] = agent.http.pendingInterrupts;
  await agent.run({ resume: [{ interruptId: interrupt?.id ?? "", status: "resolved", payload: { approved: true } }] });
  assert.deepEqual(
    agent.calls.map(({ name }) => name),
    ["openDoor"],
  );
  // Not JSON: the text itself.
  agent.answer("it is open");
  await agent.run();
  assert.deepEqual(agent.texts, ["Come in."]);
  assert.partialDeepStrictEqual(await firstCall(server), { output: "it is open" });
});

test("AG-UI's agent answers an approval and a tool in one request", async () => {
  await using server = await startTestServer([PICKS_AND_ASKS]);
  const agent = new Agent(`${server.url}/api/agui`);
  await agent.run();
  const [interrupt] = agent.http.pendingInterrupts;
  assert.deepEqual(agent.http.pendingInterrupts.length, 1);
  agent.http.addMessage({
    id: "r-1",
    role: "tool",
    toolCallId: agent.calls[0]?.id ?? "",
    content: JSON.stringify(BLUE),
  });
  await agent.run({ resume: [{ interruptId: interrupt?.id ?? "", status: "resolved", payload: "allow" }] });
  assert.deepEqual([agent.texts, agent.outcome], [["Both are done."], { type: "success" }]);
});

test("AG-UI's agent may fail or cancel a call of its tool, and the agent of the crew continues", async () => {
  for (const how of ["failed", "cancelled"] as const) {
    await using server = await startTestServer([PICKS]);
    const agent = new Agent(`${server.url}/api/agui`);
    await agent.run();
    const interruptId = `${agent.calls[0]?.id}/tool`;
    if (how === "failed") agent.answer("", { error: "the screen is off" });
    await agent.run(how === "failed" ? {} : { resume: [{ interruptId, status: "cancelled" }] });
    assert.deepEqual([agent.texts, agent.outcome], [["Then not."], { type: "success" }]);
    assert.partialDeepStrictEqual(await firstCall(server), { error: { kind: "cancelled" } });
  }
});
