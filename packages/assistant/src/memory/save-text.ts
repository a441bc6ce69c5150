/**
 * Save: how a text comes into memory: checked, read by rules, and stored by its category.
 */
import type { Documents } from "@baton/core/ports";
import type { MemoryChange } from "./change.ts";
import { toMemoryId } from "./collections.ts";
import { changeCore, type CoreChanged, type CoreDecision } from "./core/core-store.ts";
import type { Category, CoreMemory, MemoryEntry } from "./core/entry.ts";
import { saveFact } from "./recall/saved-facts.ts";
import { type MemoryClaim, type Edit, applyStatement, type Operation, type Statement } from "./core/apply-statement.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";

/** A text to save, with its idempotency key. */
export interface SaveRequest {
  readonly key: string;
  readonly at: string;
  readonly by: MemoryEntry["by"];
  readonly text: string;
  /** Without one, what rules read is kept as that, and the rest as `other`. */
  readonly category?: Category;
  /** Statements that rules read in the text; without any, the text is saved as it is. */
  readonly statements: readonly Statement[];
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
  const { key, at, by, category } = request;
  const id = toMemoryId("c", key);
  const claim: MemoryClaim = { kind: "claim", text, category: category ?? "other" };
  const isFact = category !== undefined && !IN_CORE.has(category);
  const read = request.statements.filter(({ kind }) => kind !== "claim" || !isFact);
  if (read.length === 0 && !IN_CORE.has(claim.category)) {
    return toSaved(await saveFact(documents, claim, { id, at, by }));
  }
  const statements = read.length === 0 ? [claim] : read;
  const decideAll = (core: CoreMemory) => decideStatements(core, statements, { key, at, by, text });
  return toSaved(await changeCore(documents, { id, at, decide: decideAll }));
}

/** Several statements as one decision: all edits one after another. */
function decideStatements(
  core: CoreMemory,
  statements: readonly Statement[],
  { key, at, by, text }: Readonly<{ key: string; at: string; by: MemoryEntry["by"]; text: string }>,
): CoreDecision {
  let now = core;
  const edits: Edit[] = [];
  let first: Pick<CoreDecision, "operation" | "entry" | "reason"> = { operation: "NOOP" };
  for (const [index, statement] of statements.entries()) {
    const stamp = { id: toMemoryId("m", key, `${index}`), at, by };
    const { operation, entry, reason, ...done } = applyStatement(now, statement, { stamp });
    now = done.core;
    edits.push(...done.edits);
    const isFirst = first.operation === "NOOP" && (operation !== "NOOP" || first.entry === undefined);
    if (isFirst) first = { operation, ...(entry && { entry }), ...(reason && { reason }) };
  }
  return { ...first, core: now, edits, text };
}

function toSaved({ operation, change, entry, reason }: CoreChanged): SaveResult {
  if (reason !== undefined) return { saved: false, reason };
  return { saved: true, operation, ...(entry && { entry }), ...(change && { change }) };
}
