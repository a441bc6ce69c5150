import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { RELAY } from "../../testing/crews.ts";
import { GIF_PICTURE, PICTURES } from "../../testing/pictures.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const BEGUN = z.object({
  events: z.array(z.looseObject({ type: z.string(), input: z.unknown().optional(), images: z.unknown().optional() })),
});

/** A request of each route that takes what a user says, with these pictures and this text. */
function requestsOf(pictures: readonly string[], text: string) {
  const urls = pictures.map((data) => `data:image/png;base64,${data}`);
  const texts = text === "" ? [] : [{ type: "text", text }];
  const chat = [...texts, ...urls.map((url) => ({ type: "image_url", image_url: { url } }))];
  const input = [
    ...texts.map((part) => ({ ...part, type: "input_text" })),
    ...urls.map((url) => ({ type: "input_image", image_url: url })),
  ];
  const files = [...texts, ...urls.map((url) => ({ type: "file", url, mediaType: "image/png" }))];
  const agui = [
    ...texts,
    ...pictures.map((value) => ({ type: "image", source: { type: "data", value, mimeType: "image/png" } })),
  ];
  const images = pictures.map((data) => ({ data, media_type: "image/png" }));
  const thread = { threadId: crypto.randomUUID(), runId: "r" };
  return [
    ["/api/runs", { ...(text === "" ? {} : { input: text }), images }, "images", "images.0.data"],
    [
      "/v1/chat/completions",
      { model: "relay", messages: [{ role: "user", content: chat }] },
      "messages.0.content",
      "messages.0.content.0.image_url.url",
    ],
    [
      "/v1/responses",
      { model: "relay", input: [{ role: "user", content: input }] },
      "input.0.content",
      "input.0.content.0.image_url",
    ],
    [
      "/api/chat",
      { id: crypto.randomUUID(), messages: [{ role: "user", parts: files }] },
      "messages.0.parts",
      "messages.0.parts.0.url",
    ],
    [
      "/api/agui",
      { ...thread, messages: [{ role: "user", content: agui }] },
      "messages.0.content",
      "messages.0.content.0.source.value",
    ],
  ] as const;
}

/** Returns the input and history of a run. */
async function beginningOf(server: TestServer, answer: Response) {
  const path = `/api/runs/${answer.headers.get("x-run-id")}/events`;
  const { events } = BEGUN.parse(await (await server.get(path, { Accept: "application/json" })).json());
  const [first] = events;
  return { input: first?.input, images: first?.images };
}

test("text and images, or images alone, begin a run on every route, with the type that the bytes have", async () => {
  await using server = await startTestServer([RELAY]);
  const images = Object.entries(PICTURES).map(([mediaType, data]) => ({ mediaType, data }));
  for (const text of ["What is this?", ""]) {
    for (const [path, body] of requestsOf(Object.values(PICTURES), text)) {
      const answer = await server.post(path, body);
      assert.ok(answer.ok, `${path} ${answer.status}`);
      await answer.text();
      assert.deepEqual(await beginningOf(server, answer), { input: text, images }, path);
    }
  }
});

test("a picture that is none, or one too many, is refused on every route with its field, and no run begins", async () => {
  await using server = await startTestServer([RELAY]);
  const png = PICTURES["image/png"];
  for (const [pictures, why] of [
    [[GIF_PICTURE], "is not a png, jpeg or webp picture"],
    [[png, png, png, png, png], /has (?:more than 4 items|5 images, at most 4 are allowed)/],
  ] as const) {
    for (const [path, body, list, item] of requestsOf(pictures, "")) {
      const answer = await server.post(path, body);
      const text = await answer.text();
      assert.equal(answer.status, 400, path);
      assert.ok(text.includes(pictures.length > 1 ? list : item), text);
      assert.match(text, new RegExp(why));
    }
  }
  assert.deepEqual(await (await server.get("/api/runs")).json(), { runs: [] });
});

test("a body with images may be four times as large as another, on every route", async () => {
  await using server = await startTestServer([RELAY], { maxBodyBytes: 1_000 });
  const padding = (size: number) => "x".repeat(size);
  for (const [path, body] of requestsOf([PICTURES["image/png"]], "")) {
    const answer = await server.post(path, { ...body, padding: padding(3_000) });
    assert.ok(answer.ok, `${path} ${answer.status}`);
    await answer.text();
    assert.equal((await server.post(path, { ...body, padding: padding(4_000) })).status, 413, path);
  }
  const stream = await server.post("/api/crew/stream", { query: "hello", padding: padding(1_000) });
  assert.equal(stream.status, 413);
});
