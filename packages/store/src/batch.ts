/**
 * Batch: events as the lines of a row, and back, with nothing lost or changed on the way unnoticed.
 *
 * A line is the JSON of one event, the very text that streams send.
 */
import { BatonError, type RunEvent } from "@baton/core";
import { crc32 } from "node:zlib";
import type { Batch } from "./record.ts";

/** Makes a row of lines; `first` is the first one's seq. */
export function toBatch(run: string, first: number, lines: readonly string[]): Batch {
  const last = first + lines.length - 1;
  const body = lines.join("\n");
  return { run, first, last, body, checksum: checksumOf({ run, first, last, body }) };
}

/** The lines beyond `after` of rows that follow each other; throws `damaged` if one was changed or is missing. */
export function toLines(run: string, after: number, batches: readonly Batch[]): readonly string[] {
  const lines: string[] = [];
  let next: number | undefined;
  for (const batch of batches) {
    if (next === undefined ? batch.first > after + 1 : batch.first !== next)
      throw damagedLogError(run, `event ${next ?? after + 1} is missing`);
    if (batch.run !== run || checksumOf(batch) !== batch.checksum)
      throw damagedLogError(run, `the row of event ${batch.first} was changed`);
    const texts = batch.body.split("\n");
    if (texts.length !== batch.last - batch.first + 1)
      throw damagedLogError(run, `the row of event ${batch.first} was changed`);
    for (const text of texts.slice(Math.max(0, after + 1 - batch.first))) lines.push(text);
    next = batch.last + 1;
  }
  return lines;
}

/** The event of a line whose checksum was right. */
export function parseEvent(line: string): RunEvent {
  const event: unknown = JSON.parse(line);
  if (isEvent(event)) return event;
  throw new BatonError("damaged", "a line of the log is not an event");
}

/** The checksum has shown that this is the event that was written. */
function isEvent(value: unknown): value is RunEvent {
  return typeof value === "object" && value !== null && "type" in value && "seq" in value;
}

/** The error of a run whose log cannot be trusted. */
export function damagedLogError(run: string, what: string): BatonError {
  return new BatonError("damaged", `the log of run ${run} is damaged: ${what}`);
}

function checksumOf({ run, first, last, body }: Omit<Batch, "checksum">): number {
  return crc32(body, crc32(`${run} ${first} ${last}\n`));
}
