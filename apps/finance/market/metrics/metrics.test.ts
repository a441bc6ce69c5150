import assert from "node:assert/strict";
import { test } from "node:test";
import { fromFmp, METRICS } from "./metrics.ts";

test("the same name means in each set what it measures there", () => {
  assert.equal(METRICS.balance.get("inventory")?.label, "inventory");
  assert.equal(METRICS.cash_flow.get("inventory")?.label, "change in inventory");
  assert.equal(METRICS.income.get("__proto__"), undefined);
});

test("FMP's fractions become percent; its percentage, ratios and amounts stay as they are", () => {
  assert.equal(fromFmp("ratios", "netProfitMargin", 0.07), 7);
  assert.equal(fromFmp("ratios", "dividendYield", 0.0042), 0.42);
  assert.equal(fromFmp("ratios", "dividendYieldPercentage", 0.42), 0.42);
  assert.equal(fromFmp("ratios", "debtToEquityRatio", 2.09), 2.09);
  assert.equal(fromFmp("growth", "epsgrowth", -0.5), -50);
  assert.equal(fromFmp("key_metrics", "marketCap", 3e12), 3e12);
  assert.equal(fromFmp("income", "unheardOf", 0.5), 0.5);
});

test("margins, growth, yields, returns and payout are percent in every set", () => {
  const isShare = (name: string) => /margin$|growth|yield|^returnon|payout/i.test(name);
  for (const metrics of Object.values(METRICS)) {
    for (const [name, { unit }] of metrics) {
      const isGrowthRatio = name.endsWith("GrowthRatio");
      if (isShare(name) && !isGrowthRatio) assert.equal(unit, "percent", name);
      if (/PerShare$|^eps/i.test(name) && !isShare(name)) assert.equal(unit, "money/share", name);
    }
  }
});

test("no two names of a set are called the same, but the two dividend yields", () => {
  for (const metrics of Object.values(METRICS)) {
    for (const language of ["label", "vietnamese"] as const) {
      const labels = [...metrics].flatMap(([name, metric]) => (name === "dividendYield" ? [] : [metric[language]]));
      assert.deepEqual(
        labels.filter((label, index) => labels.indexOf(label) !== index),
        [],
      );
    }
  }
});

test("every set has all names of the reference", () => {
  const sizes = Object.fromEntries(Object.entries(METRICS).map(([set, metrics]) => [set, metrics.size]));
  assert.deepEqual(sizes, { income: 31, balance: 53, cash_flow: 39, key_metrics: 42, ratios: 61, growth: 35 });
});
