/**
 * Difference view: the first event in which a replay differs from the log, with both versions.
 */
import type { Difference } from "@baton/durable/replay";
import { BLANK, type Line, styleLine, type Tone } from "../terminal/styled-line.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toPrintable } from "../terminal/printable.ts";

const STAMP: readonly string[] = ["type", "run", "seq", "at", "lane"];
/** The most lines of one version; texts of models and tools can be long. */
const MAX_LINES = 12;
const INDENT = "    ";

/** The summary, then the event in the log and the event of the replay. */
export function toDifferenceLines({ text, logged, now }: Difference, width: number): readonly Line[] {
  const head = wrap(toPrintable(text), width - 2);
  return [
    ...head.map((line, index) => styleLine([index === 0 ? "✗ " : "  ", "bad"], [line, "strong"])),
    BLANK,
    ...toSide("then", logged, { tone: "good", width }),
    ...toSide("now", now, { tone: "bad", width }),
  ];
}

interface SideStyle {
  readonly tone: Tone;
  readonly width: number;
}

function toSide(title: string, side: Difference["now"], { tone, width }: SideStyle): readonly Line[] {
  const name = typeof side === "object" ? side.type : (side ?? "nothing");
  const lines = typeof side === "object" ? toFields(side, width - INDENT.length) : [];
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines;
  return [
    styleLine([`  ${title.padEnd(5)}`, tone], toPrintable(name)),
    ...shown.map((line) => styleLine([`${INDENT}${line}`, "dim"])),
  ];
}

function toFields(fact: object, width: number): readonly string[] {
  const fields = Object.entries(fact).filter(([name]) => !STAMP.includes(name));
  return fields.flatMap(([name, value]) => wrap(toPrintable(`${name}: ${JSON.stringify(value)}`), width));
}
