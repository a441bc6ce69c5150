import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { ModelRegistry } from "../../choice/model-registry.ts";
import { hear, type Heard, newScope, serve, toPrompt } from "../../testing/harness.ts";
import { REPLIES, type StreamEvent, toStream } from "../../testing/streams.ts";
import { failureOf } from "../failure.ts";

const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "k"]));

/** Reads a reply that a provider sends as these bytes, in pieces of so many. */
async function read(name: string, bytes: string, pieceBytes = 1_000): Promise<Heard> {
  const buffer = Buffer.from(bytes);
  await using server = await serve((_, response) => {
    const isLines = name.startsWith("ollama/");
    response.writeHead(200, { "content-type": isLines ? "application/x-ndjson" : "text/event-stream" });
    for (let from = 0; from < buffer.length; from += pieceBytes)
      response.write(buffer.subarray(from, from + pieceBytes));
    response.end();
  });
  return await hear(new ModelRegistry({ keys }).resolve({ name, url: server.url }));
}

const notesOf = ({ chunks }: Heard) => chunks.filter((chunk) => chunk.type === "note");
const inserted = (events: readonly StreamEvent[], more: readonly StreamEvent[]): readonly StreamEvent[] => [
  ...events.slice(0, 1),
  ...more,
  ...events.slice(1),
];

for (const [name, events] of REPLIES) {
  const [provider = ""] = name.split("/", 1);

  test(`${name}: events of an unknown type are skipped, with one note a step`, async () => {
    const plain = await read(name, toStream(name, events));
    assert.deepEqual([plain.error, plain.text, notesOf(plain)], [undefined, "Well.", []]);
    const news = [{ type: "brand.new", data: { text: "no" } }, { type: "brand.new" }, { type: "other.new" }];
    for (const pieceBytes of [1, 10_000]) {
      const heard = await read(name, toStream(name, inserted(events, news)), pieceBytes);
      assert.deepEqual([heard.error, heard.text], [undefined, "Well."]);
      const data = { provider, type: "brand.new", count: 3 };
      assert.deepEqual(notesOf(heard), [{ type: "note", kind: "provider.unknown_event", data }]);
    }
  });

  test(`${name}: bytes that are no event are an invalid answer`, async () => {
    for (const bytes of ["data: this is not JSON\n\n", "data: 7\n\n", "Service temporarily unavailable\n\n"]) {
      const own = name.startsWith("ollama/") ? bytes.replace("data: ", "") : bytes;
      const { error } = await read(name, toStream(name, events.slice(0, 1)) + own + toStream(name, events.slice(1)));
      assert.deepEqual([failureOf(error)?.kind, error?.retryable], ["malformed", true], bytes);
    }
  });

  test(`${name}: an event that is longer than any reply may be is not read to its end, and what was read is paid`, async () => {
    const piece = "x".repeat(64 * 1_024);
    let written = 0;
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(name.startsWith("ollama/") ? '{"message":{"content":"' : 'data: {"text":"');
      const write = (): void => {
        while (written < 50 * 1_024 * 1_024 && !response.destroyed) {
          written += piece.length;
          if (!response.write(piece)) {
            response.once("drain", write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const crew = defineCrew({ name: "shop", agents: [{ id: "clerk" }] });
    const agent = crew.agents.get("clerk");
    assert.ok(agent);
    const models = new ModelRegistry({ keys, ledger: new MemoryLedger(new SimulatedClock(1)) });
    const model = models.forAgent({ model: { name, url: server.url }, caller: { agent, crew } });
    const limits = { maxTokens: 200_000 };
    const { error } = await hear(model, toPrompt({ limits, maxChars: 64 * 1_024 }), newScope());
    assert.equal(error?.code, "output_too_long", error?.message);
    assert.ok(written < 8 * 1_024 * 1_024, `${written} bytes`);
    const refused = await hear(model, toPrompt({ limits, messages: [{ role: "user", content: "x".repeat(600_000) }] }));
    const paid = Number(/and (\d+) of/.exec(refused.error?.message ?? "")?.[1]);
    assert.ok(paid > 64 * 1_024 && paid < 200_000, `${paid} tokens`);
  });
}

test("Anthropic's blocks and deltas of an unknown type are skipped whole", async () => {
  const name = "anthropic/claude-haiku-4-5";
  const block = [
    { type: "content_block_start", index: 7, content_block: { type: "hologram", data: "x" } },
    { type: "content_block_delta", index: 7, delta: { type: "hologram_delta", data: "x" } },
    { type: "content_block_stop", index: 7 },
  ];
  const events = inserted(REPLIES.get(name) ?? [], block);
  const delta = { type: "content_block_delta", index: 0, delta: { type: "mood_delta", mood: "good" } };
  const heard = await read(name, toStream(name, [...events.slice(0, 5), delta, ...events.slice(5)]));
  assert.deepEqual([heard.error, heard.text], [undefined, "Well."]);
  assert.deepEqual(notesOf(heard)[0]?.data, { provider: "anthropic", type: "hologram", count: 4 });
});

test("comments, events without data, carriage returns and a last event without its empty line are fine", async () => {
  const name = "openai-compatible/m";
  const plain = toStream(name, (REPLIES.get(name) ?? []).slice(0, 2));
  const bytes = `: keep-alive\n\nevent: ping\nid: 3\nretry: 10\n\n${plain}`.replaceAll("\n", "\r\n").trimEnd();
  const heard = await read(name, bytes, 7);
  assert.deepEqual([heard.error, heard.text, notesOf(heard)], [undefined, "Well.", []]);
});

test("the message of an error is read up to 64 KB", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(500, { "content-type": "application/json" });
    response.end(`{"error":{"message":"${"x".repeat(5_000_000)}"}}`);
  });
  for (const name of REPLIES.keys()) {
    const { error } = await hear(new ModelRegistry({ keys }).resolve({ name, url: server.url }));
    assert.equal(failureOf(error)?.status, 500, name);
    assert.ok((error?.message.length ?? 0) < 1_000);
  }
});
