import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { playSegment, SCENES, toAnswer } from "../testing/scenes.ts";
import { ui } from "./ui.ts";

/** Reads an answer as `useChat` does: its transport checks every chunk against the schema. */
async function receive(title: string, segment: number): Promise<ReadableStream<UIMessageChunk>> {
  const frames = await playSegment(ui, title, segment);
  const transport = new DefaultChatTransport({ fetch: () => Promise.resolve(toAnswer(frames)) });
  const request = { trigger: "submit-message", chatId: "chat", messageId: undefined, abortSignal: undefined } as const;
  return transport.sendMessages({ ...request, messages: [] });
}

interface Reading {
  readonly segment?: number;
  readonly message?: UIMessage;
}

async function read(title: string, { segment = 1, message }: Reading = {}): Promise<UIMessage> {
  const stream = await receive(title, segment);
  const given = message === undefined ? {} : { message };
  const states = readUIMessageStream({ stream, terminateOnError: true, ...given });
  let last: UIMessage | undefined;
  for await (const state of states) last = state;
  assert.ok(last);
  return last;
}

function textsOf({ parts }: UIMessage): readonly string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function toolsOf({ parts }: UIMessage) {
  return parts.flatMap((part) => (part.type === "dynamic-tool" ? [part] : []));
}

test("each reply is a text part of one message, without signals", async () => {
  assert.deepEqual(textsOf(await read("signals and a handoff")), ["Over to the writer.", "Done, all."]);
  assert.deepEqual(textsOf(await read("a plain answer")), ["Hello there, [friend]!\nBye."]);
  assert.deepEqual(textsOf(await read("a group")), ["What do you say?", "I say right.", "I say left.", "Both it is."]);
});

test("what agents write for the crew is reasoning, and their JSON is not shown", async () => {
  const message = await read("agents that write for the crew");
  assert.deepEqual(textsOf(message), ["Here is the essay."]);
  const thoughts = message.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  assert.deepEqual(thoughts, ["Nothing found.", "The user wants it short."]);
});

test("a sub-crew speaks like any agent, and its wait is answered by the user's next message", async () => {
  const title = "a sub-crew in a sub-crew";
  const first = await read(title);
  assert.deepEqual(textsOf(first), ["Over.", "Over to alpha.", "Shall I? [OK"]);
  const second = await read(title, { segment: 2 });
  assert.deepEqual(textsOf(second), ["Fine.", "Left it is.", "Alpha [ALPHA] wrote.", "Bye.", "All done."]);
  assert.notEqual(first.id, second.id);
  const names = second.parts.flatMap((part) => (part.type === "data-agent" ? [part.data] : []));
  assert.partialDeepStrictEqual(names, [{ agent: "asker", name: "Alpha's asker" }]);
  for (const { parts } of [first, second]) assert.ok(!parts.some(({ type }) => type === "data-question"));
});

test("a command to a paused run does not begin its next message", async () => {
  const title = "a pause in which a command comes that does not end it";
  const first = await read(title);
  const second = await read(title, { segment: 2 });
  assert.notEqual(first.id, second.id);
  assert.deepEqual([textsOf(first), textsOf(second)], [["Which one?"], ["Thanks."]]);
});

test("every part of every scene is done when the message is", async () => {
  for (const title of SCENES.keys()) {
    if (title.startsWith("a failure") || title === "a limit") continue;
    for (const part of (await read(title)).parts) {
      if (part.type === "text" || part.type === "reasoning") assert.equal(part.state, "done", title);
      if (part.type === "dynamic-tool") assert.notEqual(part.state, "input-streaming", title);
    }
  }
});

test("tools show their arguments and results", async () => {
  const tools = toolsOf(await read("tools"));
  assert.deepEqual(
    tools.map(({ toolName, state, input }) => ({ toolName, state, input })),
    [
      { toolName: "add", state: "output-available", input: { a: 1, b: 2 } },
      { toolName: "add", state: "output-error", input: { a: "x" } },
    ],
  );
  assert.deepEqual(tools[0]?.output, { sum: 3 });
});

test("reasoning and arguments stream", async () => {
  const { parts } = await read("reasoning, arguments and progress");
  assert.ok(parts.some((part) => part.type === "reasoning" && part.text === "I should add.\n\nAdding."));
  const [tool] = toolsOf(await read("reasoning, arguments and progress"));
  assert.deepEqual(tool?.input, { a: 1, b: 2 });
});

/** The chat behind `useChat`, with no view. */
class Chat extends AbstractChat<UIMessage> {
  constructor(title: string) {
    const segments = [1, 2].values();
    const answer = async () => toAnswer(await playSegment(ui, title, segments.next().value));
    const state: ChatState<UIMessage> = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage(message) {
        state.messages.push(message);
      },
      popMessage() {
        state.messages.pop();
      },
      replaceMessage(index, message) {
        state.messages[index] = message;
      },
      snapshot: (value) => structuredClone(value),
    };
    const transport = new DefaultChatTransport<UIMessage>({ fetch: answer });
    super({ state, transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
  }
}

test("an approval is asked for in the tool's part, and the message continues with the answer", async () => {
  for (const [title, approved, state] of [
    ["an approval that is given", true, "output-available"],
    ["an approval that is refused", false, "output-denied"],
    ["an approval of a call that then fails", true, "output-error"],
  ] as const) {
    const chat = new Chat(title);
    await chat.sendMessage({ text: "hello" });
    const asked = chat.lastMessage;
    assert.ok(asked);
    assert.partialDeepStrictEqual(toolsOf(asked), [{ state: "approval-requested", approval: { id: "run/1.1.1" } }]);
    await chat.addToolApprovalResponse({ id: "run/1.1.1", approved });
    while (chat.status !== "ready") await setImmediate();
    assert.equal(chat.messages.length, 2);
    const answered = chat.lastMessage;
    assert.ok(answered);
    assert.partialDeepStrictEqual(toolsOf(answered), [{ state, approval: { approved } }]);
    assert.deepEqual(textsOf(answered), ["As you wish."]);
  }
});

test("a run that fails leaves the chat with its error", async () => {
  const chat = new Chat("a failure");
  await chat.sendMessage({ text: "hello" });
  assert.equal(chat.status, "error");
  assert.equal(chat.error?.message, "the provider is down");
});

test("what follows a message of the user is another message", async () => {
  const first = await read("a pause and a resume");
  const second = await read("a pause and a resume", { segment: 2 });
  assert.notEqual(first.id, second.id);
  assert.notEqual((await read("a pause by command")).id, (await read("a pause by command", { segment: 2 })).id);
});

test("a reply that starts again shows only what it says then, and members of a group keep what they show", async () => {
  const message = await read("a step that starts again");
  assert.deepEqual(textsOf(message), ["Right by lead", "Right by left", "Right by right", "Right by closer"]);
});

test("a failure and a limit are errors, and a cancel is an end", async () => {
  await assert.rejects(read("a failure"), { message: "the provider is down" });
  const chunks = async (title: string) => Array.fromAsync(await receive(title, 1));
  assert.partialDeepStrictEqual((await chunks("a limit")).slice(-2), [
    { type: "error" },
    { type: "finish", finishReason: "error" },
  ]);
  assert.deepEqual((await chunks("a cancel")).at(-1), { type: "abort", reason: "cancelled by command" });
});

test("the message knows its run, its outcome and what it used", async () => {
  assert.deepEqual((await read("a plain answer")).metadata, {
    run: "run",
    session: "session",
    outcome: "done",
    agent: "helper",
    usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 },
  });
});
