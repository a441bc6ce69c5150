import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileFinding } from "@baton/crewfile";
import { toFindingLines } from "./finding-view.ts";
import { plainText } from "../terminal/styled-line.ts";
import { displayWidth } from "../terminal/width.ts";

const finding: FileFinding = {
  code: "unknown_target",
  severity: "error",
  file: "crew.yaml",
  line: 2,
  column: 10,
  width: 6,
  path: "routing.signals.a[0].target",
  message: "the target `warker` is neither an agent nor a group",
  fix: "did you mean `worker`?",
  conversation: ["front", "[GO]", "warker"],
};
const texts = new Map([["crew.yaml", "version: 1\n日本: đây: warker, more: and so on\r\n"]]);

test("on a terminal the place is underlined, also after characters that take two cells", () => {
  const lines = toFindingLines(finding, { texts, isTerminal: true, width: 60 });
  assert.deepEqual(lines.map(plainText), [
    "error the target `warker` is neither an agent nor a group",
    "   ╭ crew.yaml:2:10",
    " 2 │ 日本: đây: warker, more: and so on",
    `   │ ${" ".repeat(11)}‾‾‾‾‾‾`,
    "   │ did you mean `worker`?",
    "   │ e.g. front → [GO] → warker",
    "",
  ]);
});

test("in a narrow window the part that is meant is still there", () => {
  const lines = toFindingLines(finding, { texts, isTerminal: true, width: 24 }).map(plainText);
  for (const line of lines) assert.ok(displayWidth(line) <= 24, line);
  assert.match(lines.join("\n"), /warker.*\n {3}│ +‾‾‾‾‾‾\n/);
});

test("elsewhere a finding is one line, whatever it holds", () => {
  const hostile = { ...finding, message: "a\n\u001b[2Jb" };
  const lines = toFindingLines(hostile, { texts, isTerminal: false, width: Infinity });
  assert.deepEqual(lines.map(plainText), [
    "crew.yaml:2:10: error: a ␛[2Jb; did you mean `worker`? (front → [GO] → warker) [unknown_target]",
  ]);
});
