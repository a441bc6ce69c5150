/**
 * Segment: how a run starts, pauses and ends, as facts, on any host.
 *
 * Pure: a live run writes these facts down, a replay compares them with its log.
 */
import { CallLog } from "../ports/call-log.ts";
import type { Crew } from "../definitions/definition.ts";
import { BatonError, type Failure } from "../words/error.ts";
import type {
  AnsweredBy,
  Command,
  EventBodyOf,
  Identity,
  Place,
  Receipt,
  RequestTool,
  RunLimits,
} from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import { takesTools } from "../definitions/request-tool.ts";
import type { Image, Message, UserMessage } from "../words/message.ts";
import type { Plan } from "../views/plan.ts";
import type { SegmentStart } from "./resume.ts";
import { isMember } from "../words/position.ts";
import { withChanges } from "../words/state.ts";
import { openTotals } from "../words/totals.ts";
import type { RunEnd } from "../views/progress.ts";

/** The beginning of a run. */
export interface Beginning extends Identity {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  readonly entry: Place;
  readonly limits?: RunLimits;
  readonly request?: string;
  /** The caller's options for this run: its first state, under the name `options`. */
  readonly options?: Json;
  /** The model of every agent that writes for the user. */
  readonly model?: string;
  /** The run that this one follows, as its crew's `after`. */
  readonly afterOf?: string;
  /** Tools of the client, for this run. */
  readonly tools?: readonly RequestTool[];
}

/** Images of a message, and who sent it. */
export type MessageOptions = Readonly<{ images?: readonly Image[] | undefined; by?: AnsweredBy | undefined }>;

/** The first fact of a run. */
export function toStarted(crew: Crew, beginning: Beginning): EventBodyOf<"run.started"> {
  const { maxOutputChars: each, maxTotalOutputChars: total } = crew.settings;
  const { input, history = [], entry, ...rest } = beginning;
  const started = {
    type: "run.started",
    crew: crew.name,
    input,
    history,
    entry,
    outputChars: { each, total },
  } as const;
  return Object.keys(rest).length === 0 ? started : { ...started, ...omitUndefined(rest) };
}

/** The warning about tools of a request that no agent takes. */
export function toUnusedTools(crew: Crew, { tools = [] }: Beginning): EventBodyOf<"warning.raised"> | undefined {
  if (tools.length === 0 || takesTools(crew, tools)) return undefined;
  const text = "no agent takes the tools of this request: set client_tools of an agent to true, or to their names";
  return { type: "warning.raised", agent: crew.entry.id, text, code: "tools_unused" };
}

/** Where the first segment of a run begins. */
export function toFirstSegmentStart(started: EventBodyOf<"run.started">): SegmentStart {
  return {
    progress: { next: started.entry, from: "", turns: 0, handoffs: 0 },
    history: [...started.history, toUserMessage(started)],
    values: withChanges(new Map(), [started]),
    earlier: new Map(),
    before: started.history.length,
    modelStates: new Map(),
    configured: [],
    calls: new CallLog(),
    totals: openTotals(),
    recorded: [],
    text: "",
    spentMs: 0,
  };
}

/** Builds the message of a user. */
export function toUserMessage({
  input = "",
  images,
}: EventBodyOf<"run.started"> | EventBodyOf<"run.resumed">): UserMessage {
  const message = { role: "user", content: input } as const;
  return images === undefined ? message : { ...message, images };
}

/** The pause of a run that waits for a message, or for answers. */
export function toPaused(
  { agent, by }: Pick<EventBodyOf<"run.paused">, "agent"> & Pick<RunEnd, "by">,
  questions: ReadonlyMap<string, Pick<OpenQuestion, "kind">>,
): EventBodyOf<"run.paused"> {
  const kinds = new Set(Array.from(questions.values(), ({ kind }) => kind));
  const only = kinds.size <= 1 ? [...kinds][0] : undefined;
  const reason = by === "signal" || only === "message" ? "signal" : only === "pause" ? "command" : "question";
  return { type: "run.paused", by: reason, agent, questions: [...questions.keys()] };
}

/** The last fact of a run. */
export function toEnded(plan: Plan, end: RunEnd, receipt: Receipt | undefined): EventBodyOf<"run.ended"> {
  const { outcome, agent, text, output, error } = end;
  const by = end.by === "question" ? "error" : end.by;
  const content = toContent(plan, end);
  const shown = content === text ? {} : { content };
  const ended = { type: "run.ended", outcome, by, agent, text } as const;
  if (content === text && output === undefined && (error ?? receipt) === undefined) return ended;
  return { ...ended, ...shown, ...omitUndefined({ output, error, receipt }) };
}

/** The text of an end for people: without signals. */
export function toContent({ roles }: Plan, { agent, text, content }: RunEnd): string {
  return content ?? roles.get(agent)?.matcher.strip(text) ?? text;
}

/** Builds the end of a run that is cancelled while nothing is open: it keeps the text that was said last. */
export function toCancelled({ agent, text }: Pick<RunEnd, "agent" | "text">, error: Failure | undefined): RunEnd {
  return { outcome: "cancelled", by: "command", agent, text, ...omitUndefined({ error }) };
}

/** The end of a run that took longer than it may. */
export function toTimeout(seconds: number): BatonError {
  const limit = { name: "timeout_seconds", value: seconds };
  return new BatonError("limit", `the run took longer than ${seconds} s (timeout_seconds)`, { limit });
}

/** Whether a command is for the agent that works in a lane; children hear only what names their lane. */
export function isFor(command: Command, lane: string): boolean {
  const to = command.type === "say" ? command.lane : undefined;
  return to === undefined ? !isMember(lane) : to === lane;
}

const LATE = "came too late";

/** The warning about a command that was accepted but came too late. */
export function toLateWarning(agent: string, { type }: Command): EventBodyOf<"warning.raised"> {
  return { type: "warning.raised", agent, text: `the command "${type}" ${LATE}` };
}

/** Whether a warning says so. */
export function isLateWarning({ text }: EventBodyOf<"warning.raised">): boolean {
  return text.startsWith('the command "') && text.endsWith(LATE);
}
