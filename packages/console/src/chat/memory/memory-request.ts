/**
 * Memory request: what the assistant's routes of memory are asked with, and which changes they say were undone.
 */
import { readKey } from "../../settings/settings.ts";
import { fieldOf, textField } from "../answer/provenance.ts";

const MEMORY = "/api/memory?limit=200";

/** The key of this tab, if there is one. */
export function authorizationHeaders(): Readonly<Record<string, string>> {
  const key = readKey(sessionStorage);
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

/** Asks which changes of memory were undone. */
export async function fetchUndone(): Promise<ReadonlySet<string>> {
  const response = await fetch(MEMORY, { headers: authorizationHeaders() });
  return response.ok ? undoneChanges(await response.json()) : new Set();
}

/** The ids of the changes that were undone, by what the server says about memory. */
export function undoneChanges(memory: unknown): ReadonlySet<string> {
  const changes = fieldOf(memory, "changes");
  if (!Array.isArray(changes)) return new Set();
  return new Set(
    changes.flatMap((change: unknown) => {
      const id = textField(change, "change");
      return id === undefined || textField(change, "undone") === undefined ? [] : [id];
    }),
  );
}
