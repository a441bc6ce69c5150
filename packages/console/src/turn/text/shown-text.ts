/**
 * Shown text: what an agent wrote, without its signals; while it writes, what may become one is held back.
 */
import { type CrewDetail, feed, finish, startHold, toWatch, type Watch } from "@baton/client";

/** The signals of each agent of a crew. */
export type Watches = ReadonlyMap<string, Watch>;

/** Builds the signals to hold back, by agent. */
export function buildSignalWatches({ agents, signals }: Pick<CrewDetail, "agents" | "signals">): Watches {
  return new Map(
    agents.map(({ id, signal_position }) => [
      id,
      toWatch(
        signals.flatMap(({ agent, signal }) => (agent === id && signal !== undefined ? [signal] : [])),
        signal_position,
      ),
    ]),
  );
}

/** The words of an agent for people. */
export function shownText(text: string, watch: Watch | undefined, state: "writing" | "ended"): string {
  if (watch === undefined) return text;
  const [hold, shown] = feed(startHold(watch), text);
  return state === "ended" ? shown + finish(hold) : shown;
}
