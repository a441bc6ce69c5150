/**
 * SVG shape: one box, arrow or label of a crew's picture.
 */
import type { Arrow, Box, Mark } from "./diagram.ts";
import type { Size } from "./layer-order.ts";
import type { LayoutPoint, ArrowRoute } from "./layout.ts";
import { cut, escapeXml, roundCoordinate, widthOf } from "./svg-text.ts";

/** A line of text in a box. */
interface Line {
  readonly text: string;
  readonly style: "title" | "small" | "mark" | "label";
}

/** A box with what is written in it. */
export interface Card {
  readonly box: Box;
  readonly lines: readonly Line[];
  readonly size: Size;
}

const LINE_HEIGHT = 17;
const LABEL_HEIGHT = 15;
const MAX_LABELS = 6;
const MAX_TITLE = 32;
const MAX_SUBTITLE = 36;
const MAX_LABEL = 36;
const END_SIZE: Size = { width: 64, height: 40 };
/** The slant of a program's sides, in pixels. */
const SLANT = 12;
/** The distance of a sub-crew's bars from its sides. */
const BAR = 8;
/** The space that a shape needs beside its text. */
const EXTRA: Readonly<Record<Box["kind"], Size>> = {
  agent: { width: 0, height: 0 },
  group: { width: 0, height: 0 },
  end: { width: 0, height: 0 },
  program: { width: 2 * SLANT, height: 0 },
  crew: { width: 2 * BAR, height: 0 },
};

const MARK_TEXTS: readonly (readonly [Mark, string])[] = [
  ["pause", "waits for the user"],
  ["terminal", "ends the run"],
  ["unreachable", "never gets the baton"],
];

/** The content of a box, and its size; `again` are the signals by which it keeps the baton. */
export function createCard(box: Box, again: readonly string[]): Card {
  if (box.kind === "end") return { box, lines: [{ text: "end", style: "mark" }], size: END_SIZE };
  const subtitle = cut(box.subtitle, MAX_SUBTITLE);
  const lines: Line[] = [
    { text: cut(box.title, MAX_TITLE), style: "title" },
    ...(subtitle === "" ? [] : [{ text: subtitle, style: "small" } as const]),
    ...MARK_TEXTS.filter(([mark]) => box.marks.includes(mark)).map(([, text]) => ({ text, style: "mark" }) as const),
    ...toLabelLines(again).map((text) => ({ text: `↻ ${text}`, style: "label" }) as const),
  ];
  const widest = lines.reduce(
    (most, { text, style }) => Math.max(most, widthOf(text, style === "title" ? 14 : 11.5)),
    0,
  );
  const { width: more, height: higher } = EXTRA[box.kind];
  const [width, height] = [Math.max(110, widest + 28) + more, lines.length * LINE_HEIGHT + 18 + higher];
  return { box, lines, size: { width, height } };
}

/** The size of an arrow's label. */
export function toLabelSize({ labels }: Arrow): Size {
  const lines = toLabelLines(labels);
  const widest = lines.reduce((most, text) => Math.max(most, widthOf(text, 11)), 0);
  return { width: widest + 12, height: lines.length * LABEL_HEIGHT + 6 };
}

function toLabelLines(labels: readonly string[]): readonly string[] {
  const lines = labels.slice(0, MAX_LABELS).map((label) => cut(label, MAX_LABEL));
  return labels.length > MAX_LABELS ? [...lines, `+ ${labels.length - MAX_LABELS} more`] : lines;
}

/** Draws a box around its centre. */
export function drawCard({ box, lines, size }: Card, { x, y }: LayoutPoint): string {
  const { width, height } = size;
  const radius = box.kind === "end" ? height / 2 : 9;
  const classes = ["box", box.kind, ...box.marks].join(" ");
  const frame = (name: string, inset: number): string =>
    box.kind === "program"
      ? `<path class="${name}" d="${toSlanted(size, { x, y }, inset)}"/>`
      : `<rect class="${name}" x="${roundCoordinate(x - width / 2 + inset)}" y="${roundCoordinate(y - height / 2 + inset)}" ` +
        `width="${roundCoordinate(width - 2 * inset)}" height="${roundCoordinate(height - 2 * inset)}" rx="${roundCoordinate(radius - inset)}"/>`;
  const isRinged = box.kind === "end" || box.marks.includes("terminal");
  const top = y - ((lines.length - 1) * LINE_HEIGHT) / 2;
  const texts = lines.map(({ text, style }, index) => drawText(text, style, { x, y: top + index * LINE_HEIGHT + 4.5 }));
  // A group is several at once: a second sheet shows behind the first.
  const sheet = box.kind === "group" ? [`<g transform="translate(5 5)">${frame("box group", 0)}</g>`] : [];
  const bars = box.kind === "crew" ? [`<path class="bar" d="${toBars(size, { x, y })}"/>`] : [];
  return [...sheet, frame(classes, 0), ...(isRinged ? [frame("ring", 4)] : []), ...bars, ...texts].join("");
}

/** The outline of a program: its sides lean to the right. */
function toSlanted({ width, height }: Size, { x, y }: LayoutPoint, inset: number): string {
  const [left, right] = [x - width / 2 + inset, x + width / 2 - inset];
  const [top, bottom] = [y - height / 2 + inset, y + height / 2 - inset];
  const corners = [
    [left + SLANT, top],
    [right, top],
    [right - SLANT, bottom],
    [left, bottom],
  ];
  return `M ${corners.map((corner) => corner.map(roundCoordinate).join(" ")).join(" L ")} Z`;
}

/** The two bars of a sub-crew, as flow charts draw what is drawn elsewhere. */
function toBars({ width, height }: Size, { x, y }: LayoutPoint): string {
  const [top, bottom] = [roundCoordinate(y - height / 2), roundCoordinate(y + height / 2)];
  const sides = [x - width / 2 + BAR, x + width / 2 - BAR].map(roundCoordinate);
  return sides.map((side) => `M ${side} ${top} L ${side} ${bottom}`).join(" ");
}

/** Draws the line of an arrow. */
export function drawArrow({ isRule, isCycle }: Arrow, { points }: ArrowRoute): string {
  const classes = ["arrow", ...(isRule ? ["rule"] : []), ...(isCycle ? ["cycle"] : [])].join(" ");
  return `<path class="${classes}" d="${toCurve(points)}" marker-end="url(#${isCycle ? "cycle" : "tip"})"/>`;
}

/** Draws the label of an arrow, on a ground that covers the line. */
export function drawLabel(arrow: Arrow, { label: { x, y } }: ArrowRoute): string {
  const { width, height } = toLabelSize(arrow);
  const lines = toLabelLines(arrow.labels);
  const top = y - ((lines.length - 1) * LABEL_HEIGHT) / 2;
  const ground = `<rect class="ground" x="${roundCoordinate(x - width / 2)}" y="${roundCoordinate(y - height / 2)}" width="${roundCoordinate(width)}" height="${roundCoordinate(height)}" rx="4"/>`;
  const texts = lines.map((text, index) => {
    const style = text.startsWith("(") ? "label rule" : "label";
    return drawText(text, style, { x, y: top + index * LABEL_HEIGHT + 4 });
  });
  return [ground, ...texts].join("");
}

function drawText(text: string, style: string, { x, y }: LayoutPoint): string {
  return `<text class="${style}" x="${roundCoordinate(x)}" y="${roundCoordinate(y)}">${escapeXml(text)}</text>`;
}

/** A line that leaves and enters every point upright. */
function toCurve(points: readonly LayoutPoint[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let before = first;
  const parts = [`M ${roundCoordinate(first.x)} ${roundCoordinate(first.y)}`];
  for (const point of rest) {
    const middle = roundCoordinate((before.y + point.y) / 2);
    parts.push(
      `C ${roundCoordinate(before.x)} ${middle} ${roundCoordinate(point.x)} ${middle} ${roundCoordinate(point.x)} ${roundCoordinate(point.y)}`,
    );
    before = point;
  }
  return parts.join(" ");
}
