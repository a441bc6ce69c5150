/**
 * Entry: one thing that is remembered of a user, and the core memory that entries make up.
 *
 * Core memory is in every prompt, so it is small: each block and both together have a limit in tokens.
 */
import { z } from "zod";
import { tokensOf } from "../../context/assemble.ts";

/** The categories of entries. */
export const CATEGORIES = ["preference", "fact", "goal", "skill", "context", "other"] as const;

/** The category of an entry. */
export type Category = (typeof CATEGORIES)[number];

/** The parts of core memory: who the assistant is to be, and who the user is. */
export const BLOCKS = ["persona", "human"] as const;

/** A part of core memory. */
export type CoreBlock = (typeof BLOCKS)[number];

/** The longest text of an entry, in characters. */
export const MAX_ENTRY_CHARS = 400;

/** The tokens of core memory, by block and in all. */
export type CoreTokens = Readonly<Record<CoreBlock | "total", number>>;

/** The most tokens that there may be. */
export const CORE_CAPS: CoreTokens = { persona: 500, human: 1_500, total: 2_000 };

/** An entry as it is stored. */
export const ENTRY = z.object({
  id: z.string().min(1).max(64),
  text: z.string().min(1).max(MAX_ENTRY_CHARS),
  key: z
    .string()
    .min(1)
    .max(120)
    .exactOptional()
    .describe("What it answers: two entries with one key cannot both hold"),
  category: z.enum(CATEGORIES),
  at: z.string().max(40).describe("When it was written"),
  by: z.enum(["user", "learned"]).describe("Whether the user asked for it, or it was learned from what the user said"),
});

/** Something that is remembered. */
export type MemoryEntry = Readonly<z.output<typeof ENTRY>>;

/** Core memory as it is stored. */
export const CORE = z.object({ persona: z.array(ENTRY), human: z.array(ENTRY) });

/** Core memory: the assistant's persona, and the user. */
export interface CoreMemory {
  readonly persona: readonly MemoryEntry[];
  readonly human: readonly MemoryEntry[];
}

/** Nothing is known. */
export const NO_CORE: CoreMemory = { persona: [], human: [] };

const HEADS = { persona: "About the assistant:", human: "About the user:" } as const;

/** Counts the tokens of core memory, by block and in all. */
export function coreTokens(core: CoreMemory): CoreTokens {
  return { persona: tokensIn(core.persona), human: tokensIn(core.human), total: textTokens(toProfile(core)) };
}

/** Whether core memory keeps within its limits. */
export function fitsCore(core: CoreMemory): boolean {
  const { persona, human, total } = coreTokens(core);
  return persona <= CORE_CAPS.persona && human <= CORE_CAPS.human && total <= CORE_CAPS.total;
}

/** The words of the user that entries with these ids hold; for a model that may replace or forget them. */
export const toNumberedProfile = ({ human }: CoreMemory): string =>
  human.map(({ id, text }) => `${id}: ${text}`).join("\n");

/** Core memory as prompts show it; empty if nothing is known. */
export function toProfile(core: CoreMemory): string {
  const { persona, human } = core;
  if (persona.length === 0) return toLines(human);
  const blocks = BLOCKS.filter((block) => core[block].length > 0);
  return blocks.map((block) => `${HEADS[block]}\n${toLines(core[block])}`).join("\n");
}

const toLines = (entries: readonly MemoryEntry[]): string => entries.map(({ text }) => `- ${text}`).join("\n");

const tokensIn = (entries: readonly MemoryEntry[]): number => textTokens(toLines(entries));

const textTokens = (text: string): number => (text === "" ? 0 : tokensOf(text));
