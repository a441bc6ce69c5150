/**
 * Reader: the stored log of a run that this process does not write: a past run, or a run of another process.
 */
import type { RunEvent } from "@baton/core";
import type { ReadableLog } from "@baton/core/ports";
import { damagedLogError, parseEvent, toLines } from "./batch.ts";
import type { Database } from "./database.ts";

/** Bytes that are read from the database at a time. */
const MAX_BYTES = 1_048_576;

/** Some stored lines beyond `after`, the JSON of one event each; none only if there are none. */
export async function readLines(database: Database, run: string, after: number): Promise<readonly string[]> {
  const read = async () => toLines(run, after, await database.logs.batches(run, after, MAX_BYTES));
  const lines = await read();
  if (lines.length > 0 || after >= (await database.logs.length(run))) return lines;
  // Events may have been added between the two reads.
  const added = await read();
  if (added.length === 0) throw damagedLogError(run, `event ${after + 1} is missing`);
  return added;
}

/** Some stored events beyond `after`. */
export async function readEvents(database: Database, run: string, after: number): Promise<readonly RunEvent[]> {
  return (await readLines(database, run, after)).map(parseEvent);
}

/** The whole log of a run. */
export async function readAll(database: Database, run: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const more = await readEvents(database, run, events.length);
    if (more.length === 0) return events;
    for (const event of more) events.push(event);
  }
}

/** Opens the log of a run that another process writes, to follow it. */
export async function openReader(database: Database, run: string): Promise<ReadableLog> {
  let length = await database.logs.length(run);
  return {
    isSealed: false,
    get length() {
      return length;
    },
    async read(after) {
      const events = await readEvents(database, run, after);
      length = Math.max(length, events.at(-1)?.seq ?? 0);
      return events;
    },
    async grown(after) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = database.logs.watch(run, resolve);
      try {
        // Between the last look and the watch something may have come.
        if ((await database.logs.length(run)) <= after) await promise;
      } finally {
        stop();
      }
    },
  };
}
