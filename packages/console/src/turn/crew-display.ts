/**
 * Crew display: how a crew's agents are shown: their names, their colours, and the signals in their words.
 */
import type { CrewDetail } from "@baton/client";
import { type AgentColors, toAgentColors } from "../graph/agent-color.ts";
import { type AgentNames, toAgentNames } from "../graph/agent-names.ts";
import { buildSignalWatches, type Watches } from "./text/shown-text.ts";

/** A crew as its words are shown. */
export interface CrewDisplay {
  /** Undefined until it is loaded. */
  readonly crew: CrewDetail | undefined;
  readonly colors: AgentColors;
  readonly names: AgentNames;
  readonly watches: Watches;
}

/** Names, colours and signals of a crew; of one that is not known yet there are none. */
export function crewDisplayOf(crew: CrewDetail | undefined): CrewDisplay {
  if (crew === undefined) return { crew, colors: new Map(), names: new Map(), watches: new Map() };
  return { crew, colors: toAgentColors(crew), names: toAgentNames(crew), watches: buildSignalWatches(crew) };
}

/** The name of an agent for people. */
export function nameOf({ names }: CrewDisplay, agent: string): string {
  return names.get(agent) ?? agent;
}
