import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Calculation, calculate } from "./calculate.ts";
import type { Fact, Unit } from "../facts/fact.ts";
import { type Exact, solve, toNumber, type Tree } from "./testing/exact-oracle.ts";

const UNITS: readonly (readonly [unit: Unit, currency?: string])[] = [
  ["money", "USD"],
  ["money", "EUR"],
  ["money/share", "USD"],
  ["money/coin", "USD"],
  ["percent"],
  ["ratio"],
  ["shares"],
  ["coins"],
  ["points"],
  ["count"],
  ["days"],
];

const decimal = fc.integer({ min: -999_999, max: 999_999 }).map((value) => value / 100);

const fact: fc.Arbitrary<Fact> = fc
  .record({ value: decimal, kind: fc.constantFrom(...UNITS) })
  .map(({ value, kind: [unit, currency] }) => ({
    id: "f1.1.1.1",
    call: "1.1.1",
    path: "data.value",
    value,
    unit,
    ...(currency === undefined ? {} : { currency }),
    symbol: "A",
    metric: "m",
    as_of: "2024-11-22T16:00:00-05:00",
    kind: "live",
    source: "s",
  }));

const { tree } = fc.letrec<{ tree: Tree; few: readonly Tree[] }>((tie) => ({
  few: fc.tuple(tie("tree"), tie("tree")),
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fact.map((of): Tree => ({ type: "fact", fact: of })),
    fc.integer({ min: 0, max: 5_000 }).map((value): Tree => ({ type: "literal", value: value / 10 })),
    fc.record({ type: fc.constant("negative" as const), of: tie("tree") }),
    fc.record({
      type: fc.constant("operation" as const),
      sign: fc.constantFrom("+", "-", "*", "/"),
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({
      type: fc.constant("formula" as const),
      name: fc.constantFrom("growth", "share", "sum", "avg", "min", "max"),
      args: tie("few"),
    }),
  ),
}));

/** A tree as text, and the facts in it by the ids they get there. */
function write(root: Tree): Readonly<{ text: string; facts: ReadonlyMap<string, Fact> }> {
  const facts = new Map<string, Fact>();
  const print = (of: Tree): string => {
    switch (of.type) {
      case "literal":
        return `${of.value}`;
      case "fact": {
        const id = `f1.1.1.${facts.size + 1}`;
        facts.set(id, { ...of.fact, id });
        return id;
      }
      case "negative":
        return `(-${print(of.of)})`;
      case "operation":
        return `(${print(of.left)}${of.sign}${print(of.right)})`;
      case "formula":
        return `${of.name}(${of.args.map(print).join(",")})`;
    }
  };
  const text = print(root);
  return { text, facts };
}

const UNIT_NAMES: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["USD", "money"],
  ["EUR", "money"],
  ["USD/shares", "money/share"],
  ["EUR/shares", "money/share"],
  ["USD/coins", "money/coin"],
  ["EUR/coins", "money/coin"],
  ["plain", "ratio"],
  ...(["ratio", "percent", "count", "shares", "coins", "points", "days"] as const).map((name) => [name, name] as const),
]);

function assertAgrees(text: string, result: Calculation, exact: Exclude<Exact, "unclear">): void {
  const unit = exact === "refused" ? undefined : UNIT_NAMES.get(exact.unit);
  assert.equal(result.ok, unit !== undefined, `${text}: ${JSON.stringify(result)}`);
  if (!result.ok || exact === "refused") return;
  const scale = unit === "percent" ? 100 : 1;
  const expected = toNumber(exact.value) * scale;
  assert.deepEqual([result.unit, result.currency], [unit, exact.unit.match(/USD|EUR/)?.[0]], text);
  const most = exact.doubt * scale * 10 + Math.abs(expected) * 1e-14 + 1e-30;
  assert.ok(Math.abs(result.value - expected) <= most, `${text} = ${result.value}, not ${expected} (± ${most})`);
}

test("value and unit of every expression agree with exact arithmetic and a table of units, or both refuse", () => {
  let clear = 0;
  let accepted = 0;
  fc.assert(
    fc.property(tree, (root) => {
      const { text, facts } = write(root);
      fc.pre(text.length <= 1_500);
      const exact = solve(root);
      fc.pre(exact !== "unclear");
      const result = calculate(text, (id) => facts.get(id));
      fc.pre(result.ok || !result.problem.includes("nested deeper"));
      clear += 1;
      if (result.ok) accepted += 1;
      assertAgrees(text, result, exact);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(clear >= 3_000 && accepted > 300, `${accepted} of ${clear} expressions had a value`);
});

test("two facts of different units or currencies are never added, whatever their values", () => {
  fc.assert(
    fc.property(fact, fact, fc.constantFrom("+", "-"), (one, other, sign) => {
      const isSame = one.unit === other.unit && one.currency === other.currency;
      const facts = new Map([
        ["f1.1.1.1", { ...one, id: "f1.1.1.1" }],
        ["f1.1.1.2", { ...other, id: "f1.1.1.2" }],
      ]);
      const result = calculate(`f1.1.1.1 ${sign} f1.1.1.2`, (id) => facts.get(id));
      assert.equal(result.ok, isSame, JSON.stringify(result));
    }),
  );
});

test("no text breaks it: there is a value or a problem, and never a value that is not finite", () => {
  const pieces = fc.constantFrom(
    ...Array.from("+-*/^(),%{}.1e9_ "),
    "f1.1.1.1",
    "f2/a/1.1.1.1",
    "growth",
    "sum(",
    "1e308",
    "×",
    "f",
    "\u0000",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, fact, (expression, known) => {
      const result = calculate(expression, (id) => (id === "f1.1.1.1" ? { ...known, id } : undefined));
      if (result.ok) assert.ok(Number.isFinite(result.value) && !Object.is(result.value, -0));
      else assert.ok(result.problem.length > 0 && result.problem.length < 2_000);
    }),
    { numRuns: 3_000 },
  );
});
