/**
 * Event label: an event in a few words, its family, and who it is about.
 */
import type { Failure, RunEvent } from "@baton/client";
import { type WorkEnding, fateOf, isCancelFailure, isFailed } from "../../store/receipt-lines.ts";
import type { Story } from "../../store/story.ts";
import type { Words } from "../../words/words.ts";

/** The families that events are filtered by. */
export const EVENT_FAMILIES = ["turn", "step", "tool", "signal", "question", "error"] as const;

/** One of them. */
export type EventFamily = (typeof EVENT_FAMILIES)[number];

const FAMILY_OF: ReadonlyMap<string, EventFamily> = new Map([
  ["run", "turn"],
  ["turn", "turn"],
  ["group", "turn"],
  ["step", "step"],
  ["text", "step"],
  ["reasoning", "step"],
  ["args", "step"],
  ["history", "step"],
  ["call", "tool"],
  ["permission", "tool"],
  ["effect", "tool"],
  ["signal", "signal"],
  ["handoff", "signal"],
  ["question", "question"],
  ["command", "question"],
  ["limit", "error"],
  ["warning", "error"],
]);

/** True if an event is of a family; one that brings a failure is an error, too. */
export function isOfFamily(event: RunEvent, family: EventFamily): boolean {
  if (family === "error" && "error" in event && isFailed(event.error)) return true;
  return FAMILY_OF.get(event.type.slice(0, event.type.indexOf("."))) === family;
}

/** Returns the agent that an event is about; empty if it is about none. */
export function agentOfEvent(event: RunEvent): string {
  if ("agent" in event && typeof event.agent === "string") return event.agent;
  if (event.type === "handoff.made") return event.from;
  return "";
}

type Say = Words["runPage"]["happened"];

/** The words, the fates of the run's work, and the names of its agents; without names, their ids. */
export interface EventLabelOptions {
  readonly say: Say;
  readonly story: Pick<Story, "fates">;
  readonly nameOf?: (agent: string) => string;
  /** Writes a time; in whole seconds if it is left out. */
  readonly duration?: (ms: number) => string;
}

/** An event in a few words. */
export function eventLabel(event: RunEvent, options: EventLabelOptions): string {
  const { say, story, nameOf = toId, duration = toSeconds } = options;
  switch (event.type) {
    case "run.started":
      return say.started;
    case "run.paused":
      return say.paused(nameOf(event.agent));
    case "run.resumed":
      return say.resumed(nameOf(event.agent));
    case "run.ended":
      return say.ended;
    case "turn.started":
      return say.turn(nameOf(event.agent));
    case "turn.ended":
      return sayEnd(say, {
        ended: event,
        fate: fateOf(story, event.turn, { ended: event }),
        name: nameOf(event.agent),
      });
    case "group.started":
      return say.group(event.group, event.agents.length);
    case "group.ended":
      return say.groupEnded(event.group);
    case "signal.matched":
      return say.signal(nameOf(event.agent), event.signal);
    case "handoff.made":
      return say.handoff(nameOf(event.from), nameOf(event.to));
    default:
      return sayWork(event, { say, story, nameOf, duration });
  }
}

type End = Readonly<{
  ended: Readonly<{ type: "turn.ended" | "step.ended" | "call.ended"; error?: Failure }>;
  fate: WorkEnding | undefined;
  name: string;
}>;

/** Returns the text of an end of a turn, step or call: by a cancel or a denial, by a failure, or well. */
function sayEnd(say: Say, { ended: { type, error }, fate, name }: End): string {
  if (fate !== undefined) return say.fates[fate](name);
  if (type === "turn.ended") return say.turnEnded(name);
  if (error !== undefined) return say.failed(name);
  return type === "step.ended" ? say.wrote(name) : say.called(name);
}

function sayWork(event: RunEvent, { say, story, nameOf, duration }: Required<EventLabelOptions>): string {
  switch (event.type) {
    case "step.started":
    case "text.delta":
    case "reasoning.delta":
    case "args.delta":
      return say.writes(nameOf(event.agent));
    case "step.retried":
      return say.retried(nameOf(event.agent));
    case "step.ended":
      return sayEnd(say, {
        ended: event,
        fate: isCancelFailure(event.error) ? "stopped" : undefined,
        name: nameOf(event.agent),
      });
    case "call.started":
      return say.call(nameOf(event.agent), event.tool);
    case "call.ended":
      return sayEnd(say, { ended: event, fate: fateOf(story, event.call, { ended: event }), name: event.tool });
    case "question.opened":
      return say.question(nameOf(event.agent));
    case "question.answered":
      return say.answered;
    case "history.trimmed":
      return say.trimmed(nameOf(event.agent));
    case "limit.reached":
      return say.limit(event.limit);
    case "limit.waiting":
      return say.waits(nameOf(event.agent), event.limit, duration(event.delayMs));
    case "warning.raised":
      return say.warning;
    case "command.received":
      return say.command(event.command.type);
    case "note.made":
      return say.note(event.kind);
    default:
      return say.other(event.type);
  }
}

function toSeconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

function toId(id: string): string {
  return id;
}

/** The event at a place of the log: the newest that is not a delta, or a step that was writing then. */
export function eventAt(events: readonly RunEvent[], seq: number): RunEvent | undefined {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return events[low - 1];
}
