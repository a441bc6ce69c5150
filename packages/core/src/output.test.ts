import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseJson, type Json } from "./json.ts";
import { boundOutput, toToolMessages, type CallResult } from "./output.ts";

const MIB = 1_024 * 1_024;

const result = (at: number, rest: Omit<CallResult, "request">): CallResult => ({
  request: { id: `1.1.${at}`, tool: "look", args: {} },
  ...rest,
});

const contents = (outputs: readonly Json[], chars: { each: number; total: number }): string[] =>
  toToolMessages(
    outputs.map((output, at) => result(at, { output })),
    chars,
  ).map(({ content }) => content);

const wide = { each: 2_000, total: 4_000 };

test("a model reads text as it is, and everything else as JSON, in the order of the calls", () => {
  assert.deepEqual(toToolMessages([result(1, { output: "text" }), result(2, { output: { a: [1, null] } })], wide), [
    { role: "tool", call: "1.1.1", tool: "look", content: "text" },
    { role: "tool", call: "1.1.2", tool: "look", content: '{"a":[1,null]}' },
  ]);
  assert.deepEqual(contents([null, true, 1.5, ""], wide), ["null", "true", "1.5", ""]);
});

test("a failure is told with its kind, bounded like any output", () => {
  const error = { code: "tool", kind: "timeout", message: "took 5 s" } as const;
  assert.deepEqual(toToolMessages([result(1, { error })], wide), [
    { role: "tool", call: "1.1.1", tool: "look", content: "Error (timeout): took 5 s", failed: true },
  ]);
  const [cut] = toToolMessages([result(1, { error: { code: "internal", message: "x".repeat(50) } })], {
    each: 20,
    total: 99,
  });
  assert.equal(cut?.content, "Error (internal): xx… [cut: 20 of 68 characters]");
});

test("a long output is cut between characters, and its length is told", () => {
  assert.deepEqual(contents(["abcdef"], { each: 6, total: 99 }), ["abcdef"]);
  assert.deepEqual(contents(["abcdefg"], { each: 6, total: 99 }), ["abcdef… [cut: 6 of 7 characters]"]);
  assert.deepEqual(contents(["👍👍👍"], { each: 3, total: 99 }), ["👍👍👍"]);
  assert.deepEqual(contents(["👍👍👍"], { each: 2, total: 99 }), ["👍👍… [cut: 2 of 3 characters]"]);
  assert.deepEqual(contents([["👍👍"]], { each: 3, total: 99 }), ['["👍… [cut: 3 of 6 characters]']);
  assert.deepEqual(contents(["x".repeat(12_345)], wide), [`${"x".repeat(2_000)}… [cut: 2,000 of 12,345 characters]`]);
});

test("once the whole is reached, the rest report only how they ended", () => {
  const error = { code: "tool", kind: "network", message: "reset" } as const;
  const messages = toToolMessages(
    [result(1, { output: "aaaa" }), result(2, { output: "bbbb" }), result(3, { output: "c" }), result(4, { error })],
    { each: 4, total: 6 },
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
});

const unicode = fc.string({ unit: "binary", maxLength: 30 });
const points = (text: string): number => Array.from(text).length;

test("what a model reads never exceeds the limits, is never cut inside a character, and is a beginning", () => {
  const limits = fc.record({ each: fc.integer({ min: 1, max: 20 }), total: fc.integer({ min: 1, max: 50 }) });
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
        const cut = `${kept}… [cut: ${may} of ${points(text)} characters]`;
        if (left <= 0) assert.match(shown[at] ?? "", /^\[ok; output left out/);
        else assert.equal(shown[at], whole ? text : cut);
        left -= points(kept);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("plain data goes to the log as JSON has it", () => {
  for (const value of ["", "text", "\ud83d", 0, 1.5, true, false, null, [], {}, [1, { a: "b" }]]) {
    assert.deepEqual(boundOutput(value), { ok: true, output: value });
  }
  assert.deepEqual(boundOutput(undefined), { ok: true, output: null });
  assert.deepEqual(boundOutput(Number.NaN), { ok: true, output: null });
  assert.deepEqual(boundOutput(-0), { ok: true, output: 0 });
  assert.deepEqual(boundOutput({ at: new Date(0), gone: undefined }), {
    ok: true,
    output: { at: "1970-01-01T00:00:00.000Z" },
  });
});

test("what is logged does not change when the tool changes what it returned", () => {
  const value = { list: [1] };
  const bounded = boundOutput(value);
  value.list.push(2);
  assert.deepEqual(bounded, { ok: true, output: { list: [1] } });
});

test("a value that is no JSON is a reason, never a throw", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  class Hostile extends Error {
    override get message(): string {
      throw new Error("no");
    }
  }
  const throws = (error: unknown) => ({
    toJSON(): never {
      throw error;
    },
  });
  const getter = {
    get a(): never {
      throw new Error("no");
    },
  };
  const thrown = [new Error("no"), undefined, new Hostile(), revoked.proxy];
  const bad = [cycle, 1n, { a: 1n }, () => 1, Symbol("s"), revoked.proxy, getter, ...thrown.map(throws)];
  for (const value of bad) {
    const bounded = boundOutput(value);
    assert.ok(!bounded.ok && bounded.why !== "");
  }
});

test("nesting that would overflow whoever serialises it later is refused", () => {
  const nest = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  assert.equal(boundOutput(nest(1_000)).ok, true);
  for (const levels of [1_001, 3_000, 100_000]) assert.equal(boundOutput(nest(levels)).ok, false, String(levels));
});

test("an output is whole up to 1 MiB of UTF-8, and cut between characters above", () => {
  for (const [unit, bytes] of [
    ["a", 1],
    ["é", 2],
    ["語", 3],
    ["👍", 4],
  ] as const) {
    const most = Math.floor(MIB / bytes);
    const whole = unit.repeat(most);
    assert.deepEqual(boundOutput(whole), { ok: true, output: whole });
    const count = (most + 1).toLocaleString("en-US");
    const cut = `${whole}… [cut: ${most.toLocaleString("en-US")} of ${count} characters]`;
    assert.deepEqual(boundOutput(whole + unit), { ok: true, output: cut });
  }
});

test("a large object becomes the beginning of its JSON text", () => {
  const value = { rows: Array.from({ length: 200_000 }, (_, at) => at) };
  const bounded = boundOutput(value);
  assert.ok(bounded.ok && typeof bounded.output === "string");
  assert.equal(bounded.output.slice(0, MIB), JSON.stringify(value).slice(0, MIB));
  assert.match(bounded.output.slice(MIB), /^… \[cut: 1,048,576 of [\d,]+ characters\]$/);
});

test("an output too large to serialise again and again is refused with its size", () => {
  for (const value of ["x".repeat(16 * MIB + 1), ["x".repeat(16 * MIB)]]) {
    const bounded = boundOutput(value);
    assert.match(bounded.ok ? "" : bounded.why, /16,777,2\d\d characters/);
  }
  assert.equal(boundOutput("x".repeat(16 * MIB)).ok, true);
});

test("any value is logged as JSON would read it back", () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withMap: true, withSparseArray: true }), (value) => {
      const text: string | undefined = JSON.stringify(value);
      assert.deepEqual(boundOutput(value), { ok: true, output: parseJson(text ?? "null") });
    }),
    { numRuns: 500 },
  );
});
