import assert from "node:assert/strict";
import { test } from "node:test";
import { toReceiptLines } from "./receipt-text.ts";

const EMPTY = { stopped: [], finished: [], abandoned: [] };

test("a receipt names tools and agents beside positions, what did not stop first", () => {
  const receipt = {
    stopped: ["agent:clerk", "calls:2.1"],
    finished: ["call:2.1.2"],
    abandoned: ["call:2.1.1"],
  };
  const tools = new Map([
    ["2.1.1", "IssueRefund"],
    ["2.1.2", "FindOrder"],
  ]);
  const agents = new Map([["clerk", "Ravi"]]);
  assert.deepEqual(
    toReceiptLines(receipt, { tools, agents }).map(({ text }) => text),
    ["IssueRefund (2.1.1) did not stop", "FindOrder (2.1.2) finished", "Ravi stopped"],
  );
});

test("a member of a group is named once, by its lane, whatever its calls did", () => {
  const receipt = {
    ...EMPTY,
    stopped: ["lane:4/quiz/student", "agent:student", "calls:4/quiz/student/1.1", "agent:reporter"],
    abandoned: ["call:4/quiz/student/1.1.1"],
  };
  const tools = new Map([["4/quiz/student/1.1.1", "LookUp"]]);
  assert.deepEqual(
    toReceiptLines(receipt, { tools }).map(({ fate, name }) => [fate, name]),
    [
      ["abandoned", "LookUp (4/quiz/student/1.1.1)"],
      ["stopped", "student (4/quiz/student)"],
      ["stopped", "reporter"],
    ],
  );
});

test("what nobody named is shown by its position, and calls that had not begun by their step", () => {
  const receipt = { ...EMPTY, stopped: ["calls:1.2", "call:1.1.1", "odd", "run:x"] };
  const names = { tools: new Map<string, string>() };
  assert.deepEqual(
    toReceiptLines(receipt, names).map(({ text }) => text),
    ["the tool calls of 1.2 stopped", "a tool (1.1.1) stopped", "odd stopped", "run:x stopped"],
  );
  assert.deepEqual(toReceiptLines(EMPTY, names), []);
});
