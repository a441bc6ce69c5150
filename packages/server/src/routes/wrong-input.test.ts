import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { RELAY } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

/** The words of the schema library, which are for programmers and change with it. */
const FOREIGN = /Invalid|[Ee]xpected|received|undefined|NaN|\[object/;

const OPENAPI = z.object({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) });

async function pathsOf(server: TestServer, method: "get" | "post"): Promise<readonly (readonly [string, unknown])[]> {
  const { paths } = OPENAPI.parse(await (await server.get("/openapi.json")).json());
  return Object.entries(paths).flatMap(([path, methods]) => {
    const operation = methods[method];
    const described = method === "get" ? operation?.["parameters"] : operation?.["requestBody"];
    return described === undefined ? [] : [[path.replace("{id}", "nobody"), described] as const];
  });
}

/** The names of fields, and the values that fields may have, anywhere in a description. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...wordsOf(part)]);
}

/** Values that are nearly right: the words of a route, in any place. */
function nearly(words: readonly string[]): fc.Arbitrary<unknown> {
  const word = fc.constantFrom(...words);
  const odd = fc.constantFrom<unknown>(null, 0, -1, 1.5, 1e300, true, "", " ", "a b", "\0", "hello", "x".repeat(200));
  return fc.letrec<{ readonly value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      odd,
      word,
      fc.dictionary(word, tie("value"), { maxKeys: 6 }),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  })).value;
}

async function checkRefusal(answer: Response, sent: string): Promise<void> {
  if (answer.ok) return answer.body?.cancel();
  const text = await answer.text();
  assert.ok(answer.status < 500, `${sent}: ${text}`);
  assert.doesNotMatch(text, FOREIGN, sent);
  if (answer.status === 400) assert.match(text, /"(field|param)":"[^"]/, sent);
}

test("whatever is sent as a body, what is wrong with it is said by field and in our words", async () => {
  await using server = await startTestServer([RELAY]);
  for (const [path, body] of await pathsOf(server, "post")) {
    const objects = fc.dictionary(fc.constantFrom(...wordsOf(body)), nearly(wordsOf(body)), { maxKeys: 8 });
    await fc.assert(
      fc.asyncProperty(objects, async (value) => checkRefusal(await server.post(path, value), JSON.stringify(value))),
      { numRuns: 30 },
    );
  }
});

test("whatever is sent in a URL, what is wrong with it is said by field and in our words", async () => {
  await using server = await startTestServer([RELAY]);
  for (const [path, parameters] of await pathsOf(server, "get")) {
    const word = fc.oneof(fc.constantFrom(...wordsOf(parameters)), fc.string({ maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(word, word, { maxKeys: 5 }), async (query) =>
        checkRefusal(await server.get(`${path}?${new URLSearchParams(query)}`), JSON.stringify(query)),
      ),
      { numRuns: 10 },
    );
  }
});

test("every field that is wrong is named, with what it must be", async () => {
  await using server = await startTestServer([RELAY]);
  const user = (content: unknown) => ({ messages: [{ role: "user", content }] });
  const agui = { threadId: "t", runId: "r" };
  const kinds = "must be text or image";
  const address = "must be base64, or data:image/TYPE;base64,DATA: URLs are not fetched";
  const notBase64 = "is not base64: remove spaces, line breaks and other characters";
  const notImage = "is not a png, jpeg or webp picture: its first bytes are those of another format";
  const table = [
    ["/api/runs", {}, "input: is missing"],
    ["/api/runs", { input: " \n" }, "input: has only spaces"],
    ["/api/runs", { input: ["a"] }, "input: must be a text, not a list"],
    ["/api/runs", { input: "a", limits: { max_usd: "1" } }, 'limits.max_usd: must be a number, not "1"'],
    ["/api/runs", { input: "a", limits: { max_secs: 1 } }, "limits: has unknown fields: max_secs"],
    [
      "/api/crew/stream",
      { query: "a", history: [{ content: "b" }] },
      "history.0.role: is missing: it must be user, assistant or system",
    ],
    ["/v1/chat/completions", { model: "relay" }, "messages: is missing"],
    ["/v1/chat/completions", { model: "relay", messages: [] }, "messages: must end with a message from the user"],
    ["/v1/chat/completions", { model: "relay", ...user(" ") }, "messages.0.content: has only spaces"],
    [
      "/v1/chat/completions",
      { model: "relay", ...user(7) },
      "messages.0.content: must be a text, a list or null, not 7",
    ],
    [
      "/v1/chat/completions",
      { model: "relay", ...user([{ type: "file" }]) },
      'messages.0.content.0.type: must be text, refusal or image_url, not "file"',
    ],
    [
      "/v1/chat/completions",
      { model: "relay", ...user([{ type: "image_url", image_url: { url: "https://a/b.png" } }]) },
      `messages.0.content.0.image_url.url: ${address}`,
    ],
    [
      "/v1/responses",
      {
        model: "relay",
        input: [{ role: "user", content: [{ type: "input_image", image_url: "data:image/png;base64,?" }] }],
      },
      `input.0.content.0.image_url: ${notBase64}`,
    ],
    ["/v1/responses", { model: "nobody", input: "a" }, "model: there is no model nobody"],
    ["/v1/responses", { model: "relay" }, "input: is missing"],
    ["/v1/responses", { model: "relay", input: "" }, "input: is empty"],
    ["/v1/responses", { model: "relay", input: [{ role: "user", content: "" }] }, "input.0.content: is empty"],
    [
      "/v1/responses",
      { model: "relay", input: [{ type: "message", role: "me", content: "a" }] },
      'input.0.role: must be user, assistant, system or developer, not "me"',
    ],
    [
      "/v1/responses",
      { model: "relay", input: [{ type: "magic" }] },
      'input.0.type: must be message, mcp_approval_response, function_call_output, reasoning, mcp_call, mcp_approval_request, function_call or item_reference, not "magic"',
    ],
    [
      "/api/chat",
      {
        id: "c",
        messages: [
          { role: "user", parts: [{ type: "file", url: "data:text/plain;base64,YQ==", mediaType: "text/plain" }] },
        ],
      },
      `messages.0.parts.0.url: ${notImage}`,
    ],
    [
      "/api/chat",
      { id: "c", messages: [{ role: "user", parts: [{ type: "data-x" }, { type: "video" }] }] },
      'messages.0.parts.1.type: must be text or file, not "video"',
    ],
    [
      "/v1/chat/completions",
      { model: "relay", messages: [{ role: "tool", content: "allow", tool_call_id: "nobody" }] },
      "messages.0.tool_call_id: there is no question nobody",
    ],
    [
      "/api/agui",
      { ...agui, messages: [], resume: [{ interruptId: "nobody", status: "resolved", payload: "allow" }] },
      "resume.0.interruptId: there is no question nobody",
    ],
    ["/api/agui", { ...agui, messages: [{ role: "user" }] }, "messages.0.content: is empty"],
    ["/api/agui", { ...agui, ...user("") }, "messages.0.content: is empty"],
    [
      "/api/agui",
      { ...agui, ...user([{ type: "text", text: "a" }, { type: "audio" }]) },
      `messages.0.content.1.type: ${kinds}, not "audio"`,
    ],
    ["/api/agui", { ...agui, ...user([{ type: "text" }]) }, "messages.0.content.0.text: is missing"],
    [
      "/api/agui",
      { ...agui, ...user([{ type: "image", source: { type: "file", value: "f" } }]) },
      'messages.0.content.0.source.type: must be data or url, not "file"',
    ],
    [
      "/api/agui",
      { ...agui, ...user([{ type: "image", source: { type: "data", value: "a b", mimeType: "image/png" } }]) },
      `messages.0.content.0.source.value: ${notBase64}`,
    ],
    ["/api/runs", { input: "a", images: [{ data: "YQ==" }] }, `images.0.data: ${notImage}`],
    ["/api/runs", { images: [] }, "input: is missing"],
    ["/api/runs", { input: " ", images: [] }, "input: has only spaces"],
    ["/api/runs", { images: "a" }, 'images: must be a list, not "a"'],
    ["/api/runs", { images: [{}] }, "images.0.data: is missing"],
    ["/api/runs", { images: Array.from({ length: 5 }, () => ({})) }, "images: has more than 4 items"],
  ] as const;
  for (const [path, body, problem] of table) {
    const answer = await server.post(path, body);
    assert.equal(answer.status, problem.endsWith("nobody") ? 404 : 400, `${path} ${JSON.stringify(body)}`);
    const { problems, error } = await sentOf(answer);
    const { message } = z.object({ message: z.string() }).catch({ message: "" }).parse(error);
    const said = problems?.map(({ field, message: why }) => `${field}: ${why}`) ?? message.split("\n");
    assert.ok(said.includes(problem), `${said.join("\n")} has not ${problem}`);
  }
  assert.deepEqual((await sentOf(await server.get("/api/runs")))["runs"], []);
});
