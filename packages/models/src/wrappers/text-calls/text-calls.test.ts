import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import type { ToolSpec } from "@baton/core/ports";
import * as fc from "fast-check";
import { parseTextCalls } from "./text-calls.ts";
import { TextScan } from "./text-scan.ts";

const spec = (name: string, properties: Json = {}, required: readonly string[] = []): ToolSpec => ({
  name,
  description: "",
  inputSchema: { type: "object", properties, required },
});
const TOOLS = new Map(
  [
    spec("GetPrice", { days: { type: "integer" }, symbol: { type: "string" }, live: { type: "boolean" } }, ["symbol"]),
    spec("Note", { text: { type: "string" }, tags: { type: "array" }, options: { type: "object" } }, ["text"]),
    spec("Now"),
  ].map((tool) => [tool.name, tool]),
);

/** Calls as `[tool, arguments]`, and what is left as text. */
function read(text: string): { readonly calls: readonly (readonly [string, Json])[]; readonly text: string } {
  const pieces = parseTextCalls(new TextScan(text), TOOLS);
  return {
    calls: pieces.flatMap((piece) => (piece.type === "call" ? [[piece.tool, JSON.parse(piece.args)] as const] : [])),
    text: pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join(""),
  };
}

const CASES: readonly (readonly [written: string, tool: string, args: Json])[] = [
  ['GetPrice("FPT")', "GetPrice", { symbol: "FPT" }],
  ["GetPrice(FPT, 30)", "GetPrice", { symbol: "FPT", days: 30 }],
  ['GetPrice("FPT", live=True, days="7")', "GetPrice", { symbol: "FPT", live: true, days: 7 }],
  ["  GetPrice( 'F\\'PT' , days = 3 )", "GetPrice", { symbol: "F'PT", days: 3 }],
  ["GetPrice(007)", "GetPrice", { symbol: "007" }],
  ['GetPrice({"symbol": "FPT", "days": 2})', "GetPrice", { symbol: "FPT", days: 2 }],
  ["Now()", "Now", {}],
  ["Now( )", "Now", {}],
  [
    'Note("a, (b) \\"c\\"\\n", [1, [2, "]"]], {"x": {"y": ")"}})',
    "Note",
    { text: 'a, (b) "c"\n', tags: [1, [2, "]"]], options: { x: { y: ")" } } },
  ],
  ["Note(don't stop, [])", "Note", { text: "don't stop", tags: [] }],
  ['Note("one\ntwo")', "Note", { text: "one\ntwo" }],
  ["Note(text=a=b)", "Note", { text: "a=b" }],
  ["Note(Đắt quá)", "Note", { text: "Đắt quá" }],
  ["Now(1, 2)", "Now", { argument1: 1, argument2: 2 }],
  ["GetPrice(__proto__=1)", "GetPrice", JSON.parse('{"__proto__": 1}')],
  ['{"name": "Now", "arguments": {}}', "Now", {}],
  ['```json\n{"name": "GetPrice", "arguments": {"symbol": "FPT"}}\n```', "GetPrice", { symbol: "FPT" }],
  ['```\n{"tool": "GetPrice", "args": {"symbol": "FPT"}}\n```', "GetPrice", { symbol: "FPT" }],
  ['```tool_code\nGetPrice("FPT")\n```', "GetPrice", { symbol: "FPT" }],
  ['<tool_call>\n{"name": "GetPrice", "parameters": {"symbol": "FPT"}}\n</tool_call>', "GetPrice", { symbol: "FPT" }],
  ['<tool_call>{"name": "GetPrice", "arguments": "{\\"symbol\\": \\"FPT\\"}"}', "GetPrice", { symbol: "FPT" }],
  ['<function=GetPrice>{"symbol": "FPT"}</function>', "GetPrice", { symbol: "FPT" }],
  ['[{"function": {"name": "GetPrice", "arguments": {"symbol": "FPT"}}}]', "GetPrice", { symbol: "FPT" }],
  ['{"tool_calls": [{"name": "Now", "arguments": {}}]}', "Now", {}],
];

for (const [written, tool, args] of CASES) {
  test(`${JSON.stringify(written)} is a call of ${tool}`, () => {
    assert.deepEqual(read(written), { calls: [[tool, args]], text: "" });
    const around = read(`First.\n${written}\nThen.`);
    assert.deepEqual(around.calls, [[tool, args]]);
    assert.equal(around.text, "First.\n\nThen.");
  });
}

const TEXTS = [
  "I would call GetPrice(FPT) now.",
  "Unknown(1)",
  "GetPrice",
  "GetPrice (FPT)",
  "GetPrice(FPT",
  'GetPrice("FPT)',
  "[END]",
  '{"name": "Nobody", "arguments": {}}',
  '{"name": "Now"}',
  '```json\n{"price": 42}\n```',
  "```python\nprint(1)\n```",
  "<tool_call>later</tool_call>",
  "",
];

for (const text of TEXTS) {
  test(`${JSON.stringify(text)} stays text`, () => {
    assert.deepEqual(read(text), { calls: [], text });
  });
}

test("several calls are read in order, one to a line or several to a block", () => {
  const { calls } = read(
    'Now()\nGetPrice(A)\n```json\n{"name":"Now","arguments":{}}\n{"name":"GetPrice","arguments":{"symbol":"B"}}\n```',
  );
  assert.deepEqual(calls, [
    ["Now", {}],
    ["GetPrice", { symbol: "A" }],
    ["Now", {}],
    ["GetPrice", { symbol: "B" }],
  ]);
});

test("a call after one that was never closed is still read", () => {
  assert.deepEqual(read('GetPrice("never\nNow()').calls, [["Now", {}]]);
});

test("any text is read without a throw, nothing of it is lost, and calls name known tools only", () => {
  const bits = fc.constantFrom(
    "GetPrice(",
    "Now(",
    ")",
    "(",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\\",
    ",",
    "=",
    ":",
    "\n",
    " ",
    "```json",
    "```",
    "<tool_call>",
    "</tool_call>",
    "<function=Now>",
    '{"name":"Now","arguments":{}}',
    "x",
    "1",
    "é",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      const pieces = parseTextCalls(new TextScan(text), TOOLS);
      let from = 0;
      for (const piece of pieces) {
        if (piece.type === "call") {
          assert.ok(TOOLS.has(piece.tool));
          continue;
        }
        const at = text.indexOf(piece.text, from);
        assert.notEqual(at, -1);
        from = at + piece.text.length;
      }
      if (pieces.every(({ type }) => type === "text")) assert.equal(read(text).text, text);
    }),
    { numRuns: 2_000 },
  );
});

const HOSTILE: { readonly [what: string]: (size: number) => string } = {
  "a fence and spaces": (size) => `\`\`\`json${" ".repeat(size)}`,
  "fences and spaces": (size) => "```json     \n".repeat(size / 10),
  "tags that never close": (size) => "<tool_call>\n".repeat(size / 10),
  "tags with calls that never close": (size) => '<tool_call>{"name":\n'.repeat(size / 20),
  "opening brackets": (size) => "[".repeat(size),
  "opening braces on lines": (size) => "{\n".repeat(size / 2),
  "brackets that do close": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "calls that never close": (size) => "GetPrice(\n".repeat(size / 10),
  "quotes that never close": (size) => 'GetPrice("\n'.repeat(size / 11),
  "one call of endless arguments": (size) => `GetPrice(${"a,".repeat(size / 2)}`,
  "values within values that are no calls": (size) =>
    `${"{\n".repeat(60)}${"x".repeat(1_000)}\n${"}\n".repeat(60)}`.repeat(size / 1_000),
  "white space": (size) => " ".repeat(size),
  backslashes: (size) => `GetPrice("${"\\".repeat(size)}`,
};

for (const [what, make] of Object.entries(HOSTILE)) {
  test(`${what}: no more than a few times the text is read`, { timeout: 20_000 }, () => {
    const text = make(2_000_000);
    const scan = new TextScan(text);
    parseTextCalls(scan, TOOLS);
    assert.ok(scan.charsRead <= 7 * text.length, `${scan.charsRead} for ${text.length}`);
  });
}

test("5 MB of brackets, 40,000 open tags and 4,000 spaces after a fence are read at once", { timeout: 10_000 }, () => {
  for (const text of [
    "[".repeat(5_000_000),
    "<tool_call>\n".repeat(40_000),
    `\`\`\`json${" ".repeat(4_000)}`,
    "GetPrice([".repeat(500_000),
  ]) {
    assert.deepEqual(read(text).calls, []);
  }
});
