/**
 * Recorded value: answers as JSON and back: columns of numbers, maps and numbers that JSON lacks included.
 */
import type { Json } from "@baton/core";

/** A value as it is kept. */
export type Encoded = Json;

const ODD: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
]);

/** JSON with sorted keys and without absent ones: equal queries have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(encodeValue(value));
}

/** Encodes plain data, maps and columns; what is absent stays absent. */
export function encodeValue(value: unknown): Encoded {
  if (typeof value === "number") return encodeNumber(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Float64Array) return { $column: Array.from(value, encodeNumber) };
  if (value instanceof Map) return { $map: [...value].map((entry) => entry.map(encodeValue)) };
  if (Array.isArray(value)) return value.map(encodeValue);
  if (typeof value !== "object") throw new TypeError(`a ${typeof value} cannot be recorded`);
  return encodeObject(value);
}

/** The value that was encoded. */
export function decodeValue(encoded: Encoded): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (isList(encoded)) return encoded.map(decodeValue);
  const { $column: column, $map: map, $number: number, $object: object } = encoded;
  if (column !== undefined) return Float64Array.from(entriesOf(column), (item) => Number(decodeValue(item)));
  if (map !== undefined) return new Map(entriesOf(map).map(decodePair));
  if (object !== undefined) return Object.fromEntries(entriesOf(object).map(decodePair));
  if (typeof number === "string") return ODD.get(number);
  return Object.fromEntries(Object.entries(encoded).map(([key, item]) => [key, decodeValue(item)]));
}

/** An object with names of its own that begin with `$` is kept as pairs. */
function encodeObject(value: object): Encoded {
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]): [string, Encoded] => [key, encodeValue(item)]);
  const isOdd = entries.some(([key]) => key.startsWith("$"));
  return isOdd ? { $object: entries } : Object.fromEntries(entries);
}

function encodeNumber(value: number): Encoded {
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : { $number: Object.is(value, -0) ? "-0" : `${value}` };
}

function decodePair(pair: Encoded): [string, unknown] {
  const [key, item = null] = entriesOf(pair);
  return [typeof key === "string" ? key : "", decodeValue(item)];
}

function entriesOf(encoded: Encoded): readonly Encoded[] {
  return isList(encoded) ? encoded : [];
}

function isList(encoded: Encoded): encoded is readonly Encoded[] {
  return Array.isArray(encoded);
}
