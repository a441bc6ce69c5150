/**
 * Log line: what the log of a server says of one event of a run.
 *
 * A pure function from events to lines. The level is known before anything is built, so an event that is not logged
 * costs one look at its type. What people, models and tools said is in no line, only names, positions and errors.
 */
import type { Failure, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { type ObservedRun, secondsSince } from "./open-runs.ts";
import { workStatusOf } from "./usage-counts.ts";

/** The level of a line. */
export type LineLevel = "error" | "warn" | "info" | "debug";

/** Fields of a line beside its message; undefined ones are omitted. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One line. */
export type LogLine = Readonly<{ message: string; fields: LogFields }>;

/** The level of an event's line; undefined for an event that has none. */
export function lineLevelOf(event: RunEvent): LineLevel | undefined {
  switch (event.type) {
    case "run.started":
    case "run.resumed":
    case "run.paused":
    case "handoff.made":
    case "limit.reached":
    case "limit.waiting":
      return "info";
    case "run.ended":
      return event.outcome === "failed" ? "error" : "info";
    case "warning.raised":
      return "warn";
    case "turn.ended":
    case "call.ended":
      return isFailure(event.error) ? "warn" : "debug";
    case "turn.started":
    case "step.started":
    case "step.retried":
    case "step.ended":
    case "call.started":
    case "call.retried":
    case "signal.matched":
    case "command.received":
      return "debug";
    default:
      return undefined;
  }
}

/** The line of an event that has a level. */
export function logLineOf(event: RunEvent, run: ObservedRun | undefined): LogLine {
  switch (event.type) {
    case "turn.started":
    case "turn.ended":
      return toTurnLine(event, run);
    case "step.started":
    case "step.retried":
    case "step.ended":
      return toStepLine(event, run);
    case "call.started":
    case "call.retried":
    case "call.ended":
      return toCallLine(event, run);
    default:
      return toRunLine(event, run);
  }
}

/** A cancel is wanted, so it is not a failure. */
function isFailure(error: Failure | undefined): boolean {
  return error !== undefined && workStatusOf(error) !== "cancelled";
}

function toRunLine(event: RunEvent, run: ObservedRun | undefined): LogLine {
  const turn = run?.turns.get(event.lane);
  const about = (agent: string | undefined, position = turn) => aboutOf(event, run, { agent, position });
  switch (event.type) {
    case "run.started":
      return { message: "run started", fields: about(event.entry.id) };
    case "run.resumed":
      return { message: "run resumed", fields: about(event.agent) };
    case "run.paused":
      return { message: "run paused", fields: { ...about(event.agent), ms: msSince(event, run), by: event.by } };
    case "run.ended": {
      const { outcome, by, error } = event;
      return {
        message: "run ended",
        fields: { ...about(event.agent), ms: msSince(event, run), outcome, by, ...whyOf(error) },
      };
    }
    case "handoff.made": {
      const { from, to, via, count } = event;
      return { message: "handoff", fields: { ...about(from), to, via, count } };
    }
    case "signal.matched": {
      const { agent, signal, match, target, followed } = event;
      return { message: "signal", fields: { ...about(agent), signal, match, target, followed } };
    }
    case "limit.reached":
      return { message: "limit reached", fields: { ...about(event.agent), limit: event.limit, value: event.value } };
    case "limit.waiting": {
      const { limit, delayMs: delay_ms } = event;
      return { message: "waiting for a limit", fields: { ...about(event.agent, event.of), limit, delay_ms } };
    }
    case "warning.raised":
      return { message: event.text, fields: about(event.agent, event.of) };
    case "command.received":
      return toCommandLine(event, run);
    default:
      return { message: event.type, fields: about(undefined) };
  }
}

type Seen<Type extends RunEvent["type"]> = RunEvent & EventBodyOf<Type>;

/** Names the agent and the part of the run that the command is for, else the agent that holds the baton. */
function toCommandLine(event: Seen<"command.received">, run: ObservedRun | undefined): LogLine {
  const { command } = event;
  const part = command.type === "cancel" ? (command.call ?? command.lane) : undefined;
  const named = command.type === "configure" ? command.agent : undefined;
  const place = { agent: named ?? agentOf(run, part), position: part ?? run?.turns.get("") };
  return { message: "command", fields: { ...aboutOf(event, run, place), type: command.type } };
}

/** The agent of a lane or call; that of the run's own line if it is not known. */
function agentOf(run: ObservedRun | undefined, part = ""): string | undefined {
  const lane = part.slice(0, Math.max(0, part.lastIndexOf("/")));
  return run?.agents.get(part) ?? run?.agents.get(lane) ?? run?.agents.get("");
}

function toTurnLine(event: Seen<"turn.started" | "turn.ended">, run: ObservedRun | undefined): LogLine {
  const about = aboutOf(event, run, { agent: event.agent, position: event.turn });
  if (event.type === "turn.started") return { message: "agent started", fields: about };
  const { error, turn } = event;
  return {
    message: isFailure(error) ? "agent failed" : "agent ended",
    fields: { ...about, ms: msSince(event, run, turn), ...whyOf(error) },
  };
}

function toStepLine(
  event: Seen<"step.started" | "step.retried" | "step.ended">,
  run: ObservedRun | undefined,
): LogLine {
  const { step, agent } = event;
  const asked = event.type === "step.started" ? event.model : run?.begun.get(step)?.model;
  const about = { ...aboutOf(event, run, { agent, position: step }), model: asked };
  if (event.type === "step.started") return { message: "model call started", fields: about };
  if (event.type === "step.retried") {
    const { attempt, delayMs, error } = event;
    return { message: "model call retried", fields: { ...about, attempt, delay_ms: delayMs, ...whyOf(error) } };
  }
  const { usage, costUsd, finish, calls, error, model = asked } = event;
  const ms = msSince(event, run, step);
  const used = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, cost_usd: costUsd };
  const fields = { ...about, model, ms, finish, calls: calls.length, ...used, ...whyOf(error) };
  return { message: "model call ended", fields };
}

function toCallLine(
  event: Seen<"call.started" | "call.retried" | "call.ended">,
  run: ObservedRun | undefined,
): LogLine {
  const { call, agent, tool } = event;
  const about = { ...aboutOf(event, run, { agent, position: call }), tool };
  if (event.type === "call.started") return { message: "tool started", fields: { ...about, effect: event.effect } };
  if (event.type === "call.retried") {
    const { attempt, delayMs, error } = event;
    return { message: "tool retried", fields: { ...about, attempt, delay_ms: delayMs, ...whyOf(error) } };
  }
  const { attempts, error } = event;
  return {
    message: isFailure(error) ? "tool failed" : "tool ended",
    fields: { ...about, ms: msSince(event, run, call), attempts, ...whyOf(error) },
  };
}

interface Place {
  readonly agent: string | undefined;
  readonly position: string | undefined;
}

/** Returns the fields that every line of a run has: request, run, session, crew, agent and position. */
function aboutOf(event: RunEvent, run: ObservedRun | undefined, { agent, position }: Place): LogFields {
  const { requestId, session, crew } = run?.origin ?? {};
  return { request: requestId, run: event.run, session, crew, agent: agent === "" ? undefined : agent, position };
}

function whyOf(error: Failure | undefined): LogFields {
  if (error === undefined) return {};
  return { code: error.code, kind: error.kind, error: error.message };
}

/** Since the position began, or the run's start or resume if no position is given. */
function msSince({ at }: RunEvent, run: ObservedRun | undefined, position = ""): number | undefined {
  const seconds = secondsSince(run, position, at);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}
