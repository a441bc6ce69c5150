import assert from "node:assert/strict";
import { test } from "node:test";
import { TextHold } from "./text-hold.ts";

const TOOLS = new Map([["GetPrice", { name: "GetPrice", description: "", inputSchema: {} }]]);
const SHAPES = ["```json", "{", "[{"];

const HOSTILE: { readonly [what: string]: (size: number) => string } = {
  "fences and spaces": (size) => "```json     \n".repeat(size / 13),
  "opening braces on lines": (size) => "{\n".repeat(size / 2),
  "brackets within brackets": (size) => "[{".repeat(size / 2),
  "calls that never close": (size) => "GetPrice(\n".repeat(size / 10),
  "quotes that never close": (size) => 'GetPrice("\n'.repeat(size / 11),
  "one call of endless arguments": (size) => `GetPrice(${"a,".repeat(size / 2)}`,
  "values within values that are not calls": (size) =>
    `${"{\n".repeat(60)}${"x".repeat(1_000)}\n${"}\n".repeat(60)}`.repeat(size / 1_240),
  "white space": (size) => " ".repeat(size),
};

for (const [what, make] of Object.entries(HOSTILE)) {
  test(`${what}, in small pieces: the text is read a bounded number of times and comes out unchanged`, () => {
    const text = make(500_000);
    const hold = new TextHold(TOOLS, SHAPES);
    const out: string[] = [];
    for (let at = 0; at < text.length; at += 50) out.push(hold.push(text.slice(at, at + 50)));
    out.push(hold.end());
    assert.equal(out.join(""), text);
    assert.ok(hold.charsRead <= 18 * text.length, `${hold.charsRead} for ${text.length}`);
  });
}

test("a long call is held to its end, however small its pieces are", () => {
  const text = `GetPrice("${"x".repeat(100_000)}")`;
  const hold = new TextHold(TOOLS, SHAPES);
  for (let at = 0; at < text.length; at += 50) assert.equal(hold.push(text.slice(at, at + 50)), "");
  assert.equal(hold.end(), text);
});
