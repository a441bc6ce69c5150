/**
 * Finding: something wrong with a crew, at its place in a file.
 */

/** Something wrong, where, and how to fix it. */
export interface FileFinding {
  /** Stable name of the kind of defect, e.g. `unknown_field`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The length of the marked part of the line, in UTF-16 units; at least 1. */
  readonly width: number;
  /** The field as YAML spells it: `routing.signals.teacher[0].target`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
  /** The shortest conversation that shows it: agents, signals and groups in turn. */
  readonly conversation?: readonly string[];
}

/** A part of a file, by UTF-16 offsets; `end` is the first one after it. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A finding without its place. */
export type Defect = Pick<FileFinding, "code" | "message" | "fix"> &
  Partial<Pick<FileFinding, "severity" | "conversation">>;

/** Orders the findings of one file by line and column; findings at the same place keep their order. */
export function byPlace(one: FileFinding, other: FileFinding): number {
  return one.line - other.line || one.column - other.column;
}
