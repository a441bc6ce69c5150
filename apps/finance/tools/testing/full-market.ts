/**
 * Full market: a stub market that has an answer to every question, so that tests see data of every tool.
 */
import type { Bars } from "../../market/port/bars.ts";
import type { MarketData, MarketRow, PeriodRow } from "../../market/port/market-data.ts";
import { METRICS, type MetricSet } from "../../market/metrics/metrics.ts";
import { ACME, barsOf, BOLT, COIN, MARKET, sourced, stubMarket } from "./stub-market.ts";

const CLOSES = Array.from({ length: 900 }, (_, at) => 100 + 8 * Math.sin(at / 5) + 3 * Math.cos(at * at) + at / 30);

const QUOTE = {
  price: 10.5,
  change: -0.5,
  changePercent: -4.55,
  yearLow: 8,
  yearHigh: 12,
  marketCap: 5e9,
  volume: 7e6,
  pe: 12.5,
  eps: 0.84,
  dividendYieldPercent: 2.5,
  beta: 1.1,
};

const row = (listing: MarketRow["listing"], at: number): MarketRow => ({
  listing,
  price: 10 + at,
  changePercent: 1.5 - at,
  volume: 1e6 + at,
  marketCap: 5e9,
  pe: 8 + at,
  eps: 1.2,
  dividendYieldPercent: 4.5,
});
const ROWS = [ACME, BOLT].map(row);

/** Five fiscal years with a value for every name of a set. */
function yearsOf(set: MetricSet): readonly PeriodRow[] {
  return [2024, 2023, 2022, 2021, 2020].map((year, at) => ({
    label: `FY${year}`,
    start: `${year}-01-01`,
    end: `${year}-12-31`,
    currency: "USD",
    values: new Map([...METRICS[set].keys()].map((name, index) => [name, 1e6 * (index + 2) * 1.1 ** -at] as const)),
  }));
}

function within(
  { t, o, h, l, c, v }: Bars,
  { from, to, limit = Infinity }: Readonly<{ from?: string; to?: string; limit?: number }>,
): Bars {
  const dayOf = (at: number) => new Date((t[at] ?? 0) * 1_000).toISOString().slice(0, 10);
  const places = [...t.keys()].filter((at) => dayOf(at) >= (from ?? "") && dayOf(at) <= (to ?? "9999"));
  const kept = limit === Infinity ? places : places.slice(-limit);
  const pick = (column: Float64Array) => Float64Array.from(kept, (at) => column[at] ?? 0);
  return { t: pick(t), o: pick(o), h: pick(h), l: pick(l), c: pick(c), v: pick(v) };
}

const filing = { form: "10-K", filed: "2024-11-01", accession: "0000000001-24-000001", reportDay: "2024-09-30" };
const coin = {
  price: 60_000.5,
  quoteCurrency: "USD",
  change: 10,
  changePercent: 1.2,
  high: 61_000,
  low: 59_000,
  open: 59_990,
  volume: 12,
  quoteVolume: 7e5,
};

/** A market with an answer to everything. */
export const FULL_MARKET: MarketData = stubMarket({
  quote: async () => sourced(QUOTE),
  change: async () => sourced({ "1D": 1, "1M": -2, YTD: 12, "1Y": 20 }),
  bars: async (query) => sourced(within(barsOf(CLOSES), query), { adjust: "split" }),
  intraday: async () => sourced(barsOf(CLOSES.slice(-40))),
  statements: async ({ statement, limit }) => sourced(yearsOf(statement).slice(0, limit)),
  metrics: async ({ set, limit }) => sourced(yearsOf(set).slice(0, limit)),
  earnings: async () =>
    sourced([
      {
        day: "2024-10-30",
        label: "Q3 2024",
        end: "2024-09-30",
        epsActual: 1.2,
        epsEstimated: 1.1,
        revenueActual: 9e9,
        revenueEstimated: 8e9,
        currency: "USD",
      },
      { day: "2025-01-30", epsEstimated: 1.3, currency: "USD" },
    ]),
  dividends: async () =>
    sourced(["2024-11-08", "2024-08-08"].map((day) => ({ day, amount: 0.25, currency: "USD", yieldPercent: 0.4 }))),
  news: async () =>
    sourced([
      {
        title: "Acme opens",
        source: "Wire",
        url: "https://example.org/a",
        publishedAt: "2024-11-22T10:00:00Z",
        symbols: ["ACME"],
      },
    ]),
  movers: async () => sourced(ROWS),
  screener: async () => sourced({ rows: ROWS, total: 7, missing: [] }),
  sectors: async () =>
    sourced([
      { sector: "Technology", changePercent: 1.2, count: 20, marketCap: 1e12 },
      { sector: "Energy", changePercent: -0.3 },
    ]),
  constituents: async () =>
    sourced([ACME, BOLT].map((listing) => ({ listing, sector: "Technology", weightPercent: 6.5 }))),
  overview: async () => sourced({ indices: [row(MARKET, 3)], breadth: { up: 10, down: 5, flat: 1 } }),
  calendar: async () =>
    sourced([
      {
        at: "2024-11-22T13:30:00Z",
        country: "US",
        event: "CPI",
        impact: "High" as const,
        previous: 2.4,
        estimate: 2.6,
        unit: "%",
      },
    ]),
  coinPrice: async () => sourced(coin),
  coinQuote: async () => sourced(coin),
  coinBars: async ({ limit }) => sourced(within(barsOf(CLOSES), { limit })),
  coinMarkets: async () => sourced([{ listing: COIN, quote: coin }]),
  search: async () => sourced([{ title: "T", url: "https://example.org", content: "words" }]),
  rates: async () =>
    sourced(["3M", "2Y", "10Y"].map((name, at) => ({ day: "2024-11-22", name, percent: 4.5 - at / 10 }))),
  series: async ({ series, country }) =>
    sourced({
      id: series,
      title: "A series",
      unit: "percent",
      frequency: "year" as const,
      country,
      points: [2022, 2023].map((year) => ({
        label: `${year}`,
        start: `${year}-01-01`,
        end: `${year}-12-31`,
        value: 3.5,
      })),
    }),
  fx: async ({ from, to }) => sourced({ day: "2024-11-22", from, to, rate: 25_400 }),
  filings: async () => sourced([filing]),
  filingSection: async () =>
    sourced({ ...filing, section: "1A", heading: "Risk factors", text: "Risks.", isCut: false, totalChars: 6 }),
  filingSearch: async () =>
    sourced({ total: 1, isCapped: false, hits: [{ ...filing, company: "Acme Inc.", cik: "0000000001" }] }),
  insiderTrades: async () =>
    sourced([
      {
        day: "2024-11-01",
        filed: "2024-11-03",
        owner: "A. Person",
        code: "S",
        isAcquired: false,
        security: "Common Stock",
        isDerivative: false,
        shares: 100,
        price: 10,
        sharesAfter: 900,
        currency: "USD",
        form: "4",
        accession: "0000000001-24-000002",
      },
    ]),
  holdings: async () =>
    sourced({
      manager: "Fund",
      cik: "0000000009",
      end: "2024-09-30",
      filed: "2024-11-14",
      accession: "0000000009-24-000001",
      currency: "USD",
      totalValue: 1e9,
      positions: 1,
      rows: [{ issuer: "ACME INC", cusip: "000000000", value: 1e9, weightPercent: 100, shares: 1e6 }],
    }),
  options: async () =>
    sourced({
      price: 10.5,
      contracts: ["2024-12-20", "2025-01-17"].flatMap((expiry) =>
        [9, 10, 11].flatMap((strike) =>
          (["call", "put"] as const).map((kind) => ({
            expiry,
            kind,
            strike,
            bid: 0.5,
            ask: 0.6,
            impliedVolatilityPercent: 31.5,
            openInterest: 120,
            volume: 7,
            delta: 0.4,
          })),
        ),
      ),
    }),
});
