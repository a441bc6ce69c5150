/**
 * Agent view: how an agent is shown: its name, its colour, and the signals to remove from its text.
 *
 * Colours follow the order of agents in the crew, so an agent has the same colour in every run.
 */
import type { Crew } from "@baton/core";
import { toCrewPath, toWatch, toWatches, type Watch } from "@baton/core/engine";
import { styleLine, type Line, type Tone } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";

/** The name, role and colour of an agent on the screen. */
export interface AgentView {
  readonly id: string;
  readonly name: string;
  /** Undefined for a group, and for an agent that is not in the crew. */
  readonly colour: number | undefined;
  readonly signals: Watch;
}

/** Finds an agent by its id and its lane, which says whether it is in a sub-crew. */
export type AgentViews = (id: string, lane?: string) => AgentView;

/** The views of a crew's agents; an unknown agent is shown by its id. */
export function toAgentViews(crew: Crew): AgentViews {
  const found = new Map<string, AgentView>();
  const add = ({ agents, signals, behaviors, settings, subCrews }: Crew, path: string): void => {
    const watches = toWatches({ agents, signals, behaviors, settings });
    for (const { id, name } of agents.values()) {
      const watch = watches.get(id) ?? toWatch([]);
      found.set(path + id, { id, name: toOneLine(name), colour: found.size, signals: watch });
    }
    for (const [name, sub] of subCrews) add(sub, `${path}${name}/`);
  };
  add(crew, "");
  return (id, lane = "") =>
    found.get(toCrewPath(lane, crew) + id) ?? { id, name: toOneLine(id), colour: undefined, signals: toWatch([]) };
}

/** The tone in an agent's colour: for text, for a title, or for a block. */
export function toneOf({ colour }: AgentView, kind: "agent" | "title" | "chip"): Tone {
  return colour === undefined ? "strong" : `${kind}-${colour}`;
}

/** `● Ngân  clarifier` */
export function toAgentLine(agent: AgentView): Line {
  const { id, name } = agent;
  const title = styleLine(["● ", toneOf(agent, "agent")], [name, toneOf(agent, "title")]);
  return name.toLowerCase() === id.toLowerCase() ? title : [...title, ...styleLine([`  ${id}`, "dim"])];
}
