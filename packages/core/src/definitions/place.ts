/**
 * Place: where in a definition something stands, `agents.*.model|backup.name`: `*` is any item, entry or field, `@` the
 * name of any entry, `|` stands between names.
 */
import { entriesOf, type Finding } from "./definition.ts";

/** Something in a definition, and where; `part` if it is the name of an entry. */
export type FieldSpot = Readonly<{ value: unknown; path: Finding["path"]; part?: "name" }>;

const MAX_QUOTED = 100;

/** All values at a place; an empty one is the definition itself. */
export function find(from: unknown, place: string, path: FieldSpot["path"] = []): Iterable<FieldSpot> {
  return place === "" ? [{ value: from, path }] : findIn(from, place.split("."), path);
}

function* findIn(from: unknown, [part = "", ...rest]: readonly string[], path: FieldSpot["path"]): Iterable<FieldSpot> {
  const names: FieldSpot["path"] = part.split("|");
  for (const [key, value] of entriesOf(from)) {
    if (part === "@") yield { value: key, path: [...path, key], part: "name" };
    else if (value === undefined || (part !== "*" && !names.includes(key))) continue;
    else if (rest.length > 0) yield* findIn(value, rest, [...path, key]);
    else yield { value, path: [...path, key] };
  }
}

/** A value in a message, shortened, so that no value from outside makes it unreadable. */
export function quote(value: unknown): string {
  const text = String(value);
  return text.length <= MAX_QUOTED ? `\`${text}\`` : `\`${text.slice(0, MAX_QUOTED)}…\``;
}
