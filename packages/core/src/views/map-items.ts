/**
 * Map items: the list that a map goes over, and what each of its items is told.
 */
import type { Group } from "../definitions/definition.ts";
import type { Failure } from "../words/error.ts";
import type { Json } from "../words/json.ts";
import { lookInto, lookUp } from "../words/state.ts";
import { toFigure } from "../words/text.ts";

const MAX_ITEMS = 1_000;
const MAX_CHARS = 1_048_576;
const PLACEHOLDER = /\{\{(?:(index|count)|item(?:\.([\w./-]+))?)\}\}/g;

/** A map, the output of the agent that led to it, and the run's state. */
type Source = Readonly<{ id: string; group: Group; output: Json | undefined; values: ReadonlyMap<string, Json> }>;

/** The items, or why there are none that could be worked on. */
export function findItems({ id, group, output, values }: Source): readonly Json[] | Failure {
  const { over = "", maxItems = MAX_ITEMS } = group;
  const [where, path] = [over.slice(0, over.indexOf(".")), over.slice(over.indexOf(".") + 1)];
  const list = where === "state" ? lookUp(values, path) : output === undefined ? undefined : lookInto(output, path);
  if (!Array.isArray(list)) {
    const what = list === undefined ? "nothing" : JSON.stringify(list).slice(0, 60);
    return { code: "bad_output", message: `group ${id} goes over ${over}, which must be a list and is ${what}` };
  }
  const items: readonly Json[] = list;
  if (items.length <= maxItems) return items;
  const message = `group ${id} has ${toFigure(list.length)} items and may have ${toFigure(maxItems)} (max_items)`;
  return { code: "limit", message, limit: { name: "max_items", value: maxItems } };
}

/** An item in its list; `index` is from 1. */
type Placed = Readonly<{ item: Json; index: number; count: number }>;

/** Message to an item's agent: the template filled in once, or the item itself. */
export function toItemText({ input }: Group, { item, index, count }: Placed): string {
  if (input === undefined) return toText(item);
  const filled = input.replaceAll(PLACEHOLDER, (_, figure: string | undefined, path: string | undefined) => {
    if (figure !== undefined) return String(figure === "index" ? index : count);
    return toText(path === undefined ? item : lookInto(item, path));
  });
  return filled.slice(0, MAX_CHARS);
}

function toText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
