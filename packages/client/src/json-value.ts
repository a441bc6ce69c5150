/**
 * JSON value: text from a server, as something that can be looked into.
 */
import type { RunEvent } from "@baton/core";

/** Parses JSON; undefined if the text is not JSON. */
export function parseText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether a value has fields by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether it has an event's place in the log; the rest of the event is trusted to the server. */
export function isRunEvent(value: unknown): value is RunEvent {
  if (!isObject(value)) return false;
  const { type, run, seq, at, lane } = value;
  return (
    typeof type === "string" &&
    typeof run === "string" &&
    Number.isSafeInteger(seq) &&
    typeof at === "number" &&
    typeof lane === "string"
  );
}
