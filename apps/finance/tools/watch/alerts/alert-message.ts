/**
 * Alert message: what the user reads when an alert is set: what it waits for, how things are now, how often it is
 * looked at, and what its data cannot do.
 */
import type { WatchLanguage } from "../own-provenance.ts";
import { toConditionText, toNumberText, toPriceText } from "./alert-text.ts";
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
  const { language } = alert;
  const words = WORDS[language];
  const sentences = [
    `${isNew ? words.set : words.known}: ${toConditionText(alert)}.`,
    observed === undefined ? words.down : toNow(alert, observed),
    passed ? (alert.kind === "earnings" ? words.nextReport : words.passed) : "",
    words.every(alert, every_s),
    observed === undefined ? "" : toLimits(language, observed),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function toNow({ listing, language }: Alert, observed: Observed): string {
  const isEnglish = language === "en";
  const now = toWhen(language, observed);
  switch (observed.what) {
    case "price":
      return `${now}: ${toPriceText(observed.price, { ...listing, currency: observed.currency }, language)}.`;
    case "rsi":
      return `${now}: RSI(14) ${toNumberText(observed.rsi, language, 2)}.`;
    case "filings":
      return "";
    case "earnings":
      if (observed.next === undefined) return WORDS[language].noDay;
      return isEnglish ? `The next report is on ${observed.next}.` : `Kỳ công bố tiếp theo: ${observed.next}.`;
  }
}

/** `Now`, or the day of a value that is older than that. */
function toWhen(language: WatchLanguage, { kind, as_of }: Observed): string {
  const isNow = kind === "live" || kind === "delayed";
  const day = as_of.slice(0, 10);
  if (language === "en") return isNow ? "Now" : `Last known, of ${day}`;
  return isNow ? "Hiện tại" : `Gần nhất được biết, ngày ${day}`;
}

/** That values do not move, or are not real. */
function toLimits(language: WatchLanguage, { what, kind, as_of }: Observed): string {
  if (what === "filings" || what === "earnings" || kind === "live" || kind === "delayed") return "";
  const day = as_of.slice(0, 10);
  return language === "en"
    ? `The data in use ends on ${day}: the alert can fire once live data is turned on.`
    : `Dữ liệu đang dùng kết thúc ngày ${day}: cảnh báo chỉ có thể kích hoạt khi bật dữ liệu trực tiếp.`;
}

interface Words {
  readonly set: string;
  readonly known: string;
  readonly down: string;
  readonly passed: string;
  readonly nextReport: string;
  readonly noDay: string;
  readonly every: (alert: Alert, seconds: number) => string;
}

const WORDS: Readonly<Record<WatchLanguage, Words>> = {
  en: {
    set: "Alert set",
    known: "This alert was set before",
    down: "The source does not answer now, so the first check sees where things stand.",
    passed: "That is so already: it fires when it happens anew.",
    nextReport: "That is so already: it fires before the report after it.",
    noDay: "The day of the next report is not known yet.",
    every: ({ listing, kind }, seconds) => {
      const isMarket = kind !== "filing" && kind !== "earnings" && listing.type !== "crypto";
      return `Checked every ${toSpan(seconds, "en")}${isMarket ? " while its market is open" : ""}.`;
    },
  },
  vi: {
    set: "Đã đặt cảnh báo",
    known: "Cảnh báo này đã được đặt trước đó",
    down: "Nguồn dữ liệu hiện không trả lời, lần kiểm tra đầu tiên sẽ ghi nhận giá trị.",
    passed: "Điều này đã xảy ra rồi: cảnh báo sẽ kích hoạt khi nó xảy ra lần nữa.",
    nextReport: "Điều này đã đúng rồi: cảnh báo sẽ kích hoạt trước kỳ công bố sau đó.",
    noDay: "Chưa biết ngày công bố tiếp theo.",
    every: ({ listing, kind }, seconds) => {
      const isMarket = kind !== "filing" && kind !== "earnings" && listing.type !== "crypto";
      return `Kiểm tra mỗi ${toSpan(seconds, "vi")}${isMarket ? " khi thị trường mở cửa" : ""}.`;
    },
  },
};

function toSpan(seconds: number, language: WatchLanguage): string {
  if (seconds >= 86_400) return language === "en" ? "day" : "ngày";
  if (seconds === 60) return language === "en" ? "minute" : "phút";
  return language === "en" ? `${seconds / 60} minutes` : `${seconds / 60} phút`;
}
