/**
 * Resume: from a run's log to the place where it continues.
 *
 * State is the fold of all before the open turn; what the open turn has already said and done is handed to the host,
 * which runs it again over that.
 */
import { CallLog } from "../ports/call-log.ts";
import type { Configure, RunEvent } from "../words/event.ts";
import { fold, openFold, type RunView } from "../words/fold.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import type { GuardOf, RunGuards } from "../ports/guard.ts";
import { isMember } from "../words/position.ts";
import { type Plan, toGuards } from "../views/plan.ts";
import { toPlace } from "../views/route.ts";
import type { Progress } from "../views/progress.ts";
import { openTotals, type OpenTotals } from "../words/totals.ts";

/** Where a segment of a run begins; the segment may change it, except the events. */
export interface SegmentStart {
  readonly progress: Progress;
  readonly history: Message[];
  /** The run's state, and the same before the open turn. */
  readonly values: ReadonlyMap<string, Json>;
  readonly earlier: ReadonlyMap<string, Json>;
  /** Number of messages of the history that were there before the run. */
  readonly before: number;
  readonly modelStates: Map<string, Json>;
  readonly configured: Configure[];
  readonly calls: CallLog;
  readonly totals: OpenTotals;
  /** Events of the open turn so far; empty if no turn is open. */
  readonly recorded: readonly RunEvent[];
  /** The latest reply. */
  readonly text: string;
  /** Time the run has worked since the user's last message; waiting costs no time. */
  readonly spentMs: number;
  /** Guards of the crews' policies, which have seen the log so far. */
  readonly guards?: RunGuards | undefined;
}

/** Where the next segment of a run begins, and the state of the run, summed up once from its log. */
export function toSegmentStart(
  plan: Plan,
  guardOf: GuardOf,
  events: readonly RunEvent[],
): SegmentStart & { readonly view: RunView } {
  const { crew } = plan;
  const cut = findOpenTurn(events);
  const sum = openFold();
  sum.add(events.slice(0, cut));
  const { next, agent, turns, handoffs, history: said, modelStates: states, shown, values: earlier } = sum.view;
  const { output } = sum.view;
  // These grow with the events of the open turn.
  const [history, modelStates] = [[...said], new Map(states)];
  sum.add(events.slice(cut));
  const all = sum.view;
  const calls = new CallLog();
  for (const event of events) calls.add(event, event.seq, event.at);
  const [first] = events;
  const place = toPlace(crew, next) ?? { kind: "agent", id: next };
  const returnTo = place.kind === "crew" ? findReturn(events.slice(0, cut)) : undefined;
  return {
    progress: { next: place, from: agent, turns, handoffs, shown, output, ...omitUndefined({ returnTo }) },
    history,
    values: all.values,
    earlier,
    before: first?.type === "run.started" ? first.history.length : 0,
    modelStates,
    configured: [...all.configured],
    calls,
    totals: openTotals(all),
    recorded: events.slice(cut),
    text: all.text,
    spentMs: toSpentMs(events),
    guards: toGuards(plan, guardOf, events),
    view: all,
  };
}

/** Returns the agent that gets the baton after the sub-crew that the latest handoff led to. */
function findReturn(events: readonly RunEvent[]): string | undefined {
  const made = events.findLast((event) => event.type === "handoff.made" && event.lane === "");
  return made?.type === "handoff.made" ? made.returnTo : undefined;
}

/** Time in which no model is called and a call is suspended counts as waiting: the log does not tell more. */
function toSpentMs(events: readonly RunEvent[]): number {
  let spentMs = 0;
  const steps = new Set<string>();
  const suspended = new Set<string>();
  let before = events[0];
  let isWaiting = false;
  const pauses = new Set<string>();
  for (const event of events) {
    if (event.type === "run.resumed") isWaiting = false;
    else if (!isWaiting && (suspended.size === 0 || steps.size > 0)) spentMs += event.at - (before?.at ?? event.at);
    if (event.type === "question.opened" && (event.kind === "pause" || event.kind === "message"))
      pauses.add(event.question);
    if (isMessage(event, pauses)) spentMs = 0;
    if (event.type === "run.paused") isWaiting = true;
    if (event.type === "step.started") steps.add(event.step);
    if (event.type === "step.ended") steps.delete(event.step);
    if (event.type === "call.suspended") suspended.add(event.call);
    if (event.type === "call.ended") suspended.delete(event.call);
    before = event;
  }
  return spentMs;
}

/** Whether a user's message makes the run continue: then its limits count anew. */
function isMessage(event: RunEvent, pauses: ReadonlySet<string>): boolean {
  if (event.type === "run.resumed") return event.input !== undefined;
  return event.type === "question.answered" && pauses.has(event.question) && typeof event.value === "string";
}

/** The index of the event that began the open turn or group, or the end if a message comes first. */
function findOpenTurn(events: readonly RunEvent[]): number {
  const index = events.findLastIndex(
    (event) =>
      event.lane === "" &&
      (event.type === "turn.started" ||
        event.type === "group.started" ||
        (event.type === "run.paused" && event.by === "signal" && event.questions.length === 0) ||
        (event.type === "run.resumed" && event.input !== undefined)),
  );
  const type = events[index]?.type;
  return type === "turn.started" || type === "group.started" ? index : events.length;
}

/** Whether a lane or a call has begun and not ended. */
export function isOpenIn(events: readonly RunEvent[], key: string): boolean {
  const isIt = (event: RunEvent): boolean => {
    if (event.type === "call.started" || event.type === "call.ended") return event.call === key;
    if (event.type !== "turn.started" && event.type !== "turn.ended") return false;
    // A sub-crew's lane is named after its turn, a member's has one turn of its own.
    return `${event.turn}/${event.agent}` === key || (isMember(key) && event.lane === key);
  };
  const last = events.findLast(isIt);
  if (last?.type === "call.started" || last?.type === "turn.started") return true;
  // A call that waits for its approval has not started; a crew that is a child has no turn of its own while one of its
  // agents waits for a message.
  const open = [...fold(events).questions.values()];
  return open.some(({ lane, call }) => call === key || (lane === key && isMember(key)));
}

/** The open calls of the code that a call runs. */
export function findInCode(events: readonly RunEvent[], code: string): readonly string[] {
  const open = new Set<string>();
  for (const event of events) {
    const isBegun = event.type === "call.started" || event.type === "question.opened";
    if (isBegun && event.within === code && event.call !== undefined) open.add(event.call);
    if (event.type === "call.ended") open.delete(event.call);
  }
  return [...open];
}

/** The last event before the segment that a paused run is at the end of. */
export function toSince(events: readonly RunEvent[]): number {
  return (events.findLast(({ type }) => type === "run.started" || type === "run.resumed")?.seq ?? 1) - 1;
}
