/**
 * Cast: the agents of a crew as they are shown: name, colour, and the signals that are not part of their text.
 *
 * Colours follow the order of the crew, so that an agent looks the same in every run.
 */
import type { Crew } from "@baton/core";
import { toCrewPath, toWatch, toWatches, type Watch } from "@baton/core/ports";
import { toLine, type Line, type Tone } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";

/** An agent as it is shown. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  /** Undefined for a group, and for an agent that is not in the crew. */
  readonly colour: number | undefined;
  readonly signals: Watch;
}

/** Finds actors by their id, and by the lane they speak in if that may be a sub-crew's. */
export type Cast = (id: string, lane?: string) => Actor;

/** The agents of a crew; an agent that is not among them is shown by its id. */
export function toCast(crew: Crew): Cast {
  const actors = new Map<string, Actor>();
  const add = ({ agents, signals, subCrews }: Crew, path: string): void => {
    const watches = toWatches({ agents, signals });
    for (const { id, name } of agents.values()) {
      const watch = watches.get(id) ?? toWatch([]);
      actors.set(path + id, { id, name: toOneLine(name), colour: actors.size, signals: watch });
    }
    for (const [name, sub] of subCrews) add(sub, `${path}${name}/`);
  };
  add(crew, "");
  return (id, lane = "") =>
    actors.get(toCrewPath(lane) + id) ?? { id, name: toOneLine(id), colour: undefined, signals: toWatch([]) };
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
