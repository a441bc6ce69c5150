/**
 * FMP prices: quotes, changes, daily bars and bars within the day.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Bars } from "../../port/bars.ts";
import type { Listing } from "../../port/listing.ts";
import type { BarsQuery, Capabilities, Quote, PriceSpan } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { Adjust } from "../../port/provenance.ts";
import { type SourceCandle, toBars } from "../candles.ts";
import { fromEastern } from "../eastern.ts";
import type { FmpAccount } from "./fmp-account.ts";
import type { FmpRows } from "./fmp-client.ts";
import { isUsExchange } from "../live-source.ts";
import { DayText, Num, Text } from "../rows.ts";

const DAY_MS = 86_400_000;

const QuoteRow = z.looseObject({
  symbol: Text,
  price: Num,
  change: Num,
  changePercentage: Num,
  volume: Num,
  dayLow: Num,
  dayHigh: Num,
  yearLow: Num,
  yearHigh: Num,
  marketCap: Num,
  priceAvg50: Num,
  priceAvg200: Num,
  open: Num,
  previousClose: Num,
  timestamp: Num,
});
type QuoteRow = z.infer<typeof QuoteRow>;

const ProfileRow = z.looseObject({
  symbol: Text,
  currency: Text,
  beta: Num,
  averageVolume: Num,
  lastDividend: Num,
  sector: Text,
  industry: Text,
});

const ChangeRow = z.looseObject({
  symbol: Text,
  "1D": Num,
  "5D": Num,
  "1M": Num,
  "3M": Num,
  "6M": Num,
  ytd: Num,
  "1Y": Num,
  "3Y": Num,
  "5Y": Num,
  "10Y": Num,
});

const DailyRow = z.looseObject({
  symbol: Text,
  date: DayText,
  open: Num,
  high: Num,
  low: Num,
  close: Num,
  adjOpen: Num,
  adjHigh: Num,
  adjLow: Num,
  adjClose: Num,
  volume: Num,
});
type DailyRow = z.infer<typeof DailyRow>;

const IntradayRow = z.looseObject({ date: Text, open: Num, high: Num, low: Num, close: Num, volume: Num });

/** Endpoint for each kind of price adjustment. */
const DAILY_PATHS: Readonly<Record<Adjust, string>> = {
  none: "/historical-price-eod/non-split-adjusted",
  split: "/historical-price-eod/full",
  "split+dividend": "/historical-price-eod/dividend-adjusted",
};

const SPANS: readonly Exclude<PriceSpan, "YTD">[] = ["1D", "5D", "1M", "3M", "6M", "1Y", "3Y", "5Y", "10Y"];

/** A row of the quote endpoint and when its price was made. */
export async function askQuoteRow({ client }: FmpAccount, listing: Listing, scope: Scope) {
  const answer = await client.rows(
    { path: "/quote", query: { symbol: listing.symbol }, row: QuoteRow, listing, what: "quote" },
    scope,
  );
  const [row] = answer.rows;
  const { price } = row;
  // a price of 0 is one that is not known
  if (price === undefined || price <= 0)
    throw new MarketError("no_data", `FMP has no price for ${listing.symbol}`, { symbol: listing.symbol });
  return { answer, row, price, asOf: toMoment(row.timestamp) };
}

/** Prices from FMP. */
export function fmpPrices(account: FmpAccount): Pick<Capabilities, "quote" | "change" | "bars" | "intraday"> {
  return {
    quote: async ({ listing, detail = "full" }, scope) => {
      const { answer, row, price, asOf } = await askQuoteRow(account, listing, scope);
      const profile = detail === "full" ? await askProfile(account, listing, scope) : {};
      return account.sourced({ ...toQuote(row, price), ...profile }, answer, { isPrice: true, asOf });
    },
    change: async ({ listing }, scope) => {
      const query = { symbol: listing.symbol };
      const what = "price change";
      const answer = await account.client.rows(
        { path: "/stock-price-change", query, row: ChangeRow, listing, what },
        scope,
      );
      const [row] = answer.rows;
      const spans = SPANS.flatMap((span) => (row[span] === undefined ? [] : [[span, row[span]] as const]));
      return account.sourced({ ...Object.fromEntries(spans), ...omitUndefined({ YTD: row.ytd }) }, answer, {
        isPrice: true,
      });
    },
    bars: (query, scope) => askBars(account, query, scope),
    intraday: async ({ listing, interval }, scope) => {
      const path = `/historical-chart/${interval}`;
      const query = { symbol: listing.symbol };
      const answer = await account.client.rows(
        { path, query, row: IntradayRow, listing, what: "intraday prices" },
        scope,
      );
      const candles = answer.rows.map(({ date = "", open, high, low, close, volume }): SourceCandle => {
        const ms = fromEastern(date);
        return { t: ms === undefined ? undefined : ms / 1_000, o: open, h: high, l: low, c: close, v: volume };
      });
      return toSourcedBars({ account, listing, answer, candles }, (last) => last * 1_000);
    },
  };
}

function toQuote(row: QuoteRow, price: number): Quote {
  const { change, changePercentage, open, previousClose, dayLow, dayHigh, yearLow, yearHigh, volume, marketCap } = row;
  const averages = { average50: row.priceAvg50, average200: row.priceAvg200 };
  return {
    price,
    ...omitUndefined({
      change,
      changePercent: changePercentage,
      open,
      previousClose,
      dayLow,
      dayHigh,
      yearLow,
      yearHigh,
    }),
    ...omitUndefined({ volume, marketCap, ...averages }),
  };
}

/** Returns the fields that a profile adds to a quote; a quote stands without it. */
async function askProfile({ client }: FmpAccount, listing: Listing, scope: Scope): Promise<Partial<Quote>> {
  const { symbol } = listing;
  const profile = await client
    .rows({ path: "/profile", query: { symbol }, row: ProfileRow, listing, what: "profile" }, scope)
    .catch((error: unknown) => {
      if (error instanceof MarketError) return undefined;
      throw error;
    });
  if (profile === undefined) return {};
  const [{ currency, beta, averageVolume, sector, industry }] = profile.rows;
  if (currency !== undefined && currency !== listing.currency) {
    const message = `FMP has ${symbol} in ${currency}, but it is known as listed in ${listing.currency}`;
    throw new MarketError("upstream", message, { symbol });
  }
  return omitUndefined({ beta, averageVolume, sector, industry });
}

/** Seconds since 1970, or milliseconds as some endpoints have them. */
function toMoment(timestamp: number | undefined): number | undefined {
  if (timestamp === undefined || timestamp <= 0) return undefined;
  return timestamp < 1e11 ? timestamp * 1_000 : timestamp;
}

async function askBars(account: FmpAccount, query: BarsQuery, scope: Scope) {
  const { listing, from, to, limit, adjust = "split" } = query;
  const ask = (start: string | undefined) =>
    account.client.rows(
      {
        path: DAILY_PATHS[adjust],
        query: { symbol: listing.symbol, from: start, to },
        row: DailyRow,
        listing,
        what: "daily prices",
      },
      scope,
    );
  const start = from ?? toStart(to, limit, scope.clock.now());
  // A young or thinly traded stock has fewer days in the window than were asked for: then all it has are asked for.
  const isGuess = from === undefined && start !== undefined;
  const found = isGuess ? await ask(start).catch(toNone) : await ask(start);
  const answer = found === undefined || (isGuess && found.rows.length < (limit ?? 0)) ? await ask(undefined) : found;
  const candles = answer.rows.map(toDailyCandle).filter(({ t }) => t === undefined || isWithin(t, from, to));
  return toSourcedBars(
    { account, listing, answer, candles, adjust, limit: from === undefined ? limit : undefined },
    (last) => toClose(last, listing),
  );
}

/** Undefined instead of `no_data`. */
function toNone(error: unknown): undefined {
  if (error instanceof MarketError && error.kind === "no_data") return undefined;
  throw error;
}

/** A day early enough to have `limit` trading days; undefined asks for all there are. */
function toStart(to: string | undefined, limit: number | undefined, now: number): string | undefined {
  if (limit === undefined) return undefined;
  const end = to ?? new Date(now).toISOString().slice(0, 10);
  return addDays(end, -(Math.ceil(limit * 1.5) + 14));
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const toSeconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

const isWithin = (t: number, from: string | undefined, to: string | undefined): boolean =>
  (from === undefined || t >= toSeconds(from)) && (to === undefined || t <= toSeconds(to));

/** The endpoints of other adjustments name their prices adj…, also if nothing is adjusted. */
function toDailyCandle(row: DailyRow): SourceCandle {
  const { date, volume } = row;
  return {
    t: date === undefined ? undefined : toSeconds(date),
    o: row.adjOpen ?? row.open,
    h: row.adjHigh ?? row.high,
    l: row.adjLow ?? row.low,
    c: row.adjClose ?? row.close,
    v: volume,
  };
}

/** When the last day's price was made: at the close in New York, or in the course of a day elsewhere. */
function toClose(lastSeconds: number, { exchange, type }: Listing): number {
  const day = new Date(lastSeconds * 1_000).toISOString().slice(0, 10);
  const isNewYork = type !== "crypto" && isUsExchange(exchange);
  return (isNewYork ? fromEastern(`${day} 16:00:00`) : undefined) ?? lastSeconds * 1_000;
}

type Found = Readonly<{
  account: FmpAccount;
  listing: Listing;
  answer: FmpRows<unknown>;
  candles: readonly SourceCandle[];
  adjust?: Adjust;
  limit?: number | undefined;
}>;

function toSourcedBars({ account, listing, answer, candles, adjust, limit }: Found, toMs: (last: number) => number) {
  const { bars, dropped } = toBars(candles, { limit, hasVolume: listing.type !== "index" });
  const last = bars.t.at(-1);
  if (last === undefined) {
    throw new MarketError("no_data", `FMP has no complete prices for ${listing.symbol}`, { symbol: listing.symbol });
  }
  const note = dropped === 0 ? undefined : `${dropped} incomplete bars of the source are left out`;
  return account.sourced<Bars>(bars, answer, { isPrice: true, asOf: toMs(last), adjust, note });
}
