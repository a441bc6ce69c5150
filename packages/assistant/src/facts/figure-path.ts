/**
 * Figure path: the position of a figure in a tool's output, such as `data.rows[3].price`.
 */
import type { Json } from "@baton/core";

/** Returns the value at a path; undefined if there is none. */
export function valueAt(output: Json, path: string): Json | undefined {
  let found: Json | undefined = output;
  for (const name of path.replaceAll("]", "").split(/[.[]/)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = isList(found) ? found[Number(name)] : Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
