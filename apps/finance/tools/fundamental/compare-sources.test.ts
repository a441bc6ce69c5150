import assert from "node:assert/strict";
import { test } from "node:test";
import type { PeriodRow, MarketSource } from "../../market/port/market-data.ts";
import { MarketError, type MarketErrorKind } from "../../market/port/market-error.ts";
import { openMarket } from "../../market/chain/open-market.ts";
import { openPack } from "../../market/pack/pack.ts";
import { compareSourcesTool } from "./compare-sources.ts";
import { openLiveWorld } from "../testing/live-world.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { answerOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const pack = openPack();
const clock = { now: () => Date.now() };

const AS_OF = "2024-11-22T15:00:00Z";

type Priced = Readonly<{ price: number; asOf?: string; kind?: "live" | "history" | "snapshot" }>;

const priced = (name: string, { price, asOf = AS_OF, kind = "live" }: Priced): MarketSource => ({
  name,
  quote: async () => sourced({ price }, { source: name, kind, as_of: asOf }),
});
const failing = (name: string, kind: MarketErrorKind): MarketSource => ({
  name,
  quote: async () => {
    throw new MarketError(kind, `${name} was asked`);
  },
});
const marketOf = (sources: readonly MarketSource[]) => stubMarket({}, { sourcesOf: () => sources });

test("two sources that have a price are shown with their difference, each with its own source and time", async () => {
  const later = "2024-11-22T15:01:00Z";
  const market = marketOf([
    priced("one", { price: 200 }),
    priced("two", { price: 201, asOf: later }),
    failing("three", "plan"),
  ]);
  const { output, facts, uncited } = await inspect(toolOn(market, compareSourcesTool), { symbol: "ACME" });
  assert.deepEqual(pick(output, "data.differences"), [
    { of: "two", to: "one", difference: 1, difference_percent: 0.5, currency: "USD" },
  ]);
  assert.deepEqual(pick(output, "data.missing"), [{ source: "three", reason: "plan: three was asked" }]);
  assert.match(String(pick(output, "data.note")), /not of the same moment/);
  assert.deepEqual(uncited, []);
  assert.deepEqual(facts.map(({ source, as_of, value, unit }) => [source, as_of, value, unit]).slice(0, 2), [
    ["one", AS_OF, 200, "money/share"],
    ["two", later, 201, "money/share"],
  ]);
});

test("a price of another week is not compared with one of today", async () => {
  const market = marketOf([
    priced("one", { price: 200 }),
    priced("old", { price: 100, asOf: "2024-10-01T15:00:00Z", kind: "snapshot" }),
  ]);
  const answer = await answerOf(market, compareSourcesTool, { symbol: "ACME" });
  assert.deepEqual(pick(answer, "data.values.*.source"), ["one"]);
  assert.deepEqual(pick(answer, "data.missing.*.reason"), ["its price is of 2024-10-01"]);
  assert.match(String(pick(answer, "data.note")), /^only one has it; another source comes with /);
});

test("if no source has it, the failure that tells most is told", async () => {
  const down = marketOf([failing("one", "no_data"), failing("two", "upstream")]);
  await assert.rejects(answerOf(down, compareSourcesTool, { symbol: "ACME" }), /upstream: two was asked/);
  const none = marketOf([failing("one", "no_data"), failing("two", "no_data")]);
  assert.equal(pick(await answerOf(none, compareSourcesTool, { symbol: "ACME" }), "no_data"), true);
  assert.equal(pick(await answerOf(marketOf([]), compareSourcesTool, { symbol: "ACME" }), "no_data"), true);
});

const year = (end: string, revenue: number, currency = "USD"): PeriodRow => ({
  label: `FY${end.slice(0, 4)}`,
  end,
  currency,
  values: new Map([["revenue", revenue]]),
});
const booked = (name: string, rows: readonly PeriodRow[]): MarketSource => ({
  name,
  statements: async () => sourced(rows, { source: name, kind: "live" }),
});
const revenueOf = (sources: readonly MarketSource[]) =>
  answerOf(marketOf(sources), compareSourcesTool, { symbol: "ACME", what: "revenue" });

test("revenue is compared for the newest fiscal year that two sources have, whose ends may differ by days", async () => {
  const answer = await revenueOf([
    booked("one", [year("2024-09-28", 400), year("2023-09-30", 300)]),
    booked("two", [year("2023-09-25", 330), year("2022-09-24", 200)]),
    booked("three", [year("2016-09-24", 100)]),
  ]);
  assert.deepEqual(pickAll(answer, "data.period.label", "data.values.*.value"), ["FY2023", [300, 330]]);
  assert.deepEqual(pick(answer, "data.differences.0.difference_percent"), 10);
  assert.deepEqual(pick(answer, "data.missing"), [
    { source: "three", reason: "has no fiscal year that ends on 2023-09-30; its newest is FY2016" },
  ]);
});

test("different years and different currencies are shown and not subtracted", async () => {
  const years = await revenueOf([booked("one", [year("2024-09-28", 400)]), booked("two", [year("2016-09-24", 200)])]);
  assert.deepEqual(pickAll(years, "data.values.*.label", "data.differences"), [["FY2024", "FY2016"], []]);
  assert.match(String(pick(years, "data.note")), /same fiscal year/);
  const money = await revenueOf([
    booked("one", [year("2024-09-28", 400)]),
    booked("two", [year("2024-09-28", 9e6, "VND")]),
  ]);
  assert.deepEqual(pickAll(money, "data.values.*.currency", "data.differences"), [["USD", "VND"], []]);
  assert.match(String(pick(money, "data.note")), /different currencies/);
});

test("with embedded data alone there is one source, and what brings another is said", async () => {
  const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock, pack });
  const answer = await answerOf(market, compareSourcesTool, { symbol: "AAPL", what: "net_income" });
  assert.deepEqual(pickAll(answer, "data.values.*.source", "data.differences"), [["snapshot"], []]);
  assert.match(String(pick(answer, "data.note")), /SEC_CONTACT/);
  const coin = await answerOf(market, compareSourcesTool, { symbol: "Bitcoin", what: "revenue" });
  assert.equal(pick(coin, "no_data"), true);
});

test("live sources are asked each by itself", async () => {
  await using world = await openLiveWorld({ pack, clock, env: { BATON_FINANCE_WITHOUT: "vndirect" } });
  const price = await answerOf(world.market, compareSourcesTool, { symbol: "AAPL" });
  const sources = [pick(price, "data.values.*.source")].flat();
  assert.ok(sources.length >= 2, JSON.stringify(price));
  assert.ok(!sources.includes("embedded"));
  const revenue = await answerOf(world.market, compareSourcesTool, { symbol: "AAPL", what: "revenue" });
  assert.deepEqual([pick(revenue, "data.values.*.source")].flat().slice(0, 2), ["fmp", "sec"]);
});
