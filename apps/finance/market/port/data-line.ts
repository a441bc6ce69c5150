/**
 * Data line: which data is in use, how far it goes and what it does not have, as facts for a model's context and for
 * the first page.
 */
/** `auto`: sources without a key, else the snapshot; `offline`: no request at all; `live`: never the snapshot. */
export const DATA_MODES = ["auto", "offline", "live"] as const;
export type DataMode = (typeof DATA_MODES)[number];

/** Facts about the data in use. All phrases are in English. */
export interface DataLine {
  readonly mode: DataMode;
  /** The day of the newest prices, YYYY-MM-DD. */
  readonly asOf: string;
  /** The age of these prices in words: `two years old`, `live, some delayed 15 minutes`. */
  readonly age: string;
  /** One sentence for the first page. */
  readonly headline: string;
  /** Phrases such as `statements FY2012 to FY2016 of 394 US companies`. */
  readonly has: readonly string[];
  /** Phrases such as `news`, `Vietnamese stocks`. */
  readonly lacks: readonly string[];
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** A day as people write it: `22 November 2024`. */
export function toWrittenDay(day: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`;
}
