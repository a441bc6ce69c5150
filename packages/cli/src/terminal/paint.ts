/**
 * Paint: turns the tones of a line into ANSI colours, or removes them.
 *
 * With colours a signal is a block in its agent's colour; without, it keeps its brackets. The colours are readable on
 * light and dark backgrounds.
 */
import { plainText, type Line, type StyledText, type Tone } from "./styled-line.ts";

/** Turns a line into the text to write. */
export type Paint = (line: Line) => string;

const RESET = "\u001b[0m";
const CODES: ReadonlyMap<string, string> = new Map([
  ["dim", "2"],
  ["strong", "1"],
  ["good", "32"],
  ["bad", "31"],
  ["warn", "33"],
  ["italic", "3"],
  ["code", "36"],
  ["link", "4"],
  ["strike", "9"],
]);
/** Colours of agents on terminals with 256 colours, and with 16. */
const RICH = ["38;5;37", "38;5;133", "38;5;68", "38;5;172", "38;5;71", "38;5;167"] as const;
const BASIC = ["36", "35", "34", "33", "32", "31"] as const;
const STYLES: ReadonlyMap<string, string> = new Map([
  ["agent", ""],
  ["title", "1;"],
  ["chip", "1;7;"],
]);

/** The paint for a colour depth in bits, as `getColorDepth` reports it; 1 means no colours. */
export function toPaint(depth: number): Paint {
  if (depth <= 1) return plainText;
  const colours = depth >= 8 ? RICH : BASIC;
  return (line) => line.map((span) => paintSpan(span, colours)).join("");
}

function paintSpan({ text, tone }: StyledText, colours: readonly string[]): string {
  if (tone === "plain" || text === "") return text;
  return `\u001b[${toCode(tone, colours)}m${tone.startsWith("chip") ? toChip(text) : text}${RESET}`;
}

function toCode(tone: Tone, colours: readonly string[]): string {
  const [kind = "", index = "0"] = tone.split("-");
  return CODES.get(tone) ?? `${STYLES.get(kind) ?? ""}${colours[Number(index) % colours.length]}`;
}

function toChip(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? ` ${text.slice(1, -1)} ` : text;
}
