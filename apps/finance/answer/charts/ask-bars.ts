/**
 * Ask bars: the bars behind a result that does not hold them itself, and bars in any form as rows.
 *
 * Asked as the tool asks: by days only if the call named days, so that it is the same series.
 */
import type { Json } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import type { CoinBars, CoinInterval } from "../../market/port/market-data.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import type { Bar, Point } from "./chart.ts";
import type { Asking, Origin } from "./chart-input.ts";

/** Bars as rows, oldest first, and where they come from. */
export type Rows = Readonly<{
  bars: readonly Bar[];
  provenance: Origin;
  interval: string;
  /** If it is not the listing's. */
  currency?: string;
}>;

/** UTC seconds, both included. */
export type Window = Readonly<{ start: number; end: number }>;

const DAY_S = 86_400;
/** What a call without a window is drawn with: a year. */
const STANDARD_BARS = 252;
/** Holidays and the like: a few more than the days of the window. */
const SPARE_BARS = 10;
const MAX_COIN_BARS = 1_000;

/** The days a call named, if it did. */
const DaysSchema = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });

/** What the bars of a result are asked by. */
export type DailyQuestion = Readonly<{ listing: Listing; args: Json; window?: Window | undefined }>;

/** Daily bars of a window, or the newest. */
export async function askDaily({ listing, args, window }: DailyQuestion, asking: Asking): Promise<Rows> {
  const { data: days = {} } = DaysSchema.safeParse(args);
  const today = Date.parse(`${asking.market.today()}T00:00:00Z`) / 1_000;
  const span = window === undefined ? STANDARD_BARS : Math.ceil((today - window.start) / DAY_S) + 1;
  const limit = Math.max(1, span) + (window === undefined ? 0 : SPARE_BARS);
  const { market, scope } = asking;
  if (listing.type === "crypto") {
    const answer = await market.coinBars({ listing, interval: "1d", limit: Math.min(limit, MAX_COIN_BARS) }, scope);
    return toRows(answer, { window, interval: "1d" });
  }
  const asked = { ...(days.from === undefined ? { limit } : { from: days.from }), ...omitUndefined({ to: days.to }) };
  return toRows(await market.bars({ listing, adjust: "split", ...asked }, scope), { window, interval: "1day" });
}

/** Bars of a coin. */
export async function askCoin(
  listing: Listing,
  { interval, limit }: Readonly<{ interval: CoinInterval; limit: number }>,
  { market, scope }: Asking,
): Promise<Rows> {
  return toRows(await market.coinBars({ listing, interval, limit }, scope), { interval });
}

type Shown = Readonly<{ window?: Window | undefined; interval: string }>;

function toRows({ data, provenance }: Sourced<CoinBars>, { window, interval }: Shown): Rows {
  const bars = toBars(data).filter(({ t }) => window === undefined || (t >= window.start && t <= window.end));
  return { bars, provenance: { ...provenance }, interval, ...omitUndefined({ currency: data.currency }) };
}

/** Columns as rows; what is not a number is a gap, and a bar without any price is left out. */
function toBars({ t, o, h, l, c, v }: Bars): readonly Bar[] {
  const rows = Array.from(t, (at, index): Bar => ({
    t: at,
    o: toValue(o[index]),
    h: toValue(h[index]),
    l: toValue(l[index]),
    c: toValue(c[index]),
    v: toValue(v[index]),
  }));
  return rows.filter(({ t: at, c: close }) => Number.isSafeInteger(at) && close !== null);
}

const toValue = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** The closes of bars. */
export const toCloses = (bars: readonly Bar[]): Point[] => bars.map(({ t, c }) => [t, c]);

/** The newest closes of a listing. */
export async function askSpark(listing: Listing, asking: Asking): Promise<Rows> {
  const { data, provenance } = await asking.market.bars({ listing, adjust: "split", limit: SPARK_BARS }, asking.scope);
  const newest = sliceBars(data, Math.max(0, data.t.length - SPARK_BARS));
  return toRows({ data: newest, provenance }, { interval: "1day" });
}

/** Three months of trading days. */
const SPARK_BARS = 63;
