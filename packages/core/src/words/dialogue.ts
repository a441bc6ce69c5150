/**
 * Dialogue: what happened, as messages of the conversation.
 *
 * A reply joins the history together with the results of its calls, a group's answers as one message. A reply with
 * neither text nor calls does not join it. The same functions serve the loop and `fold`, so both build the same history.
 */
import { toEditedLine } from "./approval.ts";
import type { Failure } from "./error.ts";
import type { EventBodyOf, MemberResult, OutputChars } from "./event.ts";
import type { Json } from "./json.ts";
import type { AssistantMessage, CallRequest, ToolMessage, UserMessage } from "./message.ts";
import { cutAt, countChars, takeChars, toFigure } from "./text.ts";
import { withoutVectors } from "./vector.ts";

/** Result of one call; `attempts` is 0 if it was refused, `wholeChars` is there if the log has only its beginning. */
export type CallResult = Readonly<{
  request: CallRequest;
  /** Arguments that a person gave instead of the model's. */
  edited?: Json;
  output?: Json;
  error?: Failure;
  attempts?: number;
  wholeChars?: number;
  digest?: string;
}>;

/** Output that a model does not read whole. */
export type Cut = Readonly<{ tool: string; chars: number; shown: number; setting: string }>;

/** Whether a reply says nothing and asks for nothing. */
export function isEmptyReply({ text, calls }: Pick<EventBodyOf<"step.ended">, "text" | "calls">): boolean {
  return calls.length === 0 && text.trim() === "";
}

/** The reply as it joins the history. */
export function toReply(
  { text, calls, agent, provider }: EventBodyOf<"step.ended">,
  audience: "user" | "crew" = "user",
): AssistantMessage {
  return {
    role: "assistant",
    agent,
    content: text,
    ...(calls.length === 0 ? {} : { calls }),
    ...(provider === undefined ? {} : { provider }),
    ...(audience === "user" ? {} : { audience }),
  };
}

/** Builds the message of a sub-crew's answer for the history. */
export function toCrewMessage(crew: string, text: string, audience: "user" | "crew" = "user"): AssistantMessage {
  const message = { role: "assistant", agent: crew, content: text } as const;
  return audience === "user" ? message : { ...message, audience };
}

/** Settings for showing results to a model: the run they belong to, and how much of them the model reads. */
export type Telling = OutputChars & Readonly<{ run: string }>;

/** The results of one reply's calls as the model reads them, in call order, and what was cut of them. */
export function toToolMessages(
  results: readonly CallResult[],
  { run, each, total }: Telling,
): Readonly<{ messages: readonly ToolMessage[]; cuts: readonly Cut[] }> {
  const cuts: Cut[] = [];
  let left = total;
  const messages = results.map((result): ToolMessage => {
    const { error, digest } = result;
    const text = toText(run, result);
    const shown = left <= 0 ? NOTHING : takeChars(text, Math.min(each, left));
    // A digest is complete even if the output was shortened.
    const wholeChars = digest === undefined ? result.wholeChars : undefined;
    if (left > 0 && shown.end === text.length && wholeChars === undefined) {
      left -= shown.chars;
      return toToolMessage(result, text);
    }
    const limit = each <= left ? "max_tool_output_chars" : "max_total_tool_output_chars";
    const setting = shown.end === text.length ? "at most 1 MiB is kept" : limit;
    cuts.push({ tool: result.request.tool, chars: wholeChars ?? countChars(text), shown: shown.chars, setting });
    const isOver = left <= 0;
    left -= shown.chars;
    if (isOver) return toToolMessage(result, toStatus(error, total));
    return toToolMessage(result, shown.end === text.length ? text : cutAt(text, shown.end, wholeChars));
  });
  return { messages, cuts };
}

const NOTHING = { end: 0, chars: 0 };

function toToolMessage({ request, edited, error }: CallResult, text: string): ToolMessage {
  const { id: call, tool, args } = request;
  const line = edited === undefined ? "" : toEditedLine(args, edited);
  const content = line === "" ? text : `${line}\n${text}`;
  if (error === undefined) return { role: "tool", call, tool, content };
  return { role: "tool", call, tool, content, failed: true };
}

/** Results of a group or map, and whose answer was taken if only one was. */
type Answers = Pick<EventBodyOf<"group.ended">, "group" | "results" | "winner">;

/** The answers as one message, each under its agent's id; only the winner's if there is one. None of a map without items. */
export function toGroupMessage(answers: Answers, maxChars = Infinity): UserMessage | undefined {
  const { results } = answers;
  if (results.length === 0) return undefined;
  const content = joinAnswers(answers, maxChars, (result, name) =>
    [...toTold(result), `${name} ${result.text}`].join("\n"),
  );
  const isForCrew = results.every(({ audience, index }) => audience === "crew" || index !== undefined);
  return { role: "user", content, from: "group", ...(isForCrew ? { audience: "crew" } : {}) };
}

/** The answers alone, without calls and results. */
export function toGroupText(answers: Answers, maxChars = Infinity): string {
  return joinAnswers(answers, maxChars, ({ text }, name) => `${name} ${text}`);
}

/** The same for people: without signals. */
export function toGroupContent(answers: Answers, maxChars = Infinity): string {
  return joinAnswers(answers, maxChars, ({ content, text }, name) => `${name} ${content ?? text}`);
}

type Show = (result: MemberResult, name: string) => string;

const toTold = ({ told }: MemberResult): readonly string[] => (told === undefined ? [] : [told]);

/** Answers of a map are in the run's state too, so that a model need not read them all. */
function joinAnswers({ group, results, winner }: Answers, maxChars: number, show: Show): string {
  const isMap = results.some(({ index }) => index !== undefined);
  const answers = results.filter(
    ({ agent, index, text }) => text !== undefined && (winner === undefined || winner === (index ?? agent)),
  );
  const lines = answers.map((result) =>
    show(result, `[${result.agent}${result.index === undefined ? "" : ` ${result.index}`}]`),
  );
  if (!isMap) return lines.join("\n\n");
  let left = maxChars;
  const end = lines.findIndex((line) => (left -= countChars(line) + 1) < -1);
  if (end === -1) return lines.join("\n");
  const [first = ""] = lines;
  const shown = end === 0 ? [cutAt(first, takeChars(first, maxChars).end)] : lines.slice(0, end);
  return [...shown, `[${toFigure(lines.length - shown.length)} more in state.${group}]`].join("\n");
}

function toText(run: string, { request, output = null, error, digest }: CallResult): string {
  if (error !== undefined) return `Error (${error.kind ?? error.code}): ${error.message}`;
  if (digest !== undefined) return digest;
  return typeof output === "string" ? output : JSON.stringify(withoutVectors({ run, call: request.id }, output));
}

function toStatus(error: Failure | undefined, total: number): string {
  const status = error === undefined ? "ok" : `failed (${error.kind ?? error.code})`;
  return `[${status}; output left out: ${toFigure(total)} characters reached]`;
}
