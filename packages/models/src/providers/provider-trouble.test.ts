import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { failureOf } from "./failure.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { hear, newScope, serve, toPrompt } from "../testing/harness.ts";
import type { Timeouts } from "./call-timer.ts";

const PROVIDERS = [
  "openai/gpt-5-mini",
  "openai-chat/gpt-4o",
  "openai-compatible/m",
  "anthropic/claude",
  "google/gemini",
  "ollama/qwen3",
];
const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "sk-secret-key"]));

const resolve = (name: string, url: string, timeouts: Partial<Timeouts> = {}) =>
  new ModelRegistry({ keys, timeouts }).resolve({ name, url });

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

/** Two words of a chat completion, and no end. */
function beginToSpeak(response: ServerResponse): void {
  begin(response);
  for (const content of ["Hello", " there"]) {
    response.write(
      `data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`,
    );
  }
}

test("a web page with status 200 is not taken for an empty answer, by any provider", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<html>Welcome to the hotel</html>");
  });
  for (const name of PROVIDERS) {
    const { error, text } = await hear(resolve(name, server.url));
    assert.equal(text, "", name);
    assert.equal(failureOf(error)?.kind, "malformed", name);
    assert.equal(error?.retryable, false, name);
  }
});

test("a redirect to another origin is refused: the prompt does not follow, with any provider", async () => {
  let followed = 0;
  await using other = await serve((_, response) => {
    followed++;
    response.end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await serve((_, response) => {
      response.writeHead(status, { location: `${other.url}/v1?token=secret` });
      response.end();
    });
    for (const name of PROVIDERS) {
      const { error } = await hear(resolve(name, server.url));
      assert.equal(error?.retryable, false, name);
      assert.equal(failureOf(error)?.kind, "request", name);
      assert.ok(
        error.message.includes(`(HTTP ${status}): it redirects to ${other.url}, and Baton follows no`),
        error.message,
      );
      assert.ok(!error.message.includes("secret"), error.message);
    }
  }
  assert.equal(followed, 0);
});

test("a stream that ends before the reply does is malformed and may be tried again", async () => {
  await using server = await serve((_, response) => {
    beginToSpeak(response);
    response.end();
  });
  const { error, text } = await hear(resolve("openai-compatible/m", server.url));
  assert.equal(text, "Hello there");
  assert.equal(failureOf(error)?.kind, "malformed");
  assert.equal(error?.retryable, true);
});

test("a socket lost in the middle of a reply is a network failure that may be tried again", async () => {
  await using server = await serve((_, response) => {
    beginToSpeak(response);
    setTimeout(() => response.destroy(), 20);
  });
  const { error, text } = await hear(resolve("openai-compatible/m", server.url));
  assert.equal(text, "Hello there");
  assert.equal(failureOf(error)?.kind, "network");
  assert.equal(error?.retryable, true);
});

test("an empty answer is malformed, by every provider", async () => {
  await using server = await serve((_, response) => {
    begin(response);
    response.end();
  });
  for (const name of PROVIDERS) {
    const { error } = await hear(resolve(name, server.url));
    assert.equal(failureOf(error)?.kind, "malformed", name);
  }
});

test("how long a provider asks to be left alone is known, in seconds, milliseconds or by a date, for every provider", async () => {
  const clock = new SimulatedClock(1);
  const date = new Date(Math.ceil(clock.now() / 1_000) * 1_000 + 9_000);
  const cases: readonly (readonly [status: number, headers: Record<string, string>, ms: number | undefined])[] = [
    [429, { "retry-after": "7" }, 7_000],
    [503, { "retry-after": date.toUTCString() }, date.getTime() - clock.now()],
    [529, { "retry-after-ms": "250", "retry-after": "1" }, 250],
    [500, {}, undefined],
  ];
  for (const [status, headers, ms] of cases) {
    await using server = await serve((_, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end('{"error":{"message":"later"}}');
    });
    for (const name of PROVIDERS) {
      const { error } = await hear(resolve(name, server.url), toPrompt(), Scope.root({ clock }));
      assert.deepEqual([error?.retryable, error?.retryAfterMs], [true, ms], `${name} ${status}`);
    }
  }
});

test("each silence has its own limit, and passing it closes the socket", async (t) => {
  const waiting: [limit: keyof Timeouts, handler: (response: ServerResponse) => void, words: RegExp][] = [
    ["connectMs", () => undefined, /no response/],
    ["firstChunkMs", begin, /nothing in the response/],
    ["betweenChunksMs", beginToSpeak, /fell silent/],
    ["totalMs", beginToSpeak, /did not end/],
  ];
  for (const [limit, handler, words] of waiting) {
    await t.test(limit, async () => {
      const closed = Promise.withResolvers<void>();
      let wasAsked = false;
      await using server = await serve((_, response) => {
        wasAsked = true;
        response.on("close", closed.resolve);
        handler(response);
      });
      const { error } = await hear(resolve("openai-compatible/m", server.url, { [limit]: 40 }));
      assert.equal(failureOf(error)?.kind, "timeout");
      assert.equal(error?.retryable, true);
      assert.match(error?.message ?? "", words);
      // On a busy machine the time may be over before the request arrives.
      if (wasAsked) await closed.promise;
    });
  }
});

test("a server that sends a byte now and then does not keep a call alive", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve((_, response) => {
    beginToSpeak(response);
    const timer = setInterval(() => response.write(":"), 10);
    response.on("close", () => {
      clearInterval(timer);
      closed.resolve();
    });
  });
  const { error } = await hear(resolve("openai-compatible/m", server.url, { betweenChunksMs: 100 }));
  assert.match(error?.message ?? "", /fell silent within 100 ms/);
  await closed.promise;
});

test("a cancel closes the socket and the reply ends with the reason, for every provider", async () => {
  for (const name of PROVIDERS) {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.on("close", closed.resolve);
      begin(response);
      asked.resolve();
    });
    const scope = newScope();
    const reply = hear(resolve(name, server.url), toPrompt(), scope);
    await asked.promise;
    await scope.cancel(new BatonError("cancelled", "the user left"));
    assert.equal((await reply).error?.message, "the user left", name);
    await closed.promise;
  }
});

test("leaving a reply before its end closes the socket", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve((_, response) => {
    response.on("close", closed.resolve);
    beginToSpeak(response);
  });
  const scope = newScope();
  for await (const chunks of resolve("openai-compatible/m", server.url).stream(toPrompt(), scope)) {
    assert.ok(chunks.length > 0);
    break;
  }
  await closed.promise;
  assert.equal(scope.open, 0);
});

test("what one network read brings comes in one batch", async () => {
  await using server = await serve((_, response) => {
    begin(response);
    const words = Array.from(
      { length: 50 },
      (_one, index) =>
        `data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices: [{ index: 0, delta: { content: `${index} ` } }] })}\n\n`,
    );
    const end = `data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
    response.end(words.join("") + end);
  });
  const { batches, chunks } = await hear(resolve("openai-compatible/m", server.url));
  assert.equal(chunks.filter(({ type }) => type === "text").length, 50);
  assert.ok(batches.length <= 5, `${batches.length} batches`);
});

test("the socket of one call serves the next", async () => {
  const sockets = new Set<unknown>();
  await using server = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('{"done":true}\n');
  });
  const model = resolve("ollama/qwen3", server.url);
  for (let call = 1; call <= 3; call++) assert.equal((await hear(model)).error, undefined);
  assert.equal(sockets.size, 1);
});

test("a connection that is refused is a network failure", async () => {
  const server = await serve(() => undefined);
  await server[Symbol.asyncDispose]();
  const { error } = await hear(resolve("ollama/qwen3", server.url));
  assert.equal(failureOf(error)?.kind, "network");
});
