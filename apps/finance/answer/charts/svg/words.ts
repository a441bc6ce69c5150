/**
 * Words and numbers of pictures, in both languages.
 */
import type { ProvenanceSchema } from "../chart.ts";
import type { z } from "zod";

const EN = {
  source: "Source",
  kinds: { live: "live", delayed: "delayed", snapshot: "snapshot", history: "history" },
  volume: "Volume",
  day: "Day",
  year: "52 weeks",
  cap: "Market cap",
  news: "News",
  market: "Market overview",
  map: "Market map",
  rising: "up",
  falling: "down",
  flat: "unchanged",
} as const;
type PictureWords = { readonly [Key in keyof typeof EN]: (typeof EN)[Key] extends string ? string : Kinds };
type Kinds = Readonly<Record<keyof (typeof EN)["kinds"], string>>;

const VI: PictureWords = {
  source: "Nguồn",
  kinds: { live: "trực tiếp", delayed: "bị trễ", snapshot: "bản chụp", history: "lịch sử" },
  volume: "Khối lượng",
  day: "Trong ngày",
  year: "52 tuần",
  cap: "Vốn hóa",
  news: "Tin tức",
  market: "Tổng quan thị trường",
  map: "Bản đồ thị trường",
  rising: "tăng",
  falling: "giảm",
  flat: "đứng giá",
};

/** The words and numbers of one language. */
export class PictureLanguage {
  readonly words: PictureWords;
  readonly #locale: string;

  constructor(language: string) {
    this.words = language === "vi" ? VI : EN;
    this.#locale = language === "vi" ? "vi-VN" : "en-US";
  }

  /** A number with as many places as its size needs. */
  number(value: number): string {
    const size = Math.abs(value);
    const places = size >= 1_000 ? 0 : size >= 1 ? 2 : 4;
    return new Intl.NumberFormat(this.#locale, { maximumFractionDigits: places }).format(value);
  }

  /** A large number in few letters. */
  short(value: number): string {
    if (Math.abs(value) < 10_000) return this.number(value);
    const form = { notation: "compact", maximumSignificantDigits: 4 } as const;
    return new Intl.NumberFormat(this.#locale, form).format(value);
  }

  /** A change in percent, with its sign. */
  change(value: number | null): string {
    if (value === null) return "–";
    const form = { signDisplay: "exceptZero", minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    return `${new Intl.NumberFormat(this.#locale, form).format(value)}%`;
  }

  /** A day; of a time within days, with the hour. */
  date(seconds: number, precision: "day" | "minute" = "day"): string {
    const form =
      precision === "minute"
        ? ({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const)
        : ({ day: "numeric", month: "short", year: "numeric" } as const);
    return new Intl.DateTimeFormat(this.#locale, { ...form, timeZone: "UTC" }).format(seconds * 1_000);
  }

  /** Where data comes from, and of when it is. */
  origin({ source, as_of: asOf, kind }: z.infer<typeof ProvenanceSchema>): string {
    const at = Date.parse(asOf);
    const day = Number.isNaN(at) ? asOf : this.date(at / 1_000);
    return `${this.words.source}: ${source} · ${day} · ${this.words.kinds[kind]}`;
  }
}
