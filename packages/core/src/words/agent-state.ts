/**
 * Agent state: what each agent of a run is doing, from the events alone.
 *
 * An agent that has had no turn yet is idle and not in the Map. In the lane of a child the name is the lane's.
 */
import type { RunEvent } from "./event.ts";
import { isMember } from "./position.ts";

/** `thinking`: a model call without text so far; `acting`: tool calls run, or wait for a person. */
export type AgentState = "thinking" | "streaming" | "acting" | "finished" | "error";

/** The name under which an event's agent is found. */
export function toStateKey({ agent, lane }: Readonly<{ agent: string; lane: string }>): string {
  return isMember(lane) ? lane : agent;
}

/** The state that an agent is in from an event on; undefined if the event changes none. */
export function toAgentState(event: RunEvent): AgentState | undefined {
  switch (event.type) {
    case "turn.started":
    case "step.started":
    case "step.retried":
      return "thinking";
    case "text.delta":
      return "streaming";
    case "step.ended":
      return event.calls.length > 0 ? "acting" : undefined;
    case "call.started":
      return "acting";
    case "turn.ended":
      return event.error === undefined ? "finished" : "error";
    default:
      return undefined;
  }
}
