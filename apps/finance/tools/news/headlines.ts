/**
 * Headlines: news as results show it. Its words are untrusted, and none of its numbers is a figure.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import type { NewsItem, NewsQuery } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import { toSafeMoment, toSafeText, toSafeUrl } from "../shared/untrusted.ts";

/** Result of news tools; about one listing or about all. */
export type Headlines = Awaited<ReturnType<typeof loadHeadlines>>["data"];

export const NEWS_TTL_MS = 15 * 60_000;
const MAX_TITLE = 300;
const MAX_SOURCE = 80;
const MAX_TEXT = 400;
const MAX_SYMBOLS = 10;

/** One page of news. */
export async function loadHeadlines({ market, context }: MarketContext, query: NewsQuery) {
  const { listing, limit, page } = query;
  const { data, provenance } = await market.news(query, context.scope);
  const items = data
    .flatMap(toHeadline)
    .toSorted((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at))
    .slice(0, limit);
  if (items.length === 0) throw none(query);
  const about = listing === undefined ? {} : identify(listing);
  return { data: { ...about, page, items }, provenance };
}

/** A line for each headline. */
export const toHeadlineLines = ({ items }: Headlines): readonly string[] =>
  items.map(({ published_at, source, title, url }) =>
    [published_at.slice(0, 10), `${source}: ${title}`, ...(url === undefined ? [] : [`<${url}>`])].join(" "),
  );

function toHeadline({ title, source, url, publishedAt, symbols, text }: NewsItem) {
  const safe = toSafeText(title, MAX_TITLE);
  const published_at = toSafeMoment(publishedAt);
  if (safe === "" || published_at === undefined) return [];
  const more = toSafeText(text ?? "", MAX_TEXT);
  return [
    {
      title: safe,
      source: toSafeText(source, MAX_SOURCE) || "unknown",
      ...omitUndefined({ url: toSafeUrl(url), text: more || undefined }),
      published_at,
      symbols: symbols.slice(0, MAX_SYMBOLS).map((symbol) => toSafeText(symbol, 20)),
    },
  ];
}

function none({ listing, about, page }: NewsQuery): MarketError {
  const what = listing === undefined ? `${about} news` : `news about ${toName(listing)}`;
  const where = page === 0 ? "" : ` on page ${page}; the first page is 0`;
  const details = listing === undefined ? {} : { symbol: listing.symbol };
  return new MarketError("no_data", `there is no ${what}${where}`, details);
}

const toName = ({ symbol, name }: Listing): string => `${symbol} (${name})`;
