/**
 * Numbers of: every number of an output with its path, so that a test can demand that each one is declared.
 */
import type { Json } from "@baton/core";

/** A number and its path, such as `data.rows[3].price`. */
type PlacedNumber = Readonly<{ path: string; value: number }>;

/** Every number of an output, in the order of its fields. */
export function numbersOf(output: Json, path = ""): readonly PlacedNumber[] {
  if (typeof output === "number") return [{ path, value: output }];
  if (typeof output !== "object" || output === null) return [];
  if (Array.isArray(output)) return output.flatMap((part: Json, at) => numbersOf(part, `${path}[${at}]`));
  return Object.entries(output).flatMap(([name, part]) => numbersOf(part, path === "" ? name : `${path}.${name}`));
}
