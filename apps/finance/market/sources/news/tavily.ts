/**
 * Tavily: web search. Results are untrusted text: bounded, with links of the web only, and never followed.
 */
import { readTable } from "../../tables.ts";
import { omitUndefined, parseJson } from "@baton/core/util";
import { z } from "zod";
import type { SearchHit } from "../../port/market-data.ts";
import { MarketError, type MarketErrorKind } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import type { FetchLimits } from "../http/guarded-fetch.ts";
import type { ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { Refusals } from "../http/refusals.ts";
import { toRetryAt, toRetryAtSeconds } from "../http/retry-after.ts";
import { Num, parseAnswer, Text, toLine, toLink } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";

/** Connection to the service. */
export interface TavilyOptions {
  readonly key?: string;
  readonly baseUrl?: string;
  /** Search without a key, in the service's limited mode. */
  readonly allowKeyless?: boolean;
  readonly limits?: Partial<FetchLimits>;
}

const MAX_QUERY = 400;
const MAX_RESULTS = 20;
const MAX_TITLE = 300;
const MAX_CONTENT = 2_000;
const EXHAUSTED = "exhausted";

/** Where finance is written about, in English and Vietnamese. */
const FINANCE_DOMAINS = readTable("finance-domains").flat();

const SearchBody = z.looseObject({
  results: z.array(z.looseObject({ title: Text, url: Text, content: Text, score: Num, published_date: Text })),
});

/** The service complains in four ways. */
const Complaint = z.looseObject({
  detail: z.unknown().optional(),
  error: z.looseObject({ code: Text, message: Text, retry_after_seconds: Num }).optional(),
});

/** The source of web search. */
export function tavilySource(options: TavilyOptions = {}): LiveSource {
  const { key = "", allowKeyless = false } = options;
  const http = openHost("tavily", options, {
    ...(key === ""
      ? { headers: { "x-tavily-access-mode": "keyless" } }
      : { secrets: { authorization: `Bearer ${key}` }, key }),
    limits: { totalMs: 30_000 },
    judge,
  });
  const refusals = new Refusals();
  return {
    name: "tavily",
    stats: (now) => http.stats(now),
    search: async ({ query, maxResults, useFinanceDomains }, scope) => {
      if (key === "" && !allowKeyless) {
        throw new MarketError("not_configured", "web search needs a key", { enable: "TAVILY_API_KEY" });
      }
      refusals.check([EXHAUSTED], scope.clock.now());
      const body = JSON.stringify({
        query: toQuery(query),
        search_depth: "basic",
        max_results: Math.min(Math.max(1, maxResults), MAX_RESULTS),
        ...(useFinanceDomains ? { include_domains: FINANCE_DOMAINS } : {}),
      });
      const headers = { "content-type": "application/json" };
      const answer = await http.ask({ path: "/search", body, headers }, scope).catch((error: unknown) => {
        const isExhausted = error instanceof MarketError && error.cause === EXHAUSTED;
        if (isExhausted) refusals.add(EXHAUSTED, error, nextMonth(scope.clock.now()));
        throw error;
      });
      const { results } = parseAnswer("Tavily", SearchBody, answer.text);
      const hits = results.flatMap(toHit).slice(0, maxResults);
      if (hits.length === 0) throw new MarketError("no_data", "the web search found nothing");
      return toSourced(hits, answer, { source: "tavily", kind: "live" });
    },
  };
}

/** At most 400 characters, cut between them. */
const toQuery = (query: string): string => query.trim().slice(0, MAX_QUERY).toWellFormed();

function toHit({
  title,
  url,
  content = "",
  score,
  published_date,
}: z.infer<typeof SearchBody>["results"][number]): readonly SearchHit[] {
  const link = toLink(url);
  if (link === undefined) return [];
  const publishedMs = published_date === undefined ? Number.NaN : Date.parse(published_date);
  const publishedAt = Number.isNaN(publishedMs) ? undefined : new Date(publishedMs).toISOString();
  const line = toLine(title ?? "", MAX_TITLE);
  return [
    {
      title: line === "" ? link.slice(0, MAX_TITLE) : line,
      url: link,
      content: toLine(content, MAX_CONTENT),
      ...omitUndefined({ publishedAt, score }),
    },
  ];
}

function judge(answer: FetchAnswer, _request: unknown, now: number): ReplyVerdict {
  const { status, text } = answer;
  const { detail, error } = Complaint.safeParse(parseJson(text)).data ?? {};
  if (status === 200 && error === undefined) return { kind: "ok" };
  const words = toExcerpt(error?.message ?? toDetail(detail) ?? "");
  const refuse = (
    kind: MarketErrorKind,
    message: string,
    more: { enable?: string; cause?: string } = {},
  ): ReplyVerdict => ({
    kind: "refused",
    error: new MarketError(kind, words === "" ? message : `${message}: ${words}`, more),
  });
  // Only the mode without a key sends this envelope, and only at its limit.
  if (error?.retry_after_seconds !== undefined) {
    const retryAt = toRetryAtSeconds(error.retry_after_seconds, now);
    return { kind: "throttled", message: `Tavily without a key has reached its limit: ${words}`, retryAt };
  }
  if (status === 429)
    return { kind: "throttled", message: "Tavily asks to slow down", retryAt: toRetryAt(answer, now) };
  if (status === 401 || status === 403) {
    return refuse("not_configured", "Tavily does not accept the key in TAVILY_API_KEY", { enable: "TAVILY_API_KEY" });
  }
  if (status === 432 || status === 433) {
    return refuse("plan", "web search is not available: the usage limit of the Tavily key is reached", {
      cause: EXHAUSTED,
    });
  }
  return refuse("upstream", `Tavily answered with status ${status}`);
}

/** `{detail: {error}}`, `{detail: "…"}` or `{detail: [{msg}]}`. */
function toDetail(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  const parsed = z.looseObject({ error: z.string().optional(), msg: z.string().optional() }).safeParse(first);
  return parsed.data?.error ?? parsed.data?.msg;
}

/** When the service counts from zero again. */
function nextMonth(now: number): number {
  const today = new Date(now);
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
}
