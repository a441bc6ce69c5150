import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { findLocalModels } from "./local-models.ts";
import { toOllamaUrl } from "../providers/ollama/ollama-url.ts";
import { serve } from "../testing/harness.ts";

/** Asks an Ollama that answers with this, and gives what it was asked. */
async function ask(answer: unknown, status = 200) {
  const asked: (string | undefined)[] = [];
  await using server = await serve(({ url, headers }, response) => {
    asked.push(url, headers.authorization);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const found = await findLocalModels({ OLLAMA_HOST: server.url, OLLAMA_API_KEY: "k" });
  return { found, asked, url: server.url };
}

test("the smallest and the largest model are told, not those that embed or run elsewhere", async () => {
  const { found, asked, url } = await ask({
    models: [
      { name: "qwen3:8b", size: 5_000 },
      { name: "nomic-embed-text:latest", size: 1 },
      { name: "all-minilm", size: 2, details: { family: "bert" } },
      { name: "gpt-oss:120b-cloud", size: 3, remote_host: "https://ollama.com" },
      { name: "qwen3:1.7b", size: 1_000, details: { family: "qwen3" } },
      { name: "llama3.3:70b", size: 40_000 },
      { size: 90_000 },
    ],
  });
  assert.deepEqual(found, { url, small: "qwen3:1.7b", large: "llama3.3:70b" });
  assert.deepEqual(asked, ["/api/tags", "Bearer k"]);
});

test("one model is both, and nothing useful is no Ollama", async () => {
  const { found, url } = await ask({ models: [{ name: "qwen3", size: 1 }] });
  assert.deepEqual(found, { url, small: "qwen3", large: "qwen3" });
  for (const answer of [{ models: [] }, { models: "none" }, [], "hello", null]) {
    assert.equal((await ask(answer)).found, undefined);
  }
  assert.equal((await ask({ models: [{ name: "qwen3", size: 1 }] }, 500)).found, undefined);
});

test("nobody at the address is no Ollama", async () => {
  assert.equal(await findLocalModels({ OLLAMA_HOST: "http://127.0.0.1:9" }), undefined);
  assert.equal(await findLocalModels({ OLLAMA_HOST: "http://[" }), undefined);
});

/** A clock whose timers go off only by hand. */
function toHandClock() {
  const system = new SystemClock();
  const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
  const clock: Clock = {
    now: () => system.now(),
    monotonic: () => system.monotonic(),
    soon: (run) => system.soon(run),
    breathe: () => system.breathe(),
    random: () => system.random(),
    after: (delayMs, run) => {
      timers.push({ delayMs, run });
      return { cancel: () => undefined };
    },
  };
  return { clock, timers };
}

for (const [how, beginning] of [
  ["never answers", undefined],
  ["stops within its answer", '{"models": ['],
] as const) {
  test(`an Ollama that ${how} is given up after 300 ms, and its connection is closed`, async () => {
    const { clock, timers } = toHandClock();
    const closed = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.on("close", () => closed.resolve());
      if (beginning !== undefined) response.write(beginning);
      for (const { run } of timers) clock.soon(run);
    });
    assert.equal(await findLocalModels({ OLLAMA_HOST: server.url }, clock), undefined);
    await closed.promise;
    assert.deepEqual(
      timers.map(({ delayMs }) => delayMs),
      [300],
    );
  });
}

test("the limit is a time: it passes also if no connection comes about", async () => {
  const clock = new SimulatedClock(1);
  await using server = await serve(() => undefined);
  assert.equal(await clock.run(findLocalModels({ OLLAMA_HOST: server.url }, clock)), undefined);
  assert.deepEqual([clock.monotonic(), clock.pending], [300, 0]);
});

test("OLLAMA_HOST may be an address, a host, or a host and port", () => {
  assert.equal(toOllamaUrl(undefined), "http://127.0.0.1:11434");
  assert.equal(toOllamaUrl(""), "http://127.0.0.1:11434");
  assert.equal(toOllamaUrl("box"), "http://box:11434");
  assert.equal(toOllamaUrl("box:99"), "http://box:99");
  assert.equal(toOllamaUrl("https://box/ollama/"), "https://box/ollama");
});
