/**
 * Code place: where an error in a crew's own code was made, read from its stack.
 *
 * A syntax error names its file and line before the message, and marks the column below the line. Any other error was
 * thrown while the code ran: its place is the innermost call in the crew's own folder.
 */
import { basename, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a file of code. */
export interface CodePlace {
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 units. */
  readonly column?: number;
  /** Text that is meant, if the line is not known. */
  readonly text?: string;
}

const HEAD = /^(\S.*\.[cm]?[jt]sx?)(?:\?[^:]*)?:(\d+)$/;
const MARK = /^\s*\^+\s*$/;
const FRAME = /\(?((?:file:\/\/|\/|[A-Z]:\\)[^()]*?)(?:\?[^:]*)?:(\d+):(\d+)\)?$/;
const MISSING = /^Cannot find (?:module|package) '([^']+)' imported from (\S.*)$/m;
const MARK_LINES = 12;
const LIBRARIES = `${sep}node_modules${sep}`;

/** The place of an error; undefined if it cannot be told. `folder` is that of the crew, with its real name. */
export function findCodePlace(error: unknown, folder: string): CodePlace | undefined {
  if (typeof error !== "object" || error === null || !("stack" in error) || typeof error.stack !== "string") return;
  const lines = error.stack.split("\n");
  return toSyntaxPlace(lines) ?? toMissingPlace(error) ?? toFrame(lines, folder);
}

/** The innermost call of a stack. */
export function toCallPlace(stack: string): Required<Omit<CodePlace, "text">> | undefined {
  return toFrames(stack.split("\n"))[0];
}

/** The innermost call of a stack in a file of the folder that is not a library's. */
function toFrame(lines: readonly string[], folder: string): CodePlace | undefined {
  return toFrames(lines).find(({ file }) => file.startsWith(`${folder}${sep}`) && !file.includes(LIBRARIES));
}

function toFrames(lines: readonly string[]): readonly Required<Omit<CodePlace, "text">>[] {
  return lines.flatMap((line) => {
    const [, file, row, column] = line.trimStart().startsWith("at ") ? (FRAME.exec(line) ?? []) : [];
    return file === undefined ? [] : [{ file: toPath(file), line: Number(row), column: Number(column) }];
  });
}

function toSyntaxPlace(lines: readonly string[]): CodePlace | undefined {
  const [, file, row] = HEAD.exec(lines[0] ?? "") ?? [];
  if (file === undefined) return undefined;
  const mark = lines.slice(0, MARK_LINES).find((line) => MARK.test(line));
  return { file: toPath(file), line: Number(row), ...(mark === undefined ? {} : { column: mark.indexOf("^") + 1 }) };
}

/** An import of a file or package that is not there says who imports it. */
function toMissingPlace(error: object): CodePlace | undefined {
  const message = "message" in error && typeof error.message === "string" ? error.message : "";
  const [, wanted, importer] = MISSING.exec(message) ?? [];
  return wanted === undefined || importer === undefined
    ? undefined
    : { file: toPath(importer), text: basename(wanted) };
}

function toPath(file: string): string {
  const name = file.replace(/\?[^?]*$/, "");
  return name.startsWith("file://") ? fileURLToPath(name) : name;
}
