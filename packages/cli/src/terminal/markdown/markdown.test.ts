import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import * as fc from "fast-check";
import { type Line, plainText } from "../styled-line.ts";
import { toPrintable } from "../printable.ts";
import { ReplyView } from "../../view/reply-view.ts";
import { toWatch } from "@baton/core/engine";
import { displayWidth } from "../width.ts";
import { toInline } from "./inline.ts";
import { Markdown } from "./markdown.ts";

function render(text: string, width = 40): readonly Line[] {
  const markdown = new Markdown();
  return [...markdown.push(text, width), ...markdown.end(width)];
}

const shown = (text: string, width?: number): readonly string[] =>
  render(text, width).map((line) => plainText(line).trimEnd());
const tones = (text: string): readonly string[] => toInline(text).map(({ text: part, tone }) => `${tone}:${part}`);

test("emphasis, code, strikethrough and links are toned, and their marks are gone", () => {
  assert.deepEqual(tones("a **b** *c* __d__ _e_ `f*g*` ~~h~~"), [
    "plain:a ",
    "strong:b",
    "plain: ",
    "italic:c",
    "plain: ",
    "strong:d",
    "plain: ",
    "italic:e",
    "plain: ",
    "code:f*g*",
    "plain: ",
    "strike:h",
  ]);
  assert.deepEqual(tones("see [the page](https://example.com)."), [
    "plain:see ",
    "link:the page",
    "dim: (https://example.com)",
    "plain:.",
  ]);
  assert.deepEqual(tones("**bold with `code`**"), ["strong:bold with ", "code:code"]);
});

test("what is no markup stays as it is", () => {
  for (const text of ["2 * 3 * 4", "snake_case_name", "a [b] c", "**open", "`open", "[x](open", "5 ** 2", "*"]) {
    assert.equal(plainText(toInline(text)), text);
    assert.ok(
      toInline(text).every(({ tone }) => tone === "plain"),
      text,
    );
  }
  assert.equal(plainText(toInline("\\*no\\* \\[x\\]")), "*no* [x]");
});

test("headings, lists, quotes, rules and code are laid out", () => {
  const text = "# Title\n\n- one two three four\n  1. inner\n> said\n---\n```ts\nconst a = '**';\n```\nend";
  assert.deepEqual(shown(text, 14), [
    "Title",
    "",
    "• one two",
    "  three four",
    "  1. inner",
    "▏ said",
    "─".repeat(14),
    "  const a =",
    "  '**';",
    "end",
  ]);
});

test("a table has columns of equal width, in cells of the terminal", () => {
  assert.deepEqual(shown("| Tên | 数 |\n|---|--:|\n| Nguyễn Văn A | 1 |\n| 日本 | **22** |\nend"), [
    "Tên          │ 数",
    "─────────────┼───",
    "Nguyễn Văn A │  1",
    "日本         │ 22",
    "end",
  ]);
  assert.deepEqual(shown("a | b\nnot a table"), ["a | b", "not a table"]);
  assert.deepEqual(
    shown("|a|b|\n|-|-|\n|one two three four|x|", 12),
    ["a        │ b", "─────────┼──", "one two  │ x", "three    │", "four     │"].map((line) => line.trimEnd()),
  );
});

const piece = fc.constantFrom(
  ..."* ** _ ` ``` ~~ [ ]( ) | - # > 1. \\ \n \n\n |-|-| --- word tiếng 日本 👩‍👧 e\u0301 \u001b[31m http://a.b".split(
    " ",
  ),
  " ",
  "  ",
);
const texts = fc.array(piece, { maxLength: 60 }).map((parts) => toPrintable(parts.join("")));

test("no line is wider than the screen, whatever the text, and none has a line feed or a control character", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 30, max: 80 }), (text, width) => {
      const isTable = /\|/.test(text);
      for (const line of render(text, width)) {
        const shownLine = plainText(line);
        assert.doesNotMatch(shownLine, /\p{Control}/u);
        if (!isTable) assert.ok(displayWidth(shownLine.trimEnd()) <= width, JSON.stringify(shownLine));
      }
    }),
  );
});

test("text that comes in pieces is rendered as the whole", () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), fc.integer({ min: 20, max: 60 }), (parts, width) => {
      const markdown = new Markdown();
      const lines = parts.flatMap((part) => markdown.push(part, width));
      assert.deepEqual([...lines, ...markdown.end(width)], render(parts.join(""), width));
    }),
  );
});

test("no letter, digit or picture of the text is lost outside of the languages of code", () => {
  const inked = (text: string) => text.replaceAll(/[^\p{Letter}\p{Number}\p{Emoji_Presentation}]/gu, "");
  const plain = fc.array(fc.constantFrom("a", "日", "ế", "1", " ", "*", "_", "`", "[", "](", ")", "\n", "- ", "# "));
  fc.assert(
    fc.property(plain, fc.integer({ min: 20, max: 40 }), (parts, width) => {
      const text = parts.join("").replaceAll("```", "`");
      assert.equal(inked(render(text, width).map(plainText).join("")), inked(text));
    }),
  );
});

test("hostile text takes time in proportion to its length", () => {
  for (const unit of ["*", "_a", "[", "](", "`", "|", "**a ", "[a](", "~~", "> "]) {
    assertLinear(20_000, (size) => {
      const text = `${unit.repeat(64)}\n`.repeat(Math.ceil(size / (unit.length * 64)));
      return () => render(text, 60);
    });
  }
});

test("a plain reply is the text itself; a rich one has its Markdown rendered", () => {
  const say = (format: "plain" | "markdown") => {
    const reply = new ReplyView(toWatch([]), format);
    return [...reply.push("**b** [x](y)\n", 60), ...reply.end(60)].map(plainText);
  };
  assert.deepEqual(say("plain"), ["**b** [x](y)"]);
  assert.deepEqual(say("markdown"), ["b x (y)"]);
});
