/**
 * Observed runs: runs for an observer to see, and its metrics and log lines in a form that tests can compare.
 */
import type { Crew, RunEvent } from "@baton/core";
import { simulate } from "@baton/core/testing";
import { SCENES } from "../../dialects/testing/scenes.ts";
import type { MetricsJson } from "../metrics.ts";
import { createObserver, type ObserverOptions, type Observing } from "../observer.ts";

/** Runs that were played, each under an id of its own. */
export interface ObservedRuns {
  readonly crews: readonly { readonly crew: Crew }[];
  readonly runs: readonly (readonly RunEvent[])[];
}

/** Every scene that dialects are tested with. */
export async function observeScenes(): Promise<ObservedRuns> {
  const scenes = await Promise.all(Array.from(SCENES.values(), (play) => play()));
  return { crews: scenes, runs: scenes.map(({ events }, index) => renamed(events, index)) };
}

/** Random runs, from their seeds. */
export async function observeSimulated(count: number): Promise<ObservedRuns> {
  const simulated = await Promise.all(Array.from({ length: count }, (_, seed) => simulate(seed)));
  return { crews: simulated, runs: simulated.map(({ events }, index) => renamed(events, index)) };
}

/** One event of each run in turn, as a server with many runs sees them. */
export function interleave(runs: readonly (readonly RunEvent[])[]): readonly RunEvent[] {
  const longest = Math.max(...runs.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => runs.flatMap((events) => events[index] ?? [])).flat();
}

/** An observer that has seen these events, and the lines it logged. */
export function observeAll(
  events: readonly RunEvent[],
  options: Partial<ObserverOptions> = {},
): { readonly observer: Observing; readonly lines: string[] } {
  const lines: string[] = [];
  const observer = createObserver({ crews: [], logTo: { write: (line) => lines.push(line) }, ...options });
  for (const event of events) observer.observe(event);
  return { observer, lines };
}

/** Samples as Prometheus writes them, without those that differ at each look. */
export function toLines({ metrics }: MetricsJson): readonly string[] {
  const steady = metrics.filter(({ name }) => !isUnsteady(name));
  return steady.flatMap(({ samples }) =>
    samples.map(({ name, labels, value }) => {
      const inner = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
      return `${name}${inner.length === 0 ? "" : `{${inner.toSorted().join(",")}}`} ${value}`;
    }),
  );
}

/** The samples of the Prometheus form, written the same way. */
export function parseLines(text: string): readonly string[] {
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !isUnsteady(line));
  return samples.map((line) =>
    line.replace(/\{(.*)\}/, (_, inner: string) => `{${inner.split(",").toSorted().join(",")}}`),
  );
}

function isUnsteady(name: string): boolean {
  return name.startsWith("baton_memory_") || name.startsWith("baton_event_loop_delay_seconds");
}

function renamed(events: readonly RunEvent[], index: number): readonly RunEvent[] {
  return events.map((event) => ({ ...event, run: `run-${index}` }));
}
