import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { plainText } from "../terminal/styled-line.ts";
import { LogView, toLogLine } from "./log-view.ts";

const AT = "2026-01-02T03:04:05.000Z";
const CLOCK = /^\d\d:\d\d:\d\d /;

test("a line of the log has its time, what happened and its fields, with the short id of the run", () => {
  const run = "01a1e864-fa79-7854-b423-b4cbc7ab1a2b";
  const line = { level: "info", time: AT, request: "r", run, crew: "hello", ms: 14, msg: "run ended" };
  const text = plainText(toLogLine(JSON.stringify(line)));
  assert.match(text, CLOCK);
  assert.equal(text.replace(CLOCK, ""), "run ended  run b4cbc7ab1a2b, crew hello, ms 14");
  const failed = plainText(toLogLine(JSON.stringify({ level: "error", time: AT, msg: "run ended" })));
  assert.equal(failed.replace(CLOCK, ""), "✗ run ended");
});

test("whatever a line holds, it is one printable line", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.object().map((fields) => JSON.stringify({ level: "warn", time: AT, msg: "m", ...fields })),
  );
  fc.assert(
    fc.property(anything, (json) => {
      assert.doesNotMatch(plainText(toLogLine(json)), /[\p{Control}\p{Bidi_Control}]/u);
    }),
  );
});

test("log lines from before the address are printed after it, and the address is printed once", () => {
  const written: string[] = [];
  const view = new LogView({ paint: plainText, write: (text) => written.push(text) }, "text");
  view.write(JSON.stringify({ level: "warn", time: AT, msg: "early" }));
  view.write(JSON.stringify({ level: "info", time: AT, msg: "listening" }));
  assert.equal(written.length, 0);
  view.release();
  view.write(JSON.stringify({ level: "info", time: AT, msg: "late" }));
  assert.deepEqual(
    written.map((text) => text.replace(CLOCK, "")),
    ["▲ early\n", "late\n"],
  );
});

test("as JSON the lines from before the address follow it unchanged, with the address", () => {
  const written: string[] = [];
  const view = new LogView({ paint: plainText, write: (text) => written.push(text) }, "json");
  const lines = ["early", "listening", "late"].map((msg) => `${JSON.stringify({ level: "info", time: AT, msg })}\n`);
  for (const line of lines.slice(0, 2)) view.write(line);
  assert.equal(written.length, 0);
  view.release();
  for (const line of lines.slice(2)) view.write(line);
  assert.deepEqual(written, lines);
});

test("an error of Baton is shown without its stack and without a cause that its message names; a bug keeps both", () => {
  const error = "the store cannot be used now (disk is full)";
  const known = {
    level: "error",
    time: "",
    msg: "something failed",
    error,
    cause: "disk is full",
    stack: "BatonError: x",
  };
  assert.equal(plainText(toLogLine(JSON.stringify(known))), `--:--:-- ✗ something failed  error ${error}`);
  const bug = { ...known, error: "x is not a function", cause: "y", stack: "TypeError: x at z" };
  assert.equal(
    plainText(toLogLine(JSON.stringify(bug))),
    "--:--:-- ✗ something failed  error x is not a function, cause y, stack TypeError: x at z",
  );
});
