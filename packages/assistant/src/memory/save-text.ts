/**
 * Save: how a text comes into memory: checked, read by rules, and stored by its category.
 */
import type { Documents } from "@baton/core/ports";
import type { MemoryChange } from "./change.ts";
import { toMemoryId } from "./collections.ts";
import { changeCore, type CoreChanged, type CoreDecision } from "./core/core-store.ts";
import type { Category, CoreMemory, MemoryEntry } from "./core/entry.ts";
import { saveFact } from "./recall/saved-facts.ts";
import { type MemoryClaim, applyStatement, type Operation } from "./core/apply-statement.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";

/** A text to save, with its idempotency key. */
export interface SaveRequest {
  readonly key: string;
  readonly at: string;
  readonly by: MemoryEntry["by"];
  readonly text: string;
  /** Default: `other`. */
  readonly category?: Category;
}

/** The result of saving. */
export type SaveResult =
  | {
      readonly saved: true;
      readonly operation: Operation;
      readonly entry?: MemoryEntry;
      readonly change?: MemoryChange;
    }
  | { readonly saved: false; readonly reason: string };

/** Categories that every prompt should know of. */
const IN_CORE: ReadonlySet<Category> = new Set<Category>(["preference", "fact", "goal"]);

/** Saves a text as one change. */
export async function saveText(documents: Documents, request: SaveRequest): Promise<SaveResult> {
  const text = request.text.replaceAll(/\s+/g, " ").trim();
  const refused = refuseMemory(request.text);
  if (refused !== undefined) return { saved: false, reason: `this is not remembered: ${refused}` };
  if (text === "") return { saved: false, reason: "the text is empty: there is nothing to remember" };
  const { key, at, by, category = "other" } = request;
  const id = toMemoryId("c", key);
  const claim: MemoryClaim = { kind: "claim", text, category };
  if (!IN_CORE.has(category)) return toSaved(await saveFact(documents, claim, { id, at, by }));
  const stamp = { id: toMemoryId("m", key, "0"), at, by };
  const decide = (core: CoreMemory): CoreDecision => ({ ...applyStatement(core, claim, { stamp }), text });
  return toSaved(await changeCore(documents, { id, at, decide }));
}

function toSaved({ operation, change, entry, reason }: CoreChanged): SaveResult {
  if (reason !== undefined) return { saved: false, reason };
  return { saved: true, operation, ...(entry && { entry }), ...(change && { change }) };
}
