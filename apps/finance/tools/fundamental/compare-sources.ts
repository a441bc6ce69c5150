/**
 * Compare sources tool: one figure of one listing as every source has it, with the differences.
 *
 * Figures of statements are compared for one fiscal year that two sources have; amounts in different currencies are
 * shown and not subtracted. Every value keeps the source, kind and time it has.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { AnySymbol } from "../frame/arguments.ts";
import { cite, priceUnit } from "../shared/figures.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { difference, finite, tidy } from "../shared/number.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { askPrices, askYears, type FoundValue, type Missing, toCommonYear, type YearValues } from "./source-values.ts";

const WHAT = ["price", "revenue", "net_income"] as const;
type What = (typeof WHAT)[number];

const METRICS: Readonly<Record<What, string>> = { price: "price", revenue: "revenue", net_income: "net income" };

/** Settings that turn on further sources. */
const MORE: Readonly<Record<What, string>> = {
  price: "FMP_API_KEY, or --live --sources cboe,yahoo",
  revenue: "FMP_API_KEY, or --live and SEC_CONTACT",
  net_income: "FMP_API_KEY, or --live and SEC_CONTACT",
};

type ShownValue = Readonly<Omit<FoundValue, "provenance">> &
  Readonly<{ as_of: string; kind: FoundValue["provenance"]["kind"]; unofficial?: true; stale?: true }>;

interface Difference {
  /** The later source. */
  readonly of: string;
  /** The first source, from which its value is subtracted. */
  readonly to: string;
  readonly difference: number;
  readonly difference_percent?: number;
  readonly currency: string;
}

interface Compared extends ListingIdentity {
  readonly what: What;
  readonly metric: string;
  /** The fiscal year that is compared. */
  readonly period?: Readonly<{ label: string; start?: string; end: string }>;
  readonly values: readonly ShownValue[];
  /** Of every later source against the first. */
  readonly differences: readonly Difference[];
  /** Why there is no difference, or what to mind. */
  readonly note?: string;
  readonly missing: readonly Missing[];
}

/** One figure by source. */
export const compareSourcesTool = defineMarketTool<Readonly<{ symbol: string; what: What }>, Compared>({
  name: "compareSources",
  category: "beyond",
  description:
    "One figure (price, revenue or net income) as each data source has it, side by side with the difference.",
  says: `compare data sources; do the sources agree on this figure; is this number right, check another source;
    difference between two data providers; cross-check revenue with the SEC; so sánh giữa các nguồn dữ liệu;
    số này có đúng không, kiểm tra nguồn khác; các nguồn lệch nhau bao nhiêu; đối chiếu số liệu;
    same price at Yahoo and Cboe; verify a figure with a second provider; nguồn nào đúng;
    các nguồn có khớp không`,
  input: z.strictObject({
    symbol: AnySymbol,
    what: z.enum(WHAT).default("price").describe("price, revenue or net_income; default price"),
  }),
  ttlMs: 60_000,
  timeoutMs: 40_000,
  run: async ({ symbol, what }, asked) => {
    const listing = requireListing(asked.market, symbol, SECURITIES_AND_COINS);
    if (what !== "price" && listing.type === "crypto") throw noStatements(listing);
    const read: YearValues = what === "price" ? await askPrices(asked, listing) : await loadYear(asked, listing, what);
    const { values, missing, note, period } = read;
    const [first] = values;
    if (first === undefined) throw noneOf(listing, what, missing);
    const differences = note === undefined ? values.slice(1).flatMap((value) => toDifference(first, value)) : [];
    const said = note ?? toNote(what, values, differences);
    const data: Compared = {
      ...identify(listing),
      what,
      metric: METRICS[what],
      ...omitUndefined({ period }),
      values: values.map(toShown),
      differences,
      ...omitUndefined({ note: said }),
      missing,
    };
    return { data, provenance: joinProvenance(values.map(({ provenance }) => provenance)) };
  },
  figures: toFigures,
  describe: ({ note, missing }) => [
    ...(note === undefined ? [] : [note]),
    ...missing.map(({ source, reason }) => `${source}: ${reason}`),
  ],
});

async function loadYear(asked: MarketContext, listing: Listing, what: "revenue" | "net_income"): Promise<YearValues> {
  return toCommonYear(await askYears(asked, listing, what === "revenue" ? "revenue" : "netIncome"));
}

function toShown({ provenance, ...value }: FoundValue): ShownValue {
  const { as_of, kind, unofficial, stale } = provenance;
  return { ...value, as_of, kind, ...omitUndefined({ unofficial, stale }) };
}

function toDifference(first: FoundValue, other: FoundValue): readonly Difference[] {
  if (first.currency !== other.currency) return [];
  const gap = difference(other.value, first.value);
  const percent = first.value === 0 ? undefined : finite(tidy((gap / Math.abs(first.value)) * 100));
  const names = { of: other.source, to: first.source };
  return [{ ...names, difference: gap, ...omitUndefined({ difference_percent: percent }), currency: first.currency }];
}

function toNote(what: What, values: readonly FoundValue[], differences: readonly Difference[]): string | undefined {
  const [first, ...others] = values;
  if (others.length === 0)
    return `only ${first?.source ?? "one source"} has it; another source comes with ${MORE[what]}`;
  if (differences.length < others.length) return "values in different currencies are not subtracted";
  const times = new Set(values.map(({ provenance }) => provenance.as_of.slice(0, 16)));
  return times.size > 1 && first?.end === undefined ? "the values are not of the same moment" : undefined;
}

function toFigures(data: Compared): readonly Figure[] {
  const { what, metric, values, differences } = data;
  const unit = what === "price" ? priceUnit(data) : "money";
  const own = values.flatMap(({ source, value, currency, as_of, kind, label, start, end }, at) => {
    const period = end === undefined ? { end: as_of.slice(0, 10) } : { ...omitUndefined({ start, label }), end };
    const cited = cite({ ...data, currency }, [
      { path: `data.values[${at}].value`, value, unit, metric: `${metric} by ${source}`, period },
    ]);
    return cited.map((figure) => ({ ...figure, source, kind, asOf: as_of }));
  });
  const gaps = differences.flatMap(({ of, to, currency, difference: gap, difference_percent }, at) => {
    const name = `${metric} by ${of} above ${to}`;
    const period = data.period ?? { end: (values[0]?.as_of ?? "").slice(0, 10) };
    return cite({ ...data, currency }, [
      { path: `data.differences[${at}].difference`, value: gap, unit, metric: name, period },
      {
        path: `data.differences[${at}].difference_percent`,
        value: difference_percent,
        unit: "percent",
        metric: name,
        period,
      },
    ]);
  });
  return [...own, ...gaps];
}

const noStatements = ({ symbol, name }: Listing) =>
  new MarketError("no_data", `${symbol} (${name}) is a coin and has no statements; its price can be compared`, {
    symbol,
  });

/** If no source has it, the failure that tells most is thrown; otherwise there is no data. */
function noneOf({ symbol, name }: Listing, what: What, missing: readonly Missing[]): MarketError {
  const reasons = missing.map(({ source, reason }) => `${source}: ${reason}`).join("; ");
  const message = `no source has the ${METRICS[what]} of ${symbol} (${name})${reasons === "" ? "" : ` (${reasons})`}`;
  return new MarketError("no_data", message, { symbol });
}
