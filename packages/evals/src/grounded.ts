/**
 * Grounded: figures of an answer that no call's output has.
 *
 * A figure is found at the precision shown, also as per cent, thousand, million or billion. Markers of lists, numbers
 * inside names and those that the user wrote are not figures.
 */
import type { Json } from "@baton/core";

const SCALES = [1, 100, 1e-3, 1e-6, 1e-9];
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const MAX_VALUES = 200_000;

/** The figures of a text that are neither in the outputs nor in what the user said. */
export function findUngrounded(text: string, outputs: readonly Json[], said: readonly string[]): readonly string[] {
  const values = outputs.flatMap(numbersOf).slice(0, MAX_VALUES);
  const known = new Set(said.flatMap((one) => figuresOf(one).map(toNumber)));
  const shown = new Map<number, ReadonlySet<string>>();
  return figuresOf(text).filter((figure) => {
    if (known.has(toNumber(figure))) return false;
    const digits = figure.includes(".") ? figure.length - figure.indexOf(".") - 1 : 0;
    const texts =
      shown.get(digits) ?? new Set(values.flatMap((value) => SCALES.map((scale) => toShown(value * scale, digits))));
    shown.set(digits, texts);
    return !texts.has(toShown(toNumber(figure), digits));
  });
}

const toNumber = (figure: string): number => Number(figure.replaceAll(",", ""));
const toShown = (value: number, digits: number): string => Math.abs(value).toFixed(Math.min(digits, 20));

function figuresOf(text: string): readonly string[] {
  return Array.from(text.matchAll(NUMBER), (match) => ({
    figure: match[0].replace(/,+$/, ""),
    at: match.index,
  })).flatMap(({ figure, at }) => {
    const [before, after] = [
      text.slice(Math.max(0, at - 1), at),
      text.slice(at + figure.length, at + figure.length + 2),
    ];
    const isMarker = /^[.)]\s/.test(after) && text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
    const isName = /[\p{L}_]/u.test(before) || /^[\p{L}_]/u.test(after.replace(/^(?:k|m|bn?|x)\b/i, ""));
    return isMarker || isName ? [] : [figure];
  });
}

function numbersOf(value: Json): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return Array.from(value.matchAll(NUMBER), ([figure]) => toNumber(figure));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}
