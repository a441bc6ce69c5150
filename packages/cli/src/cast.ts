/**
 * Cast: the agents of a crew as they are shown: name, colour, and the signals that are not part of their text.
 *
 * Colours follow the order of the crew, so that an agent looks the same in every run.
 * Reads: line, printable. Read by: transcript, turn-view.
 */
import { compileSignals, type Crew, type SignalMatcher } from "@baton/core";
import type { Line } from "./line.ts";
import { toOneLine } from "./printable.ts";

/** How many colours there are to tell agents apart by. */
export const AGENT_COLOURS = 6;

/** An agent as it is shown. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly colour: number;
  readonly signals: SignalMatcher;
}

/** Finds actors by their id. */
export type Cast = (id: string) => Actor;

/** The agents of a crew; whoever is not among them is shown by id. */
export function toCast({ agents, signals }: Pick<Crew, "agents" | "signals">): Cast {
  const actors = new Map<string, Actor>();
  for (const { id, name } of agents.values()) {
    const routes = signals.get(id) ?? [];
    const matcher = compileSignals(routes.map(({ signal }) => signal));
    actors.set(id, { id, name: toOneLine(name), colour: actors.size % AGENT_COLOURS, signals: matcher });
  }
  return (id) => actors.get(id) ?? { id, name: toOneLine(id), colour: 0, signals: compileSignals([]) };
}

/** `● Ngân  clarifier` */
export function toActorLine({ id, name, colour }: Actor): Line {
  const title: Line = [
    { text: "● ", tone: `agent-${colour}` },
    { text: name, tone: `title-${colour}` },
  ];
  return name.toLowerCase() === id.toLowerCase() ? title : [...title, { text: `  ${id}`, tone: "dim" }];
}
