/** Embedders speak their providers' formats, check what comes back, and never show a key. */
import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { EMBEDDING_PROVIDERS } from "../choice/choose-model.ts";
import { openEmbedder } from "./embedder.ts";
import { EMBEDDING_FORMATS } from "./embedding-format.ts";
import { failureOf } from "../providers/failure.ts";
import { isRecord } from "../json.ts";
import { serve } from "../testing/harness.ts";

const KEY = "sk-very-secret-key";

interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

/** A server that notes what it is sent, strictly a POST of JSON, and answers or is silent. */
async function startProvider(answer: (sent: Sent) => Answer | undefined) {
  const sent: Sent[] = [];
  const server = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      assert.equal(request.method, "POST");
      assert.match(request.headers["content-type"] ?? "", /^application\/json/);
      const body: unknown = JSON.parse(Buffer.concat(parts).toString());
      const one = { path: request.url ?? "", headers: request.headers, body };
      sent.push(one);
      const said = answer(one);
      if (said === undefined) return;
      const { status = 200, type = "application/json", text } = said;
      response.writeHead(status, { "content-type": type }).end(text);
    });
  });
  const env = {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${server.url}/v1/`,
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: server.url,
    OLLAMA_HOST: server.url,
    OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
  };
  return { sent, env, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const textsOf = (body: unknown): readonly unknown[] => {
  assert.ok(isRecord(body));
  const list = body["input"] ?? body["requests"];
  assert.ok(Array.isArray(list));
  return list;
};

/** Vectors that say which text they are of: its place in the request, and its length. */
const openaiAnswer = ({ body }: Sent): Answer => {
  const data = textsOf(body).map((text, index) => ({
    object: "embedding",
    index,
    embedding: [index + 1, String(text).length],
  }));
  return { text: JSON.stringify({ object: "list", data: data.toReversed(), usage: {} }) };
};

test("OpenAI is asked in its format, and its vectors are put in the order of the texts", async () => {
  await using provider = await startProvider(openaiAnswer);
  const { embed, name } = openEmbedder("openai/text-embedding-3-small", provider.env);
  assert.equal(name, "openai/text-embedding-3-small");
  const vectors = await embed(["one", "three", "Tỷ giá"]);
  assert.deepEqual(
    vectors.map((vector) => [...vector]),
    [
      [1, 3],
      [2, 5],
      [3, 6],
    ],
  );
  const [sent] = provider.sent;
  assert.equal(sent?.path, "/v1/embeddings");
  assert.equal(sent.headers.authorization, `Bearer ${KEY}`);
  assert.deepEqual(sent.body, {
    model: "text-embedding-3-small",
    input: ["one", "three", "Tỷ giá"],
    encoding_format: "float",
  });
});

test("Google is asked in its format, for documents and for queries", async () => {
  await using provider = await startProvider(({ body }) => ({
    text: JSON.stringify({ embeddings: textsOf(body).map((_, index) => ({ values: [index, 1] })) }),
  }));
  const { embed } = openEmbedder("google/gemini-embedding-001", provider.env);
  assert.deepEqual(
    (await embed(["a", "b"])).map((vector) => [...vector]),
    [
      [0, 1],
      [1, 1],
    ],
  );
  await embed(["q"], { purpose: "query" });
  const [documents, query] = provider.sent;
  assert.equal(documents?.path, "/v1beta/models/gemini-embedding-001:batchEmbedContents");
  assert.equal(documents.headers["x-goog-api-key"], KEY);
  const one = (text: string, taskType: string) => ({
    model: "models/gemini-embedding-001",
    content: { parts: [{ text }] },
    taskType,
  });
  assert.deepEqual(documents.body, { requests: [one("a", "RETRIEVAL_DOCUMENT"), one("b", "RETRIEVAL_DOCUMENT")] });
  assert.deepEqual(query?.body, { requests: [one("q", "RETRIEVAL_QUERY")] });
});

test("Ollama is asked in its format, without a key", async () => {
  await using provider = await startProvider(() => ({
    text: JSON.stringify({
      model: "m",
      embeddings: [
        [0.5, -1],
        [2, 3],
      ],
    }),
  }));
  const { embed } = openEmbedder("ollama/nomic-embed-text:latest", provider.env);
  assert.deepEqual(
    (await embed(["a", "b"])).map((vector) => [...vector]),
    [
      [0.5, -1],
      [2, 3],
    ],
  );
  assert.equal(provider.sent[0]?.path, "/api/embed");
  assert.equal(provider.sent[0].headers.authorization, undefined);
  assert.deepEqual(provider.sent[0].body, { model: "nomic-embed-text:latest", input: ["a", "b"] });
});

test("many and long texts are sent in batches, cut to what models read", async () => {
  await using provider = await startProvider(openaiAnswer);
  const { embed } = openEmbedder("openai-compatible/m", provider.env);
  const texts = Array.from({ length: 250 }, (_, index) => `text ${index}`);
  assert.equal((await embed(texts)).length, 250);
  assert.deepEqual(
    provider.sent.map(({ body }) => textsOf(body).length),
    [100, 100, 50],
  );
  const long = `${"x".repeat(5_999)}🎼`;
  const vectors = await embed(Array.from({ length: 11 }, () => long));
  assert.deepEqual(
    vectors.map((vector) => vector[1]),
    Array.from({ length: 11 }, () => 6_000),
  );
  assert.deepEqual(
    provider.sent.slice(3).map(({ body }) => textsOf(body).length),
    [10, 1],
  );
  assert.deepEqual(await embed([]), []);
  await assert.rejects(embed(["a", " "]), { code: "invalid" });
});

test("what is not a list of vectors, one for each text and all alike, is refused", async () => {
  const wrong: readonly [text: string, message: RegExp][] = [
    ["<html>", /not JSON/],
    ["[]", /no embeddings/],
    ["{}", /no embeddings/],
    ['{"embeddings": [[1]]}', /1 vectors came back for 2 texts/],
    ['{"embeddings": [[1, 2], []]}', /not a list of finite numbers/],
    ['{"embeddings": [[1, 2], [1, "2"]]}', /not a list of finite numbers/],
    ['{"embeddings": [[1, 2], [1, 1e99]]}', /not a list of finite numbers/],
    ['{"embeddings": [[1, 2], [0, 0]]}', /not all 0/],
    ['{"embeddings": [[1, 2], null]}', /not a list of finite numbers/],
    ['{"embeddings": [[1, 2], [1, 2, 3]]}', /3 dimensions came back instead of 2/],
  ];
  for (const [text, message] of wrong) {
    await using provider = await startProvider(() => ({ text }));
    const { embed } = openEmbedder("ollama/m", provider.env);
    await assert.rejects(embed(["a", "b"]), { code: "model", message });
  }
  let dimensions = 2;
  await using provider = await startProvider(() => ({
    text: JSON.stringify({ embeddings: [Array.from({ length: dimensions }, () => 1)] }),
  }));
  const { embed } = openEmbedder("ollama/m", provider.env);
  await embed(["a"]);
  dimensions = 3;
  await assert.rejects(embed(["a"]), { message: /3 dimensions came back instead of 2/ });
  for (const data of ['[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]', '[{"index":7,"embedding":[1]},1]']) {
    await using other = await startProvider(() => ({ text: `{"data":${data}}` }));
    await assert.rejects(openEmbedder("openai/m", other.env).embed(["a", "b"]), { code: "model" });
  }
});

test("a provider's refusal says what kind it is, and no error shows the key", async () => {
  const cases: readonly [status: number, kind: string][] = [
    [401, "auth"],
    [429, "rate"],
    [500, "overloaded"],
    [400, "request"],
  ];
  for (const [status, kind] of cases) {
    for (const model of ["openai/m", "google/m"]) {
      const text = JSON.stringify({ error: { message: `wrong key ${KEY}` } });
      await using provider = await startProvider(() => ({ status, text }));
      const error = await openEmbedder(model, provider.env)
        .embed(["a"])
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
      assert.ok(error instanceof BatonError);
      assert.equal(failureOf(error)?.kind, kind);
      assert.ok(!JSON.stringify([error.message, error.cause, error.stack]).includes(KEY));
    }
  }
  const gone = await startProvider(() => ({ text: "" }));
  await gone[Symbol.asyncDispose]();
  await assert.rejects(openEmbedder("openai/m", gone.env).embed(["a"]), { code: "model", message: /no connection/ });
});

test("a key does not follow a redirect", async () => {
  await using other = await startProvider(() => ({ text: "{}" }));
  await using server = await serve((_request, response) =>
    response.writeHead(307, { location: `${other.env.OLLAMA_HOST}/v1/embeddings` }).end(),
  );
  await assert.rejects(openEmbedder("openai/m", { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url }).embed(["a"]), {
    code: "model",
  });
  assert.equal(other.sent.length, 0);
});

test("a provider that is silent fails in time, and a caller that leaves ends the request", async () => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  await using provider = await startProvider(() => {
    asked[count++]?.resolve();
    return undefined;
  });
  const clock = new SimulatedClock(1);
  const { embed } = openEmbedder("ollama/m", provider.env, { clock, timeoutMs: 5_000 });
  const silent = assert.rejects(embed(["a"]), { code: "model", message: /no vectors within 5000 ms/ });
  await asked[0]?.promise;
  await clock.advance(5_000);
  await silent;
  const leaving = new AbortController();
  const left = assert.rejects(embed(["a"], { abort: leaving.signal }), { code: "cancelled" });
  await asked[1]?.promise;
  leaving.abort();
  await left;
  await assert.rejects(embed(["a"], { abort: leaving.signal }), { code: "cancelled" });
  assert.equal(clock.pending, 0);
});

test("a name that is unknown, a key that is missing and an address that cannot be are said at once", () => {
  const cases: readonly [name: string, env: Record<string, string>, message: RegExp][] = [
    ["text-embedding-3-small", {}, /it knows openai\/…, google\/…, ollama\/…/],
    ["anthropic/x", { ANTHROPIC_API_KEY: KEY }, /is not an embedding model Baton knows/],
    ["openai/", { OPENAI_API_KEY: KEY }, /is not an embedding model/],
    ["openai/m", {}, /openai\/m needs a key: set OPENAI_API_KEY/],
    ["google/m", {}, /set GEMINI_API_KEY or GOOGLE/],
    ["openai-compatible/m", {}, /needs an address: set provider_url or OPENAI_COMPATIBLE_BASE_URL/],
    ["openai/m", { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "https://u:p@host" }, /user or a password in it/],
    ["openai/m", { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "no address" }, /OPENAI_BASE_URL is not an address/],
  ];
  for (const [name, env, message] of cases) assert.throws(() => openEmbedder(name, env), { code: "invalid", message });
  assert.deepEqual([...EMBEDDING_FORMATS.keys()], EMBEDDING_PROVIDERS);
});
