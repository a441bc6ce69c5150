/**
 * Collections: the collection of each kind of memory in a user's documents, and how ids are made.
 *
 * An id is made from its content, so that repeated work writes the same documents.
 */
import { createHash } from "node:crypto";

/** The collections of memory. */
export const MEMORY = {
  core: "memory_core",
  facts: "memory_facts",
  messages: "memory_messages",
  changes: "memory_changes",
  summary: "memory_summary",
  compaction: "memory_compaction",
  working: "memory_working",
} as const;

/** The id of the one document of core memory. */
export const CORE_ID = "core";

const ID_CHARS = 20;

/** An id such as `c-9f86d081884c7d659a2f` that is the same for the same parts. */
export function toMemoryId(letter: "m" | "f" | "c" | "t", ...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${letter}-${digest.slice(0, ID_CHARS)}`;
}

/** A time for people and programs: `2024-11-22T08:30:00.000Z`. */
export const toTime = (ms: number): string => new Date(ms).toISOString();
