import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { stubMarket } from "../../tools/testing/stub-market.ts";
import { resolveCharts } from "./resolve-charts.ts";

const provenance = { kind: "history", source: "stub", as_of: "2024-11-22T16:00:00-05:00" };
const holding = (symbol: string, sector: string, more: { readonly [name: string]: Json } = {}) => ({
  symbol,
  sector,
  ...more,
});

const HOLDINGS = [
  holding("ACME", "Technology", { weight_percent: 50, change_percent: 10 }),
  holding("BOLT", "Technology", { weight_percent: 20, change_percent: -50 }),
  holding("FAKE", "Energy", { weight_percent: 30 }),
  holding("HOME", "Unknown", { change_percent: 1 }),
];
/** As an analysis has them beside the holdings. */
const sectors = [{ sector: "Technology", change_percent: 1 }];

async function drawn(...outputs: readonly (readonly [tool: string, data: Json])[]) {
  await using scope = Scope.root({ clock: new SystemClock() });
  const calls = outputs.map(([tool, data], at) => ({
    tool,
    args: {},
    output: { data, provenance },
    call: `1.1.${at + 1}`,
  }));
  return await resolveCharts({ calls, symbols: [], market: stubMarket({}), scope });
}

test("a portfolio is drawn by sector and holding; a group's change is that of its value", async () => {
  const [chart, ...others] = await drawn(["analyzePortfolio", { holdings: HOLDINGS, sectors }]);
  assert.deepEqual(others, []);
  assert.ok(chart?.type === "showStockHeatmap");
  const [technology, energy, ...rest] = chart.data.groups;
  assert.deepEqual(rest, []);
  assert.deepEqual([technology?.name, technology?.weight, technology?.items?.length], ["Technology", 70, 2]);
  const before = 50 / 1.1 + 20 / 0.5;
  assert.ok(Math.abs((technology?.change_percent ?? 0) - (70 / before - 1) * 100) < 1e-9);
  assert.deepEqual(energy, {
    name: "Energy",
    weight: 30,
    change_percent: null,
    items: [{ symbol: "FAKE", weight: 30, change_percent: null }],
  });
});

test("two looks at the portfolio in one run are one chart, and one without values gives no chart", async () => {
  const charts = await drawn(
    ["getPortfolio", { holdings: HOLDINGS.slice(0, 1) }],
    ["analyzePortfolio", { holdings: HOLDINGS }],
  );
  assert.deepEqual(
    charts.map(({ type, data }) => [type, "groups" in data ? data.groups.length : 0]),
    [["showStockHeatmap", 2]],
  );
  assert.deepEqual(await drawn(["getPortfolio", { holdings: HOLDINGS.slice(3) }]), []);
});

test("holdings of which no sector is known are one group", async () => {
  const [chart] = await drawn(["getPortfolio", { holdings: [holding("ACME", "Unknown", { weight_percent: 100 })] }]);
  assert.ok(chart?.type === "showStockHeatmap");
  assert.deepEqual(
    chart.data.groups.map(({ name }) => name),
    ["Holdings"],
  );
});
