/**
 * Play: a scripted run to its pause or end, the same every time: ids, times and waits are set.
 */
import { type Crew, Engine, type RunEvent, scriptModel, type StartOptions } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { collect, type Played, type Replies } from "@baton/core/testing";

/** A run that was played. */
export interface Scene {
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
}

/** When every scene takes place. */
export const CREATED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Usage of every reply. */
export const USAGE = { inputTokens: 7, outputTokens: 5, cachedTokens: 2, reasoningTokens: 1 };

/** Plays a run that asks no questions. */
export async function scene(crew: Crew, replies: Replies): Promise<Scene> {
  return toScene(crew, (await begin(crew, replies)).events);
}

/** A run to its first pause or end. */
export async function begin(crew: Crew, replies: Replies, more: Pick<StartOptions, "tools"> = {}): Promise<Played> {
  const engine = new Engine({ clock: toSteadyClock(), model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "hello", id: "run", session: "session", ...more });
  return { engine, run, ...(await collect(run)) };
}

/** Members of a group take turns the same way on a busy machine: nobody lets the others in for being late. */
export function toSteadyClock(): Clock {
  return Object.assign(new SystemClock(), { breathe: () => undefined });
}

/** Builds a scene from a run's events. */
export function toScene(crew: Crew, events: readonly RunEvent[]): Scene {
  const fixed = events.map((event): RunEvent => {
    const at = CREATED_AT + event.seq * 10;
    if (event.type === "step.retried") return { ...event, at, delayMs: 0 };
    return event.type === "step.ended" ? { ...event, at, usage: USAGE } : { ...event, at };
  });
  return { crew, events: fixed };
}
