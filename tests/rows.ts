/**
 * Rows: the files of core, from what knows nothing to what knows all, and how large each part may become.
 */

/** A part of core with its own cap in lines of code, and its files; `engine` shares the cap of `ports`. */
type Row = Readonly<{ name: string; cap: string; files: readonly string[] }>;

const row = (name: string, files: string, cap = name): Row => ({ name, cap, files: files.split(" ") });

/** The files of core, row by row: a file reads its own row and the rows above. */
export const ROWS: readonly Row[] = [
  row(
    "words",
    "error json json-schema message event signal signal-hold schema nearest text vector position state dialogue live-view fold receipt-text output note structured",
  ),
  row("lifetimes", "clock scope channel by-id semaphore retry"),
  row("ports", "model script program host recording local-host log memory-log follower ledger document"),
  row("definitions", "tool agent limits definition typed-crew crew check output-check"),
  row("views", "history prompt tool-search plan lane progress open-turn window model-call call-context"),
  row("loop", "route permission attempt call calls step turn group sub-crew run"),
  row("handle", "shown-text run-result run-handle"),
  row("engine", "resume segment live-run command engine", "ports"),
];

/** How many lines of code each part may have: what must not grow is capped, comments are free. */
export const CAPS: ReadonlyMap<string, number> = new Map([
  ["words", 1_600],
  ["lifetimes", 550],
  ["ports", 1_790],
  ["definitions", 860],
  ["views", 825],
  ["loop", 1_200],
  ["handle", 250],
]);
