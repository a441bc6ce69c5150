/**
 * Listed items: the entries of a list among the arguments of a call.
 */
import type { Json } from "@baton/core";
import { lookInto } from "@baton/core/util";

/** The entries of the list of that name; none if there is no such list. */
export function listedItems(args: Json, name: string): readonly Json[] {
  const list = lookInto(args, name);
  const items: readonly Json[] = Array.isArray(list) ? list : [];
  return items;
}
