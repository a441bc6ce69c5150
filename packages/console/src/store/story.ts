/**
 * Story: what there is to draw of a run: turns, steps, calls, groups, handoffs and waits, each with where it begins and
 * ends in the log.
 *
 * What is true comes from `openFold`; this only says what to draw, and where.
 */
import type { Command, EventBodyOf, Failure, Json, Receipt, RunEvent } from "@baton/client";
import type { GrowingText } from "./growing-text.ts";

/** A place in the log. */
export type StoryMark = Readonly<{ seq: number; at: number }>;

/** From an event to another; one that is not over has no end. */
export interface StorySpan {
  readonly from: StoryMark;
  to?: StoryMark;
}

/** One try of a model call, and what it wrote. */
export interface Attempt extends StorySpan {
  readonly text: GrowingText;
  readonly reasoning: GrowingText;
  error?: Failure;
}

/** One use of a tool. */
export interface CallSpan extends StorySpan {
  readonly call: string;
  readonly step: string;
  readonly agent: string;
  readonly lane: string;
  readonly tool: string;
  args: Json;
  /** A person changed the arguments. */
  edited?: true;
  readonly effect: "read" | "idempotent" | "irreversible";
  readonly progress: { readonly seq: number; readonly value: Json }[];
  retries: number;
  /** Of a call that code makes: the line of the code. */
  readonly line?: number;
  /** The calls that code makes. */
  readonly inner: CallSpan[];
  ended?: EventBodyOf<"call.ended">;
}

/** One model call. */
export interface StepSpan extends StorySpan {
  readonly step: string;
  readonly turn: string;
  readonly agent: string;
  readonly lane: string;
  readonly model: string;
  readonly isOutput: boolean;
  readonly tokens?: number;
  readonly window?: number;
  /** The last one counts; those before it were dropped. */
  readonly attempts: Attempt[];
  readonly calls: CallSpan[];
  ended?: EventBodyOf<"step.ended">;
}

/** One agent's stay. */
export interface TurnSpan extends StorySpan {
  readonly turn: string;
  readonly agent: string;
  readonly lane: string;
  readonly audience: "user" | "crew";
  /** The name of the sub-crew whose turn it is. */
  readonly crew?: string;
  readonly steps: StepSpan[];
  ended?: EventBodyOf<"turn.ended">;
}

/** Agents at the same time. */
export interface GroupSpan extends StorySpan {
  readonly turn: string;
  readonly group: string;
  readonly agents: readonly string[];
  /** The number of items, if it is a map. */
  readonly items?: number;
  readonly lane: string;
  ended?: EventBodyOf<"group.ended">;
}

/** A member of a group or an item of a map, and its lane. */
export type GroupLane = Readonly<{ agent: string; lane: string; index?: number }>;

/** The most items of a map that are shown, beside those that failed. */
const MAX_ITEMS = 12;

/** Lists the members of a group; of a long map the first items, and those that failed. */
export function groupLanesOf(
  { turn, group, agents, items }: GroupSpan,
  turns: readonly TurnSpan[],
): readonly GroupLane[] {
  const prefix = `${turn}/${group}/`;
  if (items === undefined) return agents.map((agent) => ({ agent, lane: prefix + agent }));
  const failed = new Set(turns.flatMap(({ lane, ended }) => (ended?.error === undefined ? [] : lane)));
  const [agent = ""] = agents;
  return Array.from({ length: items }, (_, at) => ({ agent, lane: `${prefix}${at + 1}`, index: at + 1 })).filter(
    ({ index, lane }) => index <= MAX_ITEMS || failed.has(lane),
  );
}

/** The baton passes, with the signal that it followed. */
export interface HandoffMark extends StoryMark {
  readonly from: string;
  readonly to: string;
  readonly via: string;
  readonly lane: string;
  readonly signal?: string;
}

/** A person is waited for. */
export interface WaitSpan extends StorySpan {
  readonly by: "signal" | "question" | "command";
  readonly agent: string;
}

/** A question, with its answer once there is one. */
export interface QuestionSpan extends StorySpan {
  readonly asked: EventBodyOf<"question.opened">;
  readonly lane: string;
  answer?: Json;
  /** The user who answered. */
  by?: string;
  /** The answer is not needed any more. */
  isClosed?: true;
}

/** Something that stands between turns. */
export type Aside = StoryMark &
  Readonly<{ lane: string }> &
  (
    | Readonly<{ kind: "user"; text: string; images: number }>
    | Readonly<{ kind: "warning"; text: string; agent: string }>
    | Readonly<{ kind: "limit"; limit: string; value: number }>
    | Readonly<{ kind: "waits"; agent: string; limit: string; delayMs: number }>
    | Readonly<{ kind: "command"; command: Command }>
    | Readonly<{ kind: "trimmed"; agent: string; step: string; dropped: number }>
  );

/** A note of a product: an intent, a plan, a chart. */
export type NoteMark = EventBodyOf<"note.made"> & StoryMark & Readonly<{ lane: string }>;

/** All that there is to draw. */
export interface Story {
  readonly turns: readonly TurnSpan[];
  readonly groups: readonly GroupSpan[];
  readonly handoffs: readonly HandoffMark[];
  readonly waits: readonly WaitSpan[];
  /** The time before another process, or a fork, continued the run: neither a wait nor work. */
  readonly breaks: readonly StorySpan[];
  readonly questions: readonly QuestionSpan[];
  readonly asides: readonly Aside[];
  readonly notes: readonly NoteMark[];
  readonly started: Extract<RunEvent, { type: "run.started" }> | undefined;
  readonly ended: Extract<RunEvent, { type: "run.ended" }> | undefined;
  /** The fates of calls and turns after a cancel of the run, by position. */
  readonly fates: ReadonlyMap<string, keyof Receipt>;
}

/** True if a span had begun at an event. */
export function hasBegun({ from }: StorySpan, seq: number): boolean {
  return from.seq <= seq;
}

/** True if a span was open at an event. */
export function isSpanOpen({ from, to }: StorySpan, seq: number): boolean {
  return from.seq <= seq && (to === undefined || to.seq > seq);
}
