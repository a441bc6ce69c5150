import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Json } from "@baton/core";
import * as fc from "fast-check";
import type { EconomicSeries, MarketData, Rate } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { openMarket } from "../../market/chain/open-market.ts";
import { openPack } from "../../market/pack/pack.ts";
import { convertCurrencyTool } from "./convert-currency.ts";
import { findCountry } from "./country.ts";
import { findCurrency, roundMoney } from "../shared/currency.ts";
import { economicSeriesTool } from "./economic-series.ts";
import type { MarketTool } from "../frame/market-tool.ts";
import { ratesTool } from "./rates.ts";
import { findSeries } from "./series-words.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { answerOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";
import { sampleEvenly } from "../shared/sample-evenly.ts";

const pack = openPack();
const clock = { now: () => Date.now() };
let embedded: MarketData;
before(async () => {
  embedded = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock, pack });
});

test("without open sources there are no rates, series and currencies, and the switch is named", async () => {
  const cases: readonly (readonly [MarketTool, Json])[] = [
    [ratesTool, {}],
    [economicSeriesTool, { series: "GDP" }],
    [convertCurrencyTool, { amount: 1, from: "USD", to: "VND" }],
  ];
  for (const [make, args] of cases) {
    assert.deepEqual(pickAll(await answerOf(embedded, make, args), "no_data", "enable"), [
      true,
      "BATON_FINANCE_DATA=auto",
    ]);
  }
});

const DAYS = ["2024-11-20", "2024-11-21", "2024-11-22"];
const CURVE: readonly Rate[] = DAYS.flatMap((day, at) => [
  { day, name: "3M", percent: 4.5 + at / 10 },
  { day, name: "2Y", percent: 4.2 },
  { day, name: "10Y", percent: 4.4 + at / 100 },
]);

/** Rates as sources give them: a window, or the newest day up to one. */
const ratesMarket = (rates: readonly Rate[] = CURVE): MarketData =>
  stubMarket({
    rates: async ({ from, to }) => {
      const within = rates.filter(({ day }) => day >= (from ?? "") && day <= (to ?? "9999"));
      const newest = within.at(-1)?.day;
      if (newest === undefined) throw new MarketError("no_data", "no rates for these days");
      return sourced(from === undefined ? within.filter(({ day }) => day === newest) : within, { note: "as quoted" });
    },
  });

test("rates are percent and never fractions, with the spreads between them", async () => {
  const { output, facts, uncited } = await inspect(toolOn(ratesMarket(), ratesTool), {});
  assert.deepEqual(pickAll(output, "data.day", "data.rates.0"), ["2024-11-22", { name: "3M", percent: 4.7 }]);
  assert.deepEqual(pick(output, "data.spreads"), [
    { name: "10Y − 2Y", percent: 0.22 },
    { name: "10Y − 3M", percent: -0.28 },
  ]);
  assert.deepEqual(uncited, []);
  assert.deepEqual([facts[0]?.metric, facts[0]?.unit, facts[0]?.value], ["3-month Treasury yield", "percent", 4.7]);
});

test("a window has its history and the change over it in percentage points", async () => {
  const args = { from: "2024-11-20", to: "2024-11-22" };
  const { output, uncited } = await inspect(toolOn(ratesMarket(), ratesTool), args, /count$/);
  assert.deepEqual(pickAll(output, "data.window", "data.count"), [{ start: "2024-11-20", end: "2024-11-22" }, 3]);
  assert.deepEqual(pick(output, "data.rates.*.change"), [0.2, 0, 0.02]);
  assert.deepEqual(pick(output, "data.history.*.day"), DAYS.toReversed());
  assert.deepEqual(uncited, []);
});

test("a weekend or a day to come has the rates of the last business day, and that is said", async () => {
  for (const [from, to] of [
    ["2024-11-23", "2024-11-24"],
    ["2024-11-23", "2024-11-23"],
    ["2031-01-01", undefined],
  ] as const) {
    const args = to === undefined ? { from } : { from, to };
    const answer = await answerOf(ratesMarket(), ratesTool, args);
    assert.equal(pick(answer, "data.day"), "2024-11-22");
    assert.match(String(pick(answer, "provenance.note")), /has no rates: these are of 2024-11-22.*; as quoted$/);
  }
  const early = await answerOf(ratesMarket(), ratesTool, { from: "1980-01-01", to: "1980-02-01" });
  assert.equal(pick(early, "no_data"), true);
});

test("a long history is thinned evenly, within what facts hold", async () => {
  const rates = Array.from({ length: 2_500 }, (_, at) => {
    const day = new Date(Date.UTC(2015, 0, 1) + at * 86_400_000).toISOString().slice(0, 10);
    return ["3M", "10Y"].map((name) => ({ day, name, percent: at / 1_000 }));
  }).flat();
  const { output, uncited } = await inspect(toolOn(ratesMarket(rates), ratesTool), { from: "2015-01-01" }, /count$/);
  assert.deepEqual(uncited, []);
  assert.match(String(pick(output, "provenance.note")), /^the history shows 400 of 2500 days/);
  assert.equal([pick(output, "data.history.*.day")].flat().at(-1), "2015-01-01");
});

const month = (year: number, nth: number) => {
  const start = `${year}-${String(nth).padStart(2, "0")}-01`;
  return { label: start.slice(0, 7), start, end: `${start.slice(0, 8)}28` };
};
const seriesOf = (rest: Partial<EconomicSeries>): EconomicSeries => ({
  id: "X",
  title: "Series",
  unit: "index",
  frequency: "month",
  country: "US",
  points: [],
  ...rest,
});
const CPI = seriesOf({
  id: "CUUR0000SA0",
  points: [2023, 2024].flatMap((year) =>
    [1, 2, 3].map((nth) => ({ ...month(year, nth), value: year === 2023 ? 200 : 206 + nth })),
  ),
});

test("inflation of the United States is the change of monthly prices on the year before", async () => {
  const asked: string[] = [];
  const market = stubMarket({
    series: async ({ series, from }) => {
      asked.push(`${series} ${from ?? ""}`);
      return sourced(CPI);
    },
  });
  const args = { series: ["inflation"], country: "US", from: "2024-01-01" };
  const { output, uncited, facts } = await inspect(toolOn(market, economicSeriesTool), args, /count$/);
  assert.deepEqual(asked, ["cpi 2022-12-31"]);
  assert.deepEqual(pick(output, "data.points.*.value"), [4.5, 4, 3.5]);
  assert.match(String(pick(output, "data.derived")), /CUUR0000SA0/);
  assert.deepEqual([facts[0]?.unit, facts[0]?.symbol, facts[0]?.metric, uncited], ["percent", "US", "inflation", []]);
});

test("if monthly prices are not available, inflation is the yearly one, and that is said", async () => {
  const year = { label: "2023", start: "2023-01-01", end: "2023-12-31", value: 4.1 };
  const market = stubMarket({
    series: async ({ series }) => {
      if (series === "cpi") throw new MarketError("throttled", "25 a day");
      return sourced(seriesOf({ unit: "percent", frequency: "year", points: [year] }));
    },
  });
  const answer = await answerOf(market, economicSeriesTool, { series: "inflation" });
  assert.equal(pick(answer, "data.points.0.value"), 4.1);
  assert.match(String(pick(answer, "provenance.note")), /monthly prices are not available \(throttled\)/);
});

test("thousands are units, and a unit that the source does not name is read from the title", async () => {
  const point = { ...month(2024, 1), value: 157_700.5 };
  const cases = [
    [{ unit: "thousand persons", title: "Employees, in thousands" }, "persons", 157_700_500, "count"],
    [{ unit: "as the source has it", title: "Exports (current US$)" }, "USD", 157_700.5, "money"],
    [{ unit: "as the source has it", title: "Forest area (% of land area)" }, "percent", 157_700.5, "percent"],
    [{ unit: "as the source has it", title: "Things" }, "number", 157_700.5, "ratio"],
  ] as const;
  for (const [series, unit, value, kind] of cases) {
    const market = stubMarket({ series: async () => sourced(seriesOf({ ...series, points: [point] })) });
    const { output, facts } = await inspect(toolOn(market, economicSeriesTool), { series: "payrolls" });
    assert.deepEqual(pickAll(output, "data.unit", "data.points.0.value"), [unit, value]);
    assert.equal(facts[0]?.unit, kind);
  }
});

test("series and countries are found by their names, and what is not known is not guessed", async () => {
  const series: readonly (readonly [string, string | undefined])[] = [
    ["CPI", "cpi"],
    ["inflation rate", "inflation"],
    ["gdp_growth", "gdp growth"],
    ["Unemployment", "unemployment"],
    ["GDP per capita", "gdp per capita"],
    ["LNS14000000", "LNS14000000"],
    ["NY.GDP.MKTP.CD", "NY.GDP.MKTP.CD"],
    ["GDP deflator", undefined],
    ["happiness", undefined],
    ["rate", undefined],
  ];
  for (const [text, key] of series) assert.equal(findSeries(text)?.key, key, text);
  const countries: readonly (readonly [string, string | undefined])[] = [
    ["Vietnam", "VN"],
    ["VN", "VN"],
    ["vn", "VN"],
    ["Việt Nam", "VN"],
    ["viet nam", "VN"],
    ["VNM", "VN"],
    ["Mỹ", "US"],
    ["my", "US"],
    ["MY", "MY"],
    ["Malaysia", "MY"],
    ["USA", "US"],
    ["UK", "GB"],
    ["Nhật Bản", "JP"],
    ["Đức", "DE"],
    ["Hàn Quốc", "KR"],
    ["euro area", "EMU"],
    ["DEU", "DEU"],
    ["Atlantis", undefined],
    ["", undefined],
  ];
  for (const [text, code] of countries) assert.equal(findCountry(text)?.code, code, text);
  const unknown = await answerOf(embedded, economicSeriesTool, { series: "happiness" });
  assert.match(String(pick(unknown, "available")), /CPI.*unemployment.*GDP/);
});

test("a currency is found by code, sign and name; parts and multiples of one are scaled", () => {
  const cases: readonly (readonly [string, string | undefined, number?])[] = [
    ["usd", "USD"],
    ["$", "USD"],
    ["đô la", "USD"],
    ["đô la Mỹ", "USD"],
    ["đồng", "VND"],
    ["VNĐ", "VND"],
    ["₫", "VND"],
    ["nghìn đồng", "VND", 1_000],
    ["triệu đồng", "VND", 1e6],
    ["tỷ đồng", "VND", 1e9],
    ["GBp", "GBP", 0.01],
    ["GBP", "GBP"],
    ["pence", "GBP", 0.01],
    ["Japanese yen", "JPY"],
    ["nhân dân tệ", "CNY"],
    ["Swiss francs", "CHF"],
    ["all the money", undefined],
  ];
  for (const [text, code, scale = 1] of cases) {
    const found = findCurrency(text);
    assert.deepEqual([found?.code, found?.scale], [code, code === undefined ? undefined : scale], text);
  }
});

const fxMarket = (rate = 25_400): MarketData =>
  stubMarket({
    fx: async ({ from, to, day = "2024-11-22" }) =>
      sourced({ day: day > "2024-11-22" ? "2024-11-22" : day, from, to, rate }),
  });

test("a currency in itself is 1 and asks no source", async () => {
  const answer = await answerOf(embedded, convertCurrencyTool, { amount: 12.34, from: "đô la", to: "USD" });
  assert.deepEqual(pickAll(answer, "data.rate", "data.converted", "data.from"), [1, 12.34, "USD"]);
  assert.equal(pick(answer, "provenance.source"), "definition");
});

test("a rate of another day than the one asked for says so", async () => {
  const fix = "2024-11-15";
  const market = stubMarket({ fx: async ({ from, to }) => sourced({ day: fix, from, to, rate: 1.1 }) });
  for (const [date, note] of [
    ["2024-11-17", /the last business day before/],
    ["2099-01-01", /still to come/],
    [fix, /^undefined$/],
  ] as const) {
    const answer = await answerOf(market, convertCurrencyTool, { amount: 1, from: "EUR", to: "USD", date });
    assert.deepEqual(pickAll(answer, "data.rate_day", "data.date"), [fix, date]);
    assert.match(String(pick(answer, "data.note")), note);
  }
});

test("a coin and an unknown currency are no data", async () => {
  const coin = await answerOf(embedded, convertCurrencyTool, { amount: 1, from: "Bitcoin", to: "USD" });
  assert.deepEqual(pickAll(coin, "no_data", "symbol", "enable"), [true, "BTCUSD", undefined]);
  const unknown = await answerOf(embedded, convertCurrencyTool, { amount: 1, from: "moon rocks", to: "USD" });
  assert.deepEqual(pickAll(unknown, "no_data", "enable"), [true, undefined]);
});

test("converted dong are whole, and every conversion is the amount times the rate within its smallest unit", async () => {
  const cases = fc.asyncProperty(
    fc.double({ min: 0.01, max: 1e9, noNaN: true }),
    fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    fc.constantFrom("VND", "JPY", "EUR", "KWD"),
    async (amount, rate, to) => {
      const { output, uncited } = await inspect(
        toolOn(fxMarket(rate), convertCurrencyTool),
        { amount, from: "USD", to },
        /amount$/,
      );
      const converted = Number(pick(output, "data.converted"));
      assert.deepEqual(uncited, []);
      if (to === "VND" && amount * rate >= 0.5) assert.ok(Number.isInteger(converted), `${converted}`);
      const slack = amount * rate < 1 ? amount * rate * 1e-3 + 0.5 * Number(to === "VND" || to === "JPY") : 0.5;
      assert.ok(
        Math.abs(converted - amount * rate) <= slack + 1e-6 * converted,
        `${amount} × ${rate} = ${converted} ${to}`,
      );
    },
  );
  await fc.assert(cases, { numRuns: 200, seed: 20_241_122 });
});

test("what rounding would lose keeps its digits", () => {
  assert.deepEqual(
    [roundMoney(0.0381, "USD"), roundMoney(1.005, "EUR"), roundMoney(25_400.4, "VND"), roundMoney(0, "USD")],
    [0.0381, 1, 25_400, 0],
  );
  assert.equal(roundMoney(0.000038, "USD"), 0.000038);
});

test("thinning keeps the first and the last, and the order", () => {
  const numbers = fc.integer({ min: 2, max: 50 });
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 200 }), numbers, (items, most) => {
      const sorted = items.toSorted((a, b) => a - b);
      const kept = sampleEvenly(sorted, most);
      assert.equal(kept.length, Math.min(most, sorted.length));
      assert.deepEqual([kept[0], kept.at(-1)], [sorted[0], sorted.at(-1)]);
      assert.deepEqual(
        kept,
        kept.toSorted((a, b) => a - b),
      );
    }),
    { seed: 7 },
  );
});
