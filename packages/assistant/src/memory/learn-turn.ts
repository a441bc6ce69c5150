/**
 * Learn turn: what a user's message teaches goes into core memory, each statement as a change of its own.
 *
 * Only the message is read: neither the answer nor what tools gave. The same turn teaches once. A habit that the user has
 * undone is not learned again.
 */
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import { toWords } from "../search/words.ts";
import { listUndone, type MemoryChange } from "./change.ts";
import { toMemoryId } from "./collections.ts";
import { changeCore } from "./core/core-store.ts";
import { CATEGORIES, type CoreMemory } from "./core/entry.ts";
import { seeMessage, toHabitClaims } from "./habits.ts";
import { learn } from "./learn/learn.ts";
import { type MemoryClaim, applyStatement, type Statement } from "./core/apply-statement.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";

/** A message that is learned from. */
export interface LessonRequest {
  readonly run: string;
  readonly input: string;
  readonly at: string;
  /** The subjects of the message, such as names that a product knows. */
  readonly subjects?: readonly string[];
}

/** The result of learning from a message. */
export interface Lesson {
  readonly changes: readonly MemoryChange[];
  /** Personal parts that no rule reads. */
  readonly unread: readonly string[];
}

/** Learns from a message by rules. */
export async function learnTurn(documents: Documents, request: LessonRequest): Promise<Lesson> {
  const { run, input, at, subjects = [] } = request;
  const { statements, unread } = learn(input);
  const seen = toHabitClaims(await seeMessage(documents, { run, text: input, subjects }));
  const undone = seen.length === 0 ? [] : await listUndone(documents);
  const habits = seen.filter(({ key, value }) => !undone.some((entry) => entry.key === key && entry.value === value));
  const changes: MemoryChange[] = [];
  for (const [index, statement] of [...statements, ...habits].entries()) {
    const change = await state(documents, statement, { key: `${run}/learn/${index}`, at });
    if (change !== undefined) changes.push(change);
  }
  return { changes, unread };
}

/** A statement that a model read in the user's words. */
export const MODEL_STATEMENT = z.object({
  text: z.string().trim().min(3).max(200),
  category: z.enum(CATEGORIES),
});

/** Keeps what a model read in the user's own words; what has too few words in common with them is left out. */
export async function learnRead(
  documents: Documents,
  read: readonly z.output<typeof MODEL_STATEMENT>[],
  { run, input, at }: LessonRequest,
): Promise<readonly MemoryChange[]> {
  const said = new Set(toWords(input).map(({ stem }) => stem));
  const changes: MemoryChange[] = [];
  for (const [index, { text, category }] of read.slice(0, MAX_READ).entries()) {
    const stems = toWords(text).map(({ stem }) => stem);
    const common = stems.filter((stem) => said.has(stem)).length;
    const isSaid = common >= 1 && common / Math.max(1, stems.length) >= MIN_COMMON;
    if (!isSaid || refuseMemory(text) !== undefined) continue;
    const claim: MemoryClaim = { kind: "claim", text: text.replaceAll(/\s+/g, " "), category };
    const change = await state(documents, claim, { key: `${run}/read/${index}`, at });
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

const MAX_READ = 5;
const MIN_COMMON = 0.4;

async function state(
  documents: Documents,
  statement: Statement,
  { key, at }: Readonly<{ key: string; at: string }>,
): Promise<MemoryChange | undefined> {
  const stamp = { id: toMemoryId("m", key), at, by: "learned" as const };
  const decide = (core: CoreMemory) => {
    const done = applyStatement(core, statement, { stamp });
    return { ...done, text: statement.kind === "claim" ? statement.text : (done.entry?.text ?? "") };
  };
  const { change } = await changeCore(documents, { id: toMemoryId("c", key), at, decide });
  return change;
}
