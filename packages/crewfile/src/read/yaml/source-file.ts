/**
 * Source: the text of one file, and how an offset in it becomes a line and a column.
 */
import { nearestWithin } from "@baton/core/util";
import type { Defect, FileFinding, TextSpan } from "./finding.ts";

const MAX_SUGGESTIONS = 100;

/** The text of one file, its places, and what was found in it. */
export class SourceFile {
  readonly file: string;
  readonly text: string;
  readonly findings: FileFinding[] = [];
  /** Finds the known name closest to a mistyped one; stops searching after a hundred requests. */
  readonly nearest = nearestWithin(MAX_SUGGESTIONS);
  readonly #lineStarts: readonly number[];
  readonly #errorOffsets = new Set<number>();

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.#lineStarts = toLineStarts(text);
  }

  /** Records a defect of the part `span`, which is the field `path`. */
  report(span: TextSpan, path: string, defect: Defect): void {
    const { start, end } = span;
    const line = this.lineAt(start);
    const lineStart = this.#lineStarts[line - 1] ?? 0;
    const lineEnd = this.#lineStarts[line] ?? this.text.length + 1;
    const width = Math.max(1, Math.min(end, lineEnd - 1) - start);
    const column = start - lineStart + 1;
    if (defect.severity === undefined || defect.severity === "error") this.#errorOffsets.add(start);
    this.findings.push({ severity: "error", ...defect, file: this.file, line, column, width, path });
  }

  /** Whether an error was recorded of a part that begins here. */
  hasErrorAt(offset: number): boolean {
    return this.#errorOffsets.has(offset);
  }

  /** The rest of a line from a column on, both from 1. */
  spanAt(line: number, column: number): TextSpan {
    const start = Math.min((this.#lineStarts[line - 1] ?? 0) + column - 1, this.text.length);
    const end = this.text.indexOf("\n", start);
    return { start, end: end === -1 ? this.text.length : end };
  }

  /** The line an offset is in, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

function toLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
