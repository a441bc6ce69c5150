/**
 * Save text: how a text comes into memory: checked, and stored by its category.
 */
import type { Documents } from "@baton/core/ports";
import { toMemoryId } from "./collections.ts";
import { changeCore, type Remembered } from "./core/core-store.ts";
import type { Category, MemoryEntry } from "./core/entry.ts";
import { saveFact } from "./recall/saved-facts.ts";
import { applyStatement } from "./core/apply-statement.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";

/** A text to save, with its idempotency key. */
export interface SaveRequest extends Pick<MemoryEntry, "at" | "by" | "text" | "category"> {
  readonly key: string;
}

/** Categories that every prompt should know of. */
const IN_CORE: ReadonlySet<Category> = new Set<Category>(["preference", "fact", "goal"]);

/** Saves a text as one change; `reason` says why it is not remembered. */
export async function saveText(documents: Documents, request: SaveRequest): Promise<Remembered> {
  const { key, at, by, category } = request;
  const text = request.text.replaceAll(/\s+/g, " ").trim();
  const refused = refuseMemory(request.text);
  if (refused !== undefined) return { operation: "NOOP", reason: `this is not remembered: ${refused}` };
  const id = toMemoryId("c", key);
  if (!IN_CORE.has(category)) return saveFact(documents, { text, category, by }, { change: id, at });
  const stamp = { id: toMemoryId("m", key, "0"), at, by };
  return changeCore(documents, {
    id,
    at,
    decide: (core) => ({ ...applyStatement(core, { kind: "claim", text, category }, stamp), text }),
  });
}
