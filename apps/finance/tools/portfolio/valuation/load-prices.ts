/**
 * Load prices: what the market says of each holding: its price now, its daily bars, and the rates between currencies.
 *
 * A source that fails leaves the holding out, with its reason. An old price is not carried over to today, and a rate
 * that nobody has is never taken as 1.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../../market/port/listing.ts";
import { MarketError } from "../../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../../market/port/provenance.ts";
import { sectorOf } from "../../../market/directory/sectors.ts";
import { addDays } from "../../shared/calendar-day.ts";
import { type DailyBars, loadDaily, toDay } from "../../shared/daily.ts";
import { loadQuote } from "../../price/quote.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import type { OrReason, HoldingPrice } from "./valuation.ts";

/** So many requests at once. */
const AT_ONCE = 8;

/** So many days may a price or a rate be older than today: the longest holidays of an exchange. */
const MAX_AGE_DAYS = 12;

/** A value with its provenance, or why there is none. */
export type PricePart<T> = OrReason<Sourced<T>>;

/** Returns the result of `load`; a failure of a source becomes a reason, one of the program does not. */
async function attempt<T>(load: () => Promise<Sourced<T>>): Promise<PricePart<T>> {
  try {
    return await load();
  } catch (thrown) {
    if (thrown instanceof MarketError) {
      return { reason: thrown.message, ...omitUndefined({ enable: thrown.details.enable }) };
    }
    throw thrown;
  }
}

/** The answers for all items, in their order, a few at a time. */
export async function loadEach<T, R>(
  asked: MarketContext,
  items: readonly T[],
  load: (asked: MarketContext, item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const works = items
      .slice(start, start + AT_ONCE)
      .map(
        (item) => (scope: MarketContext["context"]["scope"]) =>
          load({ ...asked, context: { ...asked.context, scope } }, item),
      );
    results.push(...(await asked.context.scope.all(works)));
  }
  return results;
}

/** `full` also asks for the sector, which costs some sources a second request. */
export type Detail = "price" | "full";

/** The price of a listing today. */
export function loadPrice(asked: MarketContext, listing: Listing, detail: Detail): Promise<PricePart<HoldingPrice>> {
  return attempt(async () => {
    const { data, provenance } = await loadQuote(asked, listing, detail);
    const { kind, source, as_of } = provenance;
    checkAge(asked, as_of.slice(0, 10), `its newest price`);
    const { price, currency, changePercent, sector, industry } = data;
    const known = omitUndefined({ changePercent, sector: sectorOf(omitUndefined({ sector, industry })) });
    const found = { data: { price, currency, ...known, origin: { kind, source, as_of } }, provenance };
    if (price > 0 && Number.isFinite(price)) return found;
    throw new MarketError("no_data", "its price is not a positive number", { symbol: listing.symbol });
  });
}

function checkAge({ market }: MarketContext, day: string, what: string): void {
  const today = market.today();
  if (day >= addDays(today, -MAX_AGE_DAYS)) return;
  throw new MarketError("no_data", `${what} is of ${day}, and other prices are of ${today}`);
}

/** Coins have bars on every day, of which a week of stocks has five. */
const COIN_DAYS = 1.5;
const SPARE_DAYS = 15;
const MAX_COIN_BARS = 1_000;

/** Enough daily bars for so many returns on days that all holdings have. */
export function loadBars(asked: MarketContext, listing: Listing, days: number): Promise<PricePart<DailyBars>> {
  const isCoin = listing.type === "crypto";
  const limit = isCoin ? Math.min(MAX_COIN_BARS, Math.ceil(days * COIN_DAYS) + SPARE_DAYS) : days + 1 + SPARE_DAYS;
  return attempt(async () => {
    const bars = await loadDaily(asked, { listing, limit });
    checkAge(asked, toDay(bars.data.t.at(-1) ?? 0), "its newest daily price");
    return bars;
  });
}

/** Value of one unit of a currency in another. */
export type CurrencyRate = Readonly<{
  from: string;
  to: string;
  rate: number;
  day: string;
  source: string;
  kind: Provenance["kind"];
}>;

/** Rates of several currencies to one; a currency to itself needs none. */
export async function loadRates(
  asked: MarketContext,
  currencies: readonly string[],
  to: string,
): Promise<ReadonlyMap<string, PricePart<CurrencyRate>>> {
  const others = [...new Set(currencies)].filter((from) => from !== to);
  const rates = await loadEach(asked, others, (one, from) => loadRate(one, from, to));
  return new Map(others.map((from, index) => [from, rates[index] ?? { reason: "it was not asked for" }]));
}

async function loadRate(asked: MarketContext, from: string, to: string): Promise<PricePart<CurrencyRate>> {
  const coin = asked.market.directory.get(`${from}${to}`);
  const isCoin = coin?.type === "crypto" && coin.symbol === `${from}${to}`;
  const rate = await attempt(() => (isCoin ? askCoinRate(asked, coin, to) : askRate(asked, from, to)));
  return "reason" in rate ? { ...rate, reason: `there is no rate from ${from} to ${to}: ${rate.reason}` } : rate;
}

async function askRate(asked: MarketContext, from: string, to: string): Promise<Sourced<CurrencyRate>> {
  const { data, provenance } = await asked.market.fx({ from, to }, asked.context.scope);
  checkAge(asked, data.day, "the newest rate");
  if (data.from === from && data.to === to) return toRate(data, provenance);
  throw new MarketError("no_data", `the source answered for ${data.from} and ${data.to}`);
}

/** A stablecoin has a price like any coin. */
async function askCoinRate(asked: MarketContext, listing: Listing, to: string): Promise<Sourced<CurrencyRate>> {
  const { data, provenance } = await asked.market.coinPrice({ listing }, asked.context.scope);
  const day = provenance.as_of.slice(0, 10);
  checkAge(asked, day, "the newest rate");
  const from = listing.symbol.slice(0, -to.length);
  if (data.quoteCurrency === to) return toRate({ from, to, rate: data.price, day }, provenance);
  throw new MarketError("no_data", `the source has its price in ${data.quoteCurrency}`);
}

function toRate(
  { from, to, rate, day }: Omit<CurrencyRate, "source" | "kind">,
  provenance: Provenance,
): Sourced<CurrencyRate> {
  const { source, kind } = provenance;
  if (rate > 0 && Number.isFinite(rate)) return { data: { from, to, rate, day, source, kind }, provenance };
  throw new MarketError("no_data", "the rate is not a positive number");
}
