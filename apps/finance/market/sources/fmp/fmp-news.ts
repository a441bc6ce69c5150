/**
 * FMP news: headlines and the economic calendar. Headlines are untrusted text: bounded, never followed.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { CalendarEvent, Capabilities, NewsItem, NewsQuery } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { fromEastern } from "../eastern.ts";
import type { FmpAccount } from "./fmp-account.ts";
import type { FmpRows } from "./fmp-client.ts";
import { toTime } from "../live-source.ts";
import { Num, Text, toLine, toLink } from "../rows.ts";

const NewsRow = z.looseObject({
  symbol: Text,
  publishedDate: Text,
  publisher: Text,
  title: Text,
  site: Text,
  text: Text,
  url: Text,
});

const EventRow = z.looseObject({
  date: Text,
  country: Text,
  event: Text,
  previous: Num,
  estimate: Num,
  actual: Num,
  impact: Text,
  unit: Text,
});
type EventRow = z.infer<typeof EventRow>;

const IMPACTS = ["Low", "Medium", "High"] as const;
const MAX_TITLE = 300;
const MAX_TEXT = 1_000;
const DAY_MS = 86_400_000;

/** Days that the service gives at once, and requests made for one question. */
const WINDOW_DAYS = 90;
const MAX_WINDOWS = 5;

/** News and calendar dates from FMP. */
export function fmpNews(account: FmpAccount): Pick<Capabilities, "news" | "calendar"> {
  return {
    news: async (query, scope) => {
      const { listing, limit, page } = query;
      const symbols = listing?.symbol;
      const answer = await account.client.rows(
        {
          path: toPath(query),
          query: { symbols, page, limit },
          row: NewsRow,
          what: "news",
          ...(listing === undefined ? {} : { listing }),
        },
        scope,
      );
      const items = answer.rows.flatMap(toItem).slice(0, limit);
      const newest = items
        .map(({ publishedAt }) => publishedAt)
        .toSorted()
        .at(-1);
      return account.sourced(items, answer, { isPrice: false, asOf: newest });
    },
    calendar: async ({ from, to, country, impact }, scope) => {
      const answers = await askWindows(account, { from, to }, scope);
      const [first] = answers;
      if (first === undefined) throw new MarketError("no_data", `FMP has no economic events from ${from} to ${to}`);
      const isSame = (one: string | undefined, other: string | undefined) =>
        other === undefined || one?.toLowerCase() === other.toLowerCase();
      const events = answers
        .flatMap(({ rows }) => rows)
        .filter((row) => isSame(row.country, country) && isSame(row.impact, impact))
        .flatMap(toEvent)
        .toSorted((one, other) => (one.at < other.at ? -1 : 1));
      return account.sourced(events, first, { isPrice: false });
    },
  };
}

function toPath({ about, listing }: NewsQuery): string {
  if (about === "general") return "/news/general-latest";
  return listing === undefined ? `/news/${about}-latest` : `/news/${about}`;
}

/** A headline needs a date and a title. */
function toItem(row: z.infer<typeof NewsRow>): readonly NewsItem[] {
  const publishedMs = fromEastern(row.publishedDate ?? "");
  const title = toLine(row.title ?? "", MAX_TITLE);
  if (publishedMs === undefined || title === "") return [];
  const text = row.text === undefined ? undefined : toLine(row.text, MAX_TEXT);
  return [
    {
      title,
      source: toLine(row.publisher ?? row.site ?? "unknown", 100),
      publishedAt: toTime(publishedMs),
      symbols: row.symbol === undefined ? [] : [row.symbol],
      ...omitUndefined({ url: toLink(row.url), text }),
    },
  ];
}

function toEvent({
  date,
  country,
  event,
  previous,
  estimate,
  actual,
  impact,
  unit,
}: EventRow): readonly CalendarEvent[] {
  const atMs = fromEastern(date ?? "");
  const name = toLine(event ?? "", MAX_TITLE);
  if (atMs === undefined || name === "") return [];
  const known = IMPACTS.find((word) => word === impact);
  const rest = omitUndefined({ impact: known, previous, estimate, actual, unit });
  return [{ at: toTime(atMs), country: country ?? "", event: name, ...rest }];
}

/** The service gives 90 days at once, so a longer time is asked for in parts; a part without events is skipped. */
async function askWindows(account: FmpAccount, span: Readonly<{ from: string; to: string }>, scope: Scope) {
  const answers: FmpRows<EventRow>[] = [];
  let start = Date.parse(`${span.from}T00:00:00Z`);
  const end = Date.parse(`${span.to}T00:00:00Z`);
  for (let part = 0; part < MAX_WINDOWS && start <= end; part++) {
    const last = Math.min(end, start + (WINDOW_DAYS - 1) * DAY_MS);
    const query = { from: toTime(start).slice(0, 10), to: toTime(last).slice(0, 10) };
    const what = `economic events from ${query.from} to ${query.to}`;
    const ask = { path: "/economic-calendar", query, row: EventRow, what };
    const answer = await account.client.rows(ask, scope).catch((error: unknown) => {
      if (error instanceof MarketError && error.kind === "no_data") return undefined;
      throw error;
    });
    if (answer !== undefined) answers.push(answer);
    start = last + DAY_MS;
  }
  return answers;
}
