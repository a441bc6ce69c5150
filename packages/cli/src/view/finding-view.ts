/**
 * Finding view: the findings of a check as lines.
 *
 * On a terminal a finding shows the line of the file with the place underlined. On other outputs it is one line in the
 * format of compilers, which editors can parse.
 */
import type { FileFinding } from "@baton/crewfile";
import { BLANK, styleLine, type Line } from "../terminal/styled-line.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { cutStart, cutToWidth, displayWidth } from "../terminal/width.ts";

/** The sources of findings, and the form of the output. */
export interface FindingFrame {
  /** The texts of the files by name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isTerminal: boolean;
  readonly width: number;
}

const TONES = { error: "bad", warning: "warn", note: "dim" } as const;

/** The lines of one finding. */
export function toFindingLines(finding: FileFinding, frame: FindingFrame): readonly Line[] {
  return frame.isTerminal ? toPicture(finding, frame) : [styleLine(toSentence(finding))];
}

/** `crew.yaml:3:14: error: what is wrong; how to fix it [code]` */
function toSentence({ file, line, column, severity, message, fix, conversation, code }: FileFinding): string {
  const example = conversation === undefined ? "" : ` (${conversation.join(" → ")})`;
  return toOneLine(`${file}:${line}:${column}: ${severity}: ${message}; ${fix}${example} [${code}]`);
}

function toPicture(finding: FileFinding, { texts, width }: FindingFrame): readonly Line[] {
  const { file, line, column, severity, message, fix, conversation } = finding;
  const margin = " ".repeat(`${line}`.length + 2);
  const inner = width - margin.length - 2;
  const [first = "", ...rest] = wrap(toPrintable(message), width - severity.length - 1);
  const source = (texts.get(file) ?? "").split("\n", line)[line - 1] ?? "";
  const example = conversation === undefined ? [] : wrap(toOneLine(`e.g. ${conversation.join(" → ")}`), inner);
  return [
    styleLine([`${severity} `, TONES[severity]], first),
    ...rest.map((text) => styleLine(`${" ".repeat(severity.length + 1)}${text}`)),
    styleLine([`${margin}╭ ${cutStart(toOneLine(`${file}:${line}:${column}`), inner)}`, "dim"]),
    ...(source.trim() === "" ? [] : toSourceLines(finding, source, inner)),
    ...[...wrap(toPrintable(fix), inner), ...example].map((text) => styleLine([`${margin}│ ${text}`, "dim"])),
    BLANK,
  ];
}

/** The line of the file, and the underline; a long line is truncated around it. */
function toSourceLines({ line, column, width, severity }: FileFinding, source: string, inner: number): readonly Line[] {
  const [before, meant, after] = [
    source.slice(0, column - 1),
    source.slice(column - 1, column - 1 + width),
    source.slice(column - 1 + width),
  ].map((part) => toPrintable(part).replaceAll("\n", " "));
  const start = cutStart(before ?? "", Math.max(4, Math.floor(inner / 2)));
  const underline = Math.max(1, Math.min(displayWidth(meant?.trimEnd() ?? ""), inner - displayWidth(start)));
  return [
    styleLine([` ${line} │ `, "dim"], cutToWidth(`${start}${meant}${after}`.trimEnd(), inner)),
    styleLine([`${" ".repeat(`${line}`.length + 2)}│ `, "dim"], " ".repeat(displayWidth(start)), [
      "‾".repeat(underline),
      TONES[severity],
    ]),
  ];
}
