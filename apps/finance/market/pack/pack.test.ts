/**
 * The committed pack: it is the file its manifest describes, and what it holds is sound. No network is used.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { METRICS } from "../metrics/metrics.ts";
import { toDayNumber, DAY_S } from "./days.ts";
import { openPack, type RealSeries } from "./pack.ts";
import { SOURCES } from "./sources.ts";

const Manifest = z.object({
  pack: z.object({
    file: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    plain_bytes: z.int(),
    plain_sha256: z.string(),
  }),
  snapshot_day: z.literal("2024-11-22"),
  counts: z.object({ symbols: z.int(), statement_years: z.int(), statement_companies: z.int() }).loose(),
  series: z.array(
    z.object({ symbol: z.string(), interval: z.enum(["1day", "1min"]), bars: z.int(), span: z.string() }),
  ),
  packages: z.array(z.object({ name: z.string() }).loose()),
});

const manifest = Manifest.parse(JSON.parse(readFileSync(join(import.meta.dirname, "manifest.json"), "utf8")));
const packed = readFileSync(join(import.meta.dirname, manifest.pack.file));
const pack = openPack();
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("the pack is the file that the manifest describes, and at most 3 MB", () => {
  const plain = brotliDecompressSync(packed);
  assert.deepEqual(
    [packed.length, sha256(packed), plain.length, sha256(plain)],
    [manifest.pack.bytes, manifest.pack.sha256, manifest.pack.plain_bytes, manifest.pack.plain_sha256],
  );
  assert.ok(packed.length <= 3 * 1024 * 1024);
  assert.deepEqual(manifest.packages, Object.values(SOURCES));
});

test("every package that the pack is built from has its licence notice and its line in the list of sources", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "..", name), "utf8");
  const [notice, list] = [read("NOTICE"), read("DATA_SOURCES.md")];
  for (const { name, version, license } of Object.values(SOURCES)) {
    assert.ok(notice.includes(`${name} ${version} (${license}`), `NOTICE: ${name}`);
    assert.ok(list.includes(`\`${name}\` ${version} | ${license}`), `DATA_SOURCES.md: ${name}`);
  }
});

test("the snapshot has 14,161 stocks under canonical symbols, with a positive price and a volume each", () => {
  assert.equal(pack.size, 14_161);
  assert.equal(manifest.counts.symbols, pack.size);
  const seen = new Set<string>();
  for (let index = 0; index < pack.size; index += 1) {
    const { symbol, name, price, volume } = pack.stock(index);
    assert.match(symbol, /^[A-Z]+(-[A-Z]{1,2})?$/);
    assert.ok(name !== "" && price > 0 && volume > 0, symbol);
    assert.equal(pack.indexOf(symbol), index);
    seen.add(symbol);
  }
  assert.equal(seen.size, pack.size);
});

test("known values are what the source says, to the digit", () => {
  const stock = (symbol: string) => pack.stock(pack.indexOf(symbol) ?? -1);
  assert.deepEqual(stock("NVDA"), {
    symbol: "NVDA",
    name: "NVIDIA Corporation",
    exchange: "NASDAQ",
    sector: "Electronic technology",
    industry: "Semiconductors",
    price: 141.95,
    changePercent: -3.218109,
    volume: 236_403_797,
    relativeVolume: 1.0044,
    marketCap: 3_476_355_425_262,
    pe: 55.9144,
    eps: 2.5387,
    dividendYieldPercent: 0.019725,
  });
  assert.equal(stock("BRK-B").price, 476.57);
  assert.equal(stock("JPM-PL").marketCap, undefined);
});

/** Every company that has statements, by the years that the pack finds for the snapshot's symbols. */
function* allYears() {
  for (let index = 0; index < pack.size; index += 1) {
    const { symbol } = pack.stock(index);
    for (const year of pack.years(symbol)) yield { symbol, year };
  }
}

test("every statement adds up, lies in fiscal 2012 to 2016, and has a start about a year before its end", () => {
  let count = 0;
  for (const { symbol, year } of allYears()) {
    count += 1;
    const of = (statement: "income" | "balance" | "cash_flow", name: string) => year.values(statement).get(name) ?? 0;
    assert.equal(of("income", "revenue") - of("income", "costOfRevenue"), of("income", "grossProfit"), symbol);
    const both = of("balance", "totalLiabilities") + of("balance", "totalStockholdersEquity");
    assert.equal(of("balance", "totalAssets"), both, symbol);
    assert.equal(of("balance", "totalLiabilitiesAndTotalEquity"), both, symbol);
    const flows = ["OperatingActivities", "InvestingActivities", "FinancingActivities"].map((flow) =>
      of("cash_flow", `netCashProvidedBy${flow}`),
    );
    const change = flows.reduce((sum, flow) => sum + flow, of("cash_flow", "effectOfForexChangesOnCash"));
    assert.equal(change, of("cash_flow", "netChangeInCash"), symbol);
    const days = toDayNumber(year.end) - toDayNumber(year.start) + 1;
    assert.ok(days >= 357 && days <= 373, `${symbol} ${year.start} ${year.end}`);
    assert.ok(year.fiscalYear >= 2012 && year.fiscalYear <= 2016);
  }
  assert.ok(count > 1_250 && count <= manifest.counts.statement_years, String(count));
});

test("every name of a statement is one that the metrics know", () => {
  for (const { year } of allYears()) {
    for (const statement of ["income", "balance", "cash_flow"] as const) {
      for (const name of year.values(statement).keys()) assert.ok(METRICS[statement].has(name), name);
    }
  }
});

test("Apple's statements are Apple's, a renamed company is found, and Procter & Gamble has none", () => {
  const apple = pack.years("AAPL").at(-1);
  assert.deepEqual([apple?.fiscalYear, apple?.start, apple?.end], [2016, "2015-09-27", "2016-09-24"]);
  assert.equal(apple?.values("income").get("revenue"), 215_639_000_000);
  assert.equal(apple?.values("income").get("eps"), 8.35);
  assert.equal(apple?.values("cash_flow").get("capitalExpenditure"), -12_734_000_000);
  assert.ok(pack.years("META").length > 0);
  assert.deepEqual(pack.years("PG"), []);
});

function series(symbol: string, interval: RealSeries["interval"] = "1day"): RealSeries {
  const found = pack.series(symbol, interval);
  assert.ok(found !== undefined, symbol);
  return found;
}

const closeOn = ({ bars }: RealSeries, day: string) => bars.c[bars.t.indexOf(toDayNumber(day) * DAY_S)];

test("every real bar is positive and consistent, and each is later than the one before", () => {
  for (const { symbol, interval, bars: count } of manifest.series) {
    const { t, o, h, l, c, v } = series(symbol, interval).bars;
    assert.equal(t.length, count);
    let before = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < t.length; at += 1) {
      const [time = 0, open = 0, high = 0, low = 0, close = 0] = [t[at], o[at], h[at], l[at], c[at]];
      assert.ok(time > before && low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close), symbol);
      assert.ok((v[at] ?? -1) >= 0 && Number.isFinite(v[at]));
      before = time;
    }
  }
});

test("no split is left in a series that is adjusted for splits", () => {
  for (const symbol of ["AAPL", "GE", "MSFT"]) {
    const { c } = series(symbol).bars;
    for (let at = 1; at < c.length; at += 1) {
      const ratio = (c[at] ?? 0) / (c[at - 1] ?? 1);
      assert.ok(ratio > 0.45 && ratio < 1.4, `${symbol} ${at} ${ratio}`);
    }
  }
});

test("real history is what happened", () => {
  assert.equal(closeOn(series("AAPL"), "2018-05-11"), 188.589996);
  assert.equal(closeOn(series("AAPL"), "2014-06-06"), 92.224289);
  assert.equal(closeOn(series("GE"), "1962-01-02"), 0.77865);
  assert.equal(closeOn(series("^GSPC"), "2020-04-17"), 2874.560059);
  const [before = 0, crash = 0] = ["1987-10-16", "1987-10-19"].map((day) => closeOn(series("^GSPC"), day));
  assert.ok(Math.abs((crash / before - 1) * 100 + 20.47) < 0.01);
  assert.deepEqual(
    [series("AAPL").adjust, series("MSFT").adjust, series("^GSPC").adjust],
    ["split", "split+dividend", "none"],
  );
  assert.equal(series("BTCUSD", "1min").bars.c.at(-1), 431.85);
  assert.equal(pack.monthly.get("comp")?.[0], 4.44);
});
