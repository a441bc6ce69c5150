/**
 * Sectors: the eleven that people and sources mean, whatever they call them, in English or Vietnamese.
 *
 * Sources divide the market in their own way; by sector and industry together each row belongs to at most one of these.
 */
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

/** Other names of each sector, separated by commas. */
const SYNONYMS: Readonly<Record<Sector, string>> = {
  Technology:
    "tech, it, information technology, technology services, electronic technology, software, " +
    "cong nghe, cong nghe thong tin, cntt, hardware",
  "Financial Services":
    "finance, financial, financials, banking, banks, bank, insurance, tai chinh, dich vu tai chinh, " +
    "ngan hang, bao hiem, chung khoan",
  Healthcare:
    "health, health care, health technology, health services, medical, pharma, biotech, y te, " +
    "cham soc suc khoe, suc khoe, duoc, duoc pham",
  "Consumer Cyclical":
    "consumer discretionary, discretionary, cyclical, consumer durables, consumer services, retail, " +
    "retail trade, tieu dung khong thiet yeu, tieu dung chu ky, hang tieu dung khong thiet yeu, " +
    "ban le",
  "Consumer Defensive":
    "consumer staples, staples, defensive, consumer non durables, consumer goods, " +
    "tieu dung thiet yeu, hang tieu dung thiet yeu, tieu dung phong thu, hang tieu dung, thuc pham",
  "Communication Services":
    "communication, communications, telecom, telecoms, telecommunications, media, vien thong, " +
    "truyen thong, dich vu truyen thong, dich vu vien thong",
  Industrials:
    "industrial, industry, producer manufacturing, manufacturing, industrial services, " +
    "transportation, commercial services, distribution services, cong nghiep, san xuat, van tai, " +
    "logistics",
  Energy: "energy minerals, oil, oil and gas, oil gas, nang luong, dau khi",
  "Basic Materials":
    "materials, material, basic material, non energy minerals, process industries, mining, metals, " +
    "nguyen vat lieu, vat lieu, vat lieu co ban, nguyen lieu, khai khoang, hoa chat, kim loai",
  "Real Estate": "realestate, reit, reits, property, bat dong san, dia oc, nha dat",
  Utilities: "utility, utilities sector, tien ich, dich vu tien ich, dien nuoc",
};

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

/** Sectors of sources whose industries lie in several; the first industry that begins so decides, else the last. */
const SPLIT: ReadonlyMap<string, readonly (readonly [industry: string, sector: Sector])[]> = new Map([
  ["finance", [["real estate", "Real Estate"]]],
  ["electronic technology", [["aerospace", "Industrials"]]],
  ["producer manufacturing", [["auto parts", "Consumer Cyclical"]]],
  ["commercial services", [["advertising", "Communication Services"]]],
  [
    "process industries",
    [
      ["agricultural", "Consumer Defensive"],
      ["textiles", "Consumer Cyclical"],
    ],
  ],
  ["consumer non durables", [["apparel", "Consumer Cyclical"]]],
  [
    "consumer services",
    [
      ["broadcasting", "Communication Services"],
      ["cable", "Communication Services"],
      ["movies", "Communication Services"],
      ["publishing", "Communication Services"],
      ["media", "Communication Services"],
    ],
  ],
  [
    "retail trade",
    [
      ["food", "Consumer Defensive"],
      ["drugstore", "Consumer Defensive"],
      ["discount", "Consumer Defensive"],
    ],
  ],
  [
    "industrial services",
    [
      ["oil", "Energy"],
      ["contract drilling", "Energy"],
    ],
  ],
  [
    "distribution services",
    [
      ["medical", "Healthcare"],
      ["food", "Consumer Defensive"],
      ["electronics", "Technology"],
    ],
  ],
]);

const BY_NAME: ReadonlyMap<string, Sector> = new Map(
  SECTORS.flatMap((sector) => [sector, ...SYNONYMS[sector].split(", ")].map((name) => [toNameKey(name), sector])),
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
  const split = SPLIT.get(name)?.find(([start]) => within.startsWith(start));
  return split?.[1] ?? BY_NAME.get(name);
}

function withoutFillers(key: string): string {
  let rest = ` ${key} `;
  for (const filler of FILLERS) rest = rest.replaceAll(` ${filler} `, " ");
  return rest.trim();
}
