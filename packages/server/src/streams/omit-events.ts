/**
 * Omit events: stored lines of a log without what a reader does not want: pieces of text, or the conversation before.
 */
import { z } from "zod";

/** Kinds of events to omit. */
export type OmittedEvents = Readonly<{ deltas?: "none"; history?: "none" }>;

const DELTA = ".delta";
const STARTED = "run.started";
const EVENT = z.looseObject({ type: z.string() });

/** The lines that are wanted. A line is parsed only if it may be one that is left out or changed. */
export function omitEvents(lines: readonly string[], { deltas, history }: OmittedEvents): readonly string[] {
  if (deltas === undefined && history === undefined) return lines;
  return lines.flatMap((line) => {
    const isDelta = deltas !== undefined && line.includes(`${DELTA}"`);
    const isStart = history !== undefined && line.includes(`"${STARTED}"`);
    if (!isDelta && !isStart) return [line];
    const event = EVENT.parse(JSON.parse(line));
    if (isDelta && event.type.endsWith(DELTA)) return [];
    return isStart && event.type === STARTED ? [JSON.stringify({ ...event, history: [] })] : [line];
  });
}
