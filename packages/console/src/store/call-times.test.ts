/** The time of a tool and the time of the person who allowed it are told apart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { CallSpan, QuestionSpan } from "./story.ts";
import { callTimes } from "./call-times.ts";

const at = (ms: number): Readonly<{ seq: number; at: number }> => ({ seq: ms, at: ms });
const callOf = (from: number, to?: number): CallSpan =>
  z.custom<CallSpan>(() => true).parse({ call: "1.1.1", from: at(from), ...(to === undefined ? {} : { to: at(to) }) });
const questionOf = (from: number, to?: number, call = "1.1.1"): QuestionSpan =>
  z
    .custom<QuestionSpan>(() => true)
    .parse({ asked: { call }, from: at(from), ...(to === undefined ? {} : { to: at(to) }) });

test("the time of a person is not the tool's", () => {
  assert.deepEqual(callTimes(callOf(100, 90_120), [questionOf(110, 90_110)]), {
    ownMs: 20,
    waitedMs: 90_000,
    decidedMs: 90_000,
  });
  assert.deepEqual(callTimes(callOf(90_110, 90_130), [questionOf(110, 90_110)]), {
    ownMs: 20,
    waitedMs: 90_000,
    decidedMs: 90_000,
  });
});

test("a call that needed no approval has its own time alone", () => {
  assert.deepEqual(callTimes(callOf(100, 118), []), { ownMs: 18 });
  assert.deepEqual(callTimes(callOf(100, 118), [questionOf(90, 110, "1.1.2")]), { ownMs: 18 });
});

test("what is not known yet is not told", () => {
  assert.deepEqual(callTimes(callOf(100), [questionOf(110)]), {});
  assert.deepEqual(callTimes(callOf(100), [questionOf(110, 150)]), { waitedMs: 40, decidedMs: 40 });
});

test("a call that was stopped before its question was answered waited until it was stopped", () => {
  assert.deepEqual(callTimes(callOf(100, 150), [questionOf(110)]), { ownMs: 10, waitedMs: 40 });
});
