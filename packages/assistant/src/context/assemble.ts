/**
 * Assemble: which parts of what is known fit into a prompt.
 *
 * Pure. A part is used whole or left out with the reason; the budget is never passed; parts stand in the order they
 * were given, whichever are used.
 */
import { estimateTokens } from "@baton/core/util";

/** Something a prompt could hold. */
export interface ContextPart {
  readonly id: string;
  /** Its source, for people: `loadProfile`. */
  readonly source: string;
  readonly text: string;
  /** Parts with a higher number are kept first; among equals, the first ones. */
  readonly priority: number;
}

/** A part that is used. */
export interface ContextBlock {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly tokens: number;
}

/** A part that is not used, and why. */
export interface LeftOut {
  readonly id: string;
  readonly source: string;
  readonly tokens: number;
  readonly reason: string;
}

/** The parts that fit into a prompt, and those that do not. */
export interface Assembled {
  readonly blocks: readonly ContextBlock[];
  readonly left_out: readonly LeftOut[];
  readonly tokens: number;
}

/** About how many tokens a text takes. */
export const tokensOf = (text: string): number => estimateTokens({ role: "system", content: text });

/** Takes what fits into the budget, in tokens. */
export function assemble(parts: readonly ContextPart[], budget: number): Assembled {
  const sized = parts.map((part) => ({ ...part, tokens: tokensOf(part.text) }));
  const used = new Set<(typeof sized)[number]>();
  const reasons = new Map<(typeof sized)[number], string>();
  let total = 0;
  for (const part of sized.toSorted((one, other) => other.priority - one.priority)) {
    if (part.text.trim() === "") {
      reasons.set(part, "it is empty");
    } else if (total + part.tokens > budget) {
      reasons.set(part, `it has ${part.tokens} tokens, and ${Math.max(0, budget - total)} of ${budget} are left`);
    } else {
      used.add(part);
      total += part.tokens;
    }
  }
  return {
    blocks: sized
      .filter((part) => used.has(part))
      .map(({ id, source, text, tokens }) => ({ id, source, text, tokens })),
    left_out: sized
      .filter((part) => !used.has(part))
      .map((part) => ({ id: part.id, source: part.source, tokens: part.tokens, reason: reasons.get(part) ?? "" })),
    tokens: total,
  };
}

/** Text as data between two tags, on lines of its own: nothing inside can end it. An `&` stays as it is written. */
export function toBlock(tag: string, text: string): string {
  return `\n<${tag}>\n${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}\n</${tag}>`;
}
