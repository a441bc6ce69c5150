/**
 * History state: what is kept with an entry of the browser's history, for the reader who comes back to it.
 */

/** Reads a value of the current entry by its name. */
export function readHistoryEntry(name: string): unknown {
  return keptNow()[name];
}

/** Keeps a value with the current entry. */
export function writeHistoryEntry(name: string, value: unknown): void {
  window.history.replaceState({ ...keptNow(), [name]: value }, "");
}

function keptNow(): Readonly<Record<string, unknown>> {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? { ...state } : {};
}
