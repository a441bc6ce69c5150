/**
 * Market overview: indices and breadth of the US market, and sectors, movers and coins if they are wanted.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Breadth } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { type ShownCoin, toCoinFigures, toShownCoin } from "../crypto/coin.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { citeFields, dayOf, ofOrigin } from "../shared/figures.ts";
import { type ShownRow, toRowFigures, toShownRow } from "../shared/market-rows.ts";
import { loadMovers } from "./movers.ts";

const PARTS = ["sectors", "gainers", "losers", "active", "crypto"] as const;
type PartName = (typeof PARTS)[number];
const ROWS_A_PART = 5;

type Sector = Readonly<{ sector: string; change_percent: number }>;
/** A list beside the indices; each has its own source. */
type Part = Readonly<{
  part: PartName;
  provenance: Provenance;
  rows?: readonly ShownRow[];
  sectors?: readonly Sector[];
  coins?: readonly ShownCoin[];
}>;

interface Overview {
  readonly indices: readonly ShownRow[];
  readonly breadth?: Breadth;
  readonly parts?: readonly Part[];
  readonly missing?: readonly Readonly<{ part: string; reason: string }>[];
}

/** The figures of markets as a whole have this symbol. */
const MARKET = "US market";

/** The market as a whole. */
export const marketOverviewTool = defineMarketTool<Readonly<{ with: readonly PartName[] }>, Overview>({
  name: "getMarketOverview",
  category: "market",
  description: "Indices, VIX and breadth of the US market; sectors and movers if wanted.",
  isCommon: true,
  chart: { type: "showMarketOverview", about: "call" },
  input: z.strictObject({ with: z.array(z.enum(PARTS)).max(PARTS.length).default([]).describe("Further lists") }),
  ttlMs: 60_000,
  run: async ({ with: wanted }, asked) => {
    const loads = [...new Set(wanted)].map((part) => ({ part, load: LOADS[part] }));
    const { market, context } = asked;
    const [overview, ...parts] = await context.scope.all([
      (scope) => attempt("indices", () => loadIndices({ market, context: { ...context, scope } })),
      ...loads.map(
        ({ part, load }) =>
          (scope: typeof context.scope) =>
            attempt(part, () => load({ market, context: { ...context, scope } })),
      ),
    ]);
    return toOverview(
      overview,
      parts,
      loads.map(({ part }) => part),
    );
  },
  figures: ({ indices, breadth, parts = [] }, provenance) =>
    toOverviewFigures({ indices, parts, ...omitUndefined({ breadth }) }, provenance),
  digest: ({ parts = [], missing = [] }) => ({
    labels: new Map(
      parts.flatMap(({ part, rows = [], coins = [] }) =>
        [...rows, ...coins].map(({ symbol }) => [symbol, LABELS[part]] as const),
      ),
    ),
    missing: missing.map(({ part, reason }) => `${part}: ${reason}`),
  }),
});

const LABELS: Readonly<Record<PartName, string>> = {
  sectors: "sector",
  gainers: "gainer",
  losers: "loser",
  active: "most active",
  crypto: "coin",
};

type PartData = Omit<Part, "part" | "provenance"> & Partial<Pick<Overview, "indices" | "breadth">>;

async function loadIndices({ market, context }: MarketContext): Promise<Sourced<PartData>> {
  const { data, provenance } = await market.overview({}, context.scope);
  if (data.indices.length === 0 && data.breadth === undefined) throw new MarketError("no_data", "no index has a price");
  return { data: { indices: data.indices.map(toShownRow), ...omitUndefined({ breadth: data.breadth }) }, provenance };
}

const toMovers =
  (list: "gainers" | "losers" | "active") =>
  async (asked: MarketContext): Promise<Sourced<PartData>> => {
    const { data: rows, provenance } = await loadMovers(asked, { list, limit: ROWS_A_PART });
    return { data: { rows }, provenance };
  };

const LOADS: Readonly<Record<PartName, (asked: MarketContext) => Promise<Sourced<PartData>>>> = {
  gainers: toMovers("gainers"),
  losers: toMovers("losers"),
  active: toMovers("active"),
  sectors: async ({ market, context }) => {
    const { data, provenance } = await market.sectors({}, context.scope);
    const sectors = data.map(({ sector, changePercent }) => ({ sector, change_percent: changePercent }));
    return { data: { sectors: sectors.toSorted((a, b) => b.change_percent - a.change_percent) }, provenance };
  },
  crypto: async ({ market, context }) => {
    const { data, provenance } = await market.coinMarkets({ limit: ROWS_A_PART, sort: "volume" }, context.scope);
    return { data: { coins: data.map(({ listing, quote }) => toShownCoin(listing, quote)) }, provenance };
  },
};

type Tried = Sourced<PartData> | Readonly<{ part: string; thrown: MarketError }>;

/** A list that a source does not have is missing; it does not hide the others. */
async function attempt(part: string, load: () => Promise<Sourced<PartData>>): Promise<Tried> {
  try {
    return await load();
  } catch (thrown) {
    if (thrown instanceof MarketError) return { part, thrown };
    throw thrown;
  }
}

function toOverview(
  overview: Tried | undefined,
  tried: readonly Tried[],
  names: readonly PartName[],
): Sourced<Overview> {
  const all = overview === undefined ? tried : [overview, ...tried];
  const failed = all.flatMap((one) => ("thrown" in one ? [one] : []));
  const origins = all.flatMap((one) => ("thrown" in one ? [] : [one.provenance]));
  const [first] = failed;
  if (origins.length === 0) throw first?.thrown ?? new MarketError("no_data", "nothing is known of the market");
  const own = overview === undefined || "thrown" in overview ? {} : overview.data;
  const parts = tried.flatMap((one, at): readonly Part[] => {
    const part = names[at];
    return "thrown" in one || part === undefined ? [] : [{ part, ...one.data, provenance: one.provenance }];
  });
  const missing = failed.map(({ part, thrown }) => ({ part, reason: thrown.message }));
  const data: Overview = {
    indices: own.indices ?? [],
    ...omitUndefined({ breadth: own.breadth }),
    ...(parts.length > 0 && { parts }),
    ...(missing.length > 0 && { missing }),
  };
  return { data, provenance: joinProvenance(origins) };
}

/** A listing that two lists have is cited once. */
function toOverviewFigures({ indices, breadth, parts = [] }: Overview, provenance: Provenance): readonly Figure[] {
  const seen = new Set<string>();
  const lists = parts.flatMap(({ rows = [], sectors = [], coins = [], provenance: own }, at) => {
    const path = `data.parts[${at}]`;
    const figures = [
      ...toRowFigures(`${path}.rows`, rows, { provenance: own }),
      ...coins.flatMap((coin, index) => toCoinFigures(`${path}.coins[${index}]`, coin, own)),
      ...sectors.flatMap((row, index) =>
        citeFields(
          { symbol: row.sector, currency: "", period: dayOf(own) },
          [`${path}.sectors[${index}]`, row],
          [["change_percent", "percent", "change of the day"]],
        ),
      ),
    ];
    const fresh = figures.filter(({ symbol }) => !seen.has(symbol));
    for (const { symbol } of fresh) seen.add(symbol);
    return ofOrigin(fresh, own);
  });
  return [
    ...toRowFigures("data.indices", indices, { provenance }),
    ...citeFields(
      { symbol: MARKET, currency: "USD", period: dayOf(provenance) },
      ["data.breadth", breadth ?? {}],
      [
        ["up", "count", "stocks that rose"],
        ["down", "count", "stocks that fell"],
        ["flat", "count", "stocks unchanged"],
      ],
    ),
    ...lists,
  ];
}
