/**
 * Own calls: what is kept for the user: memory, portfolio, alerts and the list of what is watched.
 */
import type { Json } from "@baton/core";
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { readConfidence, readDays } from "../numbers/parameters.ts";
import { readSupposed } from "../topics/portfolio-topics.ts";
import type { Reading } from "../reading.ts";
import { calendarWindow } from "./market-calls.ts";

const STANDARD_DAYS = 252;
const MAX_DAYS = 1_260;

/** What is in the portfolio, how risky it is, what is due, and what if. */
export function portfolioCalls(ask: Ask, topic: Topic): readonly ChosenCall[] {
  if (topic === "holdings") return [call("getPortfolio")];
  if (topic === "events") return [call("getPortfolioEvents", eventWindow(ask))];
  const days = readDays(ask);
  return [
    call("analyzePortfolio", {
      shocks: topic === "shock" ? [...shocksOf(ask)] : undefined,
      confidence: topic === "shock" ? undefined : unless(0.95, readConfidence(ask)),
      days: days === undefined ? undefined : unless(STANDARD_DAYS, Math.min(MAX_DAYS, Math.max(30, days))),
    }),
  ];
}

const SOON: ReadonlySet<string> = new Set(["upcoming", "next", "soon", "sap", "toi", "coming"]);

/** This week is what the tool takes anyway; "soon" begins today. */
function eventWindow(ask: Ask): Readonly<{ from?: string; to?: string }> {
  const window = calendarWindow(ask, ask.today);
  const isThisWeek = hasPair(ask.reading, "this", "week") || hasPair(ask.reading, "tuan", "nay");
  if (isThisWeek) return {};
  if (window.from !== undefined) return window.to === undefined ? { from: window.from } : window;
  return ask.reading.tokens.some(({ key }) => SOON.has(key)) ? { from: ask.today } : {};
}

const hasPair = ({ tokens }: Reading, one: string, other: string): boolean =>
  tokens.some(({ key }, at) => key === one && tokens[at + 1]?.key === other);

/** Each move with the name that stands nearest before it; the market if there is none. */
function shocksOf({ base, listings }: Ask): readonly { readonly [name: string]: Json }[] {
  const named = base.mentions.flatMap(({ start, candidates, listing }) => {
    const found = listing ?? listings.find(({ symbol }) => candidates.some((one) => one.symbol === symbol));
    return found === undefined ? [] : [{ start, symbol: found.symbol }];
  });
  const market = base.cues.has("vietnam") ? "^VNINDEX" : "^GSPC";
  return readSupposed(base).flatMap(({ percent, start }, at, all) => {
    const from = all[at - 1]?.start ?? -1;
    const own = named.filter((one) => one.start > from && one.start < start);
    const symbols = own.length > 0 ? own : named.filter((one) => one.start > start).slice(0, 1);
    const targets = symbols.length > 0 ? symbols.map(({ symbol }) => symbol) : [market];
    return targets.map((symbol) => ({ symbol, percent }));
  });
}

const MAX_QUERY = 200;
/** Words that ask for a memory and say nothing of what is in it. */
const ASKING: ReadonlySet<string> = new Set(
  `what do you remember about me did i ask we talk discuss have tell said say know my the a is are was were of on in that this which who kind last week month yesterday today day ago earlier before previous conversation
   please thank thanks ok nhe nha a giup voi time hour anything everything something still can could please like to for and or us our been asked talked discussed mentioned told
   ban nho gi ve toi minh con khong da hoi noi hom qua truoc tuan thang lan nay cua la nao co ve biet em tung ke nhung cac chuyen trao doi`.split(
    /\s+/,
  ),
);
const TALKED: ReadonlySet<string> = new Set(
  "ask asked asking talk talked talking discuss discussed discussing said say conversation question questions chat mention mentioned hoi noi trao truoc lan chuyen".split(
    " ",
  ),
);

/** What was said before, or what is known of the user. */
export function recallCalls({ reading, question }: Ask): readonly ChosenCall[] {
  const { tokens } = reading;
  const isTalk = tokens.some(({ key }) => TALKED.has(key));
  const query = toQuery(reading, question);
  if (!isTalk) return [call("searchMemory", { query })];
  return [call("recallMemory", { query, timeframe: unless("last_week", timeframeOf(reading)) })];
}

/** The words that carry the question; if none does, those that ask. */
function toQuery({ tokens, text, topics }: Reading, question: string): string {
  const words = tokens
    .filter(
      ({ key, raw }, at) =>
        (!ASKING.has(key) || (key === "co" && tokens[at + 1]?.key === "phieu")) && /[\p{L}\p{N}]/u.test(raw),
    )
    .map(({ start, end }) => text.slice(start, end));
  const asked = topics
    .filter(({ name }) => name === "recall")
    .flatMap(({ first, last }) => tokens.slice(first, last).map(({ raw }) => raw));
  const said = [words, asked].find((all) => all.length > 0)?.join(" ") ?? question.trim();
  return said.slice(0, MAX_QUERY);
}

function timeframeOf(reading: Reading): string {
  const { tokens } = reading;
  const has = (...keys: readonly string[]): boolean => keys.some((key) => tokens.some((token) => token.key === key));
  if (
    hasPair(reading, "last", "hour") ||
    hasPair(reading, "mot", "gio") ||
    hasPair(reading, "hour", "ago") ||
    has("just", "vua")
  )
    return "last_hour";
  if (has("yesterday", "today") || hasPair(reading, "hom", "qua") || hasPair(reading, "hom", "nay")) return "last_day";
  if (has("month", "thang")) return "last_month";
  if (has("week", "tuan")) return "last_week";
  if (has("ever", "always", "year", "years", "nam") || hasPair(reading, "all", "time")) return "all";
  return hasPair(reading, "last", "time") || has("lan", "truoc", "previous", "before", "earlier")
    ? "last_month"
    : "last_week";
}

/** Alerts, the list of what is watched, and schedules. */
export const watchCalls = (): readonly ChosenCall[] => [call("listAlerts")];
