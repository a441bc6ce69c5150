/**
 * Child: an agent or a crew that works in a lane of its own, for a group, a map or an agent that calls it as a tool.
 *
 * An agent makes one turn: its signals are recorded, not followed. A crew runs to its end.
 */
import type { Child, Lane } from "../../views/lane.ts";
import { omitUndefined } from "../../words/json.ts";
import { toTurn } from "../../words/position.ts";
import { LOST, type Progress, type RunEnd, type TurnEnd } from "../../views/progress.ts";
import { matchRoutes, toMatched } from "../../views/route.ts";
import { runCrew } from "../run.ts";
import { takeTurn } from "../turn.ts";

/** Works in a child's lane to its end. */
export async function runChild(lane: Lane, child: Child): Promise<TurnEnd> {
  if (child.kind === "crew") {
    const progress: Progress = { next: child.plan.crew.entry, from: "", turns: 0, handoffs: 0 };
    return toTurnEnd(lane, await runCrew(lane, progress));
  }
  const { role } = child;
  const end = await takeTurn({ ...lane, isChild: true }, role, toTurn(lane.host.lane, 1));
  if (end.kind !== "answered") return end;
  for (const match of matchRoutes(lane.plan, role, end)) {
    lane.host.emit({ ...toMatched(match, role.agent.id), followed: false });
  }
  return end;
}

function toTurnEnd({ plan: { roles } }: Lane, { outcome, agent, text, output, error }: RunEnd): TurnEnd {
  if (outcome === "paused") return { kind: "waiting" };
  // Nothing in a child is written for people, so that only its last reply counts.
  const shown = roles.get(agent)?.matcher.strip(text) ?? text;
  if (outcome === "done") {
    return { kind: "answered", text, content: shown, endsRun: false, ...omitUndefined({ output }) };
  }
  return { kind: "stopped", error: error ?? LOST.error, text, content: shown };
}
