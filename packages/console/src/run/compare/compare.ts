/**
 * Compare: where two runs part, and what is different after that.
 */
import type { RunEvent } from "@baton/client";
import type { Story } from "../../store/story.ts";

/** Two routes: what is the same at the beginning, and how each continues. */
export interface RouteDifference {
  readonly same: readonly string[];
  readonly here: readonly string[];
  readonly there: readonly string[];
}

/** The last event up to which two logs say the same; 0 if they differ from the start. */
export function lastCommon(here: readonly RunEvent[], there: readonly RunEvent[]): number {
  let last = 0;
  for (const [index, event] of here.entries()) {
    const other = there[index];
    if (other === undefined || other.seq !== event.seq || toFact(event) !== toFact(other)) return last;
    last = event.seq;
  }
  return last;
}

/** Returns the agents that had the baton, in turn. */
export function agentRoute({ turns, groups }: Story): readonly string[] {
  const stops = [
    ...turns.filter(({ lane }) => lane === "").map(({ from, agent, crew }) => ({ seq: from.seq, name: crew ?? agent })),
    ...groups.filter(({ lane }) => lane === "").map(({ from, group }) => ({ seq: from.seq, name: group })),
  ];
  return stops.toSorted((a, b) => a.seq - b.seq).map(({ name }) => name);
}

/** Compares two routes. */
export function compareRoutes(here: readonly string[], there: readonly string[]): RouteDifference {
  let count = 0;
  while (count < here.length && count < there.length && here[count] === there[count]) count++;
  return { same: here.slice(0, count), here: here.slice(count), there: there.slice(count) };
}

/** Returns the content of an event, without its run and time. */
function toFact({ run: _run, at: _at, ...fact }: RunEvent): string {
  if (fact.type !== "run.started") return JSON.stringify(fact);
  const { request: _request, session: _session, ...started } = fact;
  return JSON.stringify(started);
}
