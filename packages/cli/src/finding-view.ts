/**
 * Finding view: what is wrong with a crew, as lines.
 *
 * On a terminal the line of the file is shown with the place underlined; elsewhere every finding is one line that
 * editors can read. Reads: line, paragraph, printable, width. Read by: crew-source, check.
 */
import type { FileFinding } from "@baton/crewfile";
import { toLine, type Line } from "./line.ts";
import { wrap } from "./paragraph.ts";
import { toOneLine, toPrintable } from "./printable.ts";
import { cutStart, cutText, widthOf } from "./width.ts";

/** What is needed to show findings. */
export interface FindingFrame {
  /** The files' texts by name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isTerminal: boolean;
  readonly width: number;
}

const TONES = { error: "bad", warning: "warn" } as const;

/** The lines of one finding. */
export function toFindingLines(finding: FileFinding, { texts, isTerminal, width }: FindingFrame): readonly Line[] {
  const { file, line, column, severity, message, fix, conversation, code } = finding;
  const place = `${toOneLine(file)}:${line}:${column}`;
  const example = conversation === undefined ? "" : toOneLine(conversation.join(" → "));
  if (!isTerminal) {
    const more = example === "" ? "" : ` (${example})`;
    return [toLine(`${place}: ${severity}: ${toOneLine(`${message}; ${fix}`)}${more} [${code}]`)];
  }
  const margin = `${line}`.length + 2;
  const inner = width - margin - 2;
  const source = (texts.get(file) ?? "").split("\n", line)[line - 1];
  const notes = [...wrap(toPrintable(fix), inner), ...(example === "" ? [] : wrap(`e.g. ${example}`, inner))];
  return [
    toLine([`${severity} `, TONES[severity]], ...wrap(toPrintable(message), width - 9).slice(0, 1)),
    ...wrap(toPrintable(message), width - 9)
      .slice(1)
      .map((text) => toLine(`  ${text}`)),
    toLine([`${" ".repeat(margin - 1)}╭ ${cutStart(place, inner)}`, "dim"]),
    ...(source === undefined || source.trim() === "" ? [] : toSourceLines(finding, source, inner)),
    ...notes.map((text) => toLine([`${" ".repeat(margin - 1)}│ `, "dim"], [text, "dim"])),
    [],
  ];
}

/** The line of the file, and the mark under the part that is meant; a long line is cut around it. */
function toSourceLines(finding: FileFinding, source: string, width: number): readonly Line[] {
  const start = finding.column - 1;
  const before = cutStart(toPrintable(source.slice(0, start)), Math.max(4, Math.floor(width / 2)));
  const meant = toPrintable(source.slice(start, start + finding.width)).trimEnd();
  const text = `${before}${meant}${toPrintable(source.slice(start + finding.width)).trimEnd()}`;
  const shown = cutText(text.replaceAll("\n", " "), width);
  const underline = Math.max(1, Math.min(widthOf(meant), width - widthOf(before)));
  return [
    toLine([` ${finding.line} │ `, "dim"], shown),
    toLine([`${" ".repeat(`${finding.line}`.length + 1)} │ `, "dim"], " ".repeat(widthOf(before)), [
      "‾".repeat(underline),
      TONES[finding.severity],
    ]),
  ];
}
