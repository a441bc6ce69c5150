/**
 * Memory request: what the assistant's routes of memory are asked with, and which changes they say were undone.
 */
import { readKey } from "../settings.ts";
import { fieldOf, textOf } from "./provenance.ts";

const MEMORY = "/api/memory?limit=200";

/** The key of this tab, if there is one. */
export function toHeaders(): Readonly<Record<string, string>> {
  const key = readKey(sessionStorage);
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

/** Asks which changes of memory were undone. */
export async function fetchUndone(): Promise<ReadonlySet<string>> {
  const response = await fetch(MEMORY, { headers: toHeaders() });
  return response.ok ? toUndone(await response.json()) : new Set();
}

/** The ids of the changes that were undone, by what the server says about memory. */
export function toUndone(memory: unknown): ReadonlySet<string> {
  const changes = fieldOf(memory, "changes");
  if (!Array.isArray(changes)) return new Set();
  return new Set(
    changes.flatMap((change: unknown) => {
      const id = textOf(change, "change");
      return id === undefined || textOf(change, "undone") === undefined ? [] : [id];
    }),
  );
}
