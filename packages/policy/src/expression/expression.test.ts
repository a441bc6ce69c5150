/** Expressions: what they mean, what is refused, and that nothing hangs or throws anything else. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as assertProperty, constantFrom, oneof, property, string } from "fast-check";
import type { Json } from "@baton/core";
import { readNames } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import { parseExpression } from "./parse.ts";
import { ExpressionError } from "./token.ts";
import type { Value } from "./value.ts";

const NAMES: Readonly<Record<string, Json>> = {
  args: { amount: 120, tags: ["a", "b"], nested: { deep: null }, text: "Größe" },
  n: 7,
  word: "The quick fox",
};

function valueOf(text: string): Value {
  return evaluate(parseExpression(text), { get: (name) => NAMES[name] });
}

const toPlain = (value: Value): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

const VALUES: readonly (readonly [string, unknown])[] = [
  ["1 + 2 * 3 - 4 / 2 % 3", 5],
  ["-n + 8", 1],
  ["(1 + 2) * 3", 9],
  ["5 / 2", 2.5],
  ["1e3 == 1000 && .5 < 1", true],
  ["'a' + \"b\\n\\u0041\"", "ab\nA"],
  ["[1, 'x', null] + [true]", [1, "x", null, true]],
  ["{'a': 1, 'b': [2]}", { a: 1, b: [2] }],
  ["{'a': {'b': [1]}} == {'a': {'b': [1]}}", true],
  ["1 == '1'", false],
  ["args.nested == {'deep': null}", true],
  ["'a' in args.tags && 'amount' in args && !('x' in args)", true],
  ["args['amount'] + args.tags.size()", 122],
  ["args.tags[1]", "b"],
  ["has(args.amount) && has(args.nested.deep) && !has(args.nope)", true],
  ["n > 5 ? 'big' : n > 3 ? 'mid' : 'small'", "big"],
  ["word.contains('quick') && word.startsWith('The') && word.endsWith('fox')", true],
  ["word.lower()", "the quick fox"],
  ["size(args.text) + '𝒳'.size()", 6],
  ["[1, 2, 3].exists(x, x == 2) && [1, 2].all(x, x > 0)", true],
  ["[1, 2, 3, 4].filter(x, x % 2 == 0).map(x, x * n)", [14, 28]],
  ["[[1], [2, 3]].map(l, l.map(x, x + size(l)))", [[2], [4, 5]]],
  ["args.exists(key, key == 'amount')", true],
  ["string(1.5) + string(true)", "1.5true"],
  ["double('2.5') + sum([1, 2]) + min(3, 4) + max([5, 6]) + abs(-1)", 15.5],
  ["false && args.nope", false],
  ["args.nope && false", false],
  ["true || 1 / 0 > 1", true],
  ["1 / 0 > 1 || true", true],
  ["[1 / 1, 2].exists(x, 1 / (x - 1) > 0)", true],
  ["'z' > 'a' && 'b' >= 'b' && false < true", true],
  ["'\\ud83d\\ude00' > '\\uffff'", true],
  ["pii('write to ann@example.com or call +84 90 123 4567')", ["email", "phone"]],
  ["pii('4111 1111 1111 1111 and DE89 3704 0044 0532 0130 00.')", ["card", "iban"]],
  ["pii('order 4111 1111 1111 1112 of 2026-11-18, 1,234,567.89 USD, 555 items, GB82WEST12345698765431')", []],
  ["pii('(555) 123-4567')", ["phone"]],
];

const FAILURES: readonly (readonly [string, RegExp])[] = [
  ["args.nope", /no field "nope"/],
  ["word.size", /no field "size" in text/],
  ["1 + 'a'", /cannot add a number and text/],
  ["1 / 0", /division by zero/],
  ["1 % 0", /division by zero/],
  ["1 < 'a'", /cannot be compared/],
  ["'a' in 'abc'", /a list or a map/],
  ["!1", /true or false, not a number/],
  ["1 && true", /true or false/],
  ["args.tags[2]", /no item 2/],
  ["nothing", /no "nothing" here/],
  ["[1].all(x, x)", /true or false/],
  ["{'a': 1, 'a': 2}", /twice/],
  ["min([])", /empty list/],
  ["double('x')", /a number written as text/],
  ["word.nope()", /no function nope/],
  ["has(word.x)", /not a map/],
  [
    "[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, 1)))))",
    /too much work/,
  ],
];

const WRONG: readonly (readonly [string, RegExp, number])[] = [
  ["", /the expression ends where a value is expected/, 0],
  ["args.amount >", /the expression ends/, 13],
  ["1 +* 2", /there is `\*`/, 3],
  ["'open", /no closing quote/, 0],
  ["a $ b", /"\$" is not part/, 2],
  ["1abc", /followed by a letter/, 0],
  ["a b", /where an operator is expected/, 2],
  ["has(a)", /has\(\) takes one field/, 0],
  ["a.in", /name of a field/, 2],
  ["while", /where a name is expected/, 0],
  ["(".repeat(2_000), /nested more than 32 deep/, 32],
  ["[".repeat(40), /nested more than 32 deep/, 32],
  ["!".repeat(40), /nested more than 32 deep/, 31],
  ["x".repeat(2_001), /2001 characters; at most 2000/, 0],
];

suite("an expression", () => {
  for (const [text, value] of VALUES) {
    test(`${text} has its value`, () => assert.deepEqual(toPlain(valueOf(text)), value));
  }
  for (const [text, why] of FAILURES) {
    test(`${text.slice(0, 60)} fails when it is evaluated`, () => {
      assert.throws(() => valueOf(text), { name: "ExpressionError", message: why });
    });
  }
  for (const [text, why, at] of WRONG) {
    test(`${text.slice(0, 30)} is refused, with its place`, () => {
      assert.throws(() => parseExpression(text), { name: "ExpressionError", message: why, at });
    });
  }

  test("tells the names, functions and fields that it reads", () => {
    const { problems, names, paths } = readNames(
      parseExpression("args.a.b > limit && args.list.exists(x, x.y == tol(x))"),
      ["args"],
    );
    assert.deepEqual([...names], ["args", "limit"]);
    assert.deepEqual(
      paths.map(({ path }) => path.join(".")),
      ["args.a.b", "limit", "args.list"],
    );
    assert.deepEqual(
      problems.map(({ code, at }) => [code, at]),
      [
        ["unknown_name", 11],
        ["unknown_function", 47],
      ],
    );
  });

  test("of 600 terms is read and evaluated", () => {
    assert.equal(valueOf(Array.from({ length: 600 }, () => "1").join("+")), 600);
  });
});

const pieces = constantFrom(
  ..."args n word . [ ] ( ) { } , : ? && || ! - + * / % == != < <= in has( exists( map(x, filter(x, size( tainted( pii( 'a' \"b\" 1 2.5 true null x".split(
    " ",
  ),
);

test("no input hangs, or throws anything but its own errors", () => {
  const text = oneof(
    string({ maxLength: 2_000 }),
    array(pieces, { maxLength: 300 }).map((list) => list.join(" ").slice(0, 2_000)),
  );
  assertProperty(
    property(text, (expression) => {
      try {
        valueOf(expression);
      } catch (thrown) {
        assert.ok(thrown instanceof ExpressionError, String(thrown));
      }
    }),
    { numRuns: 400, seed: 7 },
  );
});
