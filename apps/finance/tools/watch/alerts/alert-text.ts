/**
 * Alert text: what an alert waits for and what it says when it fires, in the language of the user who set it.
 *
 * Nothing in it is a text of a source: a headline or title could ask for something.
 */
import type { Listing } from "../../../market/port/listing.ts";
import type { WatchLanguage } from "../own-provenance.ts";
import { daysFrom } from "../../shared/calendar-day.ts";
import { say } from "../say.ts";
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
  const { listing, kind, value = 0, language, forms = [], days_before = 0, direction = "any" } = alert;
  return say(language, kind === "percent_move" ? `when.${kind}.${direction}` : `when.${kind}`, {
    symbol: listing.symbol,
    price: toPriceText(value, listing, language),
    number: toNumberText(value, language),
    span: say(language, `span.${toSpan(alert)}`),
    forms: forms.join(", "),
    days: say(language, days_before === 1 ? "days.one" : "days", { count: days_before }),
  });
}

/** From when a move is measured. */
function toSpan({ since, listing }: Alert): "set" | "coin" | "day" {
  if (since !== "day") return "set";
  return listing.type === "crypto" ? "coin" : "day";
}

/** Renders the message of an alert that fires: `NVDA is above 150 USD: 151.2 USD`. */
export function toFiredText(alert: Alert, fired: Fired, observed: Observed): string {
  const text = toSentence(alert, fired, observed);
  const { what, kind, as_of } = observed;
  const isOfNow = what === "filings" || kind === "live" || kind === "delayed";
  return isOfNow ? text : `${text} (${say(alert.language, "standing", { day: as_of.slice(0, 10) })})`;
}

function toSentence(alert: Alert, fired: Fired, observed: Observed): string {
  const { listing, kind, value: level = 0, language } = alert;
  const { value = 0, percent = 0, base = 0, day = "" } = fired;
  const isPrice = observed.what === "price";
  const from = toPriceText(base, listing, language);
  return say(language, kind === "percent_move" ? `fired.${percent < 0 ? "down" : "up"}` : `fired.${kind}`, {
    symbol: listing.symbol,
    bound: toPriceText(level, listing, language),
    price: isPrice ? toPriceText(value, { ...listing, currency: observed.currency }, language) : "",
    number: toNumberText(level, language),
    rsi: toNumberText(value, language, 2),
    size: `${toNumberText(Math.abs(percent), language, 2)}%`,
    span: say(language, `fired.span.${toSpan(alert)}`, { from }),
    ...toFilingWords(language, fired.filings ?? []),
    when: toWhen(language, observed.what === "earnings" ? daysFrom(observed.today, day) : 0),
    day,
  });
}

/** Filings that one sentence names. */
const MAX_NAMED = 3;

function toFilingWords(language: WatchLanguage, filings: readonly ObservedFiling[]) {
  const named = filings.slice(0, MAX_NAMED).map(({ form, filed }) => say(language, "fired.form", { form, filed }));
  const count = filings.length - named.length;
  return { list: named.join(", "), more: count > 0 ? say(language, "fired.more", { count }) : "" };
}

const toWhen = (language: WatchLanguage, count: number): string =>
  say(language, count === 0 || count === 1 ? `in.${count}` : "in.days", { count });
