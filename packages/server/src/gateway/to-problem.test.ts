import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type ErrorCode } from "@baton/core";
import { orInvalid, toProblem } from "./to-problem.ts";
import { toAnswer } from "./problem.ts";

test("every code of the engine has its status", () => {
  const table = [
    ["invalid", 400],
    ["not_found", 404],
    ["conflict", 409],
    ["busy", 409],
    ["question_open", 409],
    ["run_ended", 409],
    ["cancelled", 409],
    ["timeout", 504],
    ["limit", 429],
    ["model", 502],
    ["tool", 502],
    ["group", 502],
    ["damaged", 500],
    ["diverged", 500],
    ["internal", 500],
  ] as const satisfies readonly (readonly [ErrorCode, number])[];
  for (const [code, status] of table) {
    const problem = toProblem(new BatonError(code, "it was said"));
    assert.deepEqual([problem.status, problem.code], [status, code]);
    assert.equal(problem.detail.includes("said"), problem.status < 500, code);
  }
  const { status, code } = toProblem(new BatonError("forbidden", "it was said"));
  assert.deepEqual([status, code], [403, "not_allowed"]);
});

test("a server that stops and a store that cannot be used have each their code, and their words stay inside", () => {
  const cause = new Error("connect ECONNREFUSED");
  const table = [
    [new BatonError("closed", "the engine of /data/x is stopping", { retryable: true }), "stopping", "5"],
    [
      new BatonError("closed", "Postgres at /data/x cannot be reached", { retryable: true, cause }),
      "store_unavailable",
      "1",
    ],
    [new BatonError("busy", "disk /data/x is full", { cause }), "store_unavailable", "1"],
    [new BatonError("busy", "/data/x is locked", { retryable: true, retryAfterMs: 2_500 }), "store_unavailable", "3"],
  ] as const;
  for (const [error, code, seconds] of table) {
    const problem = toProblem(error);
    assert.deepEqual([problem.status, problem.code, problem.headers], [503, code, { "Retry-After": seconds }]);
    assert.ok(!toAnswer(problem, "/").body.includes("/data"));
  }
  const queue = toProblem(new BatonError("busy", "32 requests wait"));
  assert.deepEqual([queue.status, queue.detail, queue.headers], [409, "32 requests wait.", { "Retry-After": "1" }]);
});

test("what the engine says is a sentence, and what may be done follows", () => {
  const detailOf = (code: ErrorCode, message: string) => toProblem(new BatonError(code, message)).detail;
  assert.equal(detailOf("run_ended", "run x has ended"), "Run x has ended. Start another with POST /api/runs.");
  assert.equal(detailOf("not_found", "there is no agent x; did you mean y?"), "There is no agent x; did you mean y?");
  assert.equal(detailOf("not_found", "run x has no open question 1.1"), "Run x has no open question 1.1.");
  assert.match(
    detailOf("question_open", "run x waits for answers: 1.1"),
    /^Run x waits for answers: 1\.1\. Answer with the command `answer`, or `resume`/,
  );
});

test("what the engine finds wrong is a problem of the field it came in, and other errors are what they were", async () => {
  const fail = (code: ErrorCode) => orInvalid("value", Promise.reject(new BatonError(code, "does not fit")));
  await assert.rejects(fail("invalid"), { code: "invalid", problems: [{ field: "value", message: "does not fit" }] });
  await assert.rejects(fail("conflict"), { name: "BatonError", code: "conflict" });
  assert.equal(await orInvalid("value", Promise.resolve(1)), 1);
});

test("what is thrown by mistake is 500 and its words stay inside", () => {
  for (const thrown of [new Error("password=1"), "password=1", undefined, { toString: () => "password=1" }]) {
    const answer = toAnswer(toProblem(thrown), "/api/runs");
    assert.equal(answer.status, 500);
    assert.ok(!answer.body.includes("password"));
  }
});
