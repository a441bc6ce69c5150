/**
 * Run: one crew on one input, to its outcome. Start reading here.
 *
 * Turn, signals, handoff, turn … until an end, a pause or a limit, in the order of the specification's section "One
 * run, step by step". It talks to nothing but its host, and never throws.
 */
import { type Failure, toBatonError, toFailure } from "./error.ts";
import type { Outcome, Place, Via } from "./event.ts";
import { runGroup } from "./group.ts";
import { given } from "./json.ts";
import type { Lane } from "./lane.ts";
import type { Role } from "./plan.ts";
import { chooseSignal, decideRoute, fallBack, matchSignals, toPlace, type Route } from "./route.ts";
import { takeTurn, type TurnEnd } from "./turn.ts";

/** Where a run stands between two turns. */
export interface Progress {
  next: Place;
  /** Who had the baton last; empty at the start. */
  from: string;
  /** Turns and groups so far. */
  turns: number;
  /** Since the user's last message. */
  handoffs: number;
}

/** How a run stopped, for now or for good. */
export interface RunEnd {
  readonly outcome: Outcome;
  readonly by: "answer" | "signal" | "limit" | "command" | "error" | "question";
  readonly agent: string;
  readonly text: string;
  /** For people, if that is not `text` without the agent's own signals. */
  readonly content?: string;
  readonly error?: Failure;
}

/** Runs a crew from where it stands until it ends or must wait. */
export async function runCrew(lane: Lane, progress: Progress): Promise<RunEnd> {
  try {
    for (;;) {
      const end = await (progress.next.kind === "agent" ? visitAgent(lane, progress) : visitGroup(lane, progress));
      if (end !== undefined) return end;
    }
  } catch (thrown) {
    const error = toFailure(toBatonError(thrown, "internal"));
    return { outcome: "failed", by: "error", agent: progress.from, text: "", error };
  }
}

/** Steps 1 to 8 for one agent; undefined where the baton was handed on. */
function visitAgent(lane: Lane, progress: Progress): Promise<RunEnd | undefined> {
  const role = lane.plan.roles.get(progress.next.id);
  if (role === undefined) throw new Error(`there is no agent "${progress.next.id}"`);
  const agent = role.agent.id;
  progress.turns++;
  progress.from = agent;
  return takeTurn(lane, role, `${progress.turns}`).then((end) => {
    if (end.kind === "waiting") return { outcome: "paused", by: "question", agent, text: "" };
    if (end.kind === "stopped") return afterFailure(lane, progress, end);
    if (end.isResumed === true) progress.handoffs = 0;
    if (end.endsRun) return { outcome: "done", by: "answer", agent, text: end.text };
    const route = decideRoute(lane.plan.crew, role.agent, followSignals(lane, role, end.text));
    switch (route.kind) {
      case "end":
        return { outcome: "done", by: route.by, agent, text: end.text };
      case "pause":
        return { outcome: "paused", by: "signal", agent, text: end.text };
      case "go":
        return handOff(lane, progress, { ...route, text: end.text, from: agent });
    }
  });
}

/** Failures of an agent's own model, after which another agent may take over. */
const OWN_FAILURES: readonly Failure["code"][] = ["model", "empty_reply"];

type Stopped = Extract<TurnEnd, { kind: "stopped" }>;

/** The agent named by `on_failure` gets the baton if the model failed; anything else ends the run. */
function afterFailure(lane: Lane, progress: Progress, { error, text }: Stopped): RunEnd | undefined {
  const { from } = progress;
  const { behaviors, agents } = lane.plan.crew;
  const id = behaviors.get(from)?.onFailure;
  if (id === undefined || !agents.has(id) || !OWN_FAILURES.includes(error.code))
    return toStop(lane, from, { error, text });
  const end = handOff(lane, progress, { from, to: { kind: "agent", id }, via: "failure", text: "" });
  if (end !== undefined) return { ...end, error };
  lane.host.emit({ type: "warning.raised", agent: from, text: `${from} failed: ${error.message}; ${id} takes over` });
  return undefined;
}

/** Section 4: the group, and what follows it, which counts with it as one handoff. */
async function visitGroup(lane: Lane, progress: Progress): Promise<RunEnd | undefined> {
  const { crew } = lane.plan;
  const { id } = progress.next;
  const group = crew.groups.get(id);
  if (group === undefined) throw new Error(`there is no group "${id}"`);
  progress.turns++;
  const { from } = progress;
  const end = await runGroup(lane, { id, group, turn: `${progress.turns}`, from });
  if (end.kind === "waiting") return { outcome: "paused", by: "question", agent: from || id, text: "" };
  if (end.kind === "stopped") return toStop(lane, from || id, end);
  const route = afterGroup(lane, group.nextAgent, from);
  if (route.kind !== "go")
    return { outcome: "done", by: "answer", agent: id, text: end.text, ...given({ content: end.content }) };
  // With no handoff that led here, the one that follows counts by itself.
  if (from === "") return handOff(lane, progress, { ...route, text: end.text, from: id });
  const count = progress.handoffs;
  lane.host.emit({ type: "handoff.made", from: id, to: route.to.id, via: route.via, count });
  progress.next = route.to;
  return undefined;
}

function afterGroup({ plan: { crew } }: Lane, nextAgent: string | undefined, from: string): Route {
  if (nextAgent !== undefined && crew.agents.has(nextAgent)) {
    return { kind: "go", to: { kind: "agent", id: nextAgent }, via: "group" };
  }
  const signaller = crew.agents.get(from);
  return signaller === undefined ? { kind: "end", by: "answer" } : fallBack(crew, signaller);
}

/** Says which signals the reply holds, and gives the target of the one to follow. */
function followSignals(lane: Lane, role: Role, text: string): string | undefined {
  const { crew } = lane.plan;
  const matches = matchSignals(lane.plan, role, text);
  const chosen = chooseSignal(crew, matches);
  for (const match of matches) {
    lane.host.emit({ ...match, followed: match === chosen });
    if (match.target === "" || toPlace(crew, match.target) !== undefined) continue;
    const warning = `${match.signal} leads to "${match.target}", which is neither an agent nor a group`;
    lane.host.emit({ type: "warning.raised", agent: role.agent.id, text: warning });
  }
  return chosen?.target;
}

type Handoff = Readonly<{ from: string; to: Place; via: Via; text: string }>;

/** Passes the baton, unless this handoff would reach the limit. */
function handOff(lane: Lane, progress: Progress, { from, to, via, text }: Handoff): RunEnd | undefined {
  const { maxHandoffs } = lane.plan.crew.settings;
  const count = progress.handoffs + 1;
  if (count >= maxHandoffs) {
    lane.host.emit({ type: "limit.reached", limit: "max_handoffs", value: maxHandoffs, agent: from });
    const warning = `${from} did not hand over to ${to.id}: max_handoffs is ${maxHandoffs}`;
    lane.host.emit({ type: "warning.raised", agent: from, text: warning });
    return { outcome: "limit", by: "limit", agent: from, text };
  }
  progress.handoffs = count;
  progress.next = to;
  lane.host.emit({ type: "handoff.made", from, to: to.id, via, count });
  return undefined;
}

/** An interruption or a failure, as the run's end; what was said before an interruption is kept. */
function toStop(lane: Lane, agent: string, { error, text }: Omit<Stopped, "kind">): RunEnd {
  if (error.code === "cancelled") return { outcome: "cancelled", by: "command", agent, text, error };
  if (error.code !== "limit") return { outcome: "failed", by: "error", agent, text: "", error };
  const { limit } = error;
  if (limit !== undefined) lane.host.emit({ type: "limit.reached", limit: limit.name, value: limit.value, agent });
  lane.host.emit({ type: "warning.raised", agent, text: error.message });
  return { outcome: "limit", by: "limit", agent, text, error };
}
