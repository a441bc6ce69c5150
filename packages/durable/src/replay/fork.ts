/**
 * Fork: the beginning of a run as the beginning of another one, which continues live from there.
 *
 * Finished steps come along and cost nothing; what was under way is left out and begins anew, and so is every
 * approval that was not used up: it was given to the other run. A child or code that carries a call out has used it up.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import { toPaused } from "@baton/core/engine";
import type { EventBodyOf, PermissionRule } from "@baton/core/ports";

/** Steps, calls and questions that a fork drops from the events it copies. */
interface Kept {
  /** Steps and calls that have ended, and calls that a child or code carries out. */
  readonly ended: ReadonlySet<string>;
  /** Questions of use to the fork. */
  readonly questions: ReadonlySet<string>;
}

/** The events up to the last finished step at or before `seq`, as the log of run `id`; `Engine.adopt` continues it. */
export function toFork(events: readonly RunEvent[], seq: number, id: string): readonly RunEvent[] {
  if (!Number.isInteger(seq) || seq < 1 || seq > events.length) {
    throw new BatonError("invalid", `the run has events 1 to ${events.length}; it cannot be forked at ${seq}`);
  }
  const pauses = new Set(events.flatMap((event) => (isPauseQuestion(event) ? event.question : [])));
  const last = events.findLastIndex((event) => event.seq <= seq && isFirm(event, pauses));
  const prefix = events.slice(0, last + 1);
  const kept = toKept(prefix);
  const own = prefix
    .filter((event) => isKept(event, kept))
    .map((event, index) => ({ ...event, run: id, seq: index + 1 }));
  return toPauses(own).map(withoutSession);
}

/** Other words for a message, in the log of a new run. */
export type Rephrasing = Readonly<{ id: string; input: string }>;

/** A fork right after the last message of a person at or before `seq`, which says `input` instead. */
export function rephraseFork(events: readonly RunEvent[], seq: number, { id, input }: Rephrasing): readonly RunEvent[] {
  const message = events.findLast((event) => event.seq <= seq && isMessage(event));
  const log = toFork(events, message?.seq ?? seq, id);
  const last = log.findLastIndex(isMessage);
  return log.map((event, index) => (index === last ? withWords(event, input) : event));
}

function isMessage(event: RunEvent): boolean {
  if (event.type === "command.received") return event.command.type === "say";
  return event.type === "run.started" || (event.type === "run.resumed" && event.input !== undefined);
}

function withWords(event: RunEvent, input: string): RunEvent {
  if (event.type === "run.started" || event.type === "run.resumed") return { ...event, input };
  if (event.type !== "command.received" || event.command.type !== "say") return event;
  return { ...event, command: { ...event.command, text: input } };
}

/** The crew of a fork: what cannot be undone is asked about, whatever was allowed before, and none runs after it. */
export function toForkCrew(like: Crew): Crew {
  const { after: _, ...crew } = like;
  const { permissions } = crew;
  const ruleOf = (name: string) => permissions.get(name) ?? permissions.get("*");
  const asking = [...crew.tools.values()]
    .filter(({ name, effect }) => effect === "irreversible" && ruleOf(name) !== "deny")
    .map(({ name }): [string, PermissionRule] => [name, "ask"]);
  const subCrews = new Map(Array.from(crew.subCrews, ([name, sub]) => [name, toForkCrew(sub)]));
  return Object.freeze({ ...crew, subCrews, permissions: new Map([...permissions, ...asking]) });
}

function isPauseQuestion(event: RunEvent): event is RunEvent & EventBodyOf<"question.opened"> {
  return event.type === "question.opened" && event.kind === "pause";
}

/** Events that a fork may end with: a step or call that succeeded or failed by itself, or a person's words. */
function isFirm(event: RunEvent, pauses: ReadonlySet<string>): boolean {
  switch (event.type) {
    case "run.started":
      return true;
    case "step.ended":
      return event.error === undefined;
    case "call.ended":
      return event.error === undefined || event.error.code === "tool";
    case "run.resumed":
      return event.input !== undefined;
    case "command.received":
      return event.command.type === "say";
    case "question.answered":
      return pauses.has(event.question);
    default:
      return false;
  }
}

function toKept(prefix: readonly RunEvent[]): Kept {
  const ended = new Set<string>();
  const answered = new Set<string>();
  for (const event of prefix) {
    if (event.type === "step.ended") ended.add(event.step);
    if (event.type === "call.ended") ended.add(event.call);
    if (event.type === "call.started" && (event.via ?? event.engine) !== undefined) ended.add(event.call);
    if (event.type === "question.answered" || event.type === "question.closed") answered.add(event.question);
  }
  const questions = new Set<string>();
  for (const event of prefix) {
    if (event.type !== "question.opened" || !answered.has(event.question)) continue;
    if (event.call === undefined || ended.has(event.call)) questions.add(event.question);
  }
  return { ended, questions };
}

function isKept(event: RunEvent, { ended, questions }: Kept): boolean {
  switch (event.type) {
    case "step.started":
    case "history.trimmed":
    case "step.retried":
    case "text.delta":
    case "reasoning.delta":
    case "args.delta":
      return ended.has(event.step);
    case "call.started":
    case "call.progressed":
    case "call.retried":
    case "call.suspended":
    case "permission.decided":
      return ended.has(event.call);
    case "note.made":
    case "limit.waiting":
      return ended.has(event.of);
    case "effect.intended":
      return ended.has(event.key);
    case "question.opened":
    case "question.answered":
    case "question.closed":
      return questions.has(event.question);
    case "warning.raised":
      return event.of === undefined || ended.has(event.of);
    default:
      return true;
  }
}

/** Each pause names the questions that were open, of those that came along. */
function toPauses(events: readonly RunEvent[]): readonly RunEvent[] {
  const open = new Map<string, EventBodyOf<"question.opened">>();
  return events.map((event) => {
    if (event.type === "question.opened") open.set(event.question, event);
    if (event.type === "question.answered" || event.type === "question.closed") open.delete(event.question);
    if (event.type !== "run.paused" || event.questions.length === 0) return event;
    return { ...event, ...toPaused({ agent: event.agent, by: "question" }, open) };
  });
}

/** A fork is not part of the conversation. */
function withoutSession(event: RunEvent): RunEvent {
  if (event.type !== "run.started") return event;
  const { session: _session, ...started } = event;
  return started;
}
