/**
 * Working tools: how a run reads and writes the working memory of its session, which is kept for one hour after it was
 * last written. A run in no session has none.
 */
import { defineTool, type Tool } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { changeDocument } from "../change-document.ts";
import { MEMORY } from "../collections.ts";
import { refuseMemory } from "../refuse/refuse-memory.ts";
import {
  addWorking,
  cleanWorking,
  MAX_WORKING_CHARS,
  NO_WORKING,
  PRIORITIES,
  toWorkingText,
  WORKING,
  WORKING_KINDS,
  type WorkingMemory,
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
    // Nothing of this run depends on the notes, and a call made again writes the same ones: the answer need not wait
    // until the log is on disk before and after it.
    effect: "read",
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
      const add = (memory: WorkingMemory) =>
        addWorking(memory, { run, entries: allowed, symbols, ...omitUndefined({ topic }) });
      const { memory, leftOut } = await changeWorking(documents, session, add);
      const saved = allowed.length - leftOut;
      return { saved, left_out: entries.length - saved, tokens: workingTokens(memory.entries) };
    },
  });
}

const HOUR_MS = 3_600_000;

/** The working memory of a session. */
export async function readWorking(documents: Documents, session: string): Promise<WorkingMemory> {
  return parseWorking(await documents.get(MEMORY.working, session));
}

/** Changes the working memory of a session; `change` is called again if another writer was first. */
export function changeWorking<T extends Readonly<{ memory: WorkingMemory }>>(
  documents: Documents,
  session: string,
  change: (memory: WorkingMemory) => T,
): Promise<T> {
  return changeDocument(documents, { collection: MEMORY.working, id: session }, (found) => {
    const result = change(parseWorking(found));
    return { result, put: { data: z.json().parse(result.memory), session, ttlMs: HOUR_MS } };
  });
}

/** Returns empty working memory for a damaged document: it holds an hour's notes. */
const parseWorking = (document: Document | undefined): WorkingMemory =>
  WORKING.safeParse(document?.data).data ?? NO_WORKING;
