/**
 * Valued portfolio: the user's holdings with prices and rates of the market, in one currency.
 */
import type { DataKind } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Provenance } from "../../../market/port/provenance.ts";
import { MarketError } from "../../../market/port/market-error.ts";
import { joinProvenance } from "../../shared/joined-provenance.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import { identify } from "../../frame/require-listing.ts";
import { toSafeText } from "../../shared/untrusted.ts";
import { averageCostOf, type Holding, type Lot } from "../holding.ts";
import { readPortfolio } from "../holdings.ts";
import { type CurrencyRate, type Detail, loadEach, loadPrice, loadRates, type PricePart } from "./load-prices.ts";
import { percentOf } from "../../shared/number.ts";
import { type UnvaluedHolding, type Totals, type Valuation, value, type Valued } from "./valuation.ts";

/** Kind of the user's own entries: as they were when they were read. */
const OWN_KIND: DataKind = "snapshot";

/** The symbol of figures of the whole portfolio. */
export const PORTFOLIO = "portfolio";

/** First steps, for every tool that finds no holdings. */
const EMPTY =
  "the portfolio is empty: say what you hold, such as “I have 10 shares of AAPL bought at 150”, " +
  "or paste the CSV of a broker";

/** Returns the holdings; if there are none, reports no data and the first steps. */
export async function requireHoldings({ context }: MarketContext): Promise<readonly Holding[]> {
  const { holdings, damaged } = await readPortfolio(context.documents);
  if (holdings.length > 0) return holdings;
  const unreadable = damaged.map((id) => toSafeText(id, 80)).join(", ");
  throw new MarketError("no_data", damaged.length === 0 ? EMPTY : `the holdings ${unreadable} cannot be read`);
}

/** Holdings in one currency, and where their prices are from. */
export interface ValuedPortfolio {
  readonly holdings: readonly Holding[];
  readonly currency: string;
  readonly valuation: Valuation;
  readonly rates: readonly CurrencyRate[];
  /** Of the prices and rates that are in the values; none if nothing has one. */
  readonly origins: readonly Provenance[];
  /** The switch that brings what no source has. */
  readonly enable?: string;
  /** Of what the user said. */
  readonly ownOrigin: Provenance;
}

/** Currency of the totals, and the detail of each price. */
export type ValueOptions = Readonly<{ currency?: string; detail: Detail }>;

/** Values the user's holdings. */
export async function loadValued(
  asked: MarketContext,
  holdings: readonly Holding[],
  { currency: wanted, detail }: ValueOptions,
): Promise<ValuedPortfolio> {
  const currency = wanted ?? commonCurrency(holdings);
  const prices = await loadEach(asked, holdings, (one, { listing }) => loadPrice(one, listing, detail));
  const priced = holdings.map((holding, index) => {
    const price = prices[index] ?? { reason: "it was not asked for" };
    return { holding, price: "reason" in price ? price : price.data };
  });
  const used = [
    ...priced.flatMap(({ price }) => ("reason" in price ? [] : [price.currency])),
    ...holdings.flatMap(({ lots }) => lots.flatMap((lot) => (lot.cost === undefined ? [] : [lot.currency]))),
  ];
  const rates = await loadRates(asked, used, currency);
  const valuation = value(priced, (from) => {
    if (from === currency) return { rate: 1 };
    const found = rates.get(from) ?? { reason: `there is no rate from ${from} to ${currency}` };
    return "reason" in found ? found : found.data;
  });
  const isValued = new Set(valuation.holdings.filter((one) => one.value !== undefined).map(({ holding }) => holding));
  const origins = [
    ...prices.flatMap((price, index) => {
      const holding = holdings[index];
      return "reason" in price || holding === undefined || !isValued.has(holding) ? [] : [price.provenance];
    }),
    ...[...rates.values()].flatMap((rate) => ("reason" in rate ? [] : [rate.provenance])),
  ];
  return {
    holdings,
    currency,
    valuation,
    rates: [...rates.values()].flatMap((rate) => ("reason" in rate ? [] : [rate.data])),
    origins: isValued.size === 0 ? [] : origins,
    ...omitUndefined({ enable: [...prices, ...rates.values()].map(enableOf).find((one) => one !== undefined) }),
    ownOrigin: ownOrigin(holdings),
  };
}

const enableOf = (part: PricePart<unknown>): string | undefined => ("reason" in part ? part.enable : undefined);

/** Returns the provenance of figures computed from answers and the user's holdings. */
export function derive(origins: readonly Provenance[], count: number): Provenance {
  const joined = joinProvenance(origins);
  const { kind, source, as_of, derived_from: from = [`${source} (${kind}, ${as_of})`] } = joined;
  return { ...joined, derived_from: [...from, `portfolio (${count} ${count === 1 ? "holding" : "holdings"})`] };
}

/** The user's own entries, as of their newest change. */
export function ownOrigin(holdings: readonly Pick<Holding, "updatedAt">[]): Provenance {
  const newest = Math.max(0, ...holdings.map(({ updatedAt }) => updatedAt));
  return { kind: OWN_KIND, source: PORTFOLIO, as_of: new Date(newest).toISOString() };
}

/** The one currency of all holdings, else US dollars. */
function commonCurrency(holdings: readonly Holding[]): string {
  const currencies = new Set(holdings.map(({ listing }) => listing.currency));
  const [first] = currencies;
  return first !== undefined && currencies.size === 1 ? first : "USD";
}

/** A holding as results show it. */
export type ShownHolding = ReturnType<typeof showHolding>;

/** Sums as results show them. */
export type ShownTotals = ReturnType<typeof showTotals>;

/** A holding for a result; it shows at most so many lots. */
export function showHolding({ holding, quantity, price, weight, sector, ...money }: Valued) {
  const { listing, version } = holding;
  const average = averageCostOf(holding.lots);
  return {
    ...identify(listing),
    quantity,
    version,
    lots: showLots(holding.lots),
    ...omitUndefined({ average_cost: average?.average, cost_currency: average?.currency }),
    ...omitUndefined({ price: price?.price, price_currency: price?.currency, change_percent: price?.changePercent }),
    ...omitUndefined({ price_origin: price?.origin }),
    ...omitUndefined({
      value: money.value,
      cost: money.cost,
      profit: money.profit,
      profit_percent: money.profitPercent,
    }),
    ...omitUndefined({ weight_percent: weight === undefined ? undefined : percentOf(weight) }),
    sector,
  };
}

const MAX_SHOWN_LOTS = 20;

/** The first lots, with accounts that are safe to show. */
export const showLots = (lots: readonly Lot[]): readonly Lot[] => lots.slice(0, MAX_SHOWN_LOTS);

/** Sums for a result. */
export function showTotals({ profitPercent, dayChange, dayChangePercent, ...rest }: Totals) {
  const more = { profit_percent: profitPercent, day_change: dayChange, day_change_percent: dayChangePercent };
  return { ...rest, ...omitUndefined(more) };
}

/** Renders the holdings that figures leave out, a line each. */
export const toLeftOutLines = (leftOut: readonly UnvaluedHolding[] = []): readonly string[] =>
  leftOut.map(({ symbol, of, reason }) => `left out of ${of}: ${symbol}: ${reason}`);

/** A line about weights if some holdings have no value. */
export const toWeightLines = (valued: number, count: number): readonly string[] =>
  valued === count ? [] : [`weights, sectors and totals are of the ${valued} of ${count} holdings that have a value`];
