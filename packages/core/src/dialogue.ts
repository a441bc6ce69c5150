/**
 * Dialogue: what happened, as messages of the conversation.
 *
 * A reply joins the history together with the results of its calls, a group's answers as one message. A reply with
 * neither text nor calls does not join it. The same functions serve the loop and `fold`, so both come to one history.
 */
import type { Failure } from "./error.ts";
import type { FactOf, MemberResult, OutputChars } from "./event.ts";
import type { Json } from "./json.ts";
import type { AssistantMessage, CallRequest, ToolMessage, UserMessage } from "./message.ts";
import { cutAt, countChars, takeChars, toFigure } from "./text.ts";
import { withoutVectors } from "./vector.ts";

/** What became of one call. */
export type CallResult = Readonly<{ request: CallRequest; output?: Json; error?: Failure }>;

/** Output that a model does not read whole. */
export type Cut = Readonly<{ tool: string; chars: number; shown: number; setting: string }>;

/** Whether a reply says nothing and asks for nothing. */
export function isEmptyReply({ text, calls }: Pick<FactOf<"step.ended">, "text" | "calls">): boolean {
  return calls.length === 0 && text.trim() === "";
}

/** The reply as it joins the history. */
export function toReply({ text, calls, agent, provider }: FactOf<"step.ended">): AssistantMessage {
  return {
    role: "assistant",
    agent,
    content: text,
    ...(calls.length === 0 ? {} : { calls }),
    ...(provider === undefined ? {} : { provider }),
  };
}

/** The results of one reply's calls as the model reads them, in call order, and what was cut of them. */
export function toToolMessages(
  results: readonly CallResult[],
  chars: OutputChars,
): Readonly<{ messages: readonly ToolMessage[]; cuts: readonly Cut[] }> {
  const cuts: Cut[] = [];
  let left = chars.total;
  const messages = results.map(({ request: { id: call, tool }, output = null, error }): ToolMessage => {
    const failed = error === undefined ? {} : { failed: true };
    const text = toText(call, output, error);
    const setting = chars.each <= left ? "max_tool_output_chars" : "max_total_tool_output_chars";
    if (left <= 0) {
      cuts.push({ tool, chars: countChars(text), shown: 0, setting });
      return { role: "tool", call, tool, content: toStatus(error, chars.total), ...failed };
    }
    const shown = takeChars(text, Math.min(chars.each, left));
    left -= shown.chars;
    if (shown.end === text.length) return { role: "tool", call, tool, content: text, ...failed };
    cuts.push({ tool, chars: countChars(text), shown: shown.chars, setting });
    return { role: "tool", call, tool, content: cutAt(text, shown.end), ...failed };
  });
  return { messages, cuts };
}

/** The answers as one message, each under its agent's id; only the winner's if there is one. */
export function toGroupMessage(results: readonly MemberResult[], winner: string | undefined): UserMessage {
  return { role: "user", content: joinAnswers(results, winner, ({ text }) => text) };
}

/** The same for people: without signals. */
export function toGroupContent(results: readonly MemberResult[], winner: string | undefined): string {
  return joinAnswers(results, winner, ({ content, text }) => content ?? text);
}

function joinAnswers(
  results: readonly MemberResult[],
  winner: string | undefined,
  show: (result: MemberResult) => string | undefined,
): string {
  const answers = results.filter(({ agent, text }) => text !== undefined && (winner ?? agent) === agent);
  return answers.map((result) => `[${result.agent}] ${show(result) ?? ""}`).join("\n\n");
}

function toText(call: string, output: Json, error: Failure | undefined): string {
  if (error !== undefined) return `Error (${error.kind ?? error.code}): ${error.message}`;
  return typeof output === "string" ? output : JSON.stringify(withoutVectors(call, output));
}

function toStatus(error: Failure | undefined, total: number): string {
  const status = error === undefined ? "ok" : `failed (${error.kind ?? error.code})`;
  return `[${status}; output left out: ${toFigure(total)} characters reached]`;
}
