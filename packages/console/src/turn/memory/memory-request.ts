/**
 * Memory request: what the assistant's routes of memory are asked with, and which changes they say were undone.
 */
import type { SignIn } from "../../settings/sign-in.ts";
import { fieldOf, textField } from "../text/provenance.ts";

const MEMORY = "/api/memory?limit=200";

/** The headers that name the reader, if the server needs that. */
export function authorizationHeaders({ token }: SignIn): Readonly<Record<string, string>> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Asks which changes of memory were undone. */
export async function fetchUndone(signIn: SignIn): Promise<ReadonlySet<string>> {
  const response = await fetch(MEMORY, { headers: authorizationHeaders(signIn) });
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
