/**
 * Output: a standard stream with its size and colours, or a plain stream if it is not a terminal.
 *
 * The only file that reads `TERM`, `NO_COLOR` and the properties of the process's streams.
 */
import type { Writable } from "node:stream";
import { toPaint } from "./paint.ts";
import type { Output } from "./screen.ts";

/** Describes a standard stream. */
export function openOutput(stream: NodeJS.WriteStream): Output {
  const isTerminal = stream.isTTY;
  const isLive = isTerminal && process.env["TERM"] !== "dumb";
  const depth = isTerminal ? stream.getColorDepth() : 1;
  return {
    isTerminal,
    isLive,
    textFormat: isLive && depth > 1 && !process.env["NO_COLOR"] ? "markdown" : "plain",
    paint: toPaint(depth),
    // A terminal of unknown size reports 0.
    columns: () => (isTerminal ? stream.columns || 80 : Infinity),
    rows: () => (isTerminal ? stream.rows || 24 : Infinity),
    write: (text) => {
      stream.write(text);
    },
  };
}

/** Writes to a stream; what is written in one turn of the event loop, or before the process exits, goes out together. */
export function writeTogether(stream: Writable): Output["write"] {
  const send = (): void => {
    while (stream.writableCorked > 0) stream.uncork();
  };
  process.once("exit", send);
  return (text) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(send);
    }
    stream.write(text);
  };
}

/** Whether questions can be asked: standard input and output are terminals. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}
