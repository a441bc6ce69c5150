/**
 * Working memory: the state of one session: what was asked, planned and found, and which symbols it is about.
 *
 * Pure. At most 8,000 tokens: what matters least goes first, the oldest of that first, and what is critical never goes:
 * a new entry that has no room beside it is left out. Symbols stay for five turns after they were last named.
 */
import { z } from "zod";
import { tokensOf } from "../../context/assemble.ts";

/** The kinds of entries. */
export const WORKING_KINDS = [
  "query_context",
  "task_plan",
  "tool_output",
  "intermediate",
  "reasoning",
  "symbols",
  "user_context",
  "error",
] as const;

/** The priorities of entries, from least to most. */
export const PRIORITIES = ["low", "medium", "high", "critical"] as const;

/** The priority of an entry. */
export type Priority = (typeof PRIORITIES)[number];

/** The most that working memory holds, in tokens. */
export const WORKING_TOKENS = 8_000;

/** The turns for which a symbol is kept that is not named again. */
const SYMBOL_TURNS = 5;

/** The most symbols there are at once. */
const MAX_SYMBOLS = 50;

/** The longest text of an entry, in characters. */
export const MAX_WORKING_CHARS = 4_000;

/** Kinds that belong to one request and go with it. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set(["task_plan", "tool_output", "intermediate", "reasoning", "error"]);

const WORKING_ENTRY = z.object({
  id: z.string(),
  kind: z.enum(WORKING_KINDS),
  text: z.string(),
  priority: z.enum(PRIORITIES),
  run: z.string(),
  turn: z.int(),
});

/** Something that a session knows. */
export type WorkingEntry = Readonly<z.output<typeof WORKING_ENTRY>>;

/** Working memory as it is stored. */
export const WORKING = z.object({
  turn: z.int().min(0).describe("The number of requests"),
  run: z.string().describe("The newest request's run"),
  topic: z.string().exactOptional().describe("The kind of question that it is"),
  entries: z.array(WORKING_ENTRY).readonly(),
  symbols: z.array(z.object({ symbol: z.string(), turn: z.int() })).readonly(),
});

/** The state of a session. */
export type WorkingMemory = Readonly<z.output<typeof WORKING>>;

/** A session that knows nothing. */
export const NO_WORKING: WorkingMemory = { turn: 0, run: "", entries: [], symbols: [] };

/** The additions of one call. Entries replace existing ones with the same ids. */
export interface WorkingAddition {
  readonly run: string;
  /** The kind of question. */
  readonly topic?: string;
  readonly entries: readonly Pick<WorkingEntry, "id" | "kind" | "text" | "priority">[];
  readonly symbols: readonly string[];
}

/** Working memory after an addition, and the number of new entries without room. */
export type Added = Readonly<{ memory: WorkingMemory; leftOut: number }>;

/** Adds to working memory; the first addition of a run begins a turn. */
export function addWorking(before: WorkingMemory, { run, topic, entries, symbols }: WorkingAddition): Added {
  const isNewTurn = before.run !== run;
  const turn = before.turn + (isNewTurn ? 1 : 0);
  const kept = isNewTurn ? before.entries.filter(({ kind, priority }) => isLasting(kind, priority)) : before.entries;
  const ids = new Set(entries.map(({ id }) => id));
  const fresh = entries.map((entry): WorkingEntry => ({ ...entry, run, turn }));
  const all = evict([...kept.filter(({ id }) => !ids.has(id)), ...fresh], ids);
  const leftOut = fresh.filter(({ id }) => !all.some((entry) => entry.id === id)).length;
  const kind = topic ?? (isNewTurn ? undefined : before.topic);
  const memory = { turn, run, entries: all, symbols: keepSymbols(before.symbols, symbols, turn) };
  return { memory: kind === undefined ? memory : { ...memory, topic: kind }, leftOut };
}

/** Working memory as another run finds it: entries of the request before are removed, symbols stay. */
export function cleanWorking(memory: WorkingMemory, run: string): WorkingMemory {
  const entries = memory.entries.filter((entry) => entry.run === run || isLasting(entry.kind, entry.priority));
  return { ...memory, entries };
}

/** Writes the text for prompts: a line per entry, what matters most first, and the symbols. */
export function toWorkingText({ entries, symbols }: WorkingMemory): string {
  const lines = entries
    .toSorted((one, other) => rankOf(other.priority) - rankOf(one.priority) || other.turn - one.turn)
    .map(({ kind, text }) => `${kind}: ${text}`);
  const named = symbols.map(({ symbol }) => symbol);
  return [...lines, ...(named.length === 0 ? [] : [`symbols: ${named.join(", ")}`])].join("\n");
}

/** Counts the tokens of entries. */
export function workingTokens(entries: readonly Pick<WorkingEntry, "kind" | "text">[]): number {
  return entries.reduce((sum, entry) => sum + entryTokens(entry), 0);
}

const entryTokens = ({ kind, text }: Pick<WorkingEntry, "kind" | "text">): number => tokensOf(`${kind}: ${text}`);

const isLasting = (kind: string, priority: Priority): boolean => priority === "critical" || !OF_ONE_REQUEST.has(kind);

const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** Takes entries away until the rest fits: never what was critical before, new critical ones only if nothing else helps. */
function evict(entries: readonly WorkingEntry[], fresh: ReadonlySet<string>): readonly WorkingEntry[] {
  let total = workingTokens(entries);
  const gone = new Set<WorkingEntry>();
  const order = entries
    .filter(({ priority, id }) => priority !== "critical" || fresh.has(id))
    .toSorted((one, other) => rankOf(one.priority) - rankOf(other.priority) || one.turn - other.turn);
  for (const entry of order) {
    if (total <= WORKING_TOKENS) break;
    gone.add(entry);
    total -= entryTokens(entry);
  }
  return entries.filter((entry) => !gone.has(entry));
}

function keepSymbols(before: WorkingMemory["symbols"], named: readonly string[], turn: number) {
  const fresh = [...new Set(named)].map((symbol) => ({ symbol, turn }));
  const known = new Set(named);
  const kept = before.filter((one) => !known.has(one.symbol) && turn - one.turn < SYMBOL_TURNS);
  return [...fresh, ...kept].slice(0, MAX_SYMBOLS);
}
