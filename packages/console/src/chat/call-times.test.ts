/** What a tool took and what a person took are told apart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { CallSpan, QuestionSpan } from "../store/story.ts";
import { timesOf } from "./call-times.ts";

const at = (ms: number): Readonly<{ seq: number; at: number }> => ({ seq: ms, at: ms });
const callOf = (from: number, to?: number): CallSpan =>
  z.custom<CallSpan>(() => true).parse({ call: "1.1.1", from: at(from), ...(to === undefined ? {} : { to: at(to) }) });
const questionOf = (from: number, to?: number, call = "1.1.1"): QuestionSpan =>
  z
    .custom<QuestionSpan>(() => true)
    .parse({ asked: { call }, from: at(from), ...(to === undefined ? {} : { to: at(to) }) });

test("the time of a person is not the tool's", () => {
  assert.deepEqual(timesOf(callOf(100, 90_120), [questionOf(110, 90_110)]), { ownMs: 20, decidedMs: 90_000 });
  assert.deepEqual(timesOf(callOf(90_110, 90_130), [questionOf(110, 90_110)]), { ownMs: 20, decidedMs: 90_000 });
});

test("a call that nobody had to allow, or of which another was asked, has its own time alone", () => {
  assert.deepEqual(timesOf(callOf(100, 118), []), { ownMs: 18 });
  assert.deepEqual(timesOf(callOf(100, 118), [questionOf(90, 110, "1.1.2")]), { ownMs: 18 });
});

test("what is not known yet is not told", () => {
  assert.deepEqual(timesOf(callOf(100), [questionOf(110)]), {});
  assert.deepEqual(timesOf(callOf(100), [questionOf(110, 150)]), { decidedMs: 40 });
});
