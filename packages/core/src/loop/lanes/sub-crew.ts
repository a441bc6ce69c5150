/**
 * Sub-crew: another crew inside a run, in a lane of its own, under the run's remaining time and money.
 *
 * Its turn is one of the crew that contains it; what it answers joins that crew's history.
 */
import type { Audience } from "../../definitions/agent.ts";
import { toCrewMessage } from "../../words/dialogue.ts";
import { BatonError } from "../../words/error.ts";
import type { EventBodyOf } from "../../words/event.ts";
import { toInput } from "../../views/history.ts";
import { omitUndefined } from "../../words/json.ts";
import type { Lane } from "../../views/lane.ts";
import type { Plan } from "../../views/plan.ts";
import { LOST, type Progress, type RunEnd } from "../../views/progress.ts";
import { toSeconds } from "../../words/text.ts";

/** The crew to run, and its place in the run. */
export interface SubCrewOptions {
  readonly id: string;
  readonly plan: Plan;
  readonly turn: string;
  /** The agent that sent the baton there, and what people were shown last. */
  readonly from: string;
  readonly shown?: string;
  /** Runs a crew to its end. */
  readonly run: (lane: Lane, progress: Progress) => Promise<RunEnd>;
}

/** The end of a sub-crew, and whether a user's message came during it. */
type SubCrewEnd = Readonly<{ end: RunEnd; isResumed: boolean }>;

/** Runs a sub-crew on the latest reply. */
export async function runSubCrew(lane: Lane, options: SubCrewOptions): Promise<SubCrewEnd> {
  const { id, plan, turn, run, from, shown = "" } = options;
  const { host } = lane;
  const { timeoutMs } = plan.crew.settings;
  const progress: Progress = { next: plan.crew.entry, from: "", turns: 0, handoffs: 0, shown };
  host.emit({ type: "turn.started", turn, agent: id, crew: plan.crew.name });
  const late = () => {
    const limit = { name: "timeout_seconds", value: timeoutMs / 1_000 };
    const message = `${id} took longer than ${toSeconds(timeoutMs)} (timeout_seconds of ${plan.crew.name})`;
    return new BatonError("limit", message, { limit });
  };
  const input = { role: "user", content: toInput(lane.history, lane.plan.roles.get(from)?.matcher) } as const;
  const { results } = await host.lanes<RunEnd>(
    { keys: [`${turn}/${id}`], timeoutMs, late, isDecisive: () => false },
    (own) => {
      const [path, depth] = [`${lane.path}${id}/`, lane.depth + 1];
      return run({ plan, host: own, shared: lane.shared, history: [input], before: 0, path, depth }, progress);
    },
  );
  const ended: RunEnd = results[0] ?? { outcome: "failed", by: "error", agent: "", text: "", error: LOST.error };
  const isResumed = progress.isResumed === true;
  if (ended.outcome === "paused") return { end: ended, isResumed };
  const role = plan.roles.get(ended.agent);
  const audience = role?.agent.audience ?? "user";
  const own = audience === "user" ? ended.content : undefined;
  const content = own ?? role?.matcher.strip(ended.text) ?? ended.text;
  host.emit(toEnded(options, { ...ended, content }, audience));
  if (ended.error === undefined) lane.history.push(toCrewMessage(id, content, audience));
  const shownNow = audience === "user" ? content : (ended.content ?? "");
  return { end: { ...ended, agent: id, content: shownNow }, isResumed };
}

function toEnded({ id, turn }: SubCrewOptions, end: RunEnd, audience: Audience): EventBodyOf<"turn.ended"> {
  const { text, content, output, error } = end;
  const shown = content === text ? undefined : content;
  const hidden = audience === "crew" ? audience : undefined;
  const more = omitUndefined({ content: shown, output, audience: hidden, error });
  return { type: "turn.ended", turn, agent: id, text, ...more };
}
