import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toToolMessages, type CallResult } from "./dialogue.ts";
import type { Json } from "./json.ts";
import { boundOutput } from "./output.ts";
import { toFigure } from "./text.ts";

const result = (at: number, rest: Omit<CallResult, "request">): CallResult => ({
  request: { id: `1.1.${at}`, tool: "look", args: {} },
  ...rest,
});

const contents = (outputs: readonly Json[], chars: { each: number; total: number; run: string }): string[] =>
  toToolMessages(
    outputs.map((output, at) => result(at, { output })),
    chars,
  ).messages.map(({ content }) => content);

const wide = { each: 2_000, total: 4_000, run: "run" };

test("a model reads text as it is, and everything else as JSON, in the order of the calls", () => {
  assert.deepEqual(
    toToolMessages([result(1, { output: "text" }), result(2, { output: { a: [1, null] } })], wide).messages,
    [
      { role: "tool", call: "1.1.1", tool: "look", content: "text" },
      { role: "tool", call: "1.1.2", tool: "look", content: '{"a":[1,null]}' },
    ],
  );
  assert.deepEqual(contents([null, true, 1.5, ""], wide), ["null", "true", "1.5", ""]);
});

test("a failure is told with its kind, bounded like any output", () => {
  const error = { code: "tool", kind: "timeout", message: "took 5 s" } as const;
  assert.deepEqual(toToolMessages([result(1, { error })], wide).messages, [
    { role: "tool", call: "1.1.1", tool: "look", content: "Error (timeout): took 5 s", failed: true },
  ]);
  const [cut] = toToolMessages([result(1, { error: { code: "internal", message: "x".repeat(50) } })], {
    run: "run",
    each: 20,
    total: 99,
  }).messages;
  assert.equal(cut?.content, "Error (internal): xx… [cut: 20 of 68 characters]");
});

test("a long output is cut between characters, and its length is told", () => {
  assert.deepEqual(contents(["abcdef"], { each: 6, total: 99, run: "run" }), ["abcdef"]);
  assert.deepEqual(contents(["abcdefg"], { each: 6, total: 99, run: "run" }), ["abcdef… [cut: 6 of 7 characters]"]);
  assert.deepEqual(contents(["👍👍👍"], { each: 3, total: 99, run: "run" }), ["👍👍👍"]);
  assert.deepEqual(contents(["👍👍👍"], { each: 2, total: 99, run: "run" }), ["👍👍… [cut: 2 of 3 characters]"]);
  assert.deepEqual(contents([["👍👍"]], { each: 3, total: 99, run: "run" }), ['["👍… [cut: 3 of 6 characters]']);
  assert.deepEqual(contents(["x".repeat(12_345)], wide), [`${"x".repeat(2_000)}… [cut: 2,000 of 12,345 characters]`]);
});

test("once the whole is reached, the rest report only how they ended", () => {
  const error = { code: "tool", kind: "network", message: "reset" } as const;
  const { messages, cuts } = toToolMessages(
    [result(1, { output: "aaaa" }), result(2, { output: "bbbb" }), result(3, { output: "c" }), result(4, { error })],
    { each: 4, total: 6, run: "run" },
  );
  assert.deepEqual(
    messages.map(({ content }) => content),
    [
      "aaaa",
      "bb… [cut: 2 of 4 characters]",
      "[ok; output left out: 6 characters reached]",
      "[failed (network); output left out: 6 characters reached]",
    ],
  );
  assert.equal(messages[3]?.failed, true);
  assert.deepEqual(
    cuts.map(({ shown, chars, setting }) => [shown, chars, setting]),
    [
      [2, 4, "max_total_tool_output_chars"],
      [0, 1, "max_total_tool_output_chars"],
      [0, 22, "max_total_tool_output_chars"],
    ],
  );
});

const unicode = fc.string({ unit: "binary", maxLength: 30 });
const points = (text: string): number => Array.from(text).length;

test("what a model reads never exceeds the limits, is never cut inside a character, and is a beginning", () => {
  const limits = fc.record({
    each: fc.integer({ min: 1, max: 20 }),
    total: fc.integer({ min: 1, max: 50 }),
    run: fc.constant("run"),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(unicode, fc.jsonValue()), { maxLength: 6 }), limits, (outputs, chars) => {
      const values: readonly Json[] = outputs
        .map((output) => boundOutput(output))
        .flatMap((one) => (one.ok ? [one.output] : []));
      const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
      let left = chars.total;
      const shown = contents(values, chars);
      assert.equal(shown.length, values.length);
      for (const [at, text] of texts.entries()) {
        const may = Math.min(chars.each, left);
        const kept = Array.from(text).slice(0, may).join("");
        const whole = points(text) <= may;
        const cut = `${kept}… [cut: ${toFigure(may)} of ${toFigure(points(text))} characters]`;
        if (left <= 0) assert.match(shown[at] ?? "", /^\[ok; output left out/);
        else assert.equal(shown[at], whole ? text : cut);
        left -= points(kept);
      }
    }),
    { numRuns: 1_000 },
  );
});
