/**
 * Compaction: what an agent writes about a long conversation becomes the state `summary`.
 *
 * The model reads every message, in pieces that fit its window: each piece with the summary of those before it. If the
 * agent has the tool `saveCompaction`, the summary is kept for the session's next questions. Agents after it show the
 * summary and only their newest messages; a note says how many tokens that saves.
 */
import { BatonError, type Chunk, type Message, type Model, type Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { addUsage, estimateTokens, omitUndefined } from "@baton/core/util";
import { assistantState, type Compaction } from "../run-state.ts";
import { toBlock, tokensOf } from "./assemble.ts";
import { SAVE_COMPACTION } from "./compaction-tools.ts";
import { sumTokens } from "./context-program.ts";
import { toPieces } from "./message-pieces.ts";

/** Options of a summary. */
export interface CompactionOptions {
  /** The number of messages that stay as they are. */
  readonly keep: number;
  /** The longest summary, in tokens; the rest is dropped. */
  readonly maxTokens: number;
  readonly tag: string;
  /** The tokens of messages that the model reads at once. Default: 50,000, or half of the model's window. */
  readonly pieceTokens?: number;
}

/** The last message of every piece. */
export const COMPACTION_REQUEST = "Sum up the conversation so far.";

const CHARS_PER_TOKEN = 4;
const PIECE_TOKENS = 50_000;

type End = Extract<Chunk, { type: "end" }>;
type Reply = Readonly<{ text: string; end: End }>;

/** The model, whose reply is kept as the summary. */
export function withSummary(model: Model, options: CompactionOptions): Model {
  return {
    ...model,
    // Messages are handed on in pieces, so none of them takes room in the window, and none is left out.
    countTokens: (message) => (message.role === "system" ? estimateTokens(message) : 0),
    async *stream(prompt, scope) {
      const saved = prompt.results.find(({ tool }) => tool === SAVE_COMPACTION);
      if (saved !== undefined) {
        const text = `the summary of the conversation is not kept for the next question: ${saved.error?.message}`;
        if (saved.error !== undefined) yield [{ type: "warning", text }];
        yield [{ type: "text", text: "The conversation is summed up." }, toEnd({ finish: "stop" })];
        return;
      }
      const reply = yield* readPieces(model, prompt, { options, scope });
      yield toChunks(reply, prompt, options);
    },
  };
}

type Reading = Readonly<{ options: CompactionOptions; scope: Scope }>;

/** Has the model read one piece after the other; gives its last summary with the usage of all. */
async function* readPieces(
  model: Model,
  prompt: Prompt,
  { options, scope }: Reading,
): AsyncGenerator<readonly Chunk[], Reply> {
  const window = Math.floor((model.contextTokens ?? Infinity) / 2);
  const maxTokens = Math.min(options.pieceTokens ?? PIECE_TOKENS, window);
  const { text: before, covered, messages } = compactionOf(prompt);
  // The question itself is read, so that the summary names the task.
  const conversation = prompt.messages.slice(covered, messages + 1);
  let reply: Reply = { text: before, end: toEnd({ finish: "stop" }) };
  for (const piece of toPieces(conversation, maxTokens)) {
    const next = yield* readPiece(model, toPiecePrompt(prompt, piece, { before: reply.text, options }), scope);
    const text = cut(next.text, options);
    if (text === "") {
      throw new BatonError("model", `the model of ${prompt.agent} wrote nothing about ${piece.length} messages`, {
        retryable: true,
      });
    }
    reply = { text, end: addEnd(reply.end, next.end) };
  }
  return reply;
}

/** Reads one reply and returns it whole; an empty list of chunks says that the model is still writing. */
async function* readPiece(model: Model, prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[], Reply> {
  let reply: Reply = { text: "", end: toEnd({ finish: "other" }) };
  for await (const chunks of model.stream(prompt, scope)) {
    for (const chunk of chunks) {
      if (chunk.type === "restart") reply = { ...reply, text: "" };
      if (chunk.type === "text") reply = { ...reply, text: reply.text + chunk.text };
      if (chunk.type === "end") reply = { ...reply, end: chunk };
    }
    yield chunks.filter(({ type }) => type === "warning" || type === "note");
  }
  return reply;
}

/** The conversation that the context program found too long; without that program, all messages. */
const compactionOf = (prompt: Prompt): Compaction =>
  assistantState.get(prompt, "compaction") ?? { text: "", covered: 0, messages: prompt.messages.length, digest: "" };

type Before = Readonly<{ before: string; options: CompactionOptions }>;

/** The prompt of one piece: without tools, and with the summary of the pieces before it, which code reads as state. */
function toPiecePrompt(prompt: Prompt, piece: readonly Message[], { before, options }: Before): Prompt {
  const summary = toSummaryBlock(before, options);
  const { toolChoice: _, isUncalled: __, parallelCalls: ___, ...rest } = prompt;
  const system = summary === "" ? prompt.system : `${prompt.system}\n\nSummary of what was said before:\n${summary}`;
  const compaction = { ...compactionOf(prompt), text: before };
  const values = new Map([...prompt.values, ...Object.entries(assistantState.toSet({ compaction }))]);
  const messages = [...piece, { role: "user", content: COMPACTION_REQUEST } as const];
  return { ...rest, system, values, messages, tools: [], results: [] };
}

function toChunks({ text, end }: Reply, prompt: Prompt, options: CompactionOptions): readonly Chunk[] {
  const summary = toSummaryBlock(text, options);
  const before = sumTokens(prompt.messages);
  const after = tokensOf(summary) + sumTokens(prompt.messages.slice(-options.keep));
  const data = { tokens_before: before, tokens_after: Math.min(before, after) };
  const set = { ...end.set, ...assistantState.toSet({ summary }) };
  const { messages, digest } = compactionOf(prompt);
  const isKept = digest !== "" && messages > 0 && prompt.tools.some(({ name }) => name === SAVE_COMPACTION);
  const args = JSON.stringify({ text, messages, digest });
  return [
    isKept ? { type: "call", tool: SAVE_COMPACTION, args } : { type: "text", text },
    { type: "note", kind: "compaction", data },
    { ...end, set, finish: isKept ? "calls" : end.finish },
  ];
}

const toSummaryBlock = (text: string, { tag }: CompactionOptions): string => (text === "" ? "" : toBlock(tag, text));

const cut = (text: string, { maxTokens }: CompactionOptions): string =>
  Array.from(text.trim())
    .slice(0, maxTokens * CHARS_PER_TOKEN)
    .join("");

const toEnd = ({ finish }: Pick<End, "finish">): End => ({
  type: "end",
  finish,
  usage: { inputTokens: 0, outputTokens: 0 },
});

/** The later end, with the usage and cost of both; what a provider wants back with its own text is left out. */
function addEnd(one: End, later: End): End {
  const { provider: _, state: __, ...other } = later;
  const usage = addUsage(one.usage, later.usage);
  const costUsd = one.costUsd === undefined ? later.costUsd : one.costUsd + (later.costUsd ?? 0);
  return { ...other, usage, ...omitUndefined({ costUsd }) };
}
