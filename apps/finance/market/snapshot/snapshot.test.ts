/**
 * The snapshot source: what each capability answers from real data, and what it refuses to invent.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import type { Bars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { MarketAsk } from "../port/market-data.ts";
import { METRICS } from "../metrics/metrics.ts";
import { MarketError } from "../port/market-error.ts";
import { toDay } from "../pack/days.ts";
import { openPack } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { packListings, snapshotSource } from "./snapshot.ts";

const pack = openPack();
const source = snapshotSource(pack);
const listings = new Map(packListings(pack).map((listing) => [listing.symbol, listing]));

const FUND: Listing = { symbol: "SPY", name: "SPDR S&P 500 ETF", exchange: "NYSE", type: "etf", currency: "USD" };

function of(symbol: string): Listing {
  const listing = listings.get(symbol);
  assert.ok(listing !== undefined, symbol);
  return listing;
}

async function ask<Query, Answer>(
  served: MarketAsk<Query, Answer> | undefined,
  query: Query,
): Promise<Sourced<Answer>> {
  assert.ok(served !== undefined);
  await using scope = Scope.root({ clock: new SystemClock() });
  return await served(query, scope);
}

async function refused(asked: Promise<unknown>): Promise<MarketError> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MarketError);
  assert.deepEqual([error.kind, error.details.isOutside, error.details.enable], ["no_data", true, undefined]);
  return error;
}

const daysOf = ({ t }: Bars) => [toDay((t[0] ?? 0) / 86_400), toDay((t.at(-1) ?? 0) / 86_400)];

test("there is a listing for each of the 14,161 stocks, the index and Bitcoin, and no made-up one", () => {
  assert.equal(listings.size, 14_161 + 2);
  assert.deepEqual(of("BRK-B"), {
    symbol: "BRK-B",
    name: "Berkshire Hathaway Inc. New",
    exchange: "NYSE",
    type: "stock",
    currency: "USD",
  });
  assert.ok([...listings.values()].every(({ name, exchange }) => !`${name} ${exchange}`.includes("ictional")));
});

test("a quote has the snapshot's own columns, and nothing that the snapshot does not know", async () => {
  const { data, provenance } = await ask(source.quote, { listing: of("AAPL") });
  assert.deepEqual(provenance, { kind: "snapshot", source: "snapshot", as_of: "2024-11-22T16:00:00-05:00" });
  assert.deepEqual([data.price, data.previousClose, data.change, data.changePercent], [229.87, 228.52, 1.35, 0.590758]);
  assert.ok(Math.abs((data.pe ?? 0) - (data.price ?? 0) / (data.eps ?? 1)) < 0.01, `${data.pe} ${data.eps}`);
  assert.deepEqual([data.open, data.dayHigh, data.yearHigh, data.average50, data.beta], Array(5).fill(undefined));
  const walmart = await ask(source.quote, { listing: of("WMT") });
  assert.ok((walmart.data.dividendYieldPercent ?? 0) > 0.5);
});

test("a last bar is a price for five years, and history after that", async () => {
  const quote = async (now: string) => {
    const clock = Object.assign(new SystemClock(), { now: () => Date.parse(now) });
    await using scope = Scope.root({ clock });
    return await source.quote?.({ listing: of("^GSPC") }, scope);
  };
  const young = await quote("2024-01-01");
  assert.deepEqual([young?.provenance.kind, young?.provenance.as_of], ["history", "2020-04-17T16:00:00-04:00"]);
  assert.deepEqual([young?.data.change, young?.data.changePercent], [75.01001, 2.679359493]);
  const old = await refused(quote("2026-11-18"));
  assert.equal(old.details.available, "daily bars from 1950-01-03 to 2020-04-17");
  await refused(ask(source.quote, { listing: FUND }));
  await refused(ask(source.quote, { listing: of("BTCUSD") }));
});

test("bars are real or there are none", async () => {
  const { data, provenance } = await ask(source.bars, { listing: of("AAPL"), limit: 250 });
  assert.deepEqual([provenance.kind, provenance.adjust, data.c.length], ["history", "split", 250]);
  assert.equal(daysOf(data)[1], "2018-05-11");
  await refused(ask(source.bars, { listing: of("NVDA"), limit: 250 }));
  await refused(ask(source.bars, { listing: FUND }));
});

test("a window is whole, says where the bars end, and is refused if they do not reach it", async () => {
  const bars = (from: string, to: string) => ask(source.bars, { listing: of("AAPL"), from, to, limit: 10 });
  const inside = await bars("2015-01-01", "2015-12-31");
  assert.equal(inside.provenance.as_of, "2015-12-31T16:00:00-05:00");
  assert.deepEqual([inside.data.c.length, inside.data.c.at(-1)], [252, 105.260002]);
  const beyond = await bars("2018-01-01", "2020-12-31");
  assert.match(beyond.provenance.note ?? "", /the bars end on 2018-05-11/);
  assert.match((await bars("1970-01-01", "1985-12-31")).provenance.note ?? "", /the bars begin on 1980-12-12/);
  assert.equal((await refused(bars("2025-01-01", "2025-12-31"))).details.available, "1980-12-12 to 2018-05-11");
  const holiday = await bars("2016-07-04", "2016-07-04");
  assert.equal(holiday.data.t.length, 0);
  assert.match(holiday.provenance.note ?? "", /closed/);
});

test("bars say so if prices were asked for with an adjustment that they do not have", async () => {
  const noteOf = async (symbol: string, adjust: "none" | "split") => {
    const window = { listing: of(symbol), adjust, from: "2010-01-01", to: "2010-12-31" };
    return (await ask(source.bars, window)).provenance.note ?? "";
  };
  assert.match(await noteOf("AAPL", "none"), /adjustment "none" are not stored/);
  assert.match(await noteOf("MSFT", "split"), /adjustment "split" are not stored/);
  assert.doesNotMatch(await noteOf("AAPL", "split"), /not stored/);
  assert.doesNotMatch(await noteOf("^GSPC", "split"), /not stored/);
});

test("the S&P 500 returned 19.42 % in 2017, and fell 56.8 % from its peak of 2007 to its trough of 2009", async () => {
  const listing = of("^GSPC");
  const { data } = await ask(source.bars, { listing, from: "2016-12-18", to: "2017-12-31" });
  const before = data.t.findLastIndex((seconds) => seconds < Date.parse("2017-01-01") / 1_000);
  assert.equal((((data.c.at(-1) ?? 0) / (data.c[before] ?? 0) - 1) * 100).toFixed(2), "19.42");
  const crash = await ask(source.bars, { listing, from: "2007-01-01", to: "2009-12-31" });
  let [peak, worst] = [0, 0];
  for (const close of crash.data.c) {
    peak = Math.max(peak, close);
    worst = Math.min(worst, close / peak - 1);
  }
  assert.equal((worst * 100).toFixed(1), "-56.8");
});

test("of a stock the change of the snapshot's day is known, of an index the changes up to its last bar", async () => {
  const nvidia = await ask(source.change, { listing: of("NVDA") });
  assert.deepEqual(Object.keys(nvidia.data), ["1D"]);
  assert.ok(Math.abs((nvidia.data["1D"] ?? 0) + 3.218109) < 1e-5);
  assert.equal(nvidia.provenance.kind, "snapshot");
  const index = await ask(source.change, { listing: of("^GSPC") });
  assert.equal(index.provenance.kind, "history");
  assert.ok(Math.abs((index.data["1D"] ?? 0) - 2.679359) < 1e-5 && typeof index.data["10Y"] === "number");
  await refused(ask(source.change, { listing: FUND }));
});

const statements = (symbol: string, period: "annual" | "quarter" | "ttm") =>
  ask(source.statements, { listing: of(symbol), statement: "income", period, limit: 20 });

test("statements are a company's years, and quarters are refused by naming them", async () => {
  const { data, provenance } = await statements("AAPL", "annual");
  assert.equal(provenance.kind, "history");
  assert.deepEqual(
    data.map(({ label }) => label),
    ["FY2016", "FY2015", "FY2014", "FY2013"],
  );
  assert.equal(data[0]?.values.get("revenue"), 215_639_000_000);
  for (const period of ["quarter", "ttm"] as const) {
    const error = await refused(statements("AAPL", period));
    assert.match(error.details.available ?? "", /FY2013.*FY2016/);
  }
  await refused(statements("PG", "annual"));
});

const ratios = (symbol: string, period: "annual" | "ttm" = "annual") =>
  ask(source.metrics, { listing: of(symbol), set: "ratios", period, limit: 8 });

test("an EBIT without a known interest is not said, and EBITDA is then operating", async () => {
  const query = { listing: of("AAPL"), statement: "income", period: "annual", limit: 1 } as const;
  const [year] = (await ask(source.statements, query)).data;
  assert.equal(year?.values.get("ebit"), undefined);
  assert.equal(Math.round((year?.values.get("ebitda") ?? 0) / 1e8), 705);
});

test("the snapshot's own P/E and yield are the newest row of metrics, before older years", async () => {
  const { data, provenance } = await ratios("AAPL");
  assert.deepEqual([provenance.kind, provenance.as_of.slice(0, 10)], ["snapshot", "2024-11-22"]);
  const [day, year] = data;
  assert.deepEqual([day?.label, day?.end, day?.origin], ["22 November 2024", "2024-11-22", undefined]);
  const quote = await ask(source.quote, { listing: of("AAPL") });
  assert.equal(day?.values.get("priceToEarningsRatio"), quote.data.pe);
  assert.deepEqual([year?.label, year?.origin?.kind], ["FY2016", "history"]);
  const walmart = await ratios("WMT", "ttm");
  assert.ok((walmart.data[0]?.values.get("dividendYieldPercentage") ?? 0) > 0.5);
  const palantir = await ratios("PLTR");
  assert.deepEqual([palantir.data.length, palantir.provenance.kind], [1, "snapshot"]);
});

test("metrics of years follow from the statements, in percent, and need a traded price for what depends on one", async () => {
  const apple = (await ratios("AAPL")).data[1];
  assert.ok(Math.abs((apple?.values.get("netProfitMargin") ?? 0) - (45_687 / 215_639) * 100) < 1e-9);
  assert.ok(Math.abs((apple?.values.get("priceToEarningsRatio") ?? 0) - 112.709999 / 8.35) < 1e-4);
  const microsoft = (await ratios("MSFT")).data[1];
  assert.ok((microsoft?.values.size ?? 0) > 20);
  assert.equal(microsoft?.values.has("priceToEarningsRatio"), false);
  for (const set of ["key_metrics", "ratios", "growth"] as const) {
    const { data } = await ask(source.metrics, { listing: of("WMT"), set, period: "annual", limit: 8 });
    for (const { values } of data) for (const name of values.keys()) assert.ok(METRICS[set].has(name), name);
  }
  const growth = ask(source.metrics, { listing: of("AAPL"), set: "growth", period: "ttm", limit: 5 });
  assert.match((await refused(growth)).message, /FY2016/);
});

test("movers are listed stocks with a real price and volume, in order", async () => {
  for (const list of ["gainers", "losers", "active"] as const) {
    const { data, provenance } = await ask(source.movers, { list, limit: 20 });
    assert.deepEqual([data.length, provenance.kind], [20, "snapshot"]);
    const keys = data.map(
      ({ changePercent = 0, volume = 0 }) =>
        ({ gainers: -changePercent, losers: changePercent, active: -volume })[list],
    );
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => a - b),
    );
    assert.ok(
      data.every(({ price, volume = 0, listing }) => price >= 1 && volume >= 100_000 && listing.exchange !== "OTC"),
    );
  }
});

test("the screener meets every condition, sorts, knows the usual names of sectors, and has one row a company", async () => {
  const large = await ask(source.screener, { sector: "Technology", marketCapMoreThan: 1e12, limit: 10 });
  assert.deepEqual(
    large.data.rows.slice(0, 3).map(({ listing }) => listing.symbol),
    ["NVDA", "AAPL", "MSFT"],
  );
  const alphabet = large.data.rows.filter(({ listing }) => listing.name.startsWith("Alphabet"));
  assert.equal(alphabet.length, 1);
  const doubles = await ask(source.screener, { industry: "banks", yieldPercentMoreThan: 4, limit: 100 });
  const hsbc = doubles.data.rows.filter(({ listing }) => listing.name.startsWith("HSBC Holdings"));
  assert.deepEqual(
    hsbc.map(({ listing }) => listing.symbol),
    ["HSBC"],
    "its share over the counter is the same company",
  );
  const banks = await ask(source.screener, {
    industry: "banks",
    exchange: "nyse",
    peLowerThan: 10,
    yieldPercentMoreThan: 4,
    sortBy: "pe",
    order: "asc",
    limit: 100,
  });
  assert.ok(banks.data.rows.length > 5);
  const earnings = banks.data.rows.map(({ pe = Number.NaN }) => pe);
  assert.deepEqual(
    earnings,
    earnings.toSorted((a, b) => a - b),
  );
  for (const { listing, pe = 11, dividendYieldPercent = 0 } of banks.data.rows) {
    assert.ok(listing.exchange === "NYSE" && pe < 10 && dividendYieldPercent > 4);
  }
});

test("a criterion that the snapshot cannot decide is named, and leaves out no row", async () => {
  const all = await ask(source.screener, { sector: "Energy", limit: 5 });
  const query = { sector: "Energy", betaMoreThan: 1, country: "DE", debtToEquityLowerThan: 1, limit: 5 };
  const { data } = await ask(source.screener, { ...query, week52PositionPercentLowerThan: 20 });
  assert.deepEqual(data.rows, all.data.rows);
  const missing = ["betaMoreThan", "country", "week52PositionPercentLowerThan", "debtToEquityLowerThan"];
  assert.deepEqual([...data.missing].toSorted(), missing.toSorted());
});

test("companies of the US are those on its exchanges, and the note says that the data has no country", async () => {
  const query = { industry: "banks", country: "US", limit: 100 };
  const { data, provenance } = await ask(source.screener, query);
  assert.ok(data.missing.includes("country") && data.rows.every(({ listing }) => listing.exchange !== "OTC"));
  assert.match(provenance.note ?? "", /has no country/);
});

test("sectors are of the snapshot's day only, and Alphabet counts once", async () => {
  const { data } = await ask(source.sectors, {});
  assert.ok(data.length >= 19 && data.every(({ changePercent }) => Math.abs(changePercent) < 10));
  const technology = data.find(({ sector }) => sector === "Technology services");
  assert.ok((technology?.marketCap ?? 0) < 14e12);
  assert.equal((await refused(ask(source.sectors, { day: "2024-11-21" }))).details.available, "2024-11-22");
});

test("the overview counts every listed stock with a change once, and gives no index level", async () => {
  const { data, provenance } = await ask(source.overview, {});
  const { up = 0, down = 0, flat = 0 } = data.breadth ?? {};
  assert.ok(up + down + flat > 6_600 && up + down + flat <= 6_674);
  assert.deepEqual(data.indices, []);
  assert.match(provenance.note ?? "", /2020-04-17/);
});

test("Bitcoin has the history that is real, and no price", async () => {
  const listing = of("BTCUSD");
  const hours = await ask(source.coinBars, { listing, interval: "1h", limit: 200 });
  assert.deepEqual([hours.provenance.kind, hours.provenance.as_of.slice(0, 10)], ["history", "2016-04-19"]);
  assert.deepEqual([hours.data.c.length, hours.data.c.at(-1)], [200, 431.85]);
  const days = await ask(source.coinBars, { listing, interval: "1d", limit: 400 });
  assert.deepEqual([days.data.c.length, days.provenance.as_of.slice(0, 10)], [76, "2016-03-28"]);
  const window = await ask(source.bars, { listing, from: "2016-01-01", to: "2016-01-31" });
  assert.deepEqual([window.provenance.kind, window.data.c.length], ["history", 31]);
});

test("Shiller's months answer by name, as far as each goes, and for the US alone", async () => {
  const cape = await ask(source.series, { series: "CAPE", country: "us", from: "2020-01-01", to: "2020-03-31" });
  assert.deepEqual(
    cape.data.points.map(({ label }) => label),
    ["2020-01", "2020-02", "2020-03"],
  );
  assert.deepEqual([cape.data.unit, cape.provenance.kind], ["ratio", "history"]);
  const index = await ask(source.series, { series: "sp500", country: "US" });
  assert.deepEqual([index.data.points[0]?.label, index.data.points.at(-1)?.label], ["1871-01", "2023-06"]);
  await refused(ask(source.series, { series: "CPI", country: "VNM" }));
  await refused(ask(source.series, { series: "GDP", country: "US" }));
});

test("what is not stored is not served at all", () => {
  const { earnings, dividends, news, calendar, constituents, intraday, coinPrice, coinQuote, coinMarkets } = source;
  const { rates, fx, filings, search } = source;
  const served = [earnings, dividends, news, calendar, constituents, intraday, coinPrice, coinQuote, coinMarkets];
  assert.deepEqual([...served, rates, fx, filings, search], Array(13).fill(undefined));
});

test("no answer holds a number that JSON cannot write", async () => {
  const answers = await Promise.all([
    ...["AAPL", "HTHL"].map((symbol) => ask(source.quote, { listing: of(symbol) })),
    ...["AAPL", "MSFT", "GE", "^GSPC", "BTCUSD"].flatMap((symbol) => [
      ask(source.change, { listing: of(symbol) }),
      ask(source.bars, { listing: of(symbol) }),
    ]),
    ask(source.sectors, {}),
  ]);
  const visit = (value: unknown): void => {
    if (typeof value === "number") assert.ok(Number.isFinite(value));
    else if (value instanceof Float64Array) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  answers.forEach(visit);
});
