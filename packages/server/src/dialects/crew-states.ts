/**
 * Crew states: what each agent is doing from a frame of the crew dialect on.
 *
 * A frame is told earlier than the fold knows: a reply without calls means `finished` before its turn has ended, and the
 * last result of a step means `thinking` before the next model call has started.
 */
import type { RunEvent } from "@baton/core";
import { type AgentState, toAgentState, toStateKey } from "@baton/core/engine";

/** State of each agent, and by lane the calls of its last step that have not ended. */
export interface CrewStates {
  readonly agents: ReadonlyMap<string, AgentState>;
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Before the first event. */
export const NO_STATES: CrewStates = { agents: new Map(), calls: new Map() };

/** Takes one event. */
export function toNextStates(states: CrewStates, event: RunEvent): CrewStates {
  const calls = toOpenCalls(states.calls, event);
  const entered = toEntered(event, calls);
  if (entered === undefined || !("agent" in event)) return { ...states, calls };
  const key = toStateKey(event);
  if (states.agents.get(key) === entered) return { ...states, calls };
  return { agents: new Map(states.agents).set(key, entered), calls };
}

function toOpenCalls(calls: CrewStates["calls"], event: RunEvent): CrewStates["calls"] {
  if (event.type === "step.ended") return new Map(calls).set(event.lane, new Set(event.calls.map(({ id }) => id)));
  const open = event.type === "call.ended" ? calls.get(event.lane) : undefined;
  if (event.type !== "call.ended" || open?.has(event.call) !== true) return calls;
  return new Map(calls).set(event.lane, open.difference(new Set([event.call])));
}

function toEntered(event: RunEvent, calls: CrewStates["calls"]): AgentState | undefined {
  if (event.type === "step.ended" && event.error === undefined && event.calls.length === 0) return "finished";
  if (event.type === "call.ended" && calls.get(event.lane)?.size === 0) return "thinking";
  if (event.type === "run.ended" && event.outcome === "failed") return "error";
  return toAgentState(event);
}
