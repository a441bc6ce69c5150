import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { type FailureKind, failureOf, toModelError } from "./failure.ts";

const NOW = Date.UTC(2026, 0, 1);
const toError = (thrown: unknown): BatonError =>
  toModelError(thrown, { model: "openai/x", secrets: ["sk-secret-key"], now: NOW });
const http = (statusCode: number, responseBody = "", responseHeaders = {}): Error =>
  Object.assign(new Error("refused"), { statusCode, responseBody, responseHeaders });

const CASES: readonly (readonly [what: string, thrown: unknown, kind: FailureKind, retryable: boolean])[] = [
  ["401", http(401), "auth", false],
  [
    "Google's wrong key",
    http(400, '{"error":{"message":"API key not valid. Please pass a valid API key."}}'),
    "auth",
    false,
  ],
  ["OpenAI's empty account", http(429, '{"error":{"code":"insufficient_quota"}}'), "quota", false],
  ["Anthropic's empty account", http(400, "Your credit balance is too low to access the API"), "quota", false],
  ["Google's daily quota", http(429, '{"quotaId":"GenerateRequestsPerDayPerProject"}'), "quota", false],
  ["429", http(429), "rate", true],
  ["500", http(500), "overloaded", true],
  ["529", http(529), "overloaded", true],
  ["an overload in mid-stream", { type: "overloaded_error", message: "Overloaded" }, "overloaded", true],
  ["504", http(504), "timeout", true],
  ["OpenAI's context", http(400, '{"error":{"code":"context_length_exceeded"}}'), "context", false],
  ["Anthropic's context", http(400, "prompt is too long: 250000 tokens > 200000 maximum"), "context", false],
  ["Google's context", http(400, "The input token count (9) exceeds the maximum number of tokens"), "context", false],
  ["a content rule", http(400, '{"error":{"code":"content_filter"}}'), "filter", false],
  ["an unknown model", http(404), "request", false],
  ["a refused connection", Object.assign(new Error("no"), { cause: { code: "ECONNREFUSED" } }), "network", true],
  [
    "a socket lost after a good start",
    Object.assign(new Error("no"), { statusCode: 200, cause: { code: "UND_ERR_SOCKET" } }),
    "network",
    true,
  ],
  ["a connect timeout", Object.assign(new Error("no"), { code: "UND_ERR_CONNECT_TIMEOUT" }), "timeout", true],
  ["text that is not JSON", Object.assign(new Error("bad"), { name: "AI_JSONParseError" }), "malformed", true],
  ["nothing known", "boom", "request", false],
  ["undefined", undefined, "request", false],
];

for (const [what, thrown, kind, retryable] of CASES) {
  test(`${what} is ${kind} and ${retryable ? "may pass" : "will not pass"}`, () => {
    const error = toError(thrown);
    assert.equal(error.code, "model");
    assert.equal(failureOf(error)?.kind, kind);
    assert.equal(error.retryable, retryable);
  });
}

test("how long to wait is read from the headers, as seconds, milliseconds or a date, and from Google's body", () => {
  assert.equal(toError(http(429, "", { "retry-after": "7" })).retryAfterMs, 7_000);
  assert.equal(toError(http(429, "", { "retry-after-ms": "1500", "retry-after": "2" })).retryAfterMs, 1_500);
  assert.equal(toError(http(429, "", { "retry-after": new Date(NOW + 4_000).toUTCString() })).retryAfterMs, 4_000);
  assert.equal(toError(http(429, '{"details":[{"retryDelay": "37s"}]}')).retryAfterMs, 37_000);
  assert.equal(toError(http(429, '{"retryDelay')).retryAfterMs, undefined);
});

test("no message shows the key, however the provider repeats it", () => {
  const error = toError(
    Object.assign(new Error("Incorrect API key: sk-secret-key (sk-secret-key)"), { statusCode: 401 }),
  );
  assert.ok(!JSON.stringify([error.message, error.cause]).includes("secret"));
  assert.match(error.message, /\*\*\*/);
});

test("an error that is already classed stays as it is", () => {
  const error = new BatonError("cancelled", "stopped");
  assert.equal(toError(error), error);
});
