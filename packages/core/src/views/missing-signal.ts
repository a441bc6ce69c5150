/**
 * Missing signal: an agent that should have written one of its signals and did not.
 *
 * Nothing else leads on from such an agent, so its run would end without a word about why: the log gets a warning, or the
 * model is asked once for the signal that it forgot.
 */
import { isTerminal } from "../definitions/crew.ts";
import type { Lane } from "./lane.ts";
import type { Message } from "../words/message.ts";
import type { Role } from "./plan.ts";
import type { SignalMatch } from "../words/signal.ts";

/** Whether only a signal leads on from an agent. */
function needsSignal({ plan: { crew } }: Lane, { agent, signalRoutes }: Role): boolean {
  const { id, handoffTargets } = agent;
  if (signalRoutes.length === 0 || isTerminal(agent, crew)) return false;
  return crew.behaviors.get(id)?.waitForSignal !== true && !crew.defaults.has(id) && handoffTargets.length === 0;
}

/** Reaction that the crew asks for. */
function reactionOf({ plan: { crew } }: Lane, { agent: { id } }: Role): "warn" | "correct" | "ignore" {
  return crew.behaviors.get(id)?.onMissingSignal ?? crew.settings.onMissingSignal;
}

/** Whether the model is asked for the signal that its reply lacks. */
export function asksForSignal(lane: Lane, role: Role, text: string): boolean {
  if (lane.isChild === true || role.agent.output !== undefined || reactionOf(lane, role) !== "correct") return false;
  return needsSignal(lane, role) && !role.matcher.find(text).some(({ counts }) => counts);
}

/** The question about it, which only this step is given. */
export function toSignalQuestion({ signalRoutes }: Role): Message {
  const lines = signalRoutes.map(({ signal = "", target, description = "" }) => {
    const where = target === "" ? "ends the conversation" : `hands over to ${target}`;
    return `- ${signal}: ${description === "" ? where : description}`;
  });
  const content = `Your reply has no signal, so it is not known what comes next. Answer with one of these signals and nothing else:\n${lines.join("\n")}`;
  return { role: "user", content };
}

/** Raises the warning, if only a signal leads on from the agent and none counts. */
export function warnOfMissing(
  lane: Lane,
  role: Role,
  found: readonly Partial<Pick<SignalMatch, "signal" | "place">>[],
): void {
  const { id } = role.agent;
  if (!needsSignal(lane, role) || reactionOf(lane, role) === "ignore") return;
  const names = role.signalRoutes.map(({ signal }) => signal).join(", ");
  const inside = found.find(({ place }) => place === "inside");
  const hint =
    inside === undefined ? "" : `; ${inside.signal} stood inside its text (signal_position: anywhere would follow it)`;
  const text = `${id} wrote none of its signals (${names}), so nothing leads on from it${hint}`;
  lane.host.emit({ type: "warning.raised", agent: id, text, code: "signal_missing" });
}
