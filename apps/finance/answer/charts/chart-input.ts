/**
 * Found: what a call of this run found, as charts read it. A result without data (no data, several meanings) is nothing
 * that can be drawn.
 */
import type { Json } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { type ChartRule, ProvenanceSchema } from "./chart.ts";

/** A call of the run that succeeded. */
export type ChartCall = Readonly<{ tool: string; args: Json; output: Json; call: string }>;

/** The market that charts ask if a result does not hold what they draw. */
export type ChartSources = Readonly<{ market: MarketData; scope: Scope }>;

/** Where a chart's data comes from. */
export type ChartOrigin = z.infer<typeof ProvenanceSchema>;

/** A result with data. */
export type ChartInput = Readonly<{
  tool: string;
  args: Json;
  data: object;
  provenance: ChartOrigin;
  rule?: ChartRule;
}>;

const OutputSchema = z.object({ data: z.looseObject({}), provenance: ProvenanceSchema });
const SymbolSchema = z.object({ symbol: z.string() });
const ListingSchema = SymbolSchema.extend({
  name: z.string(),
  exchange: z.string(),
  type: z.enum(["stock", "etf", "index", "crypto"]),
  currency: z.string(),
});

const SeveralSchema = z.object({ results: z.array(z.looseObject({ provenance: ProvenanceSchema })).min(1) });

/** The results of a call, one for each listing it was about; none if it has no data. */
export function toChartInputs({ tool, args, output }: ChartCall, rule?: ChartRule): readonly ChartInput[] {
  const { data: whole } = OutputSchema.safeParse(output);
  if (whole === undefined) return [];
  const own = { tool, args, ...(rule && { rule }) };
  const several = SeveralSchema.safeParse(whole.data).data?.results;
  if (several === undefined) return [{ ...own, data: whole.data, provenance: whole.provenance }];
  return several.map(({ provenance, ...data }) => ({ ...own, data, provenance }));
}

/** The listing a result is about: as it says itself, else by the symbol it was asked for; undefined if there is none. */
export function listingOf(
  { data, args }: ChartInput,
  { directory }: Pick<MarketData, "directory">,
): Listing | undefined {
  const own = ListingSchema.safeParse(data);
  if (own.success) return own.data;
  const named = [data, args].map((value) => SymbolSchema.safeParse(value).data?.symbol);
  const symbol = named.find((one) => one !== undefined);
  return symbol === undefined ? undefined : directory.get(symbol);
}

/** Whether two values come from the same series. */
export function isSameOrigin(one: ChartOrigin, other: ChartOrigin): boolean {
  return one.kind === other.kind && one.source === other.source;
}

const ListSchema = z.object({ rows: z.array(z.looseObject({ symbol: z.string() })) });

/** Each row of a list as a result of its own. */
export function toRowInputs(found: ChartInput): readonly ChartInput[] {
  const rows = ListSchema.safeParse(found.data).data?.rows ?? [];
  return rows.map((data) => ({ ...found, data }));
}
