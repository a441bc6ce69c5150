/**
 * One line JSON: a JSON value in one short line, as a person would say it.
 */
import type { Json } from "@baton/client";

const MAX_CHARS = 80;
const MAX_FIELDS = 4;

/** The value in a few words. */
export function oneLineJson(value: Json): string {
  const text = typeof value === "object" && value !== null ? ofFields(Object.values(value)) : ofValue(value);
  const characters = Array.from(text.slice(0, MAX_CHARS * 2));
  return characters.length <= MAX_CHARS
    ? text.slice(0, MAX_CHARS * 2)
    : `${characters.slice(0, MAX_CHARS - 1).join("")}…`;
}

function ofFields(fields: readonly Json[]): string {
  return fields
    .filter((field) => typeof field !== "object" || field === null)
    .slice(0, MAX_FIELDS)
    .map(ofValue)
    .join(" · ");
}

function ofValue(value: Json): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
