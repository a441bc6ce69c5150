/**
 * Selection: what the inspector looks at: a turn, step or call by its position, as the address names it.
 */
import type { StoryIndex } from "../store/story-index.ts";
import { hasBegun, type CallSpan, type StepSpan, type Story, type TurnSpan } from "../store/story.ts";

/** The selected step, and maybe one of its calls. */
export interface SelectedStep {
  readonly turn: TurnSpan;
  readonly step: StepSpan | undefined;
  readonly call: CallSpan | undefined;
}

/** Returns the selected step; without a selection, the newest step at the event. */
export function selectedStepAt(story: StoryIndex, selected: string | undefined, seq: number): SelectedStep | undefined {
  const call = selected === undefined ? undefined : story.call(selected);
  const step = story.step(call?.step ?? selected ?? "");
  const turn = story.turn(step?.turn ?? selected ?? "");
  if (turn === undefined) return selected === undefined ? newestAt(story, seq) : undefined;
  return { turn, step: step ?? lastBegun(turn.steps, seq) ?? turn.steps[0], call };
}

/** The newest step that had begun. */
function newestAt({ turns }: Story, seq: number): SelectedStep | undefined {
  let found: SelectedStep | undefined;
  for (const turn of turns) {
    if (!hasBegun(turn, seq)) continue;
    const step = lastBegun(turn.steps, seq);
    if (step === undefined) continue;
    if (found?.step === undefined || step.from.seq > found.step.from.seq) found = { turn, step, call: undefined };
  }
  return found;
}

/** The latest turn of an agent or sub-crew that had begun; its first one if none had. */
export function turnOf({ turns }: Story, agent: string, seq: number): TurnSpan | undefined {
  const own = turns.filter((turn) => boxOf(turn) === agent);
  return lastBegun(own, seq) ?? own[0];
}

/** The step, or else the turn, that passed the baton along a way the last time before an event. */
export function giverOf(
  { turns, groups, handoffs }: Story,
  { from, to }: Readonly<Record<"from" | "to", string>>,
  seq: number,
): string | undefined {
  const handoff = handoffs.findLast((one) => one.from === from && one.to === to && one.seq <= seq);
  if (handoff === undefined) return undefined;
  const own = turns.filter((turn) => boxOf(turn) === from);
  const turn = lastBegun(own, handoff.seq);
  const group = lastBegun(
    groups.filter((one) => one.group === from),
    handoff.seq,
  );
  return lastBegun(turn?.steps ?? [], handoff.seq)?.step ?? turn?.turn ?? group?.turn;
}

/** The box of the crew's graph that a turn belongs to: an agent of a sub-crew may have the name of another one. */
function boxOf({ crew, agent }: TurnSpan): string {
  return crew ?? agent;
}

/** The agent's step before another. */
export function stepBefore({ turns }: Story, step: StepSpan): StepSpan | undefined {
  const crew = turns.find(({ steps }) => steps.includes(step))?.crew;
  let found: StepSpan | undefined;
  for (const turn of turns) {
    if (turn.agent !== step.agent || turn.crew !== crew) continue;
    for (const one of turn.steps) {
      const isLater = found === undefined || one.from.seq > found.from.seq;
      if (one.from.seq < step.from.seq && isLater) found = one;
    }
  }
  return found;
}

function lastBegun<T extends { readonly from: { readonly seq: number } }>(
  spans: readonly T[],
  seq: number,
): T | undefined {
  return spans.findLast(({ from }) => from.seq <= seq);
}

/** A position without its lane, for people: `4/quiz/student/1.1` is step 4.1, and `4/quiz/student/1` turn 4. */
export function shortPosition(position: string): string {
  const slash = position.indexOf("/");
  if (slash === -1) return position;
  const inLane = position.slice(position.lastIndexOf("/") + 1);
  const dot = inLane.indexOf(".");
  return position.slice(0, slash) + (dot === -1 ? "" : inLane.slice(dot));
}
