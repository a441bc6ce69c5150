/**
 * Answer quotes: what is known of one stock, index or coin at its last price.
 */
import type { Bars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, CoinQuote, Quote } from "../port/market-data.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import type { RealSeries } from "../pack/pack.ts";
import { coinQuote } from "./answer-coins.ts";
import { previousClose } from "./price.ts";
import { averageVolumeOf } from "./stock-path.ts";
import { closeOf } from "./trading-days.ts";
import { daysOf } from "./window.ts";
import { fromSnapshot, simulated, stockOf, type World } from "./world.ts";

/** What the embedded source answers about a last price. */
export function quoteCapabilities(world: World): Pick<Capabilities, "quote"> {
  return { quote: async ({ listing }) => quote(world, listing) };
}

function quote(world: World, listing: Listing): Sourced<Quote> {
  if (listing.type === "crypto") {
    const { data, provenance } = coinQuote(world, listing);
    return { data: fromCoin(data), provenance };
  }
  const index = listing.type === "index" ? world.pack.series(listing.symbol, "1day") : undefined;
  if (index !== undefined) return lastBar(index);
  const { stock, company } = stockOf(world, listing);
  const { price, changePercent, volume, marketCap, pe, eps, dividendYieldPercent, sector, industry } = stock;
  const before = changePercent === undefined ? undefined : previousClose(price, changePercent);
  const data = known({
    price,
    previousClose: before,
    change: before === undefined ? undefined : toTidy(price - before),
    changePercent,
    volume,
    averageVolume: averageVolumeOf(stock),
    marketCap,
    pe,
    eps,
    dividendYieldPercent,
  });
  const provenance = company === undefined ? fromSnapshot() : simulated(`${listing.name} is a made-up company`);
  return {
    data: {
      ...data,
      price,
      ...(sector === undefined ? {} : { sector }),
      ...(industry === undefined ? {} : { industry }),
    },
    provenance,
  };
}

function fromCoin({ price, change, changePercent, open, high, low, volume }: CoinQuote): Quote {
  return { ...known({ change, changePercent, open, previousClose: open, dayHigh: high, dayLow: low, volume }), price };
}

/** The last day of an index's real history. */
function lastBar({ bars, note }: RealSeries): Sourced<Quote> {
  const { last } = daysOf(bars);
  const price = at(bars, "c", -1);
  const before = at(bars, "c", -2);
  const provenance: Provenance = {
    kind: "history",
    source: "embedded",
    as_of: closeOf(last),
    note: `the last real day is ${last}; ${note}`,
  };
  return {
    data: {
      price,
      previousClose: before,
      change: toTidy(price - before),
      changePercent: toTidy((price / before - 1) * 100),
      open: at(bars, "o", -1),
      dayHigh: at(bars, "h", -1),
      dayLow: at(bars, "l", -1),
      volume: at(bars, "v", -1),
    },
    provenance,
  };
}

/** To ten digits: what lies below is noise of binary fractions. */
const toTidy = (value: number): number => Number(value.toPrecision(10));

const at = (bars: Bars, column: keyof Bars, index: number): number => bars[column].at(index) ?? 0;

type Numbers = Readonly<Partial<Record<Exclude<keyof Quote, "sector" | "industry">, number | undefined>>>;

/** The same without what is undefined. */
function known(values: Numbers): Partial<Record<keyof Numbers, number>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
