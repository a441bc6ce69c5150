/**
 * Market calls: lists of stocks and coins, the market as a whole, news, the calendar and the clock.
 */
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { readLimit } from "../numbers/parameters.ts";
import { addDays } from "../../tools/shared/calendar-day.ts";
import { lastOfMonth } from "../numbers/dates.ts";
import { startOf } from "../numbers/periods.ts";
import { countryOf, timezoneOf } from "../lexicon/places.ts";
import { readCriteria } from "../numbers/screener-criteria.ts";
import { each } from "./price-calls.ts";

const MOVERS: ReadonlyMap<Topic, string> = new Map([
  ["gainers", "getGainers"],
  ["losers", "getLosers"],
  ["active", "getMostActive"],
]);
const MAX_ROWS = 100;
const MAX_NEWS = 50;

const isAboutCoins = ({ listings, reading, base }: Ask): boolean =>
  listings.length > 0
    ? listings.every(({ type }) => type === "crypto")
    : reading.cues.has("coin") || base.cues.has("coin");

/** Stocks that moved or traded most. */
export function moverCalls(ask: Ask, topic: Topic): readonly ChosenCall[] {
  if (isAboutCoins(ask)) return coinMarketCalls(ask);
  const limit = Math.min(MAX_ROWS, readLimit(ask) ?? 20);
  return [call(MOVERS.get(topic) ?? "getGainers", { limit: unless(20, limit) })];
}

/** Coins that moved or traded most. */
export function coinMarketCalls(ask: Ask): readonly ChosenCall[] {
  const sort = ask.topics.has("gainers") ? "gainers" : ask.topics.has("losers") ? "losers" : undefined;
  return [call("getCryptoMarkets", { limit: unless(20, Math.min(MAX_ROWS, readLimit(ask) ?? 20)), sort })];
}

/** Stocks by criteria. */
export function screenerCalls(ask: Ask): readonly ChosenCall[] {
  if (isAboutCoins(ask)) return coinMarketCalls(ask);
  return [call("getScreener", { ...readCriteria(ask), limit: unless(10, Math.min(MAX_ROWS, readLimit(ask) ?? 10)) })];
}

/** The market as a whole. */
export function overviewCalls(ask: Ask): readonly ChosenCall[] {
  if (isAboutCoins(ask)) return coinMarketCalls(ask);
  const vietnamese = ask.listings.filter(({ exchange }) => ["HOSE", "HNX", "UPCOM"].includes(exchange));
  if (vietnamese.length > 0) return vietnamese.map(({ symbol }) => call("getStockPrice", { symbol }));
  if (ask.listings.length === 0 && ask.reading.cues.has("vietnam"))
    return [call("getStockPrice", { symbol: "^VNINDEX" })];
  return [call("getMarketOverview")];
}

/** Sectors by change. */
export function sectorCalls({ periods: { window } }: Ask): readonly ChosenCall[] {
  const date = window !== undefined && window.from === window.to ? window.from : undefined;
  return [call("getSectorPerformance", { date })];
}

const INDEX_NAMES: ReadonlyMap<string, string> = new Map([
  ["^GSPC", "sp500"],
  ["^IXIC", "nasdaq"],
  ["^NDX", "nasdaq"],
  ["^DJI", "dowjones"],
]);
const MAX_MEMBERS = 600;

/** Members of an index. */
export function componentCalls(ask: Ask): readonly ChosenCall[] {
  const named = ask.base.mentions.flatMap(({ candidates }) => INDEX_NAMES.get(candidates[0]?.symbol ?? "") ?? []);
  const names = [...new Set(named)];
  const limit = unless(50, Math.min(MAX_MEMBERS, readLimit(ask) ?? 50));
  return (names.length === 0 ? ["sp500"] : names).map((index) =>
    call("getIndexComponents", { index: unless("sp500", index), limit }),
  );
}

/** News of what is named, of coins, or of the markets. */
export function newsCalls(ask: Ask): readonly ChosenCall[] {
  const limit = unless(20, Math.min(MAX_NEWS, readLimit(ask) ?? 20));
  if (ask.listings.length > 0) {
    return each(ask, ({ symbol, type }) => [
      call(type === "crypto" ? "getCryptoNews" : "getStockNews", { symbol, limit }),
    ]);
  }
  return [call(isAboutCoins(ask) ? "getCryptoNews" : "getGeneralNews", { limit })];
}

/** A search on the web, if it is allowed; else what the news have. */
export function webCalls(ask: Ask): readonly ChosenCall[] {
  if (!ask.has("webSearch")) return ask.listings.length > 0 ? newsCalls(ask) : [];
  return [call("webSearch", { query: ask.question.trim().slice(0, 400) })];
}

/** Announcements for the economy. */
export function calendarCalls(ask: Ask): readonly ChosenCall[] {
  const { reading, today } = ask;
  const isHigh = reading.tokens.some(({ key }) =>
    ["high", "important", "major", "biggest", "key", "quan"].includes(key),
  );
  const isHighImpact = isHigh && !reading.tokens.some(({ key }) => key === "low" || key === "medium");
  const impact = isHighImpact
    ? "High"
    : reading.tokens.some(
          ({ key }, at) => key === "medium" || (key === "trung" && reading.tokens[at + 1]?.key === "binh"),
        )
      ? "Medium"
      : undefined;
  return [call("getEconomicCalendar", { ...calendarWindow(ask, today), country: countryOf(reading), impact })];
}

/** The days that a question about what is to come means. */
export function calendarWindow(
  { reading, periods: { window } }: Ask,
  today: string,
): Readonly<{ from?: string; to?: string }> {
  const { tokens } = reading;
  const has = (...words: readonly string[]) =>
    tokens.some((_, at) => words.every((word, next) => tokens[at + next]?.key === word));
  if (has("tomorrow") || has("ngay", "mai")) return { from: addDays(today, 1), to: addDays(today, 1) };
  if (has("next", "week") || has("tuan", "toi") || has("tuan", "sau")) {
    const from = addDays(startOf("week", today), 7);
    return { from, to: addDays(from, 6) };
  }
  if (has("next", "month") || has("thang", "toi") || has("thang", "sau")) {
    const from = addDays(lastOfMonth(today), 1);
    return { from, to: lastOfMonth(from) };
  }
  if (has("this", "month") || has("thang", "nay")) return { from: startOf("month", today), to: lastOfMonth(today) };
  if (has("this", "week") || has("tuan", "nay")) return {};
  if (has("today") || has("hom", "nay")) return { from: today, to: today };
  return window ?? {};
}

/** The clock, and whether markets are open. */
export function timeCalls({ reading, topics }: Ask): readonly ChosenCall[] {
  return [call("getCurrentTime", { timezone: topics.has("time") ? timezoneOf(reading) : undefined })];
}

/** From a name to its ticker. */
export function resolveCalls(ask: Ask): readonly ChosenCall[] {
  const { reading } = ask;
  const named = reading.mentions.map(({ text }) => text);
  const queries = named.length > 0 ? named : afterOf(ask);
  return queries.map((query) => call("resolveSymbol", { query }));
}

const OF: ReadonlySet<string> = new Set(["of", "for", "cua"]);

/** The words behind "of" or "của". */
function afterOf({ reading: { text, tokens } }: Ask): readonly string[] {
  const at = tokens.findLastIndex(({ key }) => OF.has(key));
  const rest = tokens[at + 1];
  if (at < 0 || rest === undefined) return [];
  const query = text
    .slice(rest.start, rest.start + 100)
    .replace(/[?!.]+\s*$/, "")
    .replace(/\s+l[àa] g[ìi]\s*$/, "")
    .trim();
  return query === "" ? [] : [query];
}
