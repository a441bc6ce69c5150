/**
 * Route: where the baton goes after a reply.
 *
 * In the order of the specification: a signal with no target, a signal with one, waiting, the end, the fallback. A
 * decision is data; making it has no effect.
 */
import type { Agent } from "../definitions/agent.ts";
import { isTerminal } from "../definitions/crew.ts";
import type { Crew, SignalRoute, When } from "../definitions/definition.ts";
import type { EventBodyOf, MatchKind, Place, Via } from "../words/event.ts";
import { isEqualJson, type Json } from "../words/json.ts";
import type { Plan, Role } from "./plan.ts";
import type { SignalMatch } from "../words/signal.ts";
import { lookInto } from "../words/state.ts";

/** Next action. */
export type Route =
  | { readonly kind: "end"; readonly by: "signal" | "answer" }
  | { readonly kind: "pause" }
  | { readonly kind: "go"; readonly to: Place; readonly via: Via };

/** A route that a reply takes: by a signal in it, or by its output. */
export type Match = Readonly<{
  route: SignalRoute;
  signal: string;
  match: MatchKind;
  target: string;
  place?: SignalMatch["place"];
  /** False if it is text: it leads nowhere. */
  counts: boolean;
}>;

/** Text of a reply, and its output. */
export type Said = Readonly<{ text: string; signal?: string; output?: Json }>;

/** The routes that fit a reply, in the order they are written in the crew. */
export function matchRoutes({ crew }: Plan, { agent, matcher, signalRoutes }: Role, said: Said): readonly Match[] {
  const routes = crew.signals.get(agent.id);
  if (routes === undefined) return [];
  const bySignal = new Map(matcher.find(said.signal ?? said.text).map((found) => [signalRoutes[found.index], found]));
  return routes.flatMap((route): readonly Match[] => {
    const { target, when } = route;
    const found = bySignal.get(route);
    if (found !== undefined) {
      const { signal, match, place, counts } = found;
      return [{ route, signal, match, target, place, counts }];
    }
    if (when === undefined || !isMet(when, said.output)) return [];
    return [{ route, signal: "when", match: "output", target, counts: true }];
  });
}

/** A match as a fact. */
export function toMatched(
  { signal, match, target, place }: Match,
  agent: string,
): Omit<EventBodyOf<"signal.matched">, "followed"> {
  return { type: "signal.matched", agent, signal, match, target, ...(place && { place }) };
}

function isMet(when: When, output: Json | undefined): boolean {
  if (output === undefined) return false;
  return Object.entries(when).every(([path, wanted]) => {
    const value = lookInto(output, path);
    const values: readonly Json[] = Array.isArray(wanted) ? wanted : [wanted];
    return value !== undefined && values.some((one) => isEqualJson(one, value));
  });
}

/** The match to follow: one that ends the run, else the first whose target exists. */
export function chooseMatch<T extends { readonly target: string }>(crew: Crew, matches: readonly T[]): T | undefined {
  return (
    matches.find(({ target }) => target === "") ?? matches.find(({ target }) => toPlace(crew, target) !== undefined)
  );
}

/** Where a name leads: an agent, a group of them, or a sub-crew. */
export function toPlace(crew: Crew, name: string): Place | undefined {
  if (crew.agents.has(name)) return { kind: "agent", id: name };
  if (crew.groups.has(name)) return { kind: "group", id: name };
  return crew.subCrews.has(name) ? { kind: "crew", id: name } : undefined;
}

/** Decides what follows a reply with this match, if any. */
export function decideRoute(crew: Crew, agent: Agent, chosen: Pick<Match, "match" | "target"> | undefined): Route {
  if (chosen?.target === "") return { kind: "end", by: "signal" };
  const place = chosen === undefined ? undefined : toPlace(crew, chosen.target);
  if (place !== undefined) return { kind: "go", to: place, via: chosen?.match === "output" ? "output" : "signal" };
  if (crew.behaviors.get(agent.id)?.waitForSignal === true) return { kind: "pause" };
  if (isTerminal(agent, crew)) return { kind: "end", by: "answer" };
  return fallBack(crew, agent);
}

/** Where the baton goes by itself: the default, a handoff target, any other agent, else the end. */
export function fallBack(crew: Crew, agent: Agent): Route {
  const byDefault = crew.defaults.get(agent.id);
  if (byDefault !== undefined && crew.agents.has(byDefault)) return toAgent(byDefault, "default");
  const target = agent.handoffTargets.find((id) => crew.agents.has(id));
  if (target !== undefined) return toAgent(target, "handoff_target");
  if (crew.behaviors.get(agent.id)?.autoRoute ?? crew.autoRoute) {
    for (const id of crew.agents.keys()) if (id !== agent.id) return toAgent(id, "any");
  }
  return { kind: "end", by: "answer" };
}

const toAgent = (id: string, via: Via): Route => ({ kind: "go", to: { kind: "agent", id }, via });
