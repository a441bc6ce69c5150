/**
 * Fact text: names and values of facts as models read them.
 */
import type { Fact } from "./fact.ts";

const MAX_NAME_CHARS = 120;

const SCALES: readonly (readonly [size: number, letter: string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
];

/** A value with its unit, short enough to read: `94.93B USD`, `12.50 %`, `0.0123`; a change says its sign. */
export function toValueText(fact: Pick<Fact, "value" | "unit" | "currency"> & Readonly<{ metric?: string }>): string {
  const { value, unit, currency = "", metric = "" } = fact;
  const number = `${value > 0 && CHANGE.test(metric) ? "+" : ""}${toNumberText(value, unit)}`;
  switch (unit) {
    case "money":
    case "money/share":
    case "money/coin":
      return `${number} ${currency}`.trim();
    case "percent":
      return `${number} %`;
    case "shares":
    case "coins":
    case "days":
      return `${number} ${unit}`;
    default:
      return number;
  }
}

const CHANGE = /\bchange\b/;

/** Units of which a whole number is written without decimals. */
const COUNTED: ReadonlySet<Fact["unit"]> = new Set(["shares", "coins", "count", "days"]);

function toNumberText(value: number, unit: Fact["unit"]): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(3).replace("+", "");
  const scale = SCALES.find(([least]) => size >= least);
  if (scale !== undefined) return `${(value / scale[0]).toFixed(2)}${scale[1]}`;
  if (size === 0) return "0";
  if (size < 1 && !(unit === "percent" && size >= 0.005)) return toSmallText(value);
  const text = COUNTED.has(unit) ? String(Number(value.toFixed(2))) : value.toFixed(2);
  const [whole = "", decimals] = text.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** Four digits that count; never more than twelve decimals. */
function toSmallText(value: number): string {
  const size = Math.abs(value);
  if (size < 1e-8) return value.toExponential(3);
  const decimals = Math.min(12, 3 - Math.floor(Math.log10(size)));
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A name on one line, with any content. */
export function toName(text: string): string {
  return cutText(text.replaceAll(/[\s·|\p{C}]+/gu, " ").trim(), MAX_NAME_CHARS);
}

/** At most so many characters; what is left out is an ellipsis. */
export function cutText(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most && text.length <= 2 * most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
