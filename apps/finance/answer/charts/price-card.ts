/**
 * Price card: the price of a symbol, from the result that says most about it, with a line of its latest closes.
 *
 * A quote and a line can have different origins (a real price, a simulated path): the line then says its own.
 */
import { z } from "zod";
import type { Quote } from "../../market/port/market-data.ts";
import type { Listing } from "../../market/port/listing.ts";
import { difference, percentChange } from "../../tools/shared/number.ts";
import { askSpark, toCloses } from "./ask-bars.ts";
import { type ChartBar, MAX_POINTS, type PriceCard } from "./chart.ts";
import { downsamplePoints } from "./downsample-for-chart.ts";
import { type ChartSources, type ChartInput, isSameOrigin, type ChartOrigin } from "./chart-input.ts";
import { barsOf, type OutputBars } from "./output-rows.ts";

/** Input of a price card; all results are of one symbol. */
export type CardQuestion = Readonly<{ listing: Listing; results: readonly ChartInput[] }>;

/** A card, and the tool its price is from. */
export type SourcedCard = Readonly<{ card: PriceCard; tool: string }>;

type Figures = Pick<PriceCard, "price" | "change" | "change_percent" | "day" | "year" | "volume" | "market_cap">;
type Priced = Readonly<{ figures: Figures; provenance: ChartOrigin; tool: string }>;
type Line = Readonly<{ bars: readonly ChartBar[]; provenance: ChartOrigin }>;

const optional = z.number().optional();
const QuoteSchema = z.object({
  price: z.number(),
  change: optional,
  change_percent: optional,
  day_low: optional,
  day_high: optional,
  year_low: optional,
  year_high: optional,
  volume: optional,
  market_cap: optional,
});

/** The card of a symbol; undefined if no result, and no source, has a price. */
export async function toPriceCard(question: CardQuestion, asking: ChartSources): Promise<SourcedCard | undefined> {
  const { listing, results } = question;
  const priced = toPriced(results) ?? (await askPriced(question, asking));
  if (priced === undefined) return undefined;
  const { figures, provenance, tool } = await withRanges(priced, listing, asking);
  const line = ownLine(results) ?? (await askLine(listing, asking));
  const { symbol, name, currency } = listing;
  const isOwn = line === undefined || isSameOrigin(line.provenance, provenance);
  const card: PriceCard = {
    symbol,
    name,
    currency,
    ...figures,
    spark: downsamplePoints(toCloses(line?.bars ?? []), MAX_POINTS),
    ...(isOwn ? {} : { spark_provenance: line.provenance }),
    provenance,
  };
  return { card, tool };
}

/** The quote with the most figures, else the newest bar of a history. */
function toPriced(results: readonly ChartInput[]): Priced | undefined {
  const quotes = results.flatMap(({ data, provenance, tool }) => {
    const parsed = QuoteSchema.safeParse(data);
    return parsed.success ? [{ quote: parsed.data, provenance, tool }] : [];
  });
  const [best] = quotes.toSorted((a, b) => Object.keys(b.quote).length - Object.keys(a.quote).length);
  if (best !== undefined) return { figures: ofOutput(best.quote), provenance: best.provenance, tool: best.tool };
  for (const found of results) {
    const figures = ofBars(barsOf(found));
    if (figures !== undefined) return { figures, provenance: found.provenance, tool: found.tool };
  }
  return undefined;
}

function ofOutput(quote: z.infer<typeof QuoteSchema>): Figures {
  return {
    price: quote.price,
    change: quote.change ?? null,
    change_percent: quote.change_percent ?? null,
    day: [quote.day_low ?? null, quote.day_high ?? null],
    year: [quote.year_low ?? null, quote.year_high ?? null],
    volume: quote.volume ?? null,
    market_cap: quote.market_cap ?? null,
  };
}

function ofQuote(quote: Quote): Figures {
  return {
    price: quote.price,
    change: quote.change ?? null,
    change_percent: quote.changePercent ?? null,
    day: [quote.dayLow ?? null, quote.dayHigh ?? null],
    year: [quote.yearLow ?? null, quote.yearHigh ?? null],
    volume: quote.volume ?? null,
    market_cap: quote.marketCap ?? null,
  };
}

/** Of daily bars the last day; bars within a day have neither a day's range nor its volume. */
function ofBars(history: OutputBars | undefined): Figures | undefined {
  const last = history?.bars.at(-1);
  if (history === undefined || last === undefined || last.c === null) return undefined;
  const isDaily = history.interval === "1day";
  const before = (isDaily ? history.bars.at(-2)?.c : undefined) ?? undefined;
  return {
    price: last.c,
    change: before === undefined ? null : difference(last.c, before),
    change_percent: percentChange(before, last.c) ?? null,
    day: isDaily ? [last.l, last.h] : [null, null],
    year: [null, null],
    volume: isDaily ? last.v : null,
    market_cap: null,
  };
}

/** The quote behind results that have no price themselves. */
async function askPriced(
  { listing, results }: CardQuestion,
  { market, scope }: ChartSources,
): Promise<Priced | undefined> {
  const tool = results[0]?.tool;
  if (tool === undefined) return undefined;
  const { data, provenance } = await market.quote({ listing }, scope);
  return { figures: ofQuote(data), provenance: { ...provenance }, tool };
}

/** Adds the ranges that a short result leaves out, if the same quote has them. */
async function withRanges(priced: Priced, listing: Listing, { market, scope }: ChartSources): Promise<Priced> {
  const { figures, provenance } = priced;
  if (figures.year[0] !== null || figures.market_cap !== null) return priced;
  const answer = await market.quote({ listing }, scope).catch(() => undefined);
  if (answer === undefined || answer.data.price !== figures.price) return priced;
  if (!isSameOrigin({ ...answer.provenance }, provenance) || answer.provenance.as_of !== provenance.as_of)
    return priced;
  return { ...priced, figures: ofQuote(answer.data) };
}

/** The closes of a history that this run has loaded. */
function ownLine(results: readonly ChartInput[]): Line | undefined {
  for (const found of results) {
    const own = barsOf(found);
    if (own !== undefined) return { bars: own.bars, provenance: found.provenance };
  }
  return undefined;
}

/** A card without a line is still a card. */
async function askLine(listing: Listing, asking: ChartSources): Promise<Line | undefined> {
  return askSpark(listing, asking).catch(() => undefined);
}
