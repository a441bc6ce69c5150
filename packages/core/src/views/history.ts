/**
 * History: what an agent is shown of a conversation, and how it is made to fit the model's window.
 *
 * Nothing here changes a message: a view is a fresh list of the same objects. An assistant message with calls and the
 * results of those calls stay together or go together, always.
 */
import { freezeDeep } from "../words/json.ts";
import type { AssistantMessage, Message } from "../words/message.ts";
import type { SignalMatcher } from "../words/signal.ts";

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_IMAGE = 1_000;
const MIN_NEWEST = 2;

/** Options for fitting a view. */
interface FitOptions {
  readonly maxTokens: number;
  /** Tokens of the system text and the tools. */
  readonly fixedTokens?: number;
  /** Share of the window that is freed once the view outgrows it. */
  readonly trimPct: number;
  /** Counts a message's tokens. Default: the estimate. */
  readonly count?: (message: Message) => number;
  /** Number of messages that the note in the view already replaces. */
  readonly leftOut?: number;
}

/** A view with its middle left out, or as it is if nothing more can be left out (`dropped` is 0). */
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

/** Messages of other agents that an agent sees: final replies only, or tool calls and results too, as text. */
export type Sight = "replies" | "all";

/**
 * The history as one agent sees it: its own replies as they are, others' as messages to it. Results go with the reply
 * just before them; ids would not do, they begin anew with each run.
 */
export function toView(history: readonly Message[], agent: string, sight: Sight = "replies"): Message[] {
  if (history.every((message) => isPlain(message, agent))) return history.slice();
  const view: Message[] = [];
  let results: "own" | "told" | "hidden" = "hidden";
  for (const message of history) {
    const last = view.at(-1);
    if (message.role === "assistant") {
      const isOwn = message.agent === undefined || message.agent === agent;
      const asksCalls = message.calls !== undefined && message.calls.length > 0;
      results = !asksCalls ? "hidden" : isOwn ? "own" : sight === "all" ? "told" : "hidden";
      if (isOwn) view.push(message);
      else if (!asksCalls || sight === "all") view.push(toTold(message));
    } else if (message.role !== "tool" || results === "own") {
      view.push(message);
    } else if (results === "told" && last?.role === "user") {
      view[view.length - 1] = { ...last, content: `${last.content}\n${message.tool} → ${message.content}` };
    }
  }
  return view;
}

/** Renders the calls of these messages and their results as others read them; undefined if there are none. */
export function toToldCalls(messages: readonly Message[]): string | undefined {
  const calls = messages.filter((message) => message.role === "tool" || ("calls" in message && message.calls));
  const told = toView(calls, "", "all").map(({ content }) => content);
  return told.length === 0 ? undefined : told.join("\n");
}

/** The history without all but the newest messages of before the run; results stay with their reply, uncounted. */
export function keepNewest(history: readonly Message[], before: number, newest: number): readonly Message[] {
  let at = before;
  for (let left = newest; at > 0 && left > 0; left--) {
    at--;
    while (at > 0 && history[at]?.role === "tool") at--;
  }
  return at === 0 ? history : history.slice(at);
}

/**
 * Returns the history that the session keeps: without text that agents wrote for the crew and the results they asked
 * for.
 */
export function forSession(history: readonly Message[]): readonly Message[] {
  if (!history.some(isForCrew)) return history;
  let isHidden = false;
  return history.filter((message) => {
    if (message.role !== "tool") isHidden = isForCrew(message);
    return !isHidden;
  });
}

function isForCrew(message: Message): boolean {
  return message.role !== "tool" && message.role !== "system" && message.audience === "crew";
}

/** A lane's history, of which so many messages came from the caller of the run, and so many are frozen. */
type Growing = Readonly<{ history: Message[]; before: number }> & { frozen?: number };

/** The history as others may have it, frozen; what the caller of the run brought is not ours to freeze, but a copy is. */
export function toFrozenHistory(lane: Growing): readonly Message[] {
  const { history, before } = lane;
  for (let at = lane.frozen ?? 0; at < history.length; at++) {
    const message = history[at];
    if (message !== undefined) history[at] = freezeDeep(at < before ? structuredClone(message) : message);
  }
  lane.frozen = history.length;
  return history.slice();
}

/** Returns the input of a sub-crew: the latest reply without its signals or, if that is empty, the user's words. */
export function toInput(history: readonly Message[], matcher: SignalMatcher | undefined): string {
  const reply = history.at(-1)?.content ?? "";
  const words = (matcher?.strip(reply) ?? reply).trim();
  return words === "" ? (history.findLast(({ role }) => role === "user")?.content ?? "") : words;
}

/** Converts another agent's reply and calls into a message. */
function toTold({ agent, content, calls = [] }: AssistantMessage): Message {
  const asked = calls.map(({ tool, args }) => `${tool}(${JSON.stringify(args)})`);
  return { role: "user", content: [`[${agent}] ${content}`.trimEnd(), ...asked].join("\n") };
}

/** Fits a view that outgrew the window; undefined if it fits as it is. */
export function fit(view: readonly Message[], options: FitOptions): Fitted | undefined {
  const { maxTokens, fixedTokens = 0, trimPct, count = estimateTokens, leftOut: before = 0 } = options;
  let tokensBefore = fixedTokens;
  for (const message of view) tokensBefore += count(message);
  if (tokensBefore <= maxTokens) return undefined;
  const costs = view.map((message) => count(message));
  const whole = { messages: [...view], dropped: 0, leftOut: before, tokensBefore, tokensAfter: tokensBefore };
  const headEnd = endOfHead(view);
  const headTokens = sum(costs.slice(0, headEnd));
  const limit = maxTokens * (1 - trimPct / 100) - fixedTokens - headTokens - count(toNote(view.length));
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
  if (dropped <= 0) return whole;
  const { messages, leftOut } = dropMiddle(view, { dropped, before });
  const tokensAfter = fixedTokens + headTokens + count(toNote(leftOut)) + tailTokens;
  return { messages, dropped, leftOut, tokensBefore, tokensAfter };
}

/** Number of messages to leave out, and number that the note in the view already replaces. */
type Dropping = Readonly<{ dropped: number; before: number }>;

/** A view without so many messages after its first, and with a note of how many are left out in all. */
export function dropMiddle(
  view: readonly Message[],
  { dropped, before }: Dropping,
): Readonly<{ messages: Message[]; leftOut: number }> {
  const headEnd = endOfHead(view);
  // The note of before is among the dropped.
  const leftOut = before + dropped - (before > 0 ? 1 : 0);
  return { messages: [...view.slice(0, headEnd), toNote(leftOut), ...view.slice(headEnd + dropped)], leftOut };
}

/**
 * Returns the end of the first block: a block begins with each message that is not a tool's result, and stays or goes
 * whole.
 */
function endOfHead(view: readonly Message[]): number {
  const end = view.findIndex(({ role }, at) => at > 0 && role !== "tool");
  return end === -1 ? view.length : end;
}

/** Whether an agent sees a message unchanged, independent of the messages before it. */
function isPlain(message: Message, agent: string): boolean {
  if (message.role === "assistant") return message.agent === undefined || message.agent === agent;
  return message.role !== "tool";
}

const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);

function toNote(dropped: number): Message {
  return { role: "user", content: `[${dropped} earlier ${dropped === 1 ? "message" : "messages"} left out]` };
}
