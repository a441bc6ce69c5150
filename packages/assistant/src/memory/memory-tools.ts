/**
 * Memory tools: what agents and programs call to read and write the memory of the run's user.
 *
 * Each may be run again with the same key and writes nothing twice.
 */
import { defineTool, type Tool } from "@baton/core";
import { z } from "zod";
import { toCard } from "./change.ts";
import { toTime } from "./collections.ts";
import { readCore } from "./core-store.ts";
import { CATEGORIES, toProfile } from "./entry.ts";
import { save } from "./save.ts";

/** The longest text that a model may save, in characters. */
const MAX_CONTENT = 200;

/** The tools of memory. */
export function defineMemoryTools(): readonly Tool[] {
  return [loadProfile(), saveToMemory()];
}

function loadProfile(): Tool {
  return defineTool({
    name: "loadProfile",
    description: "What is known of the user: core memory.",
    effect: "read",
    input: z.object({}),
    run: async (_, { documents }) => ({ text: toProfile(await readCore(documents)) }),
  });
}

function saveToMemory(): Tool {
  return defineTool({
    name: "saveToMemory",
    description: "Remembers something about the user beyond this conversation. Only if the user wishes it.",
    effect: "idempotent",
    input: z.object({
      content: z.string().trim().min(1).max(MAX_CONTENT).describe("One short sentence about the user"),
      category: z.enum(CATEGORIES),
    }),
    run: async ({ content, category }, { documents, key, scope, note }) => {
      const at = toTime(scope.clock.now());
      const saved = await save(documents, { key, at, by: "user", text: content, category, statements: [] });
      if (!saved.saved) return saved;
      const { operation, entry, change } = saved;
      if (change !== undefined) note("memory", toCard(change));
      return {
        saved: true,
        id: entry?.id ?? "",
        text: entry?.text ?? content,
        category: entry?.category ?? category,
        operation,
        ...(change && { change: change.id }),
      };
    },
  });
}
