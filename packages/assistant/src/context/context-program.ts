/**
 * Context program: loads what is known of user and session, puts it together, and says whether the conversation is too
 * long to be shown as it is.
 *
 * Loads are tool calls, all at once; one that fails is left out with a warning. Each block is a value of the run's
 * state under its id, so prompts show it as `{{state.ID}}`; the question itself is `question`.
 */
import { type Decision, defineProgram, type Json, type Message, type Model, type Prompt } from "@baton/core";
import type { PastCall } from "@baton/core/ports";
import { estimateTokens, lookInto } from "@baton/core/util";
import { assemble, type ContextPart, toBlock } from "./assemble.ts";

/** One thing to load. Its tool gives `{text}`. */
export interface ContextLoad {
  readonly tool: string;
  /** The key of the run's state. */
  readonly id: string;
  /** The tag around its text. */
  readonly tag: string;
  readonly priority: number;
}

/** Options of the context program. */
export interface ContextOptions {
  readonly loads: readonly ContextLoad[];
  /** In tokens, for all blocks together. */
  readonly budget: number;
  /** A conversation with more tokens is summed up first. */
  readonly compactAbove: number;
}

/** The program; its output is `{needs_compaction}`. */
export function contextProgram(options: ContextOptions): Model {
  return defineProgram((prompt) => {
    const offered = options.loads.filter(({ tool }) => prompt.tools.some(({ name }) => name === tool));
    if (prompt.results.length === 0 && offered.length > 0) {
      return { call: offered.map(({ tool }) => ({ tool, args: {} })) };
    }
    return decide(prompt, options);
  });
}

function decide({ results, messages, values }: Prompt, { loads, budget, compactAbove }: ContextOptions): Decision {
  const parts = results.flatMap((result) => toPart(result, loads));
  const assembled = assemble(parts, budget);
  const conversation = sumTokens(messages);
  const isAllowed = lookInto(values.get("options") ?? {}, "enable_compaction") !== false;
  const data = { ...assembled, tokens: assembled.tokens + conversation };
  return {
    output: { needs_compaction: isAllowed && conversation > compactAbove },
    set: { question: toQuestion(messages), ...Object.fromEntries(assembled.blocks.map(({ id, text }) => [id, text])) },
    notes: [{ kind: "context", data: toNoteData(data) }],
    warnings: results.flatMap(({ tool, error }) =>
      error === undefined ? [] : [`${tool} failed, so the answer does without it: ${error.message}`],
    ),
  };
}

function toQuestion(messages: readonly Message[]): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

/** The text itself is in the state; the note says what there is. */
function toNoteData({ blocks, left_out, tokens }: ReturnType<typeof assemble>): Json {
  return {
    blocks: blocks.map(({ id, source, tokens: own }) => ({ id, source, tokens: own })),
    left_out: left_out.map((one) => ({ ...one })),
    tokens,
  };
}

function toPart({ tool, output }: PastCall, loads: readonly ContextLoad[]): readonly ContextPart[] {
  const load = loads.find((one) => one.tool === tool);
  const text = output === undefined ? undefined : lookInto(output, "text");
  if (load === undefined || typeof text !== "string") return [];
  const { id, tag, priority } = load;
  return [{ id, source: tool, text: text.trim() === "" ? "" : toBlock(tag, text), priority }];
}

/** About how many tokens a conversation has. */
export function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
