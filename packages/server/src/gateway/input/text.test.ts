import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { z } from "zod";
import { schemaMessage } from "./schema-messages.ts";
import { boundedArray, HISTORY, ID, MAX_MESSAGE_BYTES, QUERY, text, VALUE } from "./text.ts";

function problemsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = schema.safeParse(value, { error: schemaMessage });
  return (error?.issues ?? []).map(({ path, message }) => [...path, message].join(": "));
}

test("a query is 1 to 10,000 characters, whatever their size", () => {
  assert.equal(QUERY.parse("💡".repeat(10_000)).length, 20_000);
  assert.deepEqual(problemsOf(QUERY, "💡".repeat(10_001)), ["has 10,001 characters, at most 10,000 are allowed"]);
  assert.deepEqual(problemsOf(QUERY, ""), ["is empty"]);
  for (const blank of [" ", "\n\t", "\u3000"]) assert.deepEqual(problemsOf(QUERY, blank), ["has only spaces"]);
  assert.equal(text({}).parse(" "), " ");
});

test("CRLF becomes LF and counts once; TAB and LF stay", () => {
  assert.equal(QUERY.parse("a\r\nb\tc\n"), "a\nb\tc\n");
  assert.equal(QUERY.parse(`${"\r\n".repeat(9_999)}a`).length, 10_000);
});

test("control characters, a lone CR and half a pair are refused with their place", () => {
  const table = [
    ["a\0", "NUL (U+0000) at character 2 is not allowed"],
    ["💡\u001b[0m", "the control character U+001B at character 2 is not allowed"],
    ["\u007f", "the control character U+007F at character 1 is not allowed"],
    ["ab\u0085", "the control character U+0085 at character 3 is not allowed"],
    ["\r\n\rb", "a carriage return (U+000D) without a line feed at character 2 is not allowed"],
    ["x\ud83d", "half a surrogate pair (U+D83D) at character 2 is not allowed"],
    ["\udca1\ud83d", "half a surrogate pair (U+DCA1) at character 1 is not allowed"],
  ] as const;
  for (const [input, message] of table) assert.deepEqual(problemsOf(QUERY, input), [message]);
});

test("all C0 and C1 are refused but TAB and LF, and nothing else is", () => {
  for (let code = 0; code < 0x180; code++) {
    const isAllowed = code === 9 || code === 10 || (code >= 0x20 && code < 0x7f) || code > 0x9f;
    assert.equal(QUERY.safeParse(`a${String.fromCharCode(code)}b`).success, isAllowed, code.toString(16));
  }
});

test("each problem of a text is told", () => {
  assert.deepEqual(problemsOf(QUERY, "\0".repeat(10_001)), [
    "NUL (U+0000) at character 1 is not allowed",
    "has 10,001 characters, at most 10,000 are allowed",
  ]);
});

test("an id is 1 to 128 plain characters", () => {
  for (const id of ["a", "A-z_0", "x".repeat(128), "__proto__"]) assert.equal(ID.parse(id), id);
  for (const id of ["", "x".repeat(129), "a b", "a/b", "é", "a\n", "../a"])
    assert.equal(ID.safeParse(id).success, false);
});

test("a history is at most 1,000 messages of known roles, each at most 100 KB", () => {
  const message = { role: "user", content: "é".repeat(MAX_MESSAGE_BYTES / 2) };
  assert.equal(HISTORY.parse(Array.from({ length: 1_000 }, () => ({ role: "system", content: "" }))).length, 1_000);
  assert.equal(HISTORY.parse([message]).length, 1);
  assert.deepEqual(
    problemsOf(HISTORY, [
      { ...message, content: `${message.content}a` },
      { role: "tool", content: "\0" },
    ]),
    [
      "0: content: has 102,401 bytes of UTF-8, at most 102,400 are allowed",
      '1: role: must be user, assistant or system, not "tool"',
      "1: content: NUL (U+0000) at character 1 is not allowed",
    ],
  );
  assert.deepEqual(problemsOf(HISTORY, {}), ["must be a list, not an object"]);
});

test("a million wrong messages are one finding", () => {
  assert.deepEqual(
    problemsOf(
      HISTORY,
      Array.from({ length: 1_000_000 }, () => 1),
    ),
    ["has more than 1,000 items"],
  );
});

test("a value of any shape has clean texts, keys and numbers", () => {
  const value = { a: [1, "x\n", null, true, { "": {} }] };
  assert.deepEqual(VALUE.parse(value), value);
  assert.deepEqual(problemsOf(VALUE, { a: [{ "b\0": 1 }] }), ["NUL (U+0000) at character 2 is not allowed"]);
  assert.deepEqual(problemsOf(VALUE, ["\ud800"]), ["half a surrogate pair (U+D800) at character 1 is not allowed"]);
  assert.deepEqual(problemsOf(VALUE, JSON.parse("[1e400]")), ["a number is too large"]);
});

test("routes make rules of their own", () => {
  const schema = boundedArray(text({ minChars: 2, maxChars: 3 }), 2);
  assert.deepEqual(schema.parse(["ab", "abc"]), ["ab", "abc"]);
  assert.deepEqual(problemsOf(schema, ["a", "abcd"]), [
    "0: is shorter than 2 characters",
    "1: has 4 characters, at most 3 are allowed",
  ]);
});

test("the schemas can be written as JSON Schema", () => {
  const schema = z.toJSONSchema(z.object({ query: QUERY, history: HISTORY, id: ID, value: VALUE }), {
    io: "input",
  });
  assert.deepEqual(schema.properties?.["query"], { type: "string", minLength: 1, maxLength: 10_000 });
});

test("work grows with the text only", () => {
  for (const part of ["a", "\r\n", "\r", "\ud800", "💡", "\0"]) {
    assertLinear(100_000, (size) => {
      const input = part.repeat(size);
      return () => QUERY.safeParse(input);
    });
  }
});
