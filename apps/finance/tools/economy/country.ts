/**
 * Country: the code of a country from its code or its name in English or Vietnamese.
 */
import { readPairs } from "../../market/tables.ts";
import { toFolded } from "../shared/folded.ts";

/** A code of two letters, or of three for groups of countries, and the name in English. */
export type Country = Readonly<{ code: string; name: string }>;

/** Names beside those that the platform knows, folded. */
const ALIASES = readPairs("country-aliases");

/** Groups of countries as the World Bank calls them. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ["EUU", "European Union"],
  ["EMU", "euro area"],
  ["WLD", "world"],
]);

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
/** Codes that the platform has names for and that are not of countries. */
const NOT_COUNTRIES: ReadonlySet<string> = new Set("EU EZ QO UN XA XB ZZ".split(" "));

/** Whether a country has the code today; `VD` was a part of what is `VN` now. */
const isInUse = (code: string): boolean => !NOT_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code;

/** The country of a text; undefined if it is not known. */
export function findCountry(text: string): Country | undefined {
  const trimmed = text.trim();
  const folded = toFolded(trimmed);
  // `MY` is Malaysia; `my` without its accent is what Vietnamese calls America.
  const isCode = /^[A-Z]{2}$/.test(trimmed) && !ALIASES.has(folded === "my" ? "" : folded);
  const code = isCode ? trimmed : (ALIASES.get(folded) ?? findByName(folded) ?? toCode(trimmed));
  if (code === undefined) return undefined;
  const name = GROUPS.get(code) ?? (code.length === 2 ? nameOf("en", code) : code);
  return name === undefined ? undefined : { code, name };
}

/** A code of two letters that has a name, or any of three: the sources know those. */
function toCode(text: string): string | undefined {
  const code = text.toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  return /^[A-Z]{2}$/.test(code) && nameOf("en", code) !== undefined ? code : undefined;
}

function nameOf(language: "en" | "vi", code: string): string | undefined {
  if (!isInUse(code)) return undefined;
  return new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(code);
}

function findByName(folded: string): string | undefined {
  if (folded === "") return undefined;
  const names = (["en", "vi"] as const).map(
    (language) => new Intl.DisplayNames([language], { type: "region", fallback: "none" }),
  );
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = `${first}${second}`;
      const isMeant = names.some((of) => toFolded(of.of(code) ?? "") === folded);
      if (isMeant && isInUse(code)) return code;
    }
  }
  return undefined;
}
