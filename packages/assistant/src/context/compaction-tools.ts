/**
 * Compaction tools: what the context program and the compactor call to read and keep a session's summary.
 */
import { defineTool, type Tool } from "@baton/core";
import { z } from "zod";
import { KEPT_SUMMARY, keepSummary, readKeptSummary } from "./kept-summary.ts";

/** Called by the context program. */
export const LOAD_COMPACTION = "loadCompaction";
/** Called by the compactor. */
export const SAVE_COMPACTION = "saveCompaction";

/** The tools; without them a summary is made again for every question. */
export function defineCompactionTools(): readonly Tool[] {
  return [
    defineTool({
      name: LOAD_COMPACTION,
      description: "The kept summary of this session's long conversation, with the messages that it covers.",
      effect: "read",
      input: z.strictObject({}),
      run: async (_, { documents, session }) => {
        const kept = session === undefined ? undefined : await readKeptSummary(documents, session);
        return kept ?? {};
      },
    }),
    defineTool({
      name: SAVE_COMPACTION,
      description: "Keeps the summary of this session's long conversation for its next questions.",
      effect: "idempotent",
      input: KEPT_SUMMARY,
      run: async (kept, { documents, session, scope }) => {
        if (session === undefined) return { saved: false };
        await keepSummary(documents, { ...kept, session, atMs: scope.clock.now() });
        return { saved: true };
      },
    }),
  ];
}
