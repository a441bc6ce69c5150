/**
 * Sectors: the eleven that people and sources mean, whatever they call them, in English or Vietnamese.
 *
 * Sources divide the market in their own way; by sector and industry together each row belongs to at most one of these.
 */
import { readTable, toNames } from "../tables.ts";
import { foldText } from "./words.ts";

/** The sectors by the names that FMP has for them. */
export const SECTORS = [
  "Technology",
  "Financial Services",
  "Healthcare",
  "Consumer Cyclical",
  "Consumer Defensive",
  "Communication Services",
  "Industrials",
  "Energy",
  "Basic Materials",
  "Real Estate",
  "Utilities",
] as const;
export type Sector = (typeof SECTORS)[number];

/** Words around a name that say nothing. */
const FILLERS: readonly string[] = [
  "sector",
  "sectors",
  "stocks",
  "companies",
  "nganh",
  "linh vuc",
  "nhom",
  "co phieu",
];

const TABLE = readTable("sectors").flatMap(([name, names, parts]) => {
  const sector = SECTORS.find((known) => known === name);
  return sector === undefined ? [] : [{ sector, names: [sector, ...toNames(names)], parts: toNames(parts) }];
});

/** Sectors of sources of which one industry lies in another sector than the rest. */
const PARTS = TABLE.flatMap(({ sector, parts }) =>
  parts.map((part) => {
    const [of = "", start = ""] = part.split("/");
    return { of, start, sector };
  }),
);

const BY_NAME: ReadonlyMap<string, Sector> = new Map(
  TABLE.flatMap(({ sector, names }) => names.map((name) => [toNameKey(name), sector])),
);

/** Lower case, no diacritics, words with one space between them, `&` as `and`. */
export function toNameKey(text: string): string {
  const spaced = foldText(text).replaceAll("&", " and ");
  return spaced.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The sector that a text means; undefined if it means none of them. */
export function toSector(text: string): Sector | undefined {
  const key = toNameKey(text);
  return BY_NAME.get(key) ?? BY_NAME.get(withoutFillers(key));
}

/** The sector of a row of a source, by what the source calls its sector and industry. */
export function sectorOf({
  sector,
  industry = "",
}: Readonly<{ sector?: string; industry?: string }>): Sector | undefined {
  if (sector === undefined) return undefined;
  const name = toNameKey(sector);
  const within = toNameKey(industry);
  const part = PARTS.find(({ of, start }) => of === name && within.startsWith(start));
  return part?.sector ?? BY_NAME.get(name);
}

function withoutFillers(key: string): string {
  let rest = ` ${key} `;
  for (const filler of FILLERS) rest = rest.replaceAll(` ${filler} `, " ");
  return rest.trim();
}
