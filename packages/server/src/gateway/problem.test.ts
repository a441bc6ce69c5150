import assert from "node:assert/strict";
import { test } from "node:test";
import { invalid, methodNotAllowed, notFound, Problem, toAnswer } from "./problem.ts";

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
    [new Problem("internal", ""), "server_error"],
  ] as const;
  for (const [error, type] of types) {
    assert.ok(toAnswer(error, "/v1/models").body.includes(`"type":"${type}"`));
  }
});

test("the answer does not grow with the number of problems or the length of their names", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ field: `f${index}`, message: "is missing" }));
  const problem = invalid(many);
  assert.equal(problem.problems.length, 101);
  assert.deepEqual(problem.problems.at(-1), { field: "", message: "and 4900 more" });
  assert.ok(toAnswer(problem, "/").body.length < 10_000);
  const twice = { field: "k", message: "is given more than once" };
  assert.deepEqual(invalid([twice, { ...twice }]).problems, [twice]);
});

test("404 and 405 say what there is", () => {
  assert.deepEqual([notFound("run x").status, notFound("run x").detail], [404, "There is no run x."]);
  assert.equal(notFound(`run ${"x".repeat(1_000)}`).detail, `There is no run ${"x".repeat(156)}….`);
  const problem = methodNotAllowed(["GET", "HEAD"]);
  assert.deepEqual([problem.status, problem.headers], [405, { Allow: "GET, HEAD" }]);
});
