/**
 * News list: headlines and earnings of the question's symbols, newest first, from one source.
 */
import { z } from "zod";
import type { NewsList } from "./chart.ts";
import type { ChartInput } from "./chart-input.ts";
import { toSeconds } from "./output-rows.ts";

type Item = NewsList["items"][number];

const NewsSchema = z.object({
  items: z.array(
    z.object({
      title: z.string(),
      source: z.string(),
      url: z.string().optional(),
      published_at: z.string(),
      symbols: z.array(z.string()).optional(),
    }),
  ),
});

const optional = z.number().optional();
const EarningsSchema = z.object({
  symbol: z.string(),
  earnings: z.array(z.object({ day: z.string(), eps_actual: optional, eps_estimated: optional })),
});

/** All items of results of one origin; undefined if there are none. */
export function toNewsList(results: readonly [ChartInput, ...ChartInput[]]): NewsList | undefined {
  const [{ provenance }] = results;
  const byTitle = new Map(results.flatMap(toItems).map((item) => [`${item.published_at} ${item.title}`, item]));
  const items = [...byTitle.values()].toSorted((a, b) => b.published_at - a.published_at);
  return items.length === 0 ? undefined : { items, provenance };
}

function toItems(found: ChartInput): readonly Item[] {
  const news = NewsSchema.safeParse(found.data).data?.items ?? [];
  const headlines = news.flatMap(({ title, source, url, published_at, symbols }): Item[] => {
    const at = toSeconds(published_at);
    return at === undefined ? [] : [{ title, source, url: url ?? null, published_at: at, symbols: symbols ?? [] }];
  });
  return [...headlines, ...toEarnings(found)];
}

/** `ACME earnings: EPS 1.2, expected 1.1` */
function toEarnings({ data, provenance: { source } }: ChartInput): readonly Item[] {
  const { symbol, earnings } = EarningsSchema.safeParse(data).data ?? { symbol: "", earnings: [] };
  return earnings.flatMap(({ day, eps_actual, eps_estimated }): Item[] => {
    const at = toSeconds(day);
    if (at === undefined) return [];
    const actual = eps_actual === undefined ? [] : [`EPS ${eps_actual}`];
    const expected = eps_estimated === undefined ? [] : [`expected ${eps_estimated}`];
    const figures = [...actual, ...expected].join(", ");
    const title = `${symbol} earnings${figures === "" ? "" : `: ${figures}`}`;
    return [{ title, source, url: null, published_at: at, symbols: [symbol] }];
  });
}
