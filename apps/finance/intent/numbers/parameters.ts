/**
 * Parameters: the numbers of a question as arguments of tools: periods of indicators, limits, intervals, timeframes,
 * fiscal periods, confidence and money.
 */
import { foldText } from "../../market/directory/words.ts";
import { type SpokenAmount, readAmounts } from "./amounts.ts";
import type { Ask } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { type Span, type SpanUnit, startOfSpan } from "./periods.ts";
import type { QuestionToken } from "../reading.ts";

const MAX_PERIOD = 400;

/** The numbers that belong to an indicator: `RSI 21`, `EMA(20)`, `MA50`, `50-day average`, `MACD 5 35 5`. */
export function indicatorNumbers(ask: Ask, topic: Topic): readonly number[] {
  const { base, amounts, reading } = ask;
  const { text, tokens, topics } = base;
  const changed =
    reading === base ? [] : readAmounts(reading.text, ask.language).filter((amount) => isPeriod(reading.text, amount));
  if (changed.length > 0) return changed.map(({ value }) => value);
  const numbers: number[] = [];
  for (const { name, first, last } of topics) {
    if (name !== topic) continue;
    const [start, end] = [tokens[first], tokens[last - 1]];
    if (start === undefined || end === undefined) continue;
    const inside = tokens.slice(first, last).flatMap(({ key }) => (/^\d{1,3}$/.test(key) ? [Number(key)] : []));
    const after = following(text, end.end, amounts);
    const isLed = inside.length + after.length === 0 || /^\d/.test(start.key);
    numbers.push(...(isLed ? preceding(text, start.start, amounts) : []), ...inside, ...after);
  }
  const own = numbers.filter((value) => value > 0 && value <= MAX_PERIOD);
  return own.length > 0 ? own : loneDays(ask);
}

/** "RSI of AAPL, 10 days": a length that is not "the last ten days". */
function loneDays({ periods: { spans, rolling } }: Ask): readonly number[] {
  if (rolling !== undefined) return [];
  return spans
    .filter(({ unit, count }) => unit === "day" && count >= 2 && count <= MAX_PERIOD)
    .map(({ count }) => count);
}

/** Whether a number of a follow-up can be an indicator's period: "with 21 days?". */
function isPeriod(text: string, amount: SpokenAmount): boolean {
  return (
    !amount.isPercent &&
    !amount.isMoney &&
    amount.value >= 2 &&
    amount.value <= MAX_PERIOD &&
    !isSpanOfTime(text, amount)
  );
}

/** "2.5 standard deviations", "3 độ lệch chuẩn". */
export function readDeviations({ base, amounts }: Ask): number | undefined {
  return amounts.find(({ end, value }) => {
    const rest = foldText(base.text.slice(end, end + 24));
    return value > 0 && value <= 5 && /^\s*(?:standard dev|std|sigma|deviation|do lech)/.test(rest);
  })?.value;
}

const BETWEEN =
  /^[\s,(/:=&-]*(?:(?:period|periods|of|with|on|at|a|and|or|va|voi|chu ky|ky|ngay|phien|day|days|tham so|settings|length)[\s,(/:=-]*){0,3}$/;
const MAX_GAP = 24;

/** Numbers right behind a place, one after the other. */
function following(text: string, from: number, amounts: readonly SpokenAmount[]): readonly number[] {
  const numbers: number[] = [];
  let end = from;
  for (const amount of amounts) {
    if (amount.start < end) continue;
    const gap = text.slice(end, amount.start);
    if (gap.length > MAX_GAP || !BETWEEN.test(foldText(gap)) || amount.isPercent || amount.isMoney) break;
    if (isSpanOfTime(text, amount)) break;
    numbers.push(amount.value);
    end = amount.end;
  }
  return numbers;
}

function isSpanOfTime(text: string, { end }: SpokenAmount): boolean {
  return /^[\s-]*(?:month|year|week|thang|nam|tuan|quarter|quy|h\b|hour|gio|min|phut)/.test(
    foldText(text.slice(end, end + 12)),
  );
}

/** `50-day` or `50 and 200 day` right before a place. */
function preceding(text: string, to: number, amounts: readonly SpokenAmount[]): readonly number[] {
  const numbers: number[] = [];
  let start = to;
  for (const amount of amounts.toReversed()) {
    if (amount.end > start) continue;
    const gap = foldText(text.slice(amount.end, start));
    if (
      gap.length > MAX_GAP ||
      !/^[\s-]*(?:(?:day|days|d|ngay|phien|period|and|or|va|simple|exponential|moving|,)[\s,-]*){0,3}$/.test(gap)
    )
      break;
    if (amount.isPercent || amount.isMoney || amount.value > MAX_PERIOD) break;
    numbers.unshift(amount.value);
    start = amount.start;
  }
  return numbers;
}

const LISTED: ReadonlySet<string> = new Set(
  `stocks stock companies news headlines headline articles stories items coins coin cryptos cryptocurrencies gainers losers results names tickers movers
   members components constituents tin bai ma co cong dong top largest biggest best worst latest highest most recent mới hot tech technology shares winners decliners tokens`.split(
    /\s+/,
  ),
);
const QUALIFIERS: ReadonlySet<string> = new Set([
  "@",
  "crypto",
  "market",
  "financial",
  "energy",
  "healthcare",
  "bank",
  "important",
]);
const COUNTED: ReadonlyMap<string, number> = new Map(
  "one two three four five six seven eight nine ten".split(" ").map((word, at) => [word, at + 1]),
);
const VIETNAMESE_COUNTED: ReadonlyMap<string, number> = new Map(
  "mot hai ba bon nam sau bay tam chin muoi".split(" ").map((word, at) => [word, at + 1]),
);
const MAX_LIMIT = 1000;

/** How many rows are wanted: `top 5`, `10 tin`, `five stocks`. */
export function readLimit({ base, reading }: Ask): number | undefined {
  return limitIn(reading.tokens, reading.text) ?? limitIn(base.tokens, base.text);
}

function limitIn(tokens: readonly QuestionToken[], text: string): number | undefined {
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]?.key ?? "";
    const after = tokens[at + 1]?.key ?? "";
    const isAfterTop = before === "top" || before === "first" || before === "limit" || before === "nhat";
    const value = countOf(token, isAfterTop ? [COUNTED, VIETNAMESE_COUNTED] : [COUNTED]);
    if (value === undefined || value < 1 || value > MAX_LIMIT) continue;
    if (
      text.charAt(token.start - 1) === "$" ||
      ("%.,".includes(text.charAt(token.end)) && /[%\d]/.test(text.charAt(token.end) + text.charAt(token.end + 1)))
    )
      continue;
    const isQualified = QUALIFIERS.has(after) && LISTED.has(tokens[at + 2]?.key ?? "");
    if (before === "top" || before === "limit") return value;
    if ((LISTED.has(after) || isQualified) && isListing(tokens, at)) return value;
  }
  return undefined;
}

/** "50 co phieu" lists; "S&P 500 companies" and "under 50 stocks" do not. */
function isListing(tokens: readonly QuestionToken[], at: number): boolean {
  const before = tokens[at - 1]?.key ?? "";
  const after = tokens[at + 1]?.key ?? "";
  if (["p", "s&p", "nasdaq", "russell", "under", "below", "over", "above", "duoi", "tren"].includes(before))
    return false;
  if (after === "co") return tokens[at + 2]?.key === "phieu";
  if (after === "cong") return tokens[at + 2]?.key === "ty";
  if (after === "dong") return tokens[at + 2]?.key === "coin" || tokens[at + 2]?.key === "tien";
  return true;
}

function countOf({ key }: QuestionToken, words: readonly ReadonlyMap<string, number>[]): number | undefined {
  if (/^\d{1,4}$/.test(key)) return Number(key);
  return words.map((counts) => counts.get(key)).find((count) => count !== undefined);
}

const MINUTES: ReadonlySet<string> = new Set("min mins minute minutes m phut p".split(" "));
const HOURS: ReadonlySet<string> = new Set("h hour hours hr hrs hourly gio".split(" "));

/** The length of a bar in minutes: `15 minute`, `khung 4 giờ`, `hourly`, `1h`. */
export function readIntervalMinutes({ base, reading }: Ask): number | undefined {
  return intervalIn(reading.tokens) ?? intervalIn(base.tokens);
}

function intervalIn(tokens: readonly QuestionToken[]): number | undefined {
  for (const [at, { key }] of tokens.entries()) {
    const before = tokens[at - 1]?.key ?? "";
    const count = /^\d{1,3}$/.test(before) ? Number(before) : undefined;
    if (MINUTES.has(key) && count !== undefined) return count;
    if (HOURS.has(key) && count !== undefined && count !== 24) return count * 60;
    if (
      key === "hourly" ||
      (HOURS.has(key) && ["theo", "tung", "per", "by", "every", "each", "nen", "khung", "one", "mot"].includes(before))
    )
      return 60;
    if (MINUTES.has(key) && ["tung", "theo", "per", "every", "each", "one", "mot", "by"].includes(before)) return 1;
  }
  return undefined;
}

const DAY_MS = 86_400_000;
const MIN_DAYS = 30;
const DAYS: Readonly<Record<SpanUnit, number>> = { day: 1, week: 5, month: 21, quarter: 63, year: 252 };

const COIN_DAYS: Readonly<Record<SpanUnit, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };

/** Trading days of the span that a question names, or all days for coins. */
export function readDays({ periods, listings, today }: Ask): number | undefined {
  const days = listings.some(({ type }) => type === "crypto") ? COIN_DAYS : DAYS;
  const span = periods.rolling ?? periods.spans.find(({ unit, count }) => unit !== "day" || count >= MIN_DAYS);
  if (span !== undefined) return Math.round(days[span.unit] * span.count);
  const { window } = periods;
  if (window === undefined || window.to !== undefined) return undefined;
  const years = (Date.parse(today) - Date.parse(window.from)) / DAY_MS / 365;
  return Math.max(MIN_DAYS, Math.round(years * days.year));
}

/** The timeframe of charts that holds the span. */
export function readTimeframe({ periods, today }: Ask): "1M" | "3M" | "6M" | undefined {
  const span = periods.rolling ?? periods.spans.find(({ unit }) => unit !== "day");
  const from = span === undefined ? periods.window?.from : startOfSpan(span, today);
  if (from === undefined) return undefined;
  const days = (Date.parse(today) - Date.parse(from)) / DAY_MS;
  if (days <= 32) return "1M";
  if (days <= 93) return "3M";
  return days <= 186 ? "6M" : undefined;
}

/** How many fiscal periods, and of which length. */
export function readFiscal({ periods, reading, base }: Ask): Readonly<{ period?: "quarter" | "ttm"; count?: number }> {
  const has = (cue: "quarterly" | "annual" | "ttm") => reading.cues.has(cue) || base.cues.has(cue);
  const quarters = periods.spans.find(({ unit }) => unit === "quarter");
  const years = periods.spans.find(({ unit }) => unit === "year");
  if (has("ttm")) return { period: "ttm" };
  if (quarters !== undefined) return { period: "quarter", count: quarters.count };
  const reports = readReports(reading.tokens) ?? readReports(base.tokens);
  if (reports !== undefined) return { ...(has("quarterly") ? { period: "quarter" } : {}), count: reports };
  if (has("quarterly")) return { period: "quarter", ...(years === undefined ? {} : { count: years.count * 4 }) };
  return years === undefined ? {} : { count: years.count };
}

const REPORTS: ReadonlySet<string> = new Set(["statements", "reports", "filings", "sheets", "periods"]);
const MAX_REPORTS = 40;

/** How many reports are wanted: "last 8 reports", "2 annual income statements". */
export function readReports(tokens: readonly QuestionToken[]): number | undefined {
  const at = tokens.findIndex(
    ({ key }, place) =>
      /^\d{1,2}$/.test(key) && tokens.slice(place + 1, place + 5).some((token) => REPORTS.has(token.key)),
  );
  const count = Number(tokens[at]?.key ?? 0);
  return count >= 1 && count <= MAX_REPORTS ? count : undefined;
}

/** Calendar days back from today that a span or window reaches. */
export function readLookbackDays({ periods, today }: Ask): number | undefined {
  const span: Pick<Span, "count" | "unit"> | undefined = periods.rolling ?? periods.spans[0];
  if (span !== undefined) return Math.round(COIN_DAYS[span.unit] * span.count);
  const from = periods.window?.from;
  return from === undefined ? undefined : Math.round((Date.parse(today) - Date.parse(from)) / DAY_MS);
}

/** `99 %` as a fraction between .9 and .99. */
export function readConfidence({ amounts }: Ask): number | undefined {
  const value = amounts.find(
    ({ value: number, isPercent, isMoney }) =>
      !isMoney && (isPercent ? number >= 90 && number <= 99.9 : number >= 0.9 && number <= 0.999),
  );
  const bare =
    value ??
    amounts.find(
      ({ value: number, isMoney, isScaled }) =>
        !isMoney && !isScaled && number >= 90 && number <= 99 && Number.isInteger(number),
    );
  if (bare === undefined) return undefined;
  return Math.min(0.99, bare.value >= 1 ? Number((bare.value / 100).toPrecision(6)) : bare.value);
}

const MIN_MONEY = 100;

/** A sum of money. */
export function readMoney({ amounts }: Ask): number | undefined {
  const money =
    amounts.find(({ isMoney }) => isMoney) ?? amounts.find(({ isScaled, isPercent }) => isScaled && !isPercent);
  return money !== undefined && money.value >= MIN_MONEY ? money.value : undefined;
}
