/**
 * History: what an agent is shown of a conversation, and how it is made to fit the model's window.
 *
 * Nothing here changes a message: a view is a fresh list of the same objects. An assistant message with calls
 * and the results of those calls stay together or go together, always.
 * Reads: json, message. Read by: step.
 */
import { toJsonText } from "./json.ts";
import type { AssistantMessage, Message, UserMessage } from "./message.ts";

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_IMAGE = 1_000;
const MIN_NEWEST = 2;

/** How a view is made to fit. */
interface FitOptions {
  readonly maxTokens: number;
  /** Share of the window that is freed once the view outgrows it. */
  readonly trimPct: number;
  /** Counts a message's tokens; asked once for each message. Default: the estimate. */
  readonly count?: (message: Message) => number;
}

/** A view with its middle left out. */
interface Fitted {
  readonly messages: Message[];
  readonly dropped: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** About how many tokens a message takes. */
export function estimateTokens(message: Message): number {
  let chars = message.content.length;
  let images = 0;
  if (message.role === "user") images = message.images?.length ?? 0;
  if (message.role === "assistant" && message.calls !== undefined) {
    for (const { tool, args } of message.calls) {
      const json = toJsonText(args);
      chars += tool.length + (json.ok ? json.text.length : 0);
    }
  }
  return Math.ceil(chars / CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE;
}

/**
 * The history as one agent sees it: its own replies as they are, of other agents the final replies only, as
 * messages to it. Results go with the reply just before them; ids would not do, they begin anew with each run.
 */
export function toView(history: readonly Message[], agent: string): Message[] {
  const view: Message[] = [];
  let showsResults = false;
  for (const message of history) {
    if (message.role === "assistant") {
      const isOwn = message.agent === undefined || message.agent === agent;
      const asksCalls = hasCalls(message);
      showsResults = isOwn && asksCalls;
      if (isOwn) view.push(message);
      else if (!asksCalls) view.push(toHeard(message));
    } else if (message.role !== "tool" || showsResults) {
      view.push(message);
    }
  }
  return view;
}

/** Leaves out the middle of a view that outgrew the window; undefined where it fits or nothing can be left out. */
export function fit(view: readonly Message[], options: FitOptions): Fitted | undefined {
  const { maxTokens, trimPct, count = estimateTokens } = options;
  const costs: number[] = [];
  let tokensBefore = 0;
  for (const message of view) {
    const cost = count(message);
    costs.push(cost);
    tokensBefore += cost;
  }
  if (tokensBefore <= maxTokens) return undefined;

  const [head, ...rest] = toBlocks(view, costs);
  if (head === undefined) return undefined;
  const limit = maxTokens * (1 - trimPct / 100) - head.tokens - count(toNote(view.length));
  const tail = takeNewest(rest, view.length, limit);
  const dropped = tail.start - head.end;
  if (dropped === 0) return undefined;

  const note = toNote(dropped);
  return {
    messages: [...view.slice(0, head.end), note, ...view.slice(tail.start)],
    dropped,
    tokensBefore,
    tokensAfter: head.tokens + count(note) + tail.tokens,
  };
}

/** Messages that stay or go together: one, or a reply with calls and the results after it. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

function toBlocks(view: readonly Message[], costs: readonly number[]): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  while (start < view.length) {
    let end = start + 1;
    let tokens = costs[start] ?? 0;
    while (hasCalls(view[start]) && view[end]?.role === "tool") {
      tokens += costs[end] ?? 0;
      end += 1;
    }
    blocks.push({ start, end, tokens });
    start = end;
  }
  return blocks;
}

/** The newest blocks within the limit, and beyond it where they would be fewer messages than must stay. */
function takeNewest(blocks: readonly Block[], end: number, limit: number): Block {
  let start = end;
  let tokens = 0;
  for (const block of blocks.toReversed()) {
    if (tokens + block.tokens > limit && end - start >= MIN_NEWEST) break;
    start = block.start;
    tokens += block.tokens;
  }
  return { start, end, tokens };
}

function hasCalls(message: Message | undefined): boolean {
  return message?.role === "assistant" && message.calls !== undefined && message.calls.length > 0;
}

function toHeard({ agent, content }: AssistantMessage): UserMessage {
  return { role: "user", content: `[${agent}] ${content}` };
}

function toNote(dropped: number): UserMessage {
  return { role: "user", content: `[${dropped} earlier ${dropped === 1 ? "message" : "messages"} left out]` };
}
