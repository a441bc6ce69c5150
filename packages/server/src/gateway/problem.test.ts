import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type ErrorCode } from "@baton/core";
import { z } from "zod";
import { invalid, methodNotAllowed, notFound, Problem, toAnswer, toProblem } from "./problem.ts";

test("every code of the engine has its status", () => {
  const table: Record<ErrorCode, number> = {
    invalid: 400,
    not_found: 404,
    conflict: 409,
    busy: 429,
    forbidden: 403,
    question_open: 409,
    run_ended: 409,
    closed: 503,
    cancelled: 409,
    timeout: 504,
    limit: 429,
    model: 502,
    tool: 502,
    group: 502,
    damaged: 500,
    diverged: 500,
    internal: 500,
  };
  const codes: readonly ErrorCode[] = ["invalid", "not_found", "conflict", "busy", "forbidden", "question_open"];
  const others: readonly ErrorCode[] = [
    "run_ended",
    "closed",
    "cancelled",
    "timeout",
    "limit",
    "model",
    "tool",
    "group",
  ];
  const faults: readonly ErrorCode[] = ["damaged", "diverged", "internal"];
  for (const code of [...codes, ...others, ...faults]) {
    const problem = toProblem(new BatonError(code, "said"));
    assert.deepEqual([problem.status, problem.code], [table[code], code]);
    assert.equal(problem.detail.includes("said"), problem.status < 500, code);
  }
});

test("a full queue is 429, a store in trouble 503, both with Retry-After, and the store's words stay inside", () => {
  const queue = toProblem(new BatonError("busy", "32 requests wait"));
  assert.deepEqual([queue.status, queue.detail, queue.headers], [429, "32 requests wait", { "Retry-After": "1" }]);
  const store = toProblem(new BatonError("busy", "disk /data/x is full", { retryable: true, retryAfterMs: 2_500 }));
  assert.deepEqual([store.status, store.headers], [503, { "Retry-After": "3" }]);
  assert.ok(!toAnswer(store, "/").body.includes("/data"));
});

test("what is thrown by mistake is 500 and its words stay inside", () => {
  for (const thrown of [new Error("password=1"), "password=1", undefined, { toString: () => "password=1" }]) {
    const answer = toAnswer(toProblem(thrown), "/api/runs");
    assert.equal(answer.status, 500);
    assert.ok(!answer.body.includes("password"));
  }
});

test("a problem is sent as RFC 9457 says", () => {
  const problem = invalid([{ field: "history.3.role", message: "is missing" }]);
  const { status, headers, body } = toAnswer(problem, "/api/runs");
  assert.equal(status, 400);
  assert.deepEqual(headers, { "Content-Type": "application/problem+json" });
  assert.deepEqual(JSON.parse(body), {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: "The request is not valid: see history.3.role.",
    code: "invalid",
    problems: [{ field: "history.3.role", message: "is missing" }],
  });
});

test("below /v1/ it has the form that OpenAI's clients read", () => {
  const problem = invalid([{ field: "messages", message: "is missing" }]);
  const { headers, body } = toAnswer(problem, "/v1/chat/completions");
  assert.deepEqual(headers, { "Content-Type": "application/json" });
  assert.deepEqual(JSON.parse(body), {
    error: {
      message: "The request is not valid: see messages.\nmessages: is missing",
      type: "invalid_request_error",
      code: "invalid",
      param: "messages",
    },
  });
  const types = [
    [new Problem("invalid_api_key", ""), "authentication_error"],
    [new Problem("missing_scope", ""), "permission_error"],
    [new Problem("rate_limited", ""), "rate_limit_error"],
    [toProblem(new Error("x")), "server_error"],
  ] as const;
  for (const [error, type] of types) {
    assert.ok(toAnswer(error, "/v1/models").body.includes(`"type":"${type}"`));
  }
});

test("what a schema finds is listed by field", () => {
  const schema = z.object({ query: z.string(), history: z.array(z.object({ role: z.enum(["user"]) })) });
  const { error } = schema.safeParse({ history: [{ role: "user" }, { role: "x" }] });
  assert.deepEqual(
    toProblem(error).problems.map(({ field }) => field),
    ["query", "history.1.role"],
  );
});

test("the answer does not grow with the number of problems or the length of their names", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ field: `f${index}`, message: "is missing" }));
  const problem = invalid(many);
  assert.equal(problem.problems.length, 101);
  assert.deepEqual(problem.problems.at(-1), { field: "", message: "and 4900 more" });
  assert.ok(toAnswer(problem, "/").body.length < 10_000);
});

test("404 and 405 say what there is", () => {
  assert.deepEqual([notFound("run x").status, notFound("run x").detail], [404, "There is no run x."]);
  const problem = methodNotAllowed(["GET", "HEAD"]);
  assert.deepEqual([problem.status, problem.headers], [405, { Allow: "GET, HEAD" }]);
});
