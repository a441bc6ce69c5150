/**
 * Sort key: a value of a document's index as text that sorts as the value does, byte by byte, in every database.
 *
 * Numbers come before texts; texts are in the order of their code points.
 */
import { Buffer } from "node:buffer";

const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;

/** The key of a value; equal values have equal keys. */
export function toSortKey(value: string | number): string {
  return typeof value === "number" ? `n${toOrderedHex(value)}` : `s${Buffer.from(value).toString("hex")}`;
}

/** The bits of a number, changed so that they grow with it: negative ones grow the other way by themselves. */
function toOrderedHex(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  // Zero has two signs and is one value.
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const ordered = (bits & SIGN) === 0n ? bits | SIGN : ~bits & ALL;
  return ordered.toString(16).padStart(16, "0");
}
