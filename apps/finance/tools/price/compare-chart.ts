/**
 * Compare chart: prices of several listings over one window, each rebased to 0 % at the first common day.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { AnySymbol, Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { toMissingLines } from "../frame/listing-tool.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { findListing, identify, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { type DailyBars, loadDaily, toDay } from "../shared/daily.ts";
import { citeFields, ofOrigin } from "../shared/figures.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { percentChange, tidy } from "../shared/number.ts";
import { sampleEvenly } from "../shared/sample-evenly.ts";

const DEFAULT_BARS = 253;
const MAX_POINTS = 500;

/** Several prices in one chart. */
export const compareChartTool = defineMarketTool({
  name: "compareChart",
  category: "beyond",
  description:
    "Chart and change in percent of 2 to 6 stocks, funds, indices or coins, each from 0 % at the first common day.",
  chart: { type: "showStockChart", about: "symbols" },
  input: z
    .strictObject({
      symbols: z.array(AnySymbol).min(2).max(6).describe("2 to 6 tickers or names"),
      from: Day.optional().describe("First day; default a year before the newest common day"),
      to: Day.optional().describe("Last day; default newest"),
    })
    .refine(isOrdered, ORDERED),
  ttlMs: 15 * 60_000,
  run: async ({ symbols, from, to }, asked) => {
    const { market, context } = asked;
    const window =
      from === undefined ? { limit: DEFAULT_BARS, ...omitUndefined({ to }) } : { from, ...omitUndefined({ to }) };
    const tried = await context.scope.all(
      symbols.map((text) => async (scope) => load(text, window, { market, context: { ...context, scope } })),
    );
    const missing = tried.flatMap((part) => ("reason" in part ? [part] : []));
    const loaded = tried.flatMap((part) => ("reason" in part ? [] : [part]));
    const days = commonDays(loaded.map(({ bars }) => bars));
    const [first, last] = [days[0], days.at(-1)];
    if (loaded.length < 2 || first === undefined || last === undefined || first === last) {
      const reasons = toMissingLines(missing).join("; ");
      throw new MarketError(
        "no_data",
        `fewer than two of them have prices on common days${reasons === "" ? "" : `: ${reasons}`}`,
      );
    }
    const lines = loaded.map(({ listing, bars, provenance }) => ({
      ...identify(listing),
      ...rebase(bars, days),
      provenance,
    }));
    const period = { start: toDay(first), end: toDay(last) };
    const data = { period, lines, ...omitUndefined({ missing: missing.length === 0 ? undefined : missing }) };
    return { data, provenance: joinProvenance(loaded.map(({ provenance }) => provenance)) };
  },
  figures: ({ lines, period }) =>
    lines.flatMap((line, at) => {
      const rows = [["change_percent", "percent", "price change"]] as const;
      return ofOrigin(citeFields({ ...line, period }, [`data.lines[${at}]`, line], rows), line.provenance);
    }),
  digest: ({ missing = [] }) => ({ shared: ["price change, without dividends"], missing: toMissingLines(missing) }),
});

type Window = Readonly<{ from?: string; to?: string; limit?: number }>;

type Loaded = Readonly<{ listing: Listing; bars: DailyBars; provenance: Provenance }>;
type Lacking = Readonly<{ symbol: string; reason: string }>;

async function load(text: string, window: Window, asked: MarketContext): Promise<Loaded | Lacking> {
  try {
    const { listing } = findListing(asked.market, text, SECURITIES_AND_COINS);
    const { data: bars, provenance } = await loadDaily(asked, { listing, ...window });
    return { listing, bars, provenance };
  } catch (thrown) {
    if (thrown instanceof MarketError) return { symbol: text, reason: thrown.message };
    throw thrown;
  }
}

/** Days on which all have a close, oldest first. */
function commonDays(all: readonly DailyBars[]): readonly number[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const sets = others.map(({ t }) => new Set(t));
  return [...first.t].filter((day) => sets.every((set) => set.has(day)));
}

function rebase({ t, c }: DailyBars, days: readonly number[]) {
  const closes = new Map([...t].map((day, at) => [day, c[at] ?? Number.NaN] as const));
  const base = closes.get(days[0] ?? 0);
  const all = days.flatMap((day) => {
    const percent = percentChange(base, closes.get(day));
    return percent === undefined ? [] : [[day, tidy(percent)] as const];
  });
  return { change_percent: all.at(-1)?.[1] ?? 0, points: sampleEvenly(all, MAX_POINTS) };
}
