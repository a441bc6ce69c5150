/**
 * Marks: what workers of a cluster did, as lines in a file that all of them write to.
 *
 * A mark is written at once, so it is there even if the process is killed right after it.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { z } from "zod";

/** Where workers find the name of the file. */
export const MARKS_FILE = "BATON_TEST_MARKS";

const MARK = z.object({
  kind: z.enum(["begun", "done", "model", "chunk"]),
  run: z.string(),
  /** The call; for a model the agent, and for its first chunk also a call of the step before. */
  of: z.string(),
  pid: z.number(),
  at: z.number(),
});

/** Something that a worker did. */
export type Mark = Readonly<z.infer<typeof MARK>>;

/** Leaves a mark. */
export function mark(what: Omit<Mark, "pid" | "at">): void {
  const line: Mark = { ...what, pid: process.pid, at: Date.now() };
  appendFileSync(process.env[MARKS_FILE] ?? "", `${JSON.stringify(line)}\n`);
}

/** All marks, in their order. */
export function readMarks(file: string): readonly Mark[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => MARK.parse(JSON.parse(line)));
}
