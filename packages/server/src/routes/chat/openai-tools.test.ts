import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { OPENS, PICKS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

function clientOf({ url }: TestServer): OpenAI {
  return new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
}

const SAID = { role: "user", content: "hello" } as const;

/** Answers the question of a chat, and gives the whole answer. */
async function answerChat(client: OpenAI, model: string, contents: readonly string[]) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [SAID];
  let { message } = (await client.chat.completions.create({ model, messages })).choices[0] ?? assert.fail();
  for (const content of contents) {
    const [call] = message.tool_calls ?? [];
    messages.push(message, { role: "tool", tool_call_id: call?.id ?? "", content });
    ({ message } = (await client.chat.completions.create({ model, messages })).choices[0] ?? assert.fail());
  }
  return message;
}

async function outputOf(server: TestServer): Promise<unknown> {
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  return (await sentOf(await server.get(`/api/runs/${runs[0]?.id}/calls/1.1.1`)))["output"];
}

test("a chat completion answers a tool of the client with JSON", async () => {
  await using server = await startTestServer([PICKS]);
  const { content } = await answerChat(clientOf(server), "picks", [' {"colour": "blue"} ']);
  assert.equal(content, "Blue it is.");
  assert.deepEqual(await outputOf(server), { colour: "blue" });
});

test("a response answers a tool of the client with JSON", async () => {
  await using server = await startTestServer([PICKS]);
  const client = clientOf(server);
  const asked = await client.responses.create({ model: "picks", input: "hello" });
  const call = asked.output.find(({ type }) => type === "function_call");
  assert.ok(call?.type === "function_call");
  const answered = await client.responses.create({
    model: "picks",
    previous_response_id: asked.id,
    input: [{ type: "function_call_output", call_id: call.call_id, output: '{"colour":"blue"}' }],
  });
  assert.equal(answered.output_text, "Blue it is.");
  assert.deepEqual(await outputOf(server), { colour: "blue" });
});

for (const [content, output] of [
  ["it is open", "it is open"],
  ["42", 42],
  ['"open"', "open"],
  ["{open", "{open"],
  ["", ""],
] as const)
  test(`a tool without a schema is answered ${JSON.stringify(content)} with ${JSON.stringify(output)}`, async () => {
    await using server = await startTestServer([OPENS]);
    await answerChat(clientOf(server), "opens", ["allow", content]);
    assert.deepEqual(await outputOf(server), output);
  });

for (const [content, message] of [
  ['{"color":"blue"}', /does not fit: colour is missing/],
  ["blue", /does not fit/],
  ['{"colour":"\\u0000"}', /NUL \(U\+0000\) at character 1 is not allowed/],
] as const)
  test(`the result ${content} of a tool of the client is refused with its place`, async () => {
    await using server = await startTestServer([PICKS]);
    const refused = { status: 400, param: "messages.2.content", message };
    await assert.rejects(answerChat(clientOf(server), "picks", [content]), refused);
  });
