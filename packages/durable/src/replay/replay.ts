/**
 * Replay: a run's log through the engine once more, from event 1, with no model and no tool called.
 *
 * Lane by lane the run must say again what its log has; what it did and heard comes from there, and so do
 * its receipt, the names of models and whatever was said inside a step or call. Nothing is written, and no time
 * passes.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import {
  isLateWarning,
  isMember,
  type Lane,
  type Progress,
  runChild,
  runCrew,
  type RunEnd,
  toCancelled,
  toEnded,
  toFirstSegmentStart,
  toPaused,
  toPlace,
  toPlan,
  toStarted,
  toUnusedTools,
  toUserMessage,
} from "@baton/core/engine";
import { noDocuments, type Clock, type EventBodyOf, Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type Difference, isSame, toDifference } from "./difference.ts";
import { ReplayHost } from "./replay-host.ts";
import { ReplayedRun, type ReplayParts } from "./replayed-run.ts";

/** Time that stands still: whatever ran out of it is in the log. */
const STILL: Clock = {
  now: () => 0,
  monotonic: () => 0,
  after: () => ({ cancel: () => undefined }),
  soon: setImmediate,
  breathe: () => undefined,
  random: () => 0,
};

/** The first difference between a log and what the crew would do now; undefined if there is none. */
export async function replay(
  crew: Crew,
  events: readonly RunEvent[],
  parts: Pick<ReplayParts, "guardOf"> = {},
): Promise<Difference | undefined> {
  return findDifference(await replayRun(crew, events, parts), events);
}

/** A run once more, all of it or up to a step. */
export async function replayRun(
  crew: Crew,
  events: readonly RunEvent[],
  parts: ReplayParts = {},
): Promise<ReplayedRun> {
  const [first] = events;
  if (first?.type !== "run.started") throw new BatonError("damaged", "the log has no beginning");
  const replayed = new ReplayedRun(first.run, events, parts);
  await using scope = Scope.root({ clock: STILL, name: "replay" });
  const host = new ReplayHost(replayed, "", scope);
  const { limits, tenant, user, session } = first;
  const { progress, history, before, modelStates, configured } = toFirstSegmentStart(first);
  const identity = omitUndefined({ tenant, user, session });
  const own = {
    limits,
    identity,
    caller: undefined,
    documents: NO_DOCUMENTS,
    modelStates,
    configured,
    userModel: first.model,
  };
  const shared = { model, permits: () => [], replaceProgram: undefined, runChild, ...own };
  const plan = toPlan(replayed.toIdle(crew), omitUndefined({ tools: first.tools }));
  const lane = { plan, host, shared, history, before, path: "", depth: 0 };
  try {
    // How much a model reads of outputs comes from the crew; the rest came from outside.
    const { outputChars: _, ...beginning } = first;
    host.repeat({ ...toStarted(crew, beginning), crew: first.crew });
    const unused = toUnusedTools(crew, first);
    if (unused !== undefined && host.next?.type === "warning.raised") host.repeat(unused);
    await play(lane, host, progress);
  } catch (thrown) {
    if (!(thrown instanceof BatonError) || thrown.code !== "diverged") throw thrown;
  }
  return replayed;
}

const NO_DOCUMENTS = noDocuments("no tool is called in a replay");

function model(): never {
  throw new BatonError("model", "no model is called in a replay");
}

/** The whole run, from message to message. */
async function play(lane: Lane, host: ReplayHost, progress: Progress): Promise<void> {
  const { crew } = lane.plan;
  // It waited for its session, and was given up before it could begin.
  if (host.next?.type === "run.ended") return host.skip();
  for (;;) {
    const end = await runCrew(lane, progress);
    if (end.error?.code === "diverged") return;
    if (end.outcome !== "paused") return settle(lane, host, end);
    if (end.by !== "signal") return;
    pause(host, end);
    const resumed = host.next;
    if (resumed === undefined) return;
    if (resumed.type !== "run.resumed") {
      return settle(lane, host, toCancelled({ agent: end.agent, text: host.text }, undefined));
    }
    host.repeat({ ...resumed, agent: end.agent });
    lane.history.push(toUserMessage(resumed));
    progress.next = toPlace(crew, resumed.agent) ?? { kind: "agent", id: resumed.agent };
    progress.handoffs = 0;
  }
}

/** Waits for a message; older logs repeat the pause if there was a question about changed tools meanwhile. */
function pause(host: ReplayHost, { agent }: RunEnd): void {
  do {
    const questions = host.next?.type === "run.paused" ? host.next.questions : [];
    host.repeat({ type: "run.paused", by: "signal", agent, questions });
  } while (host.next?.type === "run.paused");
}

/** The end, after what is said of commands that were never taken. */
function settle({ plan }: Lane, host: ReplayHost, end: RunEnd): void {
  while (host.next?.type === "warning.raised" && isLateWarning(host.next))
    host.repeat({ ...host.next, agent: end.agent });
  const logged = host.next?.type === "run.ended" ? host.next : undefined;
  // Why it was cancelled while it waited, and what that stopped, came from outside.
  const error = end.outcome === "cancelled" ? (end.error ?? logged?.error) : end.error;
  host.repeat(toEnded(plan, { ...end, ...omitUndefined({ error }) }, logged?.receipt));
}

/** Of all that differs, what comes first in the log. */
export function findDifference(replayed: ReplayedRun, events: readonly RunEvent[]): Difference | undefined {
  const { left, wants, differences } = replayed;
  const found = [...differences, ...checkPauses(events)];
  const wanted = wants.find(({ lane }) => lane === left?.lane) ?? wants[0];
  // Calls that run at once: the difference of one of them stops a child that has not come as far as its log.
  const isStopped =
    left?.type === "call.started" && differences.length > 0 && differences.every(({ lane }) => lane !== left.lane);
  if (left !== undefined && !isStopped) found.push(toDifference(left, wanted?.now));
  const last = events.at(-1);
  // Nothing was under way when it paused.
  if (last?.type === "run.paused" && wanted !== undefined) found.push(toDifference(last, wanted.now));
  return found.toSorted((one, other) => one.seq - other.seq)[0];
}

/** The pauses that are not what they must be, by what was open then. */
function checkPauses(events: readonly RunEvent[]): readonly Difference[] {
  const differences: Difference[] = [];
  const open = new Map<string, EventBodyOf<"question.opened">>();
  let agent = "";
  for (const event of events) {
    if (event.type === "question.opened") open.set(event.question, event);
    if (event.type === "question.answered" || event.type === "question.closed") open.delete(event.question);
    if (!isMember(event.lane) && event.type === "turn.started") ({ agent } = event);
    if (!isMember(event.lane) && event.type === "group.started") agent = event.from || event.group;
    if (event.type !== "run.paused") continue;
    const now = toPaused({ agent, by: open.size === 0 ? event.by : "question" }, open);
    if (!isSame(now, event)) differences.push(toDifference(event, now));
  }
  return differences;
}
