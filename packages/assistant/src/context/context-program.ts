/**
 * Context program: loads what is known of user and session, puts it together, and says whether the conversation is too
 * long to be shown as it is. Loads are tool calls, all at once; one that fails is left out with a warning. Each block is
 * a value of the run's state under its id, so prompts show it as `{{state.ID}}`; the question itself is `question`.
 */
import { type Decision, defineProgram, type Json, type Message, type Model, type Prompt } from "@baton/core";
import type { PastCall } from "@baton/core/ports";
import { estimateTokens, lookInto } from "@baton/core/util";
import { assistantState, type Compaction } from "../run-state.ts";
import { assemble, type ContextPart, toBlock } from "./assemble.ts";
import { LOAD_COMPACTION } from "./compaction-tools.ts";
import { countCovered, digestMessages, KEPT_SUMMARY } from "./kept-summary.ts";

/** One thing to load. Its tool gives `{text}`. */
export interface ContextLoad {
  readonly tool: string;
  /** The key of the run's state. */
  readonly id: string;
  /** The tag around its text; without one, the text is shown as it is. */
  readonly tag?: string;
  readonly priority: number;
}

/** Options of the context program. */
export interface ContextOptions {
  readonly loads: readonly ContextLoad[];
  /** In tokens, for all blocks together. */
  readonly budget: number;
  /** A conversation with more tokens is summed up first; a tenth of it that is new is added to its summary. */
  readonly compactAbove: number;
}

const NEW_SHARE = 0.1;

/** The program; its output is `{needs_compaction}`. */
export function contextProgram(options: ContextOptions): Model {
  const program = defineProgram((prompt) => {
    const names = [...options.loads.map(({ tool }) => tool), LOAD_COMPACTION];
    const offered = names.filter((tool) => prompt.tools.some(({ name }) => name === tool));
    if (prompt.results.length === 0 && offered.length > 0) {
      return { call: offered.map((tool) => ({ tool, args: {} })) };
    }
    return decide(prompt, options);
  });
  // Code has no window: it sees the conversation whole, however long that is.
  return { ...program, countTokens: () => 0 };
}

function decide(prompt: Prompt, { loads, budget, compactAbove }: ContextOptions): Decision {
  const { results, messages } = prompt;
  const parts = results.flatMap((result) => toPart(result, loads));
  const assembled = assemble(parts, budget);
  const conversation = sumTokens(messages);
  const isAllowed = lookInto(assistantState.get(prompt, "options"), "enable_compaction") !== false;
  const compaction = isAllowed ? findCompaction(messages, results) : undefined;
  const isNeeded = compaction !== undefined && isTooLong(messages, compaction, compactAbove);
  const blocks = Object.fromEntries(assembled.blocks.map(({ id, text }) => [id, text]));
  const kept = isNeeded || compaction === undefined || compaction.covered === 0 ? undefined : compaction.text;
  const data = { ...assembled, tokens: assembled.tokens + conversation };
  return {
    output: { needs_compaction: isNeeded },
    set: {
      ...blocks,
      ...assistantState.toSet({
        question: toQuestion(messages),
        ...(isNeeded && { compaction }),
        ...(kept !== undefined && { summary: joinSummaries(toBlock("CONV_SUMMARY", kept), blocks) }),
      }),
    },
    notes: [{ kind: "context", data: toNoteData(data) }],
    warnings: results.flatMap(({ tool, error }) =>
      error === undefined ? [] : [`${tool} failed, so the answer does without it: ${error.message}`],
    ),
  };
}

/** The summary of the whole conversation, then that of its newest messages, if one is loaded. */
const joinSummaries = (kept: string, { summary }: Readonly<{ [id: string]: string }>): string =>
  summary === undefined ? kept : `${kept}${summary}`;

/** The messages before the question, and the kept summary of the first of them. */
function findCompaction(messages: readonly Message[], results: readonly PastCall[]): Compaction {
  const question = messages.findLastIndex(({ role }) => role === "user");
  const before = messages.slice(0, Math.max(0, question));
  const kept = KEPT_SUMMARY.safeParse(results.find(({ tool }) => tool === LOAD_COMPACTION)?.output).data;
  const covered = countCovered(before, kept);
  const text = covered === 0 ? "" : (kept?.text ?? "");
  return { text, covered, messages: before.length, digest: digestMessages(before) };
}

function isTooLong(messages: readonly Message[], { covered }: Compaction, compactAbove: number): boolean {
  const tokens = sumTokens(messages.slice(covered));
  return tokens > (covered === 0 ? compactAbove : compactAbove * NEW_SHARE);
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
  const isShownAsIs = tag === undefined || text.trim() === "";
  return [{ id, source: tool, text: isShownAsIs ? text.trim() : toBlock(tag, text), priority }];
}

/** About how many tokens a conversation has. */
export function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
