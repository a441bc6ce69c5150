import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parseRetryAfter, toClientError } from "./client-error.ts";

suite("an answer that is an error", () => {
  test("a problem gives its code, its sentence and what is wrong by field", async () => {
    const problems = [{ field: "input", message: "must not be empty" }];
    const body = JSON.stringify({ type: "about:blank", code: "invalid", detail: "See input.", problems });
    const error = await toClientError(new Response(body, { status: 400, headers: { "Retry-After": "2" } }));
    const { code, message, status, retryAfterMs } = error;
    assert.deepEqual(
      { code, message, status, retryAfterMs },
      { code: "invalid", message: "See input.", status: 400, retryAfterMs: 2_000 },
    );
    assert.deepEqual(error.problems, problems);
    assert.equal(error.isPassing, false);
  });

  for (const body of [
    "",
    "<html>",
    "null",
    "[]",
    '{"code":7,"detail":[],"problems":{}}',
    '{"problems":[1,{"field":1}]}',
  ]) {
    test(`${JSON.stringify(body)} gives the status and nothing else`, async () => {
      const error = await toClientError(new Response(body, { status: 502, statusText: "Bad Gateway" }));
      assert.equal(error.message, "The server answered 502 Bad Gateway");
      assert.deepEqual(
        [error.code, error.problems, error.retryAfterMs, error.isPassing],
        ["http", [], undefined, true],
      );
    });
  }
});

suite("Retry-After", () => {
  const now = Date.parse("Thu, 01 Jan 2026 00:00:00 GMT");
  for (const [header, expected] of [
    [null, undefined],
    ["0", 0],
    ["3", 3_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
  ] as const) {
    test(`${header} asks for ${expected} ms`, () => assert.equal(parseRetryAfter(header, now), expected));
  }
});
