/** Long JSON answers are compressed for clients elsewhere that accept it, and for no others. */
import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { acceptsGzip, compressing, isLoopbackAddress, sendParts } from "./compress.ts";
import type { GatewayEnv } from "./gateway-env.ts";

const LONG = { runs: Array.from({ length: 5_000 }, (_, index) => ({ id: `run-${index}` })) };

/** An answer to a client at an address, as it is on the wire. */
async function ask(path: string, { address = "10.0.0.7", encodings = "br, gzip" } = {}): Promise<Response> {
  const app = new Hono<GatewayEnv>();
  app.use(compressing);
  app.get("/long", (c) => c.json(LONG, 200, { "X-Kept": "yes" }));
  app.get("/short", (c) => c.json({ ok: true }));
  app.get("/text", (c) => c.text("x".repeat(100_000)));
  return app.request(path, { headers: { "Accept-Encoding": encodings } }, { address });
}

test("a long list is sent as gzip, and is the same when it is unpacked", async () => {
  const answer = await ask("/long");
  assert.deepEqual(
    ["content-encoding", "vary", "x-kept", "content-type"].map((name) => answer.headers.get(name)),
    ["gzip", "Accept-Encoding", "yes", "application/json"],
  );
  const packed = await answer.blob();
  assert.ok(packed.size < JSON.stringify(LONG).length / 4);
  const text = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  assert.deepEqual(JSON.parse(text), LONG);
});

test("short answers, other types, loopback and clients that do not accept it get plain bytes", async () => {
  const answers = [
    await ask("/short"),
    await ask("/text"),
    await ask("/long", { address: "127.0.0.1" }),
    await ask("/long", { address: "::ffff:127.0.0.1" }),
    await ask("/long", { encodings: "br" }),
    await ask("/long", { encodings: "gzip;q=0" }),
  ];
  for (const answer of answers) assert.equal(answer.headers.get("content-encoding"), null);
  assert.deepEqual(await answers[0]?.json(), { ok: true });
  assert.deepEqual(await answers[2]?.json(), LONG);
});

/** Returns the bytes that a client's connection receives, headers included. */
async function write(chars: number, { address = "10.0.0.7", encodings = "gzip" } = {}) {
  const outgoing = Object.assign(new PassThrough(), { writeHead: (_: number, given: object) => (headers = given) });
  let headers: object = {};
  const app = new Hono<GatewayEnv>();
  app.get("/", async (c) => {
    await sendParts(c, Readable.from(["[", '"x"', "]"]), { chars, headers: { "Content-Type": "application/json" } });
    return c.body(null);
  });
  const env = { address, outgoing };
  const sent = buffer(outgoing);
  await app.request("/", { headers: { "Accept-Encoding": encodings } }, env);
  return { headers, bytes: await sent };
}

test("a list that is written part by part is packed if it is long, and for clients elsewhere only", async () => {
  const packed = await write(40_000);
  assert.partialDeepStrictEqual(packed.headers, { "Content-Encoding": "gzip", Vary: "Accept-Encoding" });
  assert.equal(gunzipSync(packed.bytes).toString(), '["x"]');
  for (const plain of [
    await write(100),
    await write(40_000, { address: "::1" }),
    await write(40_000, { encodings: "br" }),
  ]) {
    assert.deepEqual(plain.headers, { "Content-Type": "application/json" });
    assert.equal(plain.bytes.toString(), '["x"]');
  }
});

test("headers and addresses are read as they are written", () => {
  assert.deepEqual([undefined, "", "GZIP ; q=0.5", "deflate,gzip", "gzipped"].map(acceptsGzip), [
    false,
    false,
    true,
    true,
    false,
  ]);
  assert.deepEqual(["127.0.0.2", "::1", "10.1.2.3", "::ffff:10.0.0.1"].map(isLoopbackAddress), [
    true,
    true,
    false,
    false,
  ]);
});
