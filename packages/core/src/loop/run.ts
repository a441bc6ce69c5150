/**
 * Run: one crew on one input, to its outcome. Start reading here.
 *
 * Turn, signals, handoff, turn … until an end, a pause or a limit, in the order of the specification's section "One
 * run, step by step". It talks only to its host, and never throws.
 */
import { type Failure, toBatonError, toFailure } from "../words/error.ts";
import type { Place, Via } from "../words/event.ts";
import { runGroup } from "./lanes/group.ts";
import { omitUndefined } from "../words/json.ts";
import type { Lane } from "../views/lane.ts";
import { warnOfMissing } from "../views/missing-signal.ts";
import type { Role } from "../views/plan.ts";
import { toTurn } from "../words/position.ts";
import type { Progress, RunEnd, TurnEnd } from "../views/progress.ts";
import {
  chooseMatch,
  decideRoute,
  fallBack,
  type Match,
  matchRoutes,
  type Route,
  toMatched,
  toPlace,
} from "../views/route.ts";
import { runSubCrew } from "./lanes/sub-crew.ts";
import { takeTurn } from "./turn.ts";

/** Runs a crew from its current place until it ends or must wait. */
export async function runCrew(lane: Lane, progress: Progress): Promise<RunEnd> {
  try {
    for (;;) {
      const end = await VISITS[progress.next.kind](lane, progress);
      if (end !== undefined) return end;
    }
  } catch (thrown) {
    const error = toFailure(toBatonError(thrown, "internal"));
    return { outcome: "failed", by: "error", agent: progress.from, text: "", error };
  }
}

/** Steps 1 to 8 for one agent; undefined if the baton was handed on. */
function visitAgent(lane: Lane, progress: Progress): Promise<RunEnd | undefined> {
  const role = lane.plan.roles.get(progress.next.id);
  if (role === undefined) throw new Error(`there is no agent "${progress.next.id}"`);
  const agent = role.agent.id;
  progress.turns++;
  progress.from = agent;
  const turn = toTurn(lane.host.lane, progress.turns);
  return takeTurn(lane, role, turn).then((end) => {
    if (end.kind === "waiting") return { outcome: "paused", by: "question", agent, text: "" };
    if (end.kind === "stopped") return afterFailure(lane, progress, end);
    if (end.isResumed === true) begin(progress);
    const said = toSaid(role, progress, end);
    if (end.endsRun) return { ...said, outcome: "done", by: "answer" };
    const chosen = followMatch(lane, role, end);
    const route = decideRoute(lane.plan.crew, role.agent, chosen);
    switch (route.kind) {
      case "end":
        return { ...said, outcome: "done", by: route.by };
      case "pause":
        return lane.host.lane === ""
          ? { ...said, outcome: "paused", by: "signal" }
          : waitInside(lane, progress, { ...said, turn });
      case "go":
        progress.returnTo = chosen?.route.returnTo ?? agent;
        return handOff(lane, progress, { ...route, ...said, from: agent });
    }
  });
}

/** A user's message makes limits count anew. */
function begin(progress: Progress): void {
  progress.handoffs = 0;
  progress.isResumed = true;
}

type Said = Pick<RunEnd, "agent" | "text" | "content" | "output" | "isUnparsed">;

/**
 * Builds the text and output of an agent's turn. Text for the crew is not shown to people, but if it ends the run before
 * anything was shown.
 */
function toSaid({ agent, matcher }: Role, progress: Progress, end: Answered): Said {
  const { text, output, isUnparsed, endsRun } = end;
  const gave = output === undefined ? {} : { output, ...(isUnparsed && { isUnparsed }) };
  progress.output = output;
  const isHidden = agent.audience === "crew" && !(endsRun && progress.shown === undefined);
  if (isHidden) return { agent: agent.id, text, content: progress.shown ?? "", ...gave };
  progress.shown = matcher.strip(text);
  return { agent: agent.id, text, ...gave };
}

/** In a sub-crew, an agent that waits for the user asks a question of its lane; the next message is the answer. */
async function waitInside(
  lane: Lane,
  progress: Progress,
  said: Said & { readonly turn: string },
): Promise<RunEnd | undefined> {
  const { agent, turn } = said;
  const settled = await lane.host.ask({
    type: "question.opened",
    question: `${turn}/message`,
    kind: "message",
    agent,
    text: `${agent} waits for a message`,
    schema: { type: "string" },
  });
  if (settled === "closed") {
    const reason = lane.host.scope.reason;
    const error = reason === undefined ? {} : { error: toFailure(reason) };
    return { outcome: "cancelled", by: "command", agent, text: said.text, ...error };
  }
  if (settled === "waiting") {
    const content = said.content ?? progress.shown ?? said.text;
    return { outcome: "paused", by: "question", agent, text: said.text, content };
  }
  lane.history.push({ role: "user", content: typeof settled.value === "string" ? settled.value : "" });
  progress.next = { kind: "agent", id: agent };
  begin(progress);
  return undefined;
}

type Answered = Extract<TurnEnd, { kind: "answered" }>;

/** Returns the text to show if the agent writes for the crew. */
function toHidden(lane: Lane, { from, shown = "" }: Progress): { readonly content?: string } {
  return lane.plan.roles.get(from)?.agent.audience === "crew" ? { content: shown } : {};
}

/** Failures of an agent's own model, after which another agent may take over. */
const OWN_FAILURES: readonly Failure["code"][] = ["model", "empty_reply", "bad_output"];

type Stopped = Extract<TurnEnd, { kind: "stopped" }>;

/** The agent named by `on_failure` gets the baton if the model failed; anything else ends the run. */
function afterFailure(lane: Lane, progress: Progress, { error, text, isResumed }: Stopped): RunEnd | undefined {
  const { from } = progress;
  if (isResumed === true) begin(progress);
  const { behaviors, agents } = lane.plan.crew;
  const id = behaviors.get(from)?.onFailure;
  if (id === undefined || !agents.has(id) || !OWN_FAILURES.includes(error.code))
    return toStop(lane, from, { error, text, ...toHidden(lane, progress) });
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
  const turn = toTurn(lane.host.lane, progress.turns);
  const end = await runGroup(lane, { id, group, turn, from, output: progress.output });
  if (end.kind === "waiting") return { outcome: "paused", by: "question", agent: from || id, text: "" };
  if (end.kind === "stopped") return toStop(lane, from || id, end);
  progress.shown = end.content ?? end.text;
  progress.output = undefined;
  const route = afterGroup(lane, group.nextAgent, from);
  if (route.kind !== "go")
    return { outcome: "done", by: "answer", agent: id, text: end.text, ...omitUndefined({ content: end.content }) };
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

/** Section 12: another crew inside this run; going in and coming back count once together. */
async function visitCrew(lane: Lane, progress: Progress): Promise<RunEnd | undefined> {
  const { id } = progress.next;
  const sub = lane.plan.subs.get(id);
  if (sub === undefined) throw new Error(`there is no sub-crew "${id}"`);
  progress.turns++;
  const { from, returnTo = from } = progress;
  const turn = toTurn(lane.host.lane, progress.turns);
  const { end, isResumed } = await runSubCrew(lane, { id, plan: sub, turn, ...progress, run: runCrew });
  if (isResumed) begin(progress);
  const isCancelledAlone = end.outcome === "cancelled" && end.error?.lane !== undefined;
  if (end.outcome !== "done" && !isCancelledAlone) return end;
  if (!isCancelledAlone) progress.shown = end.content ?? end.text;
  progress.output = end.output;
  lane.host.emit({ type: "handoff.made", from: id, to: returnTo, via: "return", count: progress.handoffs });
  progress.from = id;
  progress.next = { kind: "agent", id: returnTo };
  return undefined;
}

const VISITS = { agent: visitAgent, group: visitGroup, crew: visitCrew } as const;

/** Says which routes fit the reply, and gives the one to follow. */
function followMatch(lane: Lane, role: Role, said: Answered): Match | undefined {
  const { crew } = lane.plan;
  const agent = role.agent.id;
  const matches = matchRoutes(lane.plan, role, said);
  const counted = matches.filter(({ counts }) => counts);
  const chosen = chooseMatch(crew, counted);
  for (const match of matches) {
    lane.host.emit({ ...toMatched(match, agent), followed: match === chosen });
    if (!match.counts || match.target === "" || toPlace(crew, match.target) !== undefined) continue;
    const warning = `${match.signal} leads to "${match.target}", which is neither an agent nor a group`;
    lane.host.emit({ type: "warning.raised", agent, text: warning });
  }
  if (counted.length === 0) warnOfMissing(lane, role, matches);
  return chosen;
}

type Handoff = Readonly<{ from: string; to: Place; via: Via; text: string; content?: string }>;

/** Passes the baton, unless this handoff would reach the limit. */
function handOff(lane: Lane, progress: Progress, { from, to, via, text, content }: Handoff): RunEnd | undefined {
  const { maxHandoffs } = lane.plan.crew.settings;
  const count = progress.handoffs + 1;
  if (count >= maxHandoffs) {
    lane.host.emit({ type: "limit.reached", limit: "max_handoffs", value: maxHandoffs, agent: from });
    const message = `${from} did not hand over to ${to.id}: max_handoffs is ${maxHandoffs}`;
    lane.host.emit({ type: "warning.raised", agent: from, text: message });
    const error = { code: "limit", message, limit: { name: "max_handoffs", value: maxHandoffs } } as const;
    return { outcome: "limit", by: "limit", agent: from, text, ...omitUndefined({ content }), error };
  }
  progress.handoffs = count;
  progress.next = to;
  const returnTo = to.kind === "crew" ? progress.returnTo : undefined;
  lane.host.emit({ type: "handoff.made", from, to: to.id, via, count, ...omitUndefined({ returnTo }) });
  return undefined;
}

/** An interruption or a failure, as the run's end; what was said before an interruption is kept. */
function toStop(lane: Lane, agent: string, { error, text, content }: Omit<Stopped, "kind">): RunEnd {
  const said = { agent, text, ...omitUndefined({ content }) };
  if (error.code === "cancelled") return { outcome: "cancelled", by: "command", ...said, error };
  if (error.code !== "limit") return { outcome: "failed", by: "error", agent, text: "", error };
  const { limit } = error;
  if (limit !== undefined) lane.host.emit({ type: "limit.reached", limit: limit.name, value: limit.value, agent });
  lane.host.emit({ type: "warning.raised", agent, text: error.message });
  return { outcome: "limit", by: "limit", ...said, error };
}
