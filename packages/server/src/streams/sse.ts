/**
 * SSE: frames as the text of `text/event-stream`.
 *
 * Whatever is in a frame's data, the frame arrives whole: a line break of any kind starts another `data` line.
 */
import type { Frame } from "../dialects/dialect.ts";

/** Time that a client waits before it reconnects. */
export const RETRY_MS = 1_000;

/** The first words of every stream. */
export const OPENING: Buffer = Buffer.from(`retry: ${RETRY_MS}\n\n`);

/** The same for a stream from the beginning: its id lets a client that loses it before the first frame resume it. */
export const OPENING_AT_START: Buffer = Buffer.from(`retry: ${RETRY_MS}\nid: 0\n\n`);

/** A keep-alive comment. */
export const KEEP_ALIVE: Buffer = Buffer.from(": keep-alive\n\n");

/** A frame as it is sent. */
export function toSse({ id, event, data }: Frame): string {
  const head =
    (id === undefined ? "" : `id: ${toLine(id)}\n`) + (event === undefined ? "" : `event: ${toLine(event)}\n`);
  return `${head}data: ${hasBreak(data) ? breakUp(data) : data}\n\n`;
}

function hasBreak(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

function breakUp(data: string): string {
  return data.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll("\n", "\ndata: ");
}

/** Ids and names have no second line, and an id with NUL would not count. */
function toLine(text: string): string {
  return text.replaceAll("\r", "").replaceAll("\n", "").replaceAll("\0", "");
}
