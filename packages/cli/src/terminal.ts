/**
 * Terminal: what standard output is, and what may be done with it.
 *
 * The only file that looks at the process's streams and at the variables about colour.
 * Reads: paint, screen. Read by: commands.
 */
import { toPaint } from "./paint.ts";
import type { Output } from "./screen.ts";

/** Standard output as it is: a terminal with its size and colours, or a plain stream. */
export function openOutput(): Output {
  const { stdout, env } = process;
  const isTerminal = stdout.isTTY;
  return {
    isLive: isTerminal && env["TERM"] !== "dumb",
    paint: toPaint(isTerminal ? stdout.getColorDepth() : 1),
    columns: () => (isTerminal ? stdout.columns : Infinity),
    rows: () => (isTerminal ? stdout.rows : Infinity),
    write: (text) => {
      stdout.write(text);
    },
  };
}

/** Whether there is somebody to ask: both to show the question to and to hear the answer from. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}
