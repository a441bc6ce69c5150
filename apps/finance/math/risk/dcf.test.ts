import assert from "node:assert/strict";
import { test } from "node:test";
import { discountCashFlow } from "./dcf.ts";

test("a flow that neither grows nor ends is worth itself by the discount", () => {
  const flat = {
    cashFlow: 100,
    growth: 0,
    years: 7,
    terminal_growth_percent: 0,
    discount: 10,
    netDebt: 200,
    shares: 10,
  };
  const { enterprise, equity, perShare } = discountCashFlow(flat);
  assert.deepEqual(
    [enterprise, equity, perShare].map((value) => Number(value.toFixed(9))),
    [1_000, 800, 80],
  );
});

test("two years by hand", () => {
  const { enterprise, terminalShare } = discountCashFlow({
    cashFlow: 100,
    growth: 10,
    years: 2,
    terminal_growth_percent: 2,
    discount: 10,
    netDebt: 0,
    shares: 1,
  });
  const terminal = (121 * 1.02) / 0.08 / 1.21;
  assert.equal(enterprise.toFixed(9), (200 + terminal).toFixed(9));
  assert.equal(terminalShare.toFixed(9), (terminal / (200 + terminal)).toFixed(9));
});
