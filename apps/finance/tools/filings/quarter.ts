/**
 * Quarter: a quarter of a calendar year, from the ways in which people write one.
 */
import type { Day } from "../../market/port/market-data.ts";
import { toFolded } from "../shared/folded.ts";

/** `2024Q3` and its last day. */
export type Quarter = Readonly<{ name: string; end: Day }>;

const ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;
const YEAR_FIRST = /^(\d{4}) ?(?:q|quy|quarter) ?([1-4])$/;
const YEAR_LAST = /^(?:q|quy|quarter) ?([1-4])(?: nam| of)? ?(\d{4})$/;
const DAY = /^(\d{4}) (\d\d) (\d\d)$/;

/** `2024Q3`, `2024-Q3`, `Q3 2024`, `quý 3 năm 2024`, `2024-09-30` or another day of it; undefined if it is not a quarter. */
export function parseQuarter(text: string): Quarter | undefined {
  const folded = toFolded(text);
  const first = YEAR_FIRST.exec(folded);
  if (first !== null) return toQuarter(first[1] ?? "", Number(first[2]));
  const last = YEAR_LAST.exec(folded);
  if (last !== null) return toQuarter(last[2] ?? "", Number(last[1]));
  const [, year = "", month = "", day = ""] = DAY.exec(folded) ?? [];
  const isDay = year !== "" && !Number.isNaN(Date.parse(`${year}-${month}-${day}T00:00:00Z`));
  return isDay ? toQuarter(year, Math.ceil(Number(month) / 3)) : undefined;
}

function toQuarter(year: string, nth: number): Quarter {
  return { name: `${year}Q${nth}`, end: `${year}-${ENDS[nth - 1] ?? "12-31"}` };
}
