import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI, { APIError } from "openai";
import { collectChat, collectResponse } from "./collect.ts";
import type { Frame } from "../dialect.ts";
import { openai } from "./openai.ts";
import { responses } from "./responses.ts";
import { playSegment, SCENES, toAnswer, toContext, toSegments } from "../testing/scenes.ts";

function toClient(frames: readonly Frame[]): OpenAI {
  const fetch = () => Promise.resolve(toAnswer(frames));
  return new OpenAI({ apiKey: "none", baseURL: "http://127.0.0.1/v1", fetch, maxRetries: 0 });
}

async function chat(title: string, segment = 1) {
  const client = toClient(await playSegment(openai, title, segment));
  return client.chat.completions.stream({ model: "crew", messages: [{ role: "user", content: "hello" }] });
}

async function respond(title: string, segment = 1) {
  const client = toClient(await playSegment(responses, title, segment));
  return client.responses.stream({ model: "crew", input: "hello" });
}

async function play(title: string) {
  const scene = await SCENES.get(title)?.();
  assert.ok(scene);
  return { context: toContext(scene), events: scene.events };
}

const SAID: readonly (readonly [string, number, string])[] = [
  ["a plain answer", 1, "Hello there, [friend]!\nBye."],
  ["tools", 1, "It is 3."],
  ["signals and a handoff", 1, "Over to the writer.\n\nwriter: Done, all."],
  ["a pause and a resume", 1, "Which one?"],
  ["a pause and a resume", 2, "Thanks."],
  ["agents that write for the crew", 1, "Here is the essay."],
  ["a sub-crew that waits for a message", 1, "Over to alpha.\n\nAlpha's asker: Shall I? [OK"],
  [
    "a sub-crew that waits for a message",
    2,
    "Fine.\n\nleft: Left it is.\n\nAlpha's writer: Alpha [ALPHA] wrote.\n\ncloser: Bye.",
  ],
  ["a group with a failing member", 1, "I say right.\n\ncloser: Right it is."],
];

for (const [title, segment, said] of SAID) {
  test(`a chat completion of ${title}, segment ${segment}, says what the crew said`, async () => {
    const stream = await chat(title, segment);
    assert.equal(await stream.finalContent(), said);
    const [choice] = (await stream.finalChatCompletion()).choices;
    assert.equal(choice?.finish_reason, "stop");
  });

  test(`a response of ${title}, segment ${segment}, says what the crew said`, async () => {
    const response = await (await respond(title, segment)).finalResponse();
    assert.equal(response.status, "completed");
    // Replies of a crew's only speaker are items with nothing between them.
    const isNamed = /\n\n[\w' ]+: /.test(said);
    assert.equal(response.output_text, isNamed ? said : said.replaceAll("\n\n", ""));
  });
}

test("members of a group speak one after the other in a chat completion", async () => {
  const content = await (await chat("a group")).finalContent();
  assert.ok(content?.includes("\n\nleft: I say left.") && content.includes("\n\nright: I say right."), content ?? "");
});

test("a chat completion tells its usage when asked", async () => {
  const { events, context } = await play("a plain answer");
  let state = openai.start({ ...context, options: { include_usage: true } });
  const frames: Frame[] = [];
  for (const event of events) {
    const [next, more] = openai.next(state, event);
    state = next;
    frames.push(...more);
  }
  const stream = await toClient(frames).chat.completions.create({
    model: "crew",
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  assert.equal(chunks.at(-1)?.usage?.total_tokens, 12);
  assert.deepEqual(chunks.at(-1)?.choices, []);
});

const FINALS: readonly (readonly [string, number, string])[] = [
  ["a plain answer", 1, "Hello there, [friend]!\nBye."],
  ["tools", 1, "It is 3."],
  ["signals and a handoff", 1, "Done, all."],
  ["a pause and a resume", 1, "Which one?"],
  ["agents that write for the crew", 1, "Here is the essay."],
  ["a sub-crew that waits for a message", 1, "Shall I? [OK"],
  ["a sub-crew that waits for a message", 2, "Bye."],
  ["a group with a failing member", 1, "Right it is."],
  ["an approval that is given", 1, ""],
];

for (const [title, segment, final] of FINALS) {
  test(`with baton_final_only, ${title}, segment ${segment}, is its last answer alone, streamed or whole`, async () => {
    const { context: plain, events } = await play(title);
    const context = { ...plain, options: { baton_final_only: true } };
    const chatted = toClient(toSegments(openai, context, events)[segment - 1] ?? []);
    const stream = chatted.chat.completions.stream({ model: "crew", messages: [{ role: "user", content: "hello" }] });
    assert.equal((await stream.finalContent()) ?? "", final);
    const responded = toClient(toSegments(responses, context, events)[segment - 1] ?? []);
    const response = await responded.responses.stream({ model: "crew", input: "hello" }).finalResponse();
    assert.equal(response.output_text, final);
    assert.equal(response.output.filter(({ type }) => type === "message").length, final === "" ? 0 : 1);
    assert.equal(
      response.output.some(({ type }) => type === "mcp_call" || type === "reasoning"),
      false,
    );
  });
}

test("with baton_final_only, whole answers are the streamed ones", async () => {
  for (const title of SCENES.keys()) {
    const { context: plain, events } = await play(title);
    const context = { ...plain, options: { baton_final_only: true } };
    const whole = collectChat(context, events);
    if (whole === undefined || whole.isError) continue;
    const last = toClient(toSegments(openai, context, events).at(-1) ?? []);
    const content = await last.chat.completions.stream({ model: "crew", messages: [] }).finalContent();
    assert.partialDeepStrictEqual(whole.body, { choices: [{ message: { content: content ?? "" } }] }, title);
  }
});

test("an approval is a call that the client answers by its id", async () => {
  const stream = await chat("an approval that is given");
  const [choice] = (await stream.finalChatCompletion()).choices;
  assert.equal(choice?.finish_reason, "tool_calls");
  const [call] = choice?.message.tool_calls ?? [];
  assert.equal(call?.id, "run/1.1.1");
  assert.ok(call?.type === "function");
  assert.equal(call.function.name, "answer_question");
  assert.partialDeepStrictEqual(JSON.parse(call.function.arguments), {
    question: "1.1.1",
    kind: "approval",
    text: "Helper wants to use erase",
    tool: "erase",
    args: { path: "notes.txt" },
    schema: { anyOf: [{ enum: ["allow", "deny"] }] },
  });
});

test("a limit and a failure are errors that the client throws", async () => {
  await assert.rejects((await chat("a limit")).finalChatCompletion(), { code: "limit" });
  for (const [title, message, code] of [
    ["a failure", "the provider is down", "model"],
    ["a cancel", "cancelled by command", "cancelled"],
  ] as const) {
    const stream = await chat(title);
    await assert.rejects(stream.finalContent(), (error) => {
      assert.ok(error instanceof Error && error.message.includes(message), String(error));
      const cause = error instanceof APIError ? error : error.cause;
      assert.ok(cause instanceof APIError && cause.code === code);
      return true;
    });
  }
});

test("tools, reasoning and approvals are items of a response", async () => {
  const used = await (await respond("tools")).finalResponse();
  const calls = used.output.filter((item) => item.type === "mcp_call");
  assert.deepEqual(
    calls.map(({ name, status, output, arguments: args }) => ({ name, status, output, args })),
    [
      { name: "add", status: "failed", output: null, args: '{"a":"x"}' },
      { name: "add", status: "completed", output: '{"sum":3}', args: '{"a":1,"b":2}' },
    ],
  );
  const thought = await (await respond("reasoning, arguments and progress")).finalResponse();
  assert.deepEqual(
    thought.output.map(({ type }) => type),
    ["reasoning", "mcp_call", "message"],
  );
  const asked = await (await respond("an approval that is given")).finalResponse();
  const request = asked.output.find((item) => item.type === "mcp_approval_request");
  assert.equal(request?.id, "run/1.1.1");
  assert.equal(request?.arguments, '{"path":"notes.txt"}');
  const given = await (await respond("an approval that is given", 2)).finalResponse();
  const done = given.output.find((item) => item.type === "mcp_call");
  assert.equal(done?.output, "erased notes.txt");
});

test("a call is an item of a response once it was made, and not while it waits for a person", async () => {
  for (const [title, made] of [
    ["an approval that is given", ["erase completed"]],
    ["an approval that is refused", []],
    ["an approval of a call that then fails", ["pay failed"]],
    ["an approval that another call waits behind", ["erase completed", "note completed"]],
  ] as const) {
    const asking = await respond(title);
    const added = (await Array.fromAsync(asking)).filter((event) => event.type === "response.output_item.added");
    const asked = (await asking.finalResponse()).output;
    for (const items of [added.map(({ item }) => item), asked]) {
      assert.deepEqual(
        items.map(({ type }) => type),
        ["reasoning", "mcp_approval_request"],
        title,
      );
    }
    const { output } = await (await respond(title, 2)).finalResponse();
    const calls = output.filter((item) => item.type === "mcp_call");
    assert.deepEqual(
      calls.map(({ name, status }) => `${name} ${status}`),
      made,
      title,
    );
  }
});

test("a reply that starts again is once in the response", async () => {
  const { output } = await (await respond("a step that starts again")).finalResponse();
  const texts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  assert.deepEqual(
    texts.map((content) => (content.type === "output_text" ? content.text : "")),
    ["Right by lead", ...["left", "right", "closer"].map((name) => `\n\n${name}: Right by ${name}`)],
  );
});

test("a reply that starts again is once in the whole completion", async () => {
  const { context, events } = await play("a step that starts again");
  const others = ["left", "right", "closer"].map((agent) => `${agent}: Right by ${agent}`);
  const content = ["Right by lead", ...others].join("\n\n");
  assert.partialDeepStrictEqual(collectChat(context, events)?.body, { choices: [{ message: { content } }] });
});

test("what a failed run said is in its response, and said to be incomplete", async () => {
  const { output } = await (await respond("a failure in the middle of a reply")).finalResponse();
  assert.partialDeepStrictEqual(output, [
    { type: "message", status: "incomplete", content: [{ text: "I was" }] },
    { type: "reasoning", status: "incomplete" },
  ]);
});

test("a response that failed or was cut short says so", async () => {
  const failed = await (await respond("a failure")).finalResponse();
  assert.equal(failed.status, "failed");
  assert.equal(failed.error?.message, "the provider is down");
  const limited = await (await respond("a limit")).finalResponse();
  assert.deepEqual([limited.status, limited.error?.code], ["failed", "server_error"]);
  assert.equal((await (await respond("a cancel")).finalResponse()).status, "cancelled");
});

for (const title of SCENES.keys()) {
  test(`the whole answers to ${title} are what the streams add up to`, async () => {
    const { context, events } = await play(title);
    const segments = events.filter(({ type }) => type === "run.paused").length + 1;
    const isRestarted = events.some(({ type }) => type === "step.retried");
    const body = collectResponse(context, events)?.body;
    const streamed: unknown = JSON.parse((await playSegment(responses, title, segments)).at(-1)?.data ?? "");
    assert.partialDeepStrictEqual(streamed, { response: body });
    const chatted = collectChat(context, events);
    assert.ok(chatted);
    if (chatted.isError || isRestarted) return;
    const { choices } = await (await chat(title, segments)).finalChatCompletion();
    const [streamedChoice] = choices;
    assert.ok(streamedChoice);
    const { content } = streamedChoice.message;
    const choice = { message: { content }, finish_reason: streamedChoice.finish_reason };
    assert.partialDeepStrictEqual(chatted.body, { choices: [choice] });
  });
}
