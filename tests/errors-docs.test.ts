/** docs/errors.md: its tables have every code that the engine, a tool, the server and the client know, and no other. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/errors.md");

const core = read("packages/core/src/words/error.ts").replaceAll(/\/\/.*$/gm, "");
const engineCodes = namesIn(between(core, "export type ErrorCode =", ";"));
const toolKinds = namesIn(between(core, "export type ToolErrorKind =", ";"));
const statuses = between(read("packages/server/src/gateway/problem.ts"), "const STATUS = {", "}");
const httpCodes = Array.from(statuses.matchAll(/^ {2}(\w+): \d+,$/gm), ([, code = ""]) => code);

test("every code of the engine is explained, and no other", () => {
  assert.ok(engineCodes.length > 15, `${engineCodes.length} codes`);
  assert.deepEqual(codesUnder("## Codes of the engine"), engineCodes);
});

test("every kind of a failed call is explained, and no other", () => {
  assert.deepEqual(codesUnder("## How a tool fails"), [...toolKinds, "cancelled"]);
});

test("every code that only the server has is explained, and no other", () => {
  const own = httpCodes.filter((code) => !engineCodes.includes(code));
  assert.ok(own.length > 15, `${own.length} codes`);
  assert.deepEqual(codesUnder("## Codes of HTTP"), own);
});

test("every code that only the client has is explained, and no other", () => {
  const files = globSync("packages/client/src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  // What the caller aborts is thrown as the reason of its own abort.
  const thrown = files.flatMap((path) =>
    Array.from(read(path).matchAll(/(?:ClientError\(\s*|\? code : )"(\w+)"/g), ([, code]) => code),
  );
  assert.deepEqual(new Set([...codesUnder("## Codes of the client"), "aborted"]), new Set(thrown));
});

test("every row says a cause and what follows", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  for (const row of rows)
    assert.ok(row.split(" | ").every((cell) => cell.length > 1) && row.split(" | ").length > 2, row);
});

/** The first cells of the table under a heading, without their backticks. */
function codesUnder(heading: string): readonly string[] {
  const section = between(`${page}\n## `, `${heading}\n`, "\n## ");
  return Array.from(section.matchAll(/^\| `(\w+)` \|/gm), ([, code = ""]) => code);
}

/** The strings in a type. */
function namesIn(type: string): readonly string[] {
  return Array.from(type.matchAll(/"(\w+)"/g), ([, name = ""]) => name);
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is gone`);
  return text.slice(from + start.length, text.indexOf(end, from + start.length));
}
