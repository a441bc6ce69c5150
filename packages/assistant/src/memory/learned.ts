/**
 * Learned: what a model read in the user's own messages goes into core memory, each statement as a change of its own.
 *
 * Only the user's messages count: a statement with too few of their words is left out. The same turn teaches once.
 */
import type { Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { shareOfWords } from "../permission/own-words.ts";
import { listUndone, type MemoryChange } from "./change.ts";
import { toMemoryId } from "./collections.ts";
import { applyStatement, type Statement } from "./core/apply-statement.ts";
import { changeCore } from "./core/core-store.ts";
import { CATEGORIES, type CoreMemory } from "./core/entry.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";

/** Things that have one value each: a new one replaces the old. */
const TRAITS = ["name", "language", "risk", "time_zone", "currency", "detail"] as const;

/** The reading of a model: statements about the user, and entries that hold no longer. */
export const LEARNED = z.object({
  statements: z
    .array(
      z.object({
        text: z.string().trim().min(3).max(200),
        category: z.enum(CATEGORIES),
        trait: z.enum(TRAITS).exactOptional().describe("If it is one of these, which have one value"),
        replaces: z.string().max(64).exactOptional().describe("The id of the entry that it takes the place of"),
      }),
    )
    .max(5)
    .default([]),
  forget: z.array(z.string().max(64)).max(5).default([]).describe("Ids of entries that hold no longer"),
});

/** The result of reading a turn. */
export type Learned = z.output<typeof LEARNED>;

/** The turn that was read: its run, the user's messages, and when. */
export interface LearnRequest {
  readonly run: string;
  readonly said: readonly string[];
  readonly at: string;
}

const MIN_SHARE = 0.4;

/** Writes what was read, and gives the changes. */
export async function keepLearned(
  documents: Documents,
  { statements, forget }: Learned,
  { run, said, at }: LearnRequest,
): Promise<readonly MemoryChange[]> {
  const own = said.join("\n");
  const undone = new Set((await listUndone(documents)).map(({ text }) => text.toLowerCase()));
  const claims = statements
    .filter(({ text }) => shareOfWords(text, own) >= MIN_SHARE && refuseMemory(text) === undefined)
    .filter(({ text }) => !undone.has(text.toLowerCase()))
    .map(({ text, category, trait, replaces }): Statement => {
      const more = omitUndefined({ key: trait, replaces });
      return { kind: "claim", text: text.replaceAll(/\s+/g, " "), category, ...more };
    });
  const forgotten = forget.map((id): Statement => ({ kind: "forgetting", ids: [id] }));
  const changes: MemoryChange[] = [];
  for (const [index, statement] of [...claims, ...forgotten].entries()) {
    const change = await write(documents, statement, { key: `${run}/learned/${index}`, at });
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

async function write(
  documents: Documents,
  statement: Statement,
  { key, at }: Readonly<{ key: string; at: string }>,
): Promise<MemoryChange | undefined> {
  const stamp = { id: toMemoryId("m", key), at, by: "learned" as const };
  const decide = (core: CoreMemory) => {
    const done = applyStatement(core, statement, stamp);
    return { ...done, text: statement.kind === "claim" ? statement.text : (done.entry?.text ?? "") };
  };
  const { change } = await changeCore(documents, { id: toMemoryId("c", key), at, decide });
  return change;
}
