/**
 * Cast: the agents of a crew as they are shown: name, colour, and the signals that are not part of their text.
 *
 * Colours follow the order of the crew, so that an agent looks the same in every run.
 */
import { type Crew, toWatch, toWatches, type Watch } from "@baton/core";
import { toLine, type Line, type Tone } from "./line.ts";
import { toOneLine } from "./printable.ts";

/** An agent as it is shown. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  /** Undefined for a group, and for whoever is not of the crew. */
  readonly colour: number | undefined;
  readonly signals: Watch;
}

/** Finds actors by their id. */
export type Cast = (id: string) => Actor;

/** The agents of a crew; whoever is not among them is shown by id. */
export function toCast({ agents, signals }: Pick<Crew, "agents" | "signals">): Cast {
  const actors = new Map<string, Actor>();
  const watches = toWatches({ agents, signals });
  for (const { id, name } of agents.values()) {
    const watch = watches.get(id) ?? toWatch([]);
    actors.set(id, { id, name: toOneLine(name), colour: actors.size, signals: watch });
  }
  return (id) => actors.get(id) ?? { id, name: toOneLine(id), colour: undefined, signals: toWatch([]) };
}

/** The colour of an actor, as text or as a chip. */
export function toneOf({ colour }: Actor, kind: "agent" | "title" | "chip"): Tone {
  return colour === undefined ? "strong" : `${kind}-${colour}`;
}

/** `● Ngân  clarifier` */
export function toActorLine(actor: Actor): Line {
  const { id, name } = actor;
  const title = toLine(["● ", toneOf(actor, "agent")], [name, toneOf(actor, "title")]);
  return name.toLowerCase() === id.toLowerCase() ? title : [...title, ...toLine([`  ${id}`, "dim"])];
}
