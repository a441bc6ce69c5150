import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "../terminal/styled-line.ts";
import type { FoundRun } from "../runs/run-search.ts";
import { toRunLines } from "./runs-table.ts";
import { displayWidth } from "../terminal/width.ts";

const RUN: FoundRun = {
  id: "01900000-0000-7000-8000-00001a2b3c4d",
  tenant: "local",
  user: "local",
  crew: "it-support",
  definition: "d",
  status: "paused",
  outcome: "paused",
  state: "paused",
  request: null,
  input: "Máy tính\nchậm \u001b[31m",
  agent: "a",
  turns: 2,
  steps: 3,
  calls: 1,
  inputTokens: 1_200,
  outputTokens: 34,
  costUsd: 0.0123,
  questions: [],
  createdAt: 0,
  updatedAt: 0,
};

test("numbers stand under each other, and an input is one line that controls nothing", () => {
  const other = { ...RUN, id: "r", state: "failed", inputTokens: 0, costUsd: 0, turns: 12 } as const;
  assert.deepEqual(toRunLines([RUN, other], { now: 125_000, width: Infinity }).map(plainText), [
    "run       crew        status    age  turns  calls  tokens    cost  input",
    "1a2b3c4d  it-support  paused  2 min      2      1   1,234  $0.012  Máy tính chậm ␛[31m",
    "r         it-support  failed  2 min     12      1      34          Máy tính chậm ␛[31m",
  ]);
});

test("in a narrow window what matters least is left out, and no line is wider", () => {
  for (const width of [16, 30, 50, 70, 99]) {
    const lines = toRunLines([RUN], { now: 125_000, width }).map(plainText);
    for (const line of lines) assert.ok(displayWidth(line) <= width, `${width}: ${line}`);
    assert.ok(lines[1]?.startsWith("1a2b3c4d"), lines[1]);
  }
  const [titles = []] = toRunLines([RUN], { now: 125_000, width: 50 });
  assert.deepEqual(plainText(titles).split(/ +/), ["run", "crew", "status", "input"]);
});
