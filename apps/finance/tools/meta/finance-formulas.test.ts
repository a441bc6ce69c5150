/** The formulas of finance: questions as reports are asked them, with answers that were computed with fractions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryCache, type Unit, withFacts } from "@baton/assistant";
import { defineTool, type Json } from "@baton/core";
import { callTool, toolContext } from "@baton/core/testing";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { stubMarket } from "../testing/stub-market.ts";
import { calculateTool } from "./calculate.ts";

const TABLE = `
gross margin | 84263000000 money, 215639000000 money | margin(a, b) | 39.0759556481 percent
net margin | 45687 money, 215639 money | margin(a, b) | 21.1867983064 percent
operating margin of a difference | 500 money, 320 money | margin(a - b, a) | 36 percent
negative margin | -34.5 money, 230 money | margin(a, b) | -15 percent
enterprise value to EBITDA | 617588 money, 87032 money, 20484 money, 70529 money | ev_ebitda(a, b, c, d) | 9.70006663925 ratio
yield of free cash flow | 53497 money, 617588 money | fcf_yield(a, b) | 8.66224732346 percent
profit of a position | 10 shares, 150.25 money/share, 229.87 money/share | position_pl(a, b, c) | 796.2 money
profit of a position that a person names | 229.87 money/share | position_pl(100, 150, a) | 7987 money
interest of ten years | 1 ratio | compound(10000, 7, 10) | 19671.5135729 ratio
interest in a currency | 1 ratio | compound(10000 USD, 7, 10) | 19671.5135729 money
saving each month | 1 ratio | compound(0, 8, 20, 500) | 294510.207811 ratio
without interest | 1 ratio | compound(100, 0, 1, 10) | 220 ratio
a loan | 1 ratio | loan_payment(300000, 6, 30) | 1798.65157546 ratio
tax on a profit | 796.2 money | tax(a, 20) | 159.24 money
no tax on a loss | -58 money | tax(a, 20) | 0 money
a call | 1 ratio | option_price("call", 100, 100, 365, 20, 5) | 10.4505835722 ratio
a put | 100 money/share | option_price("put", a, 100, 365, 20, 5) | 5.57352602226 money/share
loss of a position | 40 shares, 12.5 money/share, 11.05 money/share | position_pl(a, b, c) | -58 money
change of a margin | 84263 money, 215639 money, 93626 money, 233715 money | margin(a, b) - margin(c, d) | -0.983946369317 percent
saving for a sum | 1 ratio | monthly_investment(100000, 0, 1) | 8333.33333333 ratio
`;

const UNIT = z.enum(["money", "money/share", "percent", "ratio", "shares"]);

const toAmount = (text: string): Readonly<{ value: number; unit: Unit }> => {
  const [value, unit] = text.split(" ");
  return { value: Number(value), unit: UNIT.parse(unit) };
};

/** A tool that found these amounts. */
const found = (amounts: readonly ReturnType<typeof toAmount>[]) =>
  withFacts(defineTool({ name: "find", description: "Finds.", effect: "read", input: z.object({}), run: () => 0 }), {
    figuresOf: () => ({
      figures: amounts.map(({ value, unit }, at) => {
        const currency = unit.startsWith("money") ? { currency: "USD" } : {};
        return { path: `data[${at}]`, value, unit, symbol: "A", metric: `m${at}`, ...currency };
      }),
      origin: { as_of: "2024-11-22T16:00:00-05:00", kind: "history", source: "test" },
    }),
  });

const VALUE = z.looseObject({
  defaults: z.array(z.looseObject({ metric: z.string(), value: z.number() })).optional(),
  value: z.number(),
  unit: z.string(),
});
const OUTPUT = z.object({ data: z.object({ results: z.tuple([VALUE]) }) });

async function calculate(expression: string, amounts: readonly ReturnType<typeof toAmount>[]) {
  const output: Json = { data: amounts.map(({ value }) => value) };
  const messages = [{ role: "user", content: expression } as const];
  const context = toolContext(messages, { outputs: new Map([["1.1.1", output]]) })("1.2.1");
  const calls = context.calls.map((call) => ({ ...call, tool: "find" }));
  const tool = calculateTool.open(stubMarket({}), { cache: new MemoryCache(), tools: () => [found(amounts)] });
  const written = expression.replaceAll(/\b[a-d]\b/g, (letter) => `f1.1.1.${letter.charCodeAt(0) - 96}`);
  const given = await callTool(tool, { expression: written }, { ...context, calls });
  return OUTPUT.parse(parseJson(JSON.stringify(given))).data.results[0];
}

test("each formula gives the answer, in its unit", async () => {
  for (const line of TABLE.trim().split("\n")) {
    const [title = "", facts = "", expression = "", answer = ""] = line.split(" | ");
    const { value, unit } = await calculate(expression, facts.split(", ").map(toAmount));
    const wanted = toAmount(answer);
    assert.deepEqual([Number(value.toPrecision(12)), unit], [wanted.value, wanted.unit], title);
  }
});

test("what makes no sense is refused with the reason", async () => {
  const cases: readonly (readonly [expression: string, problem: RegExp])[] = [
    ['option_price("straddle", 100, 100, 365, 20)', /"straddle" is not a known word; there are call, put/],
    ["compound(100, 8, 900)", /years must be above 0 and at most 200/],
    ["tax(a, a)", /a rate is a percentage such as 8, not USD/],
    ["loan_payment(100, 8)", /loan_payment takes \(principal, rate_percent, years\), not 2 values/],
  ];
  for (const [expression, problem] of cases) {
    await assert.rejects(calculate(expression, [toAmount("5 money")]), { kind: "validation", message: problem });
  }
});

test("an option without a rate says which one is assumed", async () => {
  const option = 'option_price("call", a, 100, 365, 20';
  const { defaults } = await calculate(`${option})`, [toAmount("100 money")]);
  assert.deepEqual(defaults, [{ metric: "interest rate a year", value: 4.5, unit: "percent" }]);
  assert.equal((await calculate(`${option}, 5)`, [toAmount("100 money")])).defaults, undefined);
});
