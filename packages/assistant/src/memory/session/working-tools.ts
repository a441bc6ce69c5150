/**
 * Working tools: how a run reads and writes the working memory of its session. A run in no session has none.
 */
import { defineTool, type Tool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { refuseMemory } from "../refuse/refuse-memory.ts";
import { changeWorking, readWorking } from "./working-store.ts";
import {
  addWorking,
  cleanWorking,
  MAX_WORKING_CHARS,
  PRIORITIES,
  toWorkingText,
  WORKING_KINDS,
  workingTokens,
} from "./working.ts";

const MAX_ENTRIES = 50;

/** `loadWorking` and `saveWorking`. */
export function defineWorkingTools(): readonly [Tool, Tool] {
  return [loadWorking(), saveWorking()];
}

function loadWorking(): Tool {
  return defineTool({
    name: "loadWorking",
    description: "What this session knows: its state and the symbols it is about.",
    effect: "read",
    input: z.strictObject({}),
    run: async (_, { documents, session, run }) => {
      if (session === undefined) return { text: "", symbols: [] };
      const memory = cleanWorking(await readWorking(documents, session), run);
      return { text: toWorkingText(memory), symbols: memory.symbols.map(({ symbol }) => symbol) };
    },
  });
}

function saveWorking(): Tool {
  return defineTool({
    name: "saveWorking",
    description: "Keeps state of this session for its next requests.",
    effect: "idempotent",
    input: z.strictObject({
      entries: z
        .array(
          z.object({
            kind: z.enum(WORKING_KINDS),
            text: z.string().trim().min(1).max(MAX_WORKING_CHARS),
            priority: z.enum(PRIORITIES).default("medium"),
          }),
        )
        .max(MAX_ENTRIES)
        .default([]),
      symbols: z.array(z.string().trim().min(1).max(64)).max(MAX_ENTRIES).default([]),
      topic: z.string().max(64).exactOptional().describe("The kind of question"),
    }),
    run: async ({ entries, symbols, topic }, { documents, session, run, key }) => {
      if (session === undefined) return { saved: 0, left_out: entries.length, tokens: 0 };
      const allowed = entries
        .map((entry, index) => ({ ...entry, id: `${key}/${index}` }))
        .filter(({ text }) => refuseMemory(text) === undefined);
      const add = (memory: Parameters<typeof addWorking>[0]) =>
        addWorking(memory, { run, entries: allowed, symbols, ...omitUndefined({ topic }) });
      const { memory, leftOut } = await changeWorking(documents, session, add);
      const saved = allowed.length - leftOut;
      return { saved, left_out: entries.length - saved, tokens: workingTokens(memory.entries) };
    },
  });
}
