/**
 * The embedded source: what each capability answers, how real it says it is, and what it refuses to invent.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import type { Bars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { MarketAsk, PeriodRow } from "../port/market-data.ts";
import { METRICS } from "../metrics/metrics.ts";
import { MarketError } from "../port/market-error.ts";
import { toDay } from "../pack/days.ts";
import { openPack } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { embeddedSource, PACK_DAY, packListings } from "./embedded.ts";

const pack = openPack();
const source = embeddedSource(pack);
const listings = new Map(packListings(pack).map((listing) => [listing.symbol, listing]));

const UNKNOWN: Listing = { symbol: "SPY", name: "SPDR S&P 500 ETF", exchange: "NYSE", type: "etf", currency: "USD" };
const COIN: Listing = { symbol: "ETHUSD", name: "Ethereum", exchange: "CRYPTO", type: "crypto", currency: "USD" };

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
  assert.equal(error.kind, "no_data");
  return error;
}

const daysOf = ({ t }: Bars) => [toDay((t[0] ?? 0) / 86_400), toDay((t.at(-1) ?? 0) / 86_400)];

test("there is a listing for each of the 14,161 stocks, the index, the coins and the made-up companies", () => {
  assert.equal(listings.size, 14_161 + 1 + 7 + 12);
  assert.deepEqual(of("BRK-B"), {
    symbol: "BRK-B",
    name: "Berkshire Hathaway Inc. New",
    exchange: "NYSE",
    type: "stock",
    currency: "USD",
  });
  assert.equal(of("BTCUSD").type, "crypto");
});

test("a quote is the snapshot's, real, and has nothing that the snapshot does not know", async () => {
  const { data, provenance } = await ask(source.quote, { listing: of("AAPL") });
  assert.deepEqual(provenance, { kind: "snapshot", source: "embedded", as_of: "2024-11-22T16:00:00-05:00" });
  assert.deepEqual([data.price, data.previousClose, data.change, data.changePercent], [229.87, 228.52, 1.35, 0.590758]);
  assert.deepEqual([data.open, data.dayHigh, data.yearHigh, data.average50, data.beta], Array(5).fill(undefined));
});

test("a made-up company's quote is simulated, the index's is its last real day, an unknown fund's is refused", async () => {
  assert.equal((await ask(source.quote, { listing: of("FICTEA") })).provenance.kind, "synthetic");
  const index = await ask(source.quote, { listing: of("^GSPC") });
  assert.deepEqual([index.provenance.kind, index.provenance.as_of], ["history", "2020-04-17T16:00:00-04:00"]);
  assert.deepEqual([index.data.change, index.data.changePercent], [75.01001, 2.679359493]);
  const error = await refused(ask(source.quote, { listing: UNKNOWN }));
  assert.deepEqual([error.details.symbol, error.details.enable], ["SPY", "FMP_API_KEY"]);
});

test("real bars say so if prices were asked for with an adjustment that they do not have", async () => {
  const noteOf = async (symbol: string, adjust: "none" | "split") => {
    const window = { listing: of(symbol), adjust, from: "2010-01-01", to: "2010-12-31" };
    return (await ask(source.bars, window)).provenance.note ?? "";
  };
  assert.match(await noteOf("AAPL", "none"), /adjustment "none" are not embedded/);
  assert.match(await noteOf("MSFT", "split"), /adjustment "split" are not embedded/);
  assert.doesNotMatch(await noteOf("AAPL", "split"), /not embedded/);
  assert.doesNotMatch(await noteOf("^GSPC", "split"), /not embedded/);
});

test("bars without a window are simulated and end at the snapshot's price", async () => {
  const { data, provenance } = await ask(source.bars, { listing: of("AAPL"), limit: 250 });
  assert.deepEqual([provenance.kind, data.c.length, data.c.at(-1)], ["synthetic", 250, 229.87]);
  assert.equal(daysOf(data)[1], PACK_DAY);
});

test("a window inside real history is real, one that reaches beyond it is simulated, and neither is blended", async () => {
  const bars = (from?: string, to?: string) =>
    ask(source.bars, {
      listing: of("AAPL"),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
  const inside = await bars("2015-01-01", "2015-12-31");
  assert.deepEqual([inside.provenance.kind, inside.provenance.adjust], ["history", "split"]);
  assert.equal(inside.provenance.as_of, "2015-12-31T16:00:00-05:00");
  assert.deepEqual([inside.data.c.length, inside.data.c.at(-1)], [252, 105.260002]);
  const beyond = await bars("2015-01-01", "2020-12-31");
  assert.equal(beyond.provenance.kind, "synthetic");
  assert.notEqual(beyond.data.c[0], inside.data.c[0]);
  const whole = await bars();
  const start = whole.data.t.indexOf(beyond.data.t[0] ?? 0);
  assert.deepEqual(beyond.data.c, whole.data.c.subarray(start, start + beyond.data.c.length));
  assert.equal((await bars(undefined, "2016-06-30")).provenance.kind, "history");
  assert.equal((await bars("2016-06-30")).provenance.kind, "synthetic");
  assert.deepEqual(daysOf((await bars("1970-01-01", "1985-12-31")).data), ["1980-12-12", "1985-12-31"]);
});

test("a window without any day of the series is refused, naming the days there are", async () => {
  const early = await refused(ask(source.bars, { listing: of("NVDA"), from: "2001-01-01", to: "2001-12-31" }));
  assert.match(early.details.available ?? "", /simulated 2012-01-03 to 2024-11-22/);
  const late = await refused(ask(source.bars, { listing: of("AAPL"), from: "2025-01-01", to: "2025-12-31" }));
  assert.match(late.details.available ?? "", /real 1980-12-12 to 2018-05-11/);
});

test("a holiday is a window without bars, not missing data", async () => {
  const { data, provenance } = await ask(source.bars, { listing: of("NVDA"), from: "2024-07-04", to: "2024-07-04" });
  assert.equal(data.t.length, 0);
  assert.match(provenance.note ?? "", /closed/);
});

test("the change of one day is the snapshot's, and ten years are there", async () => {
  const { data, provenance } = await ask(source.change, { listing: of("NVDA") });
  assert.ok(Math.abs((data["1D"] ?? 0) + 3.218109) < 1e-5);
  assert.equal(typeof data["10Y"], "number");
  assert.equal(provenance.kind, "synthetic");
  const index = await ask(source.change, { listing: of("^GSPC") });
  assert.equal(index.provenance.kind, "history");
  assert.ok(Math.abs((index.data["1D"] ?? 0) - 2.679359) < 1e-5);
});

test("intraday bars are parts of the last daily bar at every interval", async () => {
  const { data: daily } = await ask(source.bars, { listing: of("MSFT"), limit: 1 });
  for (const [interval, count] of [
    ["1min", 390],
    ["5min", 78],
    ["15min", 26],
    ["30min", 13],
    ["1hour", 7],
    ["4hour", 2],
  ] as const) {
    const { data } = await ask(source.intraday, { listing: of("MSFT"), interval });
    assert.equal(data.t.length, count, interval);
    assert.equal(new Date((data.t[0] ?? 0) * 1000).toISOString(), "2024-11-22T14:30:00.000Z");
    assert.deepEqual(
      [data.o[0], Math.max(...data.h), Math.min(...data.l), data.c.at(-1), data.v.reduce((sum, v) => sum + v, 0)],
      [daily.o[0], daily.h[0], daily.l[0], 417, 24_814_624],
    );
  }
});

const statements = (symbol: string, period: "annual" | "quarter" | "ttm", statement: "income" | "balance" = "income") =>
  ask(source.statements, { listing: of(symbol), statement, period, limit: 20 });

test("statements of a real company are its years, and quarters are refused by naming them", async () => {
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
    assert.equal(error.details.enable, "FMP_API_KEY");
  }
  assert.equal((await refused(statements("PG", "annual"))).details.enable, "FMP_API_KEY");
});

test("a made-up company has years, quarters and the last twelve months, and the twelve are the last four quarters", async () => {
  const quarters = await statements("FICWIZD", "quarter");
  const [ttm] = (await statements("FICWIZD", "ttm")).data;
  assert.equal(quarters.provenance.kind, "synthetic");
  assert.equal(quarters.data[0]?.label, "Q3 2024");
  const total = quarters.data.slice(0, 4).reduce((sum, { values }) => sum + (values.get("revenue") ?? 0), 0);
  assert.equal(ttm?.values.get("revenue"), total);
  assert.equal((await statements("FICWIZD", "annual")).data[0]?.label, "FY2023");
});

const ratios = async (symbol: string): Promise<readonly PeriodRow[]> =>
  (await ask(source.metrics, { listing: of(symbol), set: "ratios", period: "annual", limit: 8 })).data;

test("metrics follow from the statements, in percent, and need a real price for what depends on one", async () => {
  const [apple] = await ratios("AAPL");
  assert.ok(Math.abs((apple?.values.get("netProfitMargin") ?? 0) - (45_687 / 215_639) * 100) < 1e-9);
  assert.ok(Math.abs((apple?.values.get("priceToEarningsRatio") ?? 0) - 112.709999 / 8.35) < 1e-4);
  const [microsoft] = await ratios("MSFT");
  assert.ok((microsoft?.values.size ?? 0) > 20);
  assert.equal(microsoft?.values.has("priceToEarningsRatio"), false);
  const [unicorn] = await ratios("FICUNIC");
  assert.equal(unicorn?.values.has("priceToEarningsRatio"), false);
  for (const set of ["key_metrics", "ratios", "growth"] as const) {
    const { data } = await ask(source.metrics, { listing: of("WMT"), set, period: "annual", limit: 8 });
    for (const { values } of data) for (const name of values.keys()) assert.ok(METRICS[set].has(name), name);
  }
  assert.match(
    (await refused(ask(source.metrics, { listing: of("AAPL"), set: "growth", period: "ttm", limit: 5 }))).message,
    /FY2016/,
  );
});

test("nothing is invented about a real company: earnings, dividends and news are refused", async () => {
  const listing = of("AAPL");
  const asked = [
    ask(source.earnings, { listing, limit: 4 }),
    ask(source.dividends, { listing, from: "2020-01-01" }),
    ask(source.news, { about: "stock", listing, limit: 5, page: 0 }),
  ];
  for (const one of asked) assert.equal((await refused(one)).details.enable, "FMP_API_KEY");
  await refused(ask(source.news, { about: "crypto", limit: 5, page: 0 }));
  await refused(ask(source.calendar, { from: "2024-01-01", to: "2024-12-31", country: "US" }));
  await refused(ask(source.constituents, { index: "sp500", limit: 10 }));
});

test("made-up companies have earnings, dividends, news and a calendar, all simulated", async () => {
  const listing = of("FICTEA");
  const earnings = await ask(source.earnings, { listing, limit: 4 });
  const dividends = await ask(source.dividends, { listing, from: "2023-11-22" });
  const news = await ask(source.news, { about: "general", limit: 7, page: 1 });
  const calendar = await ask(source.calendar, { from: "2024-11-01", to: "2024-11-30", impact: "high" });
  assert.deepEqual([earnings.data.length, dividends.data.length, news.data.length], [4, 4, 7]);
  assert.ok(calendar.data.length > 0 && calendar.data.every(({ impact }) => impact === "High"));
  for (const { provenance } of [earnings, dividends, news, calendar]) assert.equal(provenance.kind, "synthetic");
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

test("the screener meets every condition, the largest first, and knows the usual names of sectors", async () => {
  const { data } = await ask(source.screener, { sector: "Technology", marketCapMoreThan: 1e12, limit: 10 });
  assert.deepEqual(
    data.slice(0, 3).map(({ listing }) => listing.symbol),
    ["NVDA", "AAPL", "MSFT"],
  );
  const narrow = await ask(source.screener, {
    exchange: "nyse",
    priceLowerThan: 20,
    volumeMoreThan: 1e6,
    dividendMoreThan: 0.5,
    limit: 100,
  });
  assert.ok(narrow.data.length > 5);
  for (const { listing, price, volume = 0, dividendYieldPercent = 0 } of narrow.data) {
    assert.ok(listing.exchange === "NYSE" && price < 20 && volume > 1e6 && (price * dividendYieldPercent) / 100 > 0.5);
  }
  const madeUp = await ask(source.screener, { exchange: "FICTIONAL", limit: 100 });
  assert.deepEqual([madeUp.data.length, madeUp.provenance.kind], [12, "synthetic"]);
  await refused(ask(source.screener, { betaMoreThan: 1, limit: 5 }));
  await refused(ask(source.screener, { country: "DE", limit: 5 }));
});

test("sectors are of the snapshot's day only, and Alphabet counts once", async () => {
  const { data } = await ask(source.sectors, {});
  assert.ok(data.length >= 19 && data.every(({ changePercent }) => Math.abs(changePercent) < 10));
  const technology = data.find(({ sector }) => sector === "Technology services");
  assert.ok((technology?.marketCap ?? 0) < 14e12);
  assert.equal((await refused(ask(source.sectors, { day: "2024-11-21" }))).details.available, PACK_DAY);
});

test("the overview counts every listed stock with a change once, and gives no index level", async () => {
  const { data, provenance } = await ask(source.overview, {});
  const { up = 0, down = 0, flat = 0 } = data.breadth ?? {};
  assert.ok(up + down + flat > 6_600 && up + down + flat <= 6_674);
  assert.deepEqual(data.indices, []);
  assert.match(provenance.note ?? "", /2020-04-17/);
});

test("Bitcoin ends with its last real trade; short histories are real and long ones end in the same price", async () => {
  const listing = of("BTCUSD");
  const quote = await ask(source.coinQuote, { listing });
  assert.deepEqual([quote.provenance.kind, quote.provenance.as_of], ["history", "2016-04-19T20:28:00Z"]);
  assert.equal(quote.data.price, 431.85);
  assert.deepEqual((await ask(source.coinPrice, { listing })).data, { price: 431.85, quoteCurrency: "USD" });
  const short = await ask(source.coinBars, { listing, interval: "1h", limit: 200 });
  const long = await ask(source.coinBars, { listing, interval: "1d", limit: 400 });
  assert.deepEqual([short.provenance.kind, short.data.c.length, short.data.c.at(-1)], ["history", 200, 431.85]);
  assert.deepEqual([long.provenance.kind, long.data.c.length, long.data.c.at(-1)], ["synthetic", 400, 431.85]);
  const window = await ask(source.bars, { listing, from: "2016-01-01", to: "2016-01-31" });
  assert.deepEqual([window.provenance.kind, window.data.c.length], ["history", 31]);
});

test("made-up coins have every interval, and the market lists only them", async () => {
  const listing = of("FICAUSD");
  for (const interval of ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"] as const) {
    const { data } = await ask(source.coinBars, { listing, interval, limit: 50 });
    assert.deepEqual([data.c.length, data.c.at(-1)], [50, 1240.5], interval);
  }
  const { data, provenance } = await ask(source.coinMarkets, { limit: 20, sort: "losers" });
  assert.ok(data.every(({ listing: { name } }) => name.startsWith("Fictional ")));
  assert.equal(data[0]?.listing.symbol, "FICBUSD");
  assert.equal(provenance.kind, "synthetic");
  assert.equal((await refused(ask(source.coinPrice, { listing: COIN }))).details.enable, "BATON_FINANCE_LIVE=on");
});

test("what is not embedded is not served at all", () => {
  assert.deepEqual([source.rates, source.fx, source.filings, source.search], Array(4).fill(undefined));
});

test("no answer holds a number that JSON cannot write", async () => {
  const answers = await Promise.all([
    ...["AAPL", "HTHL", "FICUNIC", "^GSPC", "BTCUSD"].flatMap((symbol) => [
      ask(source.quote, { listing: of(symbol) }),
      ask(source.change, { listing: of(symbol) }),
      ask(source.bars, { listing: of(symbol) }),
      ask(source.intraday, { listing: of(symbol), interval: "5min" }),
    ]),
    ask(source.sectors, {}),
    ask(source.coinMarkets, { limit: 10, sort: "volume" }),
  ]);
  const visit = (value: unknown): void => {
    if (typeof value === "number") assert.ok(Number.isFinite(value));
    else if (value instanceof Float64Array) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  answers.forEach(visit);
});
