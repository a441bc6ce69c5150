/**
 * Terminal: what a standard stream is, and what may be done with it.
 *
 * The only file that looks at the process's streams and at the variables about colour.
 */
import { toPaint } from "./paint.ts";
import type { Output } from "./screen.ts";

/** A standard stream as it is: a terminal with its size and colours, or a plain stream. */
export function openOutput(stream: NodeJS.WriteStream): Output {
  const isTerminal = stream.isTTY;
  const isLive = isTerminal && process.env["TERM"] !== "dumb";
  const depth = isTerminal ? stream.getColorDepth() : 1;
  return {
    isTerminal,
    isLive,
    look: isLive && depth > 1 && !process.env["NO_COLOR"] ? "rich" : "plain",
    paint: toPaint(depth),
    // A terminal that does not know its size says 0.
    columns: () => (isTerminal ? stream.columns || 80 : Infinity),
    rows: () => (isTerminal ? stream.rows || 24 : Infinity),
    write: (text) => {
      stream.write(text);
    },
  };
}

/** Whether there is somebody to ask: to show a question to, and to hear the answer from. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}
