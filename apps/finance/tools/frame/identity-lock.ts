/**
 * Identity lock: tools may be called only on the listings that the question is about, or that a result of this run
 * named. So a wrong company, or one that a headline asks for, is never looked up.
 *
 * The lock is the run's state `lock`; without it every symbol may be asked for.
 */
import { factsOfState } from "@baton/assistant";
import type { Json, Permission, Tool } from "@baton/core";
import type { RunState } from "@baton/core/ports";
import { z } from "zod";
import { runState } from "../../crew/run-state.ts";
import type { Directory } from "../../market/port/listing.ts";
import { recordsOf } from "./recorded-call.ts";

const ASKED = z.looseObject({ symbol: z.string().optional(), symbols: z.array(z.string()).optional() });

/** Where symbols may come from: the question alone, or also results of the run. */
type Allowed = "question" | "question and results";

/** The tool, which is denied on symbols outside the lock. */
export function withLock(
  tool: Tool,
  openDirectory: () => Promise<Directory>,
  allowed: Allowed = "question and results",
): Tool {
  if (!takesSymbols(tool.inputSchema)) return tool;
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, { state }): Promise<Permission> => {
      const lock = runState.get({ state }, "lock");
      if (lock === undefined) return { decision: "allow" };
      const directory = await openDirectory();
      const named = allowed === "question" ? [] : namedIn(state);
      const known = new Set([...lock, ...named].map((symbol) => toCanonical(symbol, directory)));
      const outside = symbolsOf(args).filter((symbol) => !known.has(toCanonical(symbol, directory)));
      if (outside.length === 0) return decide(args, lock, directory);
      const reason = `${outside.join(", ")} is not what the question is about (${lock.join(", ") || "no symbol"})`;
      return { decision: "deny", reason };
    },
  });
}

/** A ticker of two markets is written so that it means the one that is locked. */
function decide(args: Json, lock: readonly string[], directory: Directory): Permission {
  const { data: asked } = ASKED.safeParse(args);
  const { symbol, symbols } = asked ?? {};
  const write = (text: string): string => toDecided(text, lock, directory);
  const decided = { ...(symbol && { symbol: write(symbol) }), ...(symbols && { symbols: symbols.map(write) }) };
  const isSame = JSON.stringify({ ...asked, ...decided }) === JSON.stringify(asked);
  return isSame ? { decision: "allow" } : { decision: "transform", args: z.json().parse({ ...asked, ...decided }) };
}

function toDecided(text: string, lock: readonly string[], directory: Directory): string {
  if (directory.get(text) !== undefined) return text;
  const found = directory.resolve(text);
  const meant = found.kind === "ambiguous" ? found.candidates.filter(({ symbol }) => lock.includes(symbol)) : [];
  const [only] = meant.length === 1 ? meant : [];
  if (only === undefined) return text;
  return directory.get(only.symbol) === undefined ? `$${only.symbol}` : only.symbol;
}

function takesSymbols(schema: Json): boolean {
  const { data } = z.looseObject({ properties: z.record(z.string(), z.json()) }).safeParse(schema);
  return data !== undefined && ("symbol" in data.properties || "symbols" in data.properties);
}

function symbolsOf(args: Json): readonly string[] {
  const { symbol, symbols = [] } = ASKED.safeParse(args).data ?? {};
  return symbol === undefined ? symbols : [symbol, ...symbols];
}

/** Symbols of results that this run has seen. */
function namedIn(state: Pick<RunState, "entries">): readonly string[] {
  return [...recordsOf(state).flatMap(({ symbols }) => symbols), ...factsOfState(state).map(({ symbol }) => symbol)];
}

function toCanonical(text: string, directory: Directory): string {
  const exact = directory.get(text);
  if (exact !== undefined) return exact.symbol;
  const found = directory.resolve(text);
  return found.kind === "one" && found.by !== "typo" ? found.listing.symbol : text.trim().toUpperCase();
}
