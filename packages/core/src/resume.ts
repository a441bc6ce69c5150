/**
 * Resume: from a run's log to the place where it goes on.
 *
 * State is the fold of all before the open turn; what the open turn has already said and done is handed to the
 * host, which runs it again over that. Reads: crew, event, fold, run. Read by: engine.
 */
import type { Crew } from "./crew.ts";
import type { RunEvent } from "./event.ts";
import { fold, type RunView } from "./fold.ts";
import { toPlace } from "./route.ts";
import type { Progress } from "./run.ts";

/** Where a run goes on. */
export interface Standing {
  readonly view: RunView;
  readonly progress: Progress;
  /** The events since the open turn began; empty where none is open. */
  readonly recorded: readonly RunEvent[];
}

/** Reads where a run stands. */
export function toStanding(crew: Crew, events: readonly RunEvent[]): Standing {
  const cut = findOpenTurn(events);
  const view = { ...fold(events.slice(0, cut)), values: fold(events).values };
  const { next, agent, turns, handoffs } = view;
  const place = toPlace(crew, next) ?? { kind: "agent", id: next };
  return { view, progress: { next: place, from: agent, turns, handoffs }, recorded: events.slice(cut) };
}

/** The index of the event that began the open turn or group, or the end where a message comes first. */
function findOpenTurn(events: readonly RunEvent[]): number {
  const index = events.findLastIndex(
    (event) =>
      event.lane === "" &&
      (event.type === "turn.started" ||
        event.type === "group.started" ||
        (event.type === "run.paused" && event.by === "signal") ||
        (event.type === "run.resumed" && event.input !== undefined)),
  );
  const type = events[index]?.type;
  return type === "turn.started" || type === "group.started" ? index : events.length;
}
