/**
 * Segment: how a run starts, pauses and ends, as facts, on any host.
 *
 * Pure: a live run writes these facts down, a replay compares them with its log.
 */
import type { Crew } from "./definition.ts";
import type { Failure } from "./error.ts";
import type { Command, FactOf, Identity, Place, Receipt, RunLimits } from "./event.ts";
import type { OpenQuestion } from "./fold.ts";
import { given, type Json } from "./json.ts";
import type { Image, Message, UserMessage } from "./message.ts";
import type { Plan } from "./plan.ts";
import type { SegmentStart } from "./resume.ts";
import { withChanges } from "./state.ts";
import type { RunEnd } from "./progress.ts";

/** How a run begins. */
export interface Beginning extends Identity {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  readonly entry: Place;
  readonly limits?: RunLimits;
  readonly request?: string;
  /** What the caller says about this run; the run's first state, under the name `options`. */
  readonly options?: Json;
  /** The model of every agent that writes for the user. */
  readonly model?: string;
  /** The run that this one follows, as its crew's `after`. */
  readonly afterOf?: string;
}

/** The first fact of a run. */
export function toStarted(crew: Crew, beginning: Beginning): FactOf<"run.started"> {
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
  return Object.keys(rest).length === 0 ? started : { ...started, ...given(rest) };
}

/** Where the first segment of a run begins. */
export function toFirstSegmentStart(started: FactOf<"run.started">): SegmentStart {
  return {
    progress: { next: started.entry, from: "", turns: 0, handoffs: 0 },
    history: [...started.history, toUserMessage(started)],
    values: withChanges(new Map(), [started]),
    earlier: new Map(),
    before: started.history.length,
    vectors: new Map(),
    modelStates: new Map(),
    configured: [],
    recorded: [],
    text: "",
    spentMs: 0,
  };
}

/** What a person said, as a message. */
export function toUserMessage({ input = "", images }: FactOf<"run.started"> | FactOf<"run.resumed">): UserMessage {
  const message = { role: "user", content: input } as const;
  return images === undefined ? message : { ...message, images };
}

/** The pause of a run that waits for a message, or for answers. */
export function toPaused(
  { agent, by }: Pick<FactOf<"run.paused">, "agent"> & Pick<RunEnd, "by">,
  questions: ReadonlyMap<string, Pick<OpenQuestion, "kind">>,
): FactOf<"run.paused"> {
  const kinds = new Set(Array.from(questions.values(), ({ kind }) => kind));
  const only = kinds.size <= 1 ? [...kinds][0] : undefined;
  const reason = by === "signal" || only === "message" ? "signal" : only === "pause" ? "command" : "question";
  return { type: "run.paused", by: reason, agent, questions: [...questions.keys()] };
}

/** The last fact of a run. */
export function toEnded(plan: Plan, end: RunEnd, receipt: Receipt | undefined): FactOf<"run.ended"> {
  const { outcome, agent, text, output, error } = end;
  const by = end.by === "question" ? "error" : end.by;
  const content = toContent(plan, end);
  const shown = content === text ? {} : { content };
  const ended = { type: "run.ended", outcome, by, agent, text } as const;
  if (content === text && output === undefined && (error ?? receipt) === undefined) return ended;
  return { ...ended, ...shown, ...given({ output, error, receipt }) };
}

/** The text of an end for people: without signals. */
export function toContent({ roles }: Plan, { agent, text, content }: RunEnd): string {
  return content ?? roles.get(agent)?.matcher.strip(text) ?? text;
}

/** How a run ends that is cancelled while nothing is open: with what was said last. */
export function toCancelled({ agent, text }: Pick<RunEnd, "agent" | "text">, error: Failure | undefined): RunEnd {
  return { outcome: "cancelled", by: "command", agent, text, ...given({ error }) };
}

const LATE = "came too late";

/** The warning about a command that was accepted but came too late. */
export function toLateWarning(agent: string, { type }: Command): FactOf<"warning.raised"> {
  return { type: "warning.raised", agent, text: `the command "${type}" ${LATE}` };
}

/** Whether a warning says so. */
export function isLateWarning({ text }: FactOf<"warning.raised">): boolean {
  return text.startsWith('the command "') && text.endsWith(LATE);
}
