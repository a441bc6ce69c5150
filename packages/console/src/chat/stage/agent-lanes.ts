/**
 * Agent lanes: the turns of each agent as bars on a line of its own. Events are spread evenly: a script ends in no time,
 * and every agent should be seen.
 */
import type { Story } from "../../store/story.ts";

/** A bar, in parts of the whole width. */
export interface LaneBar {
  readonly turn: string;
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

/** The bars of one agent. */
export interface AgentLane {
  readonly agent: string;
  readonly bars: readonly LaneBar[];
}

const LEAST = 0.01;

/** The lanes of a run up to its newest event, agents in the order of their first turn. */
export function buildAgentLanes(story: Story, last: number): readonly AgentLane[] {
  const lanes = new Map<string, LaneBar[]>();
  const whole = Math.max(1, last - 1);
  for (const { agent, crew, turn, from, to } of story.turns) {
    if (crew !== undefined) continue;
    const start = Math.min(1, (from.seq - 1) / whole);
    const end = Math.min(1, ((to?.seq ?? last) - 1) / whole);
    const bars = lanes.get(agent) ?? [];
    bars.push({ turn, from: start, to: Math.max(end, start + LEAST), isOpen: to === undefined });
    lanes.set(agent, bars);
  }
  return Array.from(lanes, ([agent, bars]) => ({ agent, bars }));
}
