/**
 * Alert text: what an alert waits for and what it says when it fires, in the language of the user who set it.
 *
 * Nothing in it is a text of a source: a headline or title could ask for something.
 */
import type { Listing } from "../../../market/port/listing.ts";
import type { WatchLanguage } from "../own-provenance.ts";
import { daysFrom } from "../../shared/calendar-day.ts";
import type { Alert } from "./alert.ts";
import type { Observed, ObservedFiling } from "./observed.ts";

/** The observation that made an alert fire. */
export type Fired = Readonly<{
  /** The price or the RSI. */
  value?: number;
  percent?: number;
  /** Price from which the move is measured. */
  base?: number;
  filings?: readonly ObservedFiling[];
  /** Of the report. */
  day?: string;
}>;

const LOCALES: Readonly<Record<WatchLanguage, string>> = { en: "en-US", vi: "vi-VN" };

/** A number as a language writes it. */
export function toNumberText(value: number, language: WatchLanguage, digits = 8): string {
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: digits }).format(value);
}

/** An amount in a currency; an index has points, which have none. */
export function toPriceText(
  value: number,
  { type, currency }: Pick<Listing, "type" | "currency">,
  language: WatchLanguage,
): string {
  const text = toNumberText(value, language);
  return type === "index" ? text : `${text} ${currency}`;
}

/** Renders the condition of an alert: `NVDA rises above 150 USD`. */
export function toConditionText(alert: Alert): string {
  const { listing, kind, value = 0, language, forms = [], days_before = 0 } = alert;
  const { symbol } = listing;
  const isEnglish = language === "en";
  const price = toPriceText(value, listing, language);
  const number = toNumberText(value, language);
  switch (kind) {
    case "price_above":
      return isEnglish ? `${symbol} rises above ${price}` : `${symbol} lên trên ${price}`;
    case "price_below":
      return isEnglish ? `${symbol} falls below ${price}` : `${symbol} xuống dưới ${price}`;
    case "price_crosses":
      return isEnglish ? `${symbol} crosses ${price}` : `${symbol} đi qua ${price}`;
    case "percent_move":
      return toMoveCondition(alert);
    case "rsi_above":
      return isEnglish ? `RSI(14) of ${symbol} rises above ${number}` : `RSI(14) của ${symbol} lên trên ${number}`;
    case "rsi_below":
      return isEnglish ? `RSI(14) of ${symbol} falls below ${number}` : `RSI(14) của ${symbol} xuống dưới ${number}`;
    case "filing":
      return isEnglish ? `${symbol} files a new ${forms.join(", ")}` : `${symbol} nộp hồ sơ mới ${forms.join(", ")}`;
    case "earnings":
      return isEnglish
        ? `${symbol} reports earnings within ${days_before} ${days_before === 1 ? "day" : "days"}`
        : `${symbol} công bố kết quả kinh doanh trong vòng ${days_before} ngày`;
  }
}

function toMoveCondition({ listing: { symbol, type }, value = 0, direction = "any", since, language }: Alert): string {
  const percent = `${toNumberText(value, language)}%`;
  if (language === "en") {
    const verb = { any: "moves by", up: "rises by", down: "falls by" }[direction];
    const span = since !== "day" ? "since the alert was set" : type === "crypto" ? "in 24 hours" : "in a day";
    return `${symbol} ${verb} ${percent} ${span}`;
  }
  const verb = { any: "biến động", up: "tăng", down: "giảm" }[direction];
  const span = since !== "day" ? "kể từ khi đặt cảnh báo" : type === "crypto" ? "trong 24 giờ" : "trong ngày";
  return `${symbol} ${verb} ${percent} ${span}`;
}

/** Renders the message of an alert that fires: `NVDA is above 150 USD: 151.2 USD`. */
export function toFiredText(alert: Alert, fired: Fired, observed: Observed): string {
  const text = toSentence(alert, fired, observed);
  const standing = toStanding(alert.language, observed);
  return standing === undefined ? text : `${text} (${standing})`;
}

/** That values are not those of this moment. */
function toStanding(language: WatchLanguage, { what, kind, as_of }: Observed): string | undefined {
  if (what === "filings" || kind === "live" || kind === "delayed") return undefined;
  const day = as_of.slice(0, 10);
  return language === "en" ? `data of ${day}` : `dữ liệu ngày ${day}`;
}

function toSentence(alert: Alert, fired: Fired, observed: Observed): string {
  const { listing, kind, value: level = 0, language } = alert;
  const { symbol } = listing;
  const isEnglish = language === "en";
  const { value = 0 } = fired;
  const price =
    observed.what === "price" ? toPriceText(value, { ...listing, currency: observed.currency }, language) : "";
  const bound = toPriceText(level, listing, language);
  const rsi = toNumberText(value, language, 2);
  const number = toNumberText(level, language);
  switch (kind) {
    case "price_above":
      return isEnglish ? `${symbol} is above ${bound}: ${price}` : `${symbol} đã lên trên ${bound}: ${price}`;
    case "price_below":
      return isEnglish ? `${symbol} is below ${bound}: ${price}` : `${symbol} đã xuống dưới ${bound}: ${price}`;
    case "price_crosses":
      return isEnglish ? `${symbol} has crossed ${bound}: ${price}` : `${symbol} đã đi qua ${bound}: ${price}`;
    case "percent_move":
      return toMoveSentence(alert, fired, price);
    case "rsi_above":
      return isEnglish
        ? `RSI(14) of ${symbol} is above ${number}: ${rsi}`
        : `RSI(14) của ${symbol} đã lên trên ${number}: ${rsi}`;
    case "rsi_below":
      return isEnglish
        ? `RSI(14) of ${symbol} is below ${number}: ${rsi}`
        : `RSI(14) của ${symbol} đã xuống dưới ${number}: ${rsi}`;
    case "filing":
      return toFilingSentence(alert, fired.filings ?? []);
    case "earnings":
      return toReportSentence(alert, fired.day ?? "", observed);
  }
}

function toMoveSentence({ listing, since, language }: Alert, { percent = 0, base }: Fired, price: string): string {
  const { symbol, type } = listing;
  const size = `${toNumberText(Math.abs(percent), language, 2)}%`;
  const from = base === undefined ? "" : toPriceText(base, listing, language);
  if (language === "en") {
    const span = since !== "day" ? `from ${from}` : type === "crypto" ? "in 24 hours" : "today";
    return `${symbol} is ${percent < 0 ? "down" : "up"} ${size} ${span}: ${price}`;
  }
  const span = since !== "day" ? `so với ${from}` : type === "crypto" ? "trong 24 giờ" : "trong ngày";
  return `${symbol} đã ${percent < 0 ? "giảm" : "tăng"} ${size} ${span}: ${price}`;
}

/** Filings that one sentence names. */
const MAX_NAMED = 3;

function toFilingSentence({ listing: { symbol }, language }: Alert, filings: readonly ObservedFiling[]): string {
  const named = filings.slice(0, MAX_NAMED);
  const more = filings.length - named.length;
  if (language === "en") {
    const list = named.map(({ form, filed }) => `${form} of ${filed}`).join(", ");
    return `${symbol} has a new filing with the SEC: ${list}${more > 0 ? `, and ${more} more` : ""}`;
  }
  const list = named.map(({ form, filed }) => `${form} ngày ${filed}`).join(", ");
  return `${symbol} có hồ sơ mới nộp cho SEC: ${list}${more > 0 ? ` và ${more} hồ sơ khác` : ""}`;
}

function toReportSentence({ listing: { symbol }, language }: Alert, day: string, observed: Observed): string {
  const days = observed.what === "earnings" ? daysFrom(observed.today, day) : 0;
  if (language === "en") {
    const when = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
    return `${symbol} reports earnings ${when}, on ${day}`;
  }
  const when = days === 0 ? "hôm nay" : days === 1 ? "ngày mai" : `sau ${days} ngày nữa`;
  return `${symbol} công bố kết quả kinh doanh ${when}, ngày ${day}`;
}
