/**
 * Value: what an expression may hold, how values compare, and the work that an evaluation may take.
 */
import type { Json } from "@baton/core";
import { ExpressionError } from "./token.ts";

/** JSON, or a map with keys of any plain type; both are maps to an expression. */
export type Value = Json | ReadonlyMap<Value, Value> | readonly Value[];

/** Work that is left of an evaluation. */
export class Budget {
  #left: number;
  constructor(steps: number) {
    this.#left = steps;
  }

  /** Takes steps; throws if there are not as many. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new ExpressionError("it takes too much work");
  }

  /** Takes the steps of work on so many characters. */
  read(chars: number): void {
    this.take(1 + Math.floor(chars / 100));
  }
}

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The entries of a map; undefined for anything else. */
export function entriesOf(value: Value): readonly (readonly [Value, Value])[] | undefined {
  if (isTable(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : undefined;
}

/** Number of entries of a map. */
export function sizeOf(value: Value): number | undefined {
  if (isTable(value)) return value.size;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** Result of a look into something that is not a map. */
export const NOT_A_MAP: unique symbol = Symbol("not a map");

/** The value of a key, or undefined if the map does not have it; `NOT_A_MAP` for anything else. */
export function lookUp(value: Value, key: Value): Value | undefined | typeof NOT_A_MAP {
  if (isTable(value)) return value.get(key);
  if (!isObject(value)) return NOT_A_MAP;
  return typeof key === "string" && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function isMap(value: Value): boolean {
  return isTable(value) || isObject(value);
}

function isTable(value: Value): value is ReadonlyMap<Value, Value> {
  return value instanceof Map;
}

function isObject(value: Value): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** The name of a value's type, as messages say it. */
export function typeOf(value: Value): string {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  if (isMap(value)) return "a map";
  return typeof value === "string" ? "text" : typeof value === "number" ? "a number" : "true or false";
}

/** Whether two values are equal, all the way down. */
export function isEqual(one: Value, other: Value, budget: Budget): boolean {
  budget.read(typeof one === "string" ? one.length : 0);
  if (one === other) return true;
  if (isList(one)) {
    if (!isList(other) || one.length !== other.length) return false;
    return one.every((item, at) => isEqual(item, other[at] ?? null, budget));
  }
  const entries = entriesOf(one);
  if (entries === undefined || entries.length !== sizeOf(other)) return false;
  return entries.every(([key, value]) => {
    const same = lookUp(other, key);
    return same !== undefined && same !== NOT_A_MAP && isEqual(value, same, budget);
  });
}

/** Compares two texts by code points. */
export function compareTexts(one: string, other: string, budget: Budget): number {
  const length = Math.min(one.length, other.length);
  budget.read(length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

/** Halves of a pair stand for code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Where a text stands in another, from a place on; in time that grows with both lengths, whatever they hold. */
export function findText(text: string, part: string, from = 0): number {
  if (part === "") return from;
  if (part.length <= 16) return text.indexOf(part, from);
  const borders = toBorders(part);
  for (let at = from, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return at + 1 - part.length;
  }
  return -1;
}

/** For each beginning of a text, the length of its longest proper beginning that is also its end. */
function toBorders(part: string): readonly number[] {
  const borders = [0];
  for (let at = 1, matched = 0; at < part.length; at++) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    borders.push(matched);
  }
  return borders;
}
