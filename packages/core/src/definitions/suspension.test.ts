import assert from "node:assert/strict";
import { test } from "node:test";
import { suspend, type SuspendOptions } from "./suspend.ts";
import type { SuspendedCall } from "../ports/host.ts";
import { toSuspended } from "./suspension.ts";

const call = { call: "1.1.1", agent: "a", tool: "Wait", attempts: 1 };
const form = { name: "size", kind: "input", text: "Which size?", schema: { type: "integer" } } as const;

/** Options as a file without types gives them. */
function toOptions(options: unknown): SuspendOptions;
function toOptions(options: unknown): unknown {
  return options;
}

function judge(options: unknown, before?: SuspendedCall) {
  return toSuspended(call, suspend(toOptions(options)), before);
}

function after(options: unknown, { asked = 0, round = 1 } = {}): SuspendedCall {
  const fact = judge(options);
  assert.ok(fact.type === "call.suspended");
  return { fact: { ...fact, round }, at: 0, asked };
}

test("what cannot be kept or asked is told, all of it at once", () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{ keep: "x".repeat(70_000), afterMs: 1 }, /keeps has 69 KB, and at most 64 KB are kept/],
    [{ keep: () => 1, afterMs: 1 }, /what it keeps is not JSON: a function is not JSON/],
    [{ keep: { at: Number.NaN }, afterMs: 1 }, /NaN at at, which JSON does not have/],
    [{ keep: 1 }, /neither asks anything nor says when/],
    [{ keep: 1, afterMs: -1 }, /afterMs is a number/],
    [{ keep: 1, afterMs: Infinity }, /afterMs is a number/],
    [{ keep: 1, questions: "all" }, /its questions are not a list/],
    [{ keep: 1, questions: [{ name: "a b", kind: "x" }] }, /needs a name.*needs a kind.*has no text/],
    [{ keep: 1, questions: [form, form] }, /two of its questions have the same name/],
    [{ keep: 1, questions: [{ ...form, schema: undefined }] }, /needs a JSON Schema/],
    [{ keep: 1, questions: [{ ...form, who: "me" }] }, /who is user or operator/],
    [{ keep: 1, questions: Array.from({ length: 33 }, (_, at) => ({ ...form, name: `q${at}` })) }, /more than 32/],
    [{ keep: 1, questions: [{ ...form, text: "x".repeat(70_000) }] }, /what it asks has 69 KB/],
    [{ keep: 1, questions: [{ name: "l", kind: "link", text: "Open", url: "javascript:alert(1)" }] }, /http or https/],
  ];
  for (const [options, reason] of wrong) {
    const failed = judge(options);
    assert.ok(failed.type === "call.ended", String(reason));
    assert.equal(failed.error?.kind, "permanent");
    assert.match(failed.error.message, reason);
  }
});

test("a link and an approval have the answers of their kind, and a wait is at least 100 ms", () => {
  const link = { name: "sign-in", kind: "link", text: "Sign in", url: "https://example.com/a?b=c" };
  const consent = { name: "drift", kind: "approval", text: "Go on?", who: "operator", args: { diff: [] } };
  const fact = judge({ keep: null, questions: [link, consent], afterMs: 0 });
  assert.ok(fact.type === "call.suspended");
  assert.equal(fact.afterMs, 100);
  assert.deepEqual(fact.questions, [
    { ...link, schema: { enum: ["done", "cancel"] } },
    { ...consent, schema: { enum: ["allow", "deny"] } },
  ]);
});

test("a call may ask 20 times and keep something new 1,000 times, and wait on with the same for ever", () => {
  const poll = { keep: { task: 1 }, afterMs: 100 };
  const asked = judge({ keep: 1, questions: [form] }, after(poll, { asked: 20 }));
  assert.ok(asked.type === "call.ended");
  assert.match(asked.error?.message ?? "", /has asked 20 times, and may not ask again/);
  const last = after(poll, { round: 1_000, asked: 20 });
  const other = judge({ ...poll, keep: { task: 2 } }, last);
  assert.ok(other.type === "call.ended");
  assert.match(other.error?.message ?? "", /suspended with something new 1,000 times/);
  const same = judge({ ...poll, afterMs: 500 }, last);
  assert.ok(same.type === "call.suspended");
  assert.deepEqual([same.round, same.afterMs], [1_000, 500]);
});
