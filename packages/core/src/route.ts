/**
 * Route: where the baton goes after a reply.
 *
 * In the order of the specification: a signal with no target, a signal with one, waiting, the end, the fallback. A
 * decision is data; making it has no effect.
 */
import type { Agent } from "./agent.ts";
import { isTerminal, type Crew } from "./crew.ts";
import type { FactOf, Place, Via } from "./event.ts";
import type { Plan, Role } from "./plan.ts";

/** What to do next. */
export type Route =
  | { readonly kind: "end"; readonly by: "signal" | "answer" }
  | { readonly kind: "pause" }
  | { readonly kind: "go"; readonly to: Place; readonly via: Via };

/** A signal found in a reply, as a fact. */
export type Matched = FactOf<"signal.matched">;

/** The signals of a reply, in the order they are written in the crew. */
export function matchSignals({ crew }: Plan, role: Role, text: string): Omit<Matched, "followed">[] {
  const routes = crew.signals.get(role.agent.id) ?? [];
  return role.matcher.find(text).map(({ index, signal, match }) => {
    const target = routes[index]?.target ?? "";
    return { type: "signal.matched", agent: role.agent.id, signal, match, target };
  });
}

/** The signal to follow: one that ends the run, else the first whose target exists. */
export function chooseSignal<T extends { readonly target: string }>(crew: Crew, matches: readonly T[]): T | undefined {
  return (
    matches.find(({ target }) => target === "") ?? matches.find(({ target }) => toPlace(crew, target) !== undefined)
  );
}

/** Where a name leads: an agent, or a group of them. */
export function toPlace(crew: Crew, name: string): Place | undefined {
  if (crew.agents.has(name)) return { kind: "agent", id: name };
  return crew.groups.has(name) ? { kind: "group", id: name } : undefined;
}

/** What follows a reply whose signal, if any, has this target. */
export function decideRoute(crew: Crew, agent: Agent, target: string | undefined): Route {
  if (target === "") return { kind: "end", by: "signal" };
  const place = target === undefined ? undefined : toPlace(crew, target);
  if (place !== undefined) return { kind: "go", to: place, via: "signal" };
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
  if (crew.behaviors.get(agent.id)?.autoRoute !== false) {
    for (const id of crew.agents.keys()) if (id !== agent.id) return toAgent(id, "any");
  }
  return { kind: "end", by: "answer" };
}

const toAgent = (id: string, via: Via): Route => ({ kind: "go", to: { kind: "agent", id }, via });
