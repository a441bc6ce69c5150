import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import type { CalendarEvent } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { getEconomicCalendar } from "../economy/economic-calendar.ts";
import { getIndexComponents, getMarketOverview, getSectorPerformance } from "./market.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { ACME, answerOf, BOLT, inspect, MARKET, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

test("indices are in points, and breadth is counted", async () => {
  const market = stubMarket({
    overview: async () =>
      sourced({
        indices: [{ listing: MARKET, price: 5_969.34, changePercent: 0.35, volume: 7 }],
        breadth: { up: 3, down: 2, flat: 1 },
      }),
  });
  const { output, facts, uncited } = await inspect(toolOn(market, getMarketOverview), {});
  assert.deepEqual(uncited, []);
  assert.deepEqual(
    facts.map(({ symbol, metric, unit, currency }) => [symbol, metric, unit, currency]),
    [
      ["^GSPC", "price", "points", undefined],
      ["^GSPC", "change", "percent", undefined],
      ["^GSPC", "volume", "shares", undefined],
      ["US", "stocks that rose", "count", undefined],
      ["US", "stocks that fell", "count", undefined],
      ["US", "stocks unchanged", "count", undefined],
    ],
  );
  assert.deepEqual(pick(output, "data.indices.0"), { ...MARKET, price: 5_969.34, change_percent: 0.35, volume: 7 });
  const counted = stubMarket({ overview: async () => sourced({ indices: [], breadth: { up: 3, down: 2, flat: 1 } }) });
  assert.equal(pick(await answerOf(counted, getMarketOverview, {}), "data.breadth.up"), 3);
  const empty = stubMarket({ overview: async () => sourced({ indices: [] }) });
  assert.equal(pick(await answerOf(empty, getMarketOverview, {}), "no_data"), true);
});

test("sectors are best first, of the day that was asked for or of the data's", async () => {
  const market = stubMarket({
    sectors: async ({ day }) =>
      day === "2024-11-23"
        ? sourced([])
        : sourced([
            { sector: "Energy", changePercent: -1 },
            { sector: "Utilities", changePercent: 2, count: 30, marketCap: 1e12 },
          ]),
  });
  const { output, facts, uncited } = await inspect(toolOn(market, getSectorPerformance), {});
  assert.deepEqual(pickAll(output, "data.day", "data.sectors.*.sector"), ["2024-11-22", ["Utilities", "Energy"]]);
  assert.deepEqual(uncited, []);
  assert.deepEqual(
    facts.map(({ symbol, metric, unit, currency }) => [symbol, metric, unit, currency]),
    [
      ["Utilities", "sector change", "percent", undefined],
      ["Energy", "sector change", "percent", undefined],
      ["Utilities", "sector market cap", "money", "USD"],
      ["Utilities", "stocks in the sector", "count", undefined],
    ],
  );
  const saturday = await answerOf(market, getSectorPerformance, { date: "2024-11-23" });
  assert.equal(pick(saturday, "message"), "US markets were closed on 2024-11-23");
  assert.equal(pick(saturday, "available"), "the last trading day before is 2024-11-22");
  const none = new MarketError("no_data", "one day only", { available: "2024-11-22", enable: "FMP_API_KEY" });
  const kept = stubMarket({ sectors: () => Promise.reject(none) });
  assert.deepEqual(await answerOf(kept, getSectorPerformance, { date: "2024-07-04" }), {
    no_data: true,
    message: "US markets were closed on 2024-07-04",
    available: "2024-11-22",
    enable: "FMP_API_KEY",
  });
  assert.deepEqual(await refusedPaths(toolOn(market, getSectorPerformance), { date: "22/11/2024" }), ["date"]);
  assert.deepEqual(await refusedPaths(toolOn(market, getSectorPerformance), { date: "2024-02-30" }), ["date"]);
});

test("an index's members keep the limit, with their weight if it is known", async () => {
  const market = stubMarket({
    constituents: async ({ index }) =>
      sourced(
        index === "nasdaq"
          ? []
          : [
              { listing: ACME, weightPercent: 7 },
              { listing: BOLT, sector: "Energy" },
            ],
      ),
  });
  const { output, facts, uncited } = await inspect(toolOn(market, getIndexComponents), {}, /^data\.count$/);
  assert.deepEqual(pickAll(output, "data.index", "data.count"), ["sp500", 2]);
  assert.deepEqual([facts[0]?.metric, facts[0]?.value, facts[0]?.unit], ["weight in the S&P 500", 7, "percent"]);
  assert.deepEqual(uncited, []);
  const one = await answerOf(market, getIndexComponents, { index: "dowjones", limit: 1 });
  assert.deepEqual(pick(one, "data.components.*.symbol"), ["ACME"]);
  assert.equal(pick(await answerOf(market, getIndexComponents, { index: "nasdaq" }), "no_data"), true);
  assert.deepEqual(await refusedPaths(toolOn(market, getIndexComponents), { index: "vn30", limit: 0 }), [
    "index",
    "limit",
  ]);
});

const EVENTS: readonly CalendarEvent[] = [
  {
    at: "2024-11-27T08:30:00-05:00",
    country: "US",
    event: "GDP\u0000 Growth",
    impact: "High",
    unit: "%",
    estimate: 2.8,
  },
  { at: "2024-11-25", country: "JP", event: "CPI", impact: "Low", actual: 108, previous: 107 },
  { at: "2024-11-26", country: "US", event: "Payrolls", impact: "Medium", unit: "K", actual: 12 },
  { at: "2024-11-28", country: "VN", event: "Trade", unit: "USD", previous: -5 },
];

/** A calendar that records the windows it is asked for. */
function calendar(events: readonly CalendarEvent[] = EVENTS) {
  const asked: unknown[] = [];
  const market = stubMarket({
    calendar: async (query) => {
      asked.push(query);
      return sourced(events);
    },
  });
  return { asked, market };
}

test("the calendar is of a week from the data's today, and every value is a figure", async () => {
  const { asked, market } = calendar();
  const { output, facts, uncited } = await inspect(toolOn(market, getEconomicCalendar), {}, /^data\.count$/);
  assert.deepEqual(asked, [{ from: "2024-11-22", to: "2024-11-29" }]);
  assert.deepEqual(pick(output, "data.events.*.event"), ["CPI", "Payrolls", "GDP Growth", "Trade"]);
  assert.deepEqual(
    facts.map(({ symbol, metric, value, unit }) => [symbol, metric, value, unit]),
    [
      ["JP", "CPI, actual", 108, "points"],
      ["JP", "CPI, previous", 107, "points"],
      ["US", "Payrolls, actual (K)", 12, "points"],
      ["US", "GDP Growth, estimate", 2.8, "percent"],
      ["VN", "Trade, previous", -5, "money"],
    ],
  );
  assert.deepEqual(uncited, []);
});

test("country and impact narrow the calendar, though a source ignores them", async () => {
  const { asked, market } = calendar();
  const answer = await answerOf(market, getEconomicCalendar, { country: "us", impact: "High" });
  assert.deepEqual(pick(answer, "data.events.*.event"), ["GDP Growth"]);
  assert.deepEqual(asked, [{ from: "2024-11-22", to: "2024-11-29", country: "US", impact: "High" }]);
  const none = await answerOf(market, getEconomicCalendar, { country: "JP", impact: "High" });
  assert.match(String(pick(none, "message")), /no economic events from 2024-11-22 to 2024-11-29 for JP, High/);
  assert.equal(pick(none, "enable"), "FMP_API_KEY");
});

test("a window with one day given goes a week on, or back from a day that is past", async () => {
  const { asked, market } = calendar();
  for (const args of [{ from: "2024-01-30" }, { to: "2024-02-03" }, { to: "2024-12-24" }]) {
    await answerOf(market, getEconomicCalendar, args);
  }
  assert.deepEqual(asked, [
    { from: "2024-01-30", to: "2024-02-06" },
    { from: "2024-01-27", to: "2024-02-03" },
    { from: "2024-11-22", to: "2024-12-24" },
  ]);
});

test("windows of more than 90 days or the wrong way round are refused", async () => {
  const { market } = calendar();
  const tool = toolOn(market, getEconomicCalendar);
  assert.deepEqual(await refusedPaths(tool, { from: "2024-01-01", to: "2024-03-31" }), []);
  assert.deepEqual(await refusedPaths(tool, { from: "2024-01-01", to: "2024-04-01" }), ["to"]);
  assert.deepEqual(await refusedPaths(tool, { from: "2024-02-01", to: "2024-01-01" }), ["from"]);
  assert.deepEqual(await refusedPaths(tool, { country: "USA", impact: "high" }), ["country", "impact"]);
  const far = await answerOf(market, getEconomicCalendar, { to: "2025-11-22" });
  assert.match(String(pick(far, "message")), /365 days; the calendar has at most 90/);
});

test("of too many events those of the highest impact are shown, in the order of time", async () => {
  const many = Array.from({ length: 250 }, (_, at): CalendarEvent => {
    const impact = at % 2 === 0 ? "Low" : "High";
    return { at: `2024-11-22T00:00:${String(at % 60).padStart(2, "0")}Z`, country: "US", event: `E${at}`, impact };
  });
  const { market } = calendar(many);
  const answer = await answerOf(market, getEconomicCalendar, {});
  assert.deepEqual(pickAll(answer, "data.count", "data.of"), [200, 250]);
  const impacts = [pick(answer, "data.events.*.impact")].flat();
  assert.equal(impacts.filter((impact) => impact === "High").length, 125);
  const times = [pick(answer, "data.events.*.at")].flat().map(String);
  assert.deepEqual(times, times.toSorted());
});
