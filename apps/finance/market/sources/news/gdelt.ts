/**
 * GDELT: headlines of the world's press about a company, found by its name. Headlines are untrusted text: bounded,
 * never followed.
 *
 * It wants one request in five seconds, and complains in plain text, also with status 200.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { parseCompanyName } from "../../directory/company-name.ts";
import type { NewsItem, NewsQuery } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { type FetchAnswer, looksLikeHtml } from "../http/body.ts";
import type { ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced, toTime } from "../live-source.ts";
import { toRetryAt } from "../http/retry-after.ts";
import { parseAnswer, Text, toLine, toLink } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { judgeStatus, type OpenSourceOptions, refuse } from "../open-source.ts";

const TIMESPAN = "2w";
const MAX_RECORDS = 250;
const MIN_PHRASE = 5;
const MAX_PHRASE = 80;
const MAX_TITLE = 300;
const SEEN = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

const OF_COMPANIES = "(stock OR shares OR earnings OR company)";

/** Query for each subject, if no company is asked for. */
const TOPICS: Readonly<Record<NewsQuery["about"], string>> = {
  stock: "stock market",
  general: "stock market",
  crypto: "cryptocurrency",
};

const Article = z.looseObject({ url: Text, title: Text, seendate: Text, domain: Text, language: Text });
const NewsBody = z.looseObject({ articles: z.array(Article).default([]) });

/** The source of headlines. */
export function gdeltSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("gdelt", options, {
    rate: { burst: 1, perSecond: 1 / 5, maxWaitMs: 10_000 },
    breaker: { failures: 5, failureMs: [30_000, 300_000], throttleMs: [15_000, 60_000, 300_000] },
    limits: { totalMs: 30_000 },
    judge: (answer, _request, now) => judge(answer, now),
  });
  return {
    name: "gdelt",
    stats: (now) => http.stats(now),
    news: async (query, scope) => {
      const { listing, limit, page } = query;
      const phrase = toPhrase(query);
      const maxrecords = Math.min(MAX_RECORDS, (page + 1) * limit);
      const answer = await http.ask(
        {
          path: "/api/v2/doc/doc",
          query: {
            query: toSearch(phrase, query),
            mode: "artlist",
            format: "json",
            timespan: TIMESPAN,
            sort: "datedesc",
            maxrecords,
          },
          // What it says in plain text may be labelled as HTML.
          accepts: ["json", "text", "html"],
        },
        scope,
      );
      const { articles } = parseAnswer("GDELT", NewsBody, answer.text);
      const symbols = listing === undefined ? [] : [listing.symbol];
      const items = toItems(articles, symbols).slice(page * limit, (page + 1) * limit);
      const [newest] = items;
      if (newest === undefined)
        throw new MarketError("no_data", `GDELT has no news of ${phrase} in the last two weeks`);
      const note = `found by the name "${phrase}"; a headline is dated by when it was seen`;
      return toSourced(items, answer, { source: "gdelt", kind: "live", asOf: newest.publishedAt, note });
    },
  };
}

/** Returns the company's usual name; the registered one if that is too short. */
function toPhrase({ about, listing }: NewsQuery): string {
  if (listing === undefined) return TOPICS[about];
  const plain = toPlainWords(listing.name);
  const candidates = [parseCompanyName(listing.name).core, plain];
  const phrase = candidates.map((text) => text.slice(0, MAX_PHRASE).trim()).find((text) => text.length >= MIN_PHRASE);
  if (phrase !== undefined) return phrase;
  const message = `GDELT finds phrases of at least ${MIN_PHRASE} characters; the name ${JSON.stringify(plain)} is shorter`;
  throw new MarketError("upstream", message, { symbol: listing.symbol });
}

/** Several words are a phrase; for a company of one word, words about companies distinguish it from the word. */
function toSearch(phrase: string, { about, listing }: NewsQuery): string {
  if (phrase.includes(" ")) return `"${phrase}"`;
  return listing === undefined || about === "crypto" ? phrase : `${phrase} ${OF_COMPANIES}`;
}

/** Letters and digits alone: quotes, brackets and signs have a meaning in a query. */
const toPlainWords = (text: string): string =>
  Array.from(text.slice(0, 200), (sign) => (/[\p{L}\p{N}]/u.test(sign) ? sign : " "))
    .join("")
    .split(" ")
    .filter(Boolean)
    .join(" ");

/** Newest first; the same headline in several papers is one. */
function toItems(articles: readonly z.infer<typeof Article>[], symbols: readonly string[]): readonly NewsItem[] {
  const byTitle = new Map<string, NewsItem>();
  for (const { url, title = "", seendate = "", domain } of articles) {
    const line = toLine(title, MAX_TITLE);
    const publishedAt = toSeen(seendate);
    if (line === "" || publishedAt === undefined) continue;
    const key = line.toLowerCase();
    const item = { title: line, source: toLine(domain ?? "unknown", 100), publishedAt, symbols };
    if (!byTitle.has(key)) byTitle.set(key, { ...item, ...omitUndefined({ url: toLink(url) }) });
  }
  return [...byTitle.values()].toSorted((one, other) => (one.publishedAt > other.publishedAt ? -1 : 1));
}

function toSeen(text: string): string | undefined {
  const match = SEEN.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : toTime(ms);
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  const { status, text } = answer;
  const said = text.trim();
  const isJson = said.startsWith("{") || said.startsWith("[");
  const words = isJson ? "" : said.toLowerCase();
  const isThrottle = status === 429 || words.includes("limit requests") || words.includes("too many requests");
  if (isThrottle) {
    // It sends no time; the breaker waits longer each time.
    const retryAt = answer.header("retry-after") === undefined ? undefined : toRetryAt(answer, now);
    return {
      kind: "throttled",
      message: "GDELT asks to slow down: one request in five seconds",
      ...omitUndefined({ retryAt }),
    };
  }
  if (status !== 200 || isJson || said === "") return judgeStatus("GDELT", answer, now);
  if (answer.kind === "html" && looksLikeHtml(text)) {
    return refuse(new MarketError("upstream", "GDELT answered with an HTML page"));
  }
  return refuse(new MarketError("upstream", `GDELT refused the search: ${toExcerpt(said)}`));
}
