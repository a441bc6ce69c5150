/**
 * History: what an agent is shown of a conversation, and how it is made to fit the model's window.
 *
 * Nothing here changes a message: a view is a fresh list of the same objects. An assistant message with calls and the
 * results of those calls stay together or go together, always.
 */
import type { Message } from "./message.ts";

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_IMAGE = 1_000;
const MIN_NEWEST = 2;

/** How a view is made to fit. */
interface FitOptions {
  readonly maxTokens: number;
  /** Share of the window that is freed once the view outgrows it. */
  readonly trimPct: number;
  /** Counts a message's tokens. Default: the estimate. */
  readonly count?: (message: Message) => number;
  /** How many messages the note that is in the view already stands for. */
  readonly leftOut?: number;
}

/** A view with its middle left out. */
type Fitted = Readonly<{
  messages: Message[];
  dropped: number;
  /** With what was left out before. */
  leftOut: number;
  tokensBefore: number;
  tokensAfter: number;
}>;

/** About how many tokens a message takes. */
export function estimateTokens(message: Message): number {
  let chars = message.content.length;
  if (message.role === "assistant" && message.calls !== undefined) {
    for (const { tool, args } of message.calls) chars += tool.length + JSON.stringify(args).length;
  }
  const images = message.role === "user" ? (message.images?.length ?? 0) : 0;
  return Math.ceil(chars / CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE;
}

/**
 * The history as one agent sees it: its own replies as they are, of other agents the final replies only, as
 * messages to it. Results go with the reply just before them; ids would not do, they begin anew with each run.
 */
export function toView(history: readonly Message[], agent: string): Message[] {
  if (history.every((message) => isPlain(message, agent))) return history.slice();
  const view: Message[] = [];
  let showsResults = false;
  for (const message of history) {
    if (message.role === "assistant") {
      const isOwn = message.agent === undefined || message.agent === agent;
      const asksCalls = message.calls !== undefined && message.calls.length > 0;
      showsResults = isOwn && asksCalls;
      if (isOwn) view.push(message);
      else if (!asksCalls) view.push({ role: "user", content: `[${message.agent}] ${message.content}` });
    } else if (message.role !== "tool" || showsResults) {
      view.push(message);
    }
  }
  return view;
}

/** Leaves out the middle of a view that outgrew the window; undefined where it fits or nothing can be left out. */
export function fit(view: readonly Message[], options: FitOptions): Fitted | undefined {
  const { maxTokens, trimPct, count = estimateTokens, leftOut: before = 0 } = options;
  let tokensBefore = 0;
  for (const message of view) tokensBefore += count(message);
  if (tokensBefore <= maxTokens) return undefined;
  const costs = view.map((message) => count(message));

  // What stays or goes together begins with each message that is no result.
  const headEnd = view.findIndex(({ role }, at) => at > 0 && role !== "tool");
  if (headEnd === -1) return undefined;
  const headTokens = sum(costs.slice(0, headEnd));
  const limit = maxTokens * (1 - trimPct / 100) - headTokens - count(toNote(view.length));
  let start = view.length;
  let tailTokens = 0;
  for (let at = view.length - 1, tokens = 0; at >= headEnd; at -= 1) {
    tokens += costs[at] ?? 0;
    if (view[at]?.role === "tool") continue;
    if (tailTokens + tokens > limit && view.length - start >= MIN_NEWEST) break;
    start = at;
    tailTokens += tokens;
    tokens = 0;
  }
  const dropped = start - headEnd;
  if (dropped === 0) return undefined;
  // The note of before is among the dropped.
  const leftOut = before + dropped - (before > 0 ? 1 : 0);
  const note = toNote(leftOut);
  const messages = [...view.slice(0, headEnd), note, ...view.slice(start)];
  return { messages, dropped, leftOut, tokensBefore, tokensAfter: headTokens + count(note) + tailTokens };
}

/** Whether an agent sees a message as it is, whatever stands before it. */
function isPlain(message: Message, agent: string): boolean {
  if (message.role === "assistant") return message.agent === undefined || message.agent === agent;
  return message.role !== "tool";
}

const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);

function toNote(dropped: number): Message {
  return { role: "user", content: `[${dropped} earlier ${dropped === 1 ? "message" : "messages"} left out]` };
}
