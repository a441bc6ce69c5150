import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import * as fc from "fast-check";
import type { Figure, Unit } from "./fact.ts";
import { factsOfState } from "./fact-state.ts";
import { toFacts } from "./with-facts.ts";
import { numbersOf, valueAt } from "./figure-path.ts";
import { checkFigures, isUnit } from "./check-figures.ts";

const OUTPUT: Json = { data: { price: 12.5, rows: [{ v: 1 }, { v: 2 }], by: { "A.B": 3, "a]b": 4, 'q"': 5 } } };

const figure = (more: Partial<Figure>): Figure => ({
  path: "data.price",
  value: 12.5,
  unit: "money/share",
  currency: "USD",
  symbol: "A",
  metric: "price",
  ...more,
});

test("numbers are found with paths that lead back to them, in the order of the output", () => {
  assert.deepEqual(
    numbersOf(OUTPUT).map(({ path }) => path),
    ["data.price", "data.rows[0].v", "data.rows[1].v", 'data.by["A.B"]', 'data.by["a]b"]', 'data.by["q\\""]'],
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json: unknown = JSON.parse(JSON.stringify(value));
      const output: Json = { it: [toJson(json)] };
      for (const { path, value: found } of numbersOf(output)) assert.equal(valueAt(output, path), found, path);
    }),
  );
});

test("a path that leads nowhere or is not one gives nothing", () => {
  for (const path of ["", "data.none", "data.rows[2].v", "data.rows.0.v", "data.", ".data", "data[", "data.rows[-1]"]) {
    assert.notEqual(typeof valueAt(OUTPUT, path), "number", path);
  }
  for (const path of ["data.__proto__", "data.price.toFixed", 'data.by["A.B', 'data.by["A.B"', "data.rows[1]v"]) {
    assert.equal(valueAt(OUTPUT, path), undefined, path);
  }
});

test("a sound figure has no problem", () => {
  const period = { start: "2016-01-01", end: "2016-12-31", label: "FY2016" };
  assert.deepEqual(checkFigures(OUTPUT, [figure({ period, asOf: "2024-11-22T16:00:00-05:00" })]), []);
});

test("every problem of a figure is named with its path", () => {
  const { currency: _, ...bare } = figure({});
  const cases: readonly (readonly [Figure, RegExp])[] = [
    [figure({ path: "data.nothing" }), /leads nowhere/],
    [figure({ value: 12.4 }), /the output has 12.5, the figure 12.4/],
    [figure({ value: Number.NaN }), /not a finite number/],
    [bare, /needs a currency/],
    [figure({ unit: "percent" }), /percent has no currency/],
    [figure({ currency: "us$" }), /not the code of a currency/],
    [figure({ metric: " " }), /has no metric/],
    [figure({ period: { end: "2016-02-30" } }), /the period is not valid/],
    [figure({ period: { start: "2017-01-01", end: "2016-12-31" } }), /the period is not valid/],
    [figure({ asOf: "2024-11-22" }), /not RFC 3339/],
    [figure({ asOf: "2024-11-22T16:00:00" }), /not RFC 3339/],
  ];
  for (const [wrong, problem] of cases) {
    const found = checkFigures(OUTPUT, [wrong]);
    assert.ok(
      found.some((text) => problem.test(text) && text.startsWith(`${wrong.path}: `)),
      `${problem} not in ${found.join("; ")}`,
    );
  }
  assert.deepEqual(checkFigures(OUTPUT, [figure({}), figure({})]), ["data.price: is declared twice"]);
});

const MONEY: readonly Unit[] = ["money", "money/share", "money/coin"];
const OTHER: readonly Unit[] = ["percent", "ratio", "shares", "coins", "points", "count", "days"];

test("a figure keeps its unit as a fact; money has a currency, other units have none, and there are no others", () => {
  const { currency: _, ...bare } = figure({});
  const origin = { as_of: "2024-11-22T16:00:00-05:00", kind: "live", source: "test" } as const;
  for (const unit of [...MONEY, ...OTHER]) {
    const hasCurrency = MONEY.includes(unit);
    assert.equal(checkFigures(OUTPUT, [{ ...bare, unit }]).length, hasCurrency ? 1 : 0, `${unit} without a currency`);
    assert.equal(checkFigures(OUTPUT, [figure({ unit })]).length, hasCurrency ? 0 : 1, `${unit} with a currency`);
    const stored = toFacts("1.1.1", [hasCurrency ? figure({ unit }) : { ...bare, unit }], origin).map((one) => ({
      ...one,
    }));
    const [fact] = factsOfState({ entries: () => [["facts/1.1.1", stored]] });
    assert.equal(fact?.unit, unit);
  }
  for (const value of ["", "Percent", "USD", "money/", "fraction", 1, null]) assert.equal(isUnit(value), false);
});

function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toJson(part)]));
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
