/**
 * Alert message: what the user reads when an alert is set: what it waits for, how things are now, how often it is
 * looked at, and what its data cannot do.
 */
import type { WatchLanguage } from "../own-provenance.ts";
import { toConditionText, toNumberText, toPriceText } from "./alert-text.ts";
import { say } from "../say.ts";
import type { Alert } from "./alert.ts";
import type { Observed } from "./observed.ts";

/** Result of setting an alert: the first observation, and facts that the confirmation names. */
export interface Setting {
  readonly observed: Observed | undefined;
  readonly isNew: boolean;
  readonly passed: boolean;
  readonly every_s: number;
}

/** The sentences that say it. */
export function toSetMessage(alert: Alert, { observed, isNew, passed, every_s }: Setting): string {
  const { language, kind, listing } = alert;
  const isMarket = kind !== "filing" && kind !== "earnings" && listing.type !== "crypto";
  const sentences = [
    `${say(language, isNew ? "set" : "known")}: ${toConditionText(alert)}.`,
    observed === undefined ? say(language, "down") : toNow(alert, observed),
    passed ? say(language, kind === "earnings" ? "next_report" : "passed") : "",
    say(language, isMarket ? "every_open" : "every", { span: toSpan(every_s, language) }),
    observed === undefined ? "" : toLimits(language, observed),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

const isOfNow = ({ kind }: Observed): boolean => kind === "live" || kind === "delayed";

function toNow({ listing, language }: Alert, observed: Observed): string {
  const now = say(language, isOfNow(observed) ? "now" : "last_known", { day: observed.as_of.slice(0, 10) });
  switch (observed.what) {
    case "price":
      return `${now}: ${toPriceText(observed.price, { ...listing, currency: observed.currency }, language)}.`;
    case "rsi":
      return `${now}: RSI(14) ${toNumberText(observed.rsi, language, 2)}.`;
    case "filings":
      return "";
    case "earnings":
      return observed.next === undefined
        ? say(language, "no_day")
        : say(language, "report_day", { day: observed.next });
  }
}

/** That values do not move, or are not real. */
function toLimits(language: WatchLanguage, observed: Observed): string {
  const { what, as_of } = observed;
  if (what === "filings" || what === "earnings" || isOfNow(observed)) return "";
  return say(language, "limits", { day: as_of.slice(0, 10) });
}

function toSpan(seconds: number, language: WatchLanguage): string {
  if (seconds >= 86_400) return say(language, "each.day");
  return say(language, seconds === 60 ? "each.minute" : "each.minutes", { count: seconds / 60 });
}
