/**
 * Snapshot bars: daily bars of the past, the changes of a price, and minutes of Bitcoin. A window that the bars do not
 * reach is `no_data` and names the days there are; one that they reach in part says where they end.
 */
import { type Bars, mergeBars, sliceBars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { BarsQuery, Capabilities, CoinInterval, PriceChange } from "../port/market-data.ts";
import { DAY_S } from "../pack/days.ts";
import type { Pack, RealSeries } from "../pack/pack.ts";
import { toPriceChange } from "../port/returns.ts";
import type { Adjust, Sourced } from "../port/provenance.ts";
import { stockOf } from "./snapshot-quotes.ts";
import { closeOf, fromHistory, fromSnapshot, notStored } from "./stored.ts";
import { cutBars, daysOf } from "./window.ts";

const WEEK_S = 7 * DAY_S;
const INTERVAL_S: Readonly<Record<CoinInterval, number>> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "30m": 1800,
  "1h": 3600,
  "4h": 14_400,
  "1d": DAY_S,
  "1w": WEEK_S,
};

/** The answers about prices over time. */
export function barCapabilities(pack: Pack): Pick<Capabilities, "bars" | "change" | "coinBars"> {
  return {
    bars: async (query) => dailyBars(pack, query),
    change: async ({ listing }) => priceChange(pack, listing),
    coinBars: async ({ listing, interval, limit }) => coinBars(pack, { listing, interval, limit }),
  };
}

function dailyBars(pack: Pack, query: BarsQuery): Sourced<Bars> {
  const { listing, from, to } = query;
  const series = pack.series(listing.symbol, "1day");
  if (series === undefined) throw notStored(listing, "daily bars");
  const { first, last } = daysOf(series.bars);
  if ((to !== undefined && to < first) || (from !== undefined && from > last)) {
    const monthly =
      listing.symbol === "^GSPC" ? "; by month from 1871 to June 2023 as the economic series S&P 500" : "";
    throw notStored(listing, "daily bars in that window", `${first} to ${last}${monthly}`);
  }
  const data = cutBars(series.bars, query);
  const notes = [
    series.note,
    ...(isOther(series.adjust, query) ? [`prices with the adjustment "${query.adjust}" are not stored`] : []),
    ...(from !== undefined && from < first ? [`the bars begin on ${first}`] : []),
    ...(to !== undefined && to > last ? [`the bars end on ${last}`] : []),
    ...(data.t.length === 0 ? ["the market was closed on every day of the window"] : []),
  ];
  const day = data.t.length > 0 ? daysOf(data).last : (to ?? last);
  return { data, provenance: fromHistory(momentOf(listing, day), { adjust: series.adjust, note: notes.join("; ") }) };
}

/** Whether other prices were asked for than there are; an index and a coin have only one kind. */
function isOther(adjust: Adjust, { adjust: asked, listing }: BarsQuery): boolean {
  return asked !== undefined && asked !== adjust && (listing.type === "stock" || listing.type === "etf");
}

const momentOf = ({ type }: Listing, day: string): string => (type === "crypto" ? `${day}T23:59:59Z` : closeOf(day));

/** Of a stock the change of the snapshot's day; of an index those up to its last bar. */
function priceChange(pack: Pack, listing: Listing): Sourced<PriceChange> {
  const changePercent = stockOf(pack, listing)?.changePercent;
  const series = pack.series(listing.symbol, "1day");
  if (changePercent !== undefined) {
    const until = series === undefined ? "" : `, which end on ${daysOf(series.bars).last}`;
    const note = `only the change of this day is stored; longer spans need daily bars${until}`;
    return { data: { "1D": changePercent }, provenance: fromSnapshot(note) };
  }
  if (series === undefined) throw notStored(listing, "price changes");
  const provenance = fromHistory(momentOf(listing, daysOf(series.bars).last), { adjust: series.adjust });
  return { data: toPriceChange(series.bars), provenance };
}

/** Whole bars of the interval, made from minutes. */
function coinBars(pack: Pack, asked: Readonly<{ listing: Listing; interval: CoinInterval; limit: number }>) {
  const { listing, interval, limit } = asked;
  const seconds = INTERVAL_S[interval];
  const series = pack.series(listing.symbol, seconds >= DAY_S ? "1day" : "1min");
  if (series === undefined) throw notStored(listing, "prices over time");
  const start = series.bars.t.findIndex((t) => startOf(t, seconds) === t);
  const merged = mergeBars(sliceBars(series.bars, Math.max(start, 0)), (t) => startOf(t, seconds));
  const data = sliceBars(merged, Math.max(0, merged.t.length - limit));
  return { data, provenance: toCoinProvenance(series) };
}

function toCoinProvenance({ bars, interval, note, adjust }: RealSeries) {
  const seconds = (bars.t.at(-1) ?? 0) + (interval === "1min" ? 60 : DAY_S) - 1;
  return fromHistory(new Date(seconds * 1_000).toISOString(), { adjust, note });
}

/** Weeks begin on Monday. */
function startOf(t: number, seconds: number): number {
  const shift = seconds === WEEK_S ? 4 * DAY_S : 0;
  return Math.floor((t - shift) / seconds) * seconds + shift;
}
