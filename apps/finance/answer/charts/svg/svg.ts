/**
 * SVG: the pieces of which pictures of charts are made, with texts that are large enough for a phone.
 */

/** The size of a picture. */
const PICTURE = { width: 1_200, height: 675, margin: 48 } as const;

/** Colours that are told apart on a small screen. */
export const COLORS = {
  ink: "#14202b",
  muted: "#5b6875",
  grid: "#e3e8ed",
  paper: "#ffffff",
  up: "#0b8a4b",
  down: "#cf2e36",
  flat: "#8a949e",
  fill: "#eef3f8",
  series: ["#1f5fd0", "#e07b00", "#7a3fc0", "#0a8f9c"],
} as const;

/** A place in a picture. */
export interface PictureBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Options of a text. */
export interface TextStyle {
  readonly size: number;
  readonly color?: string;
  readonly anchor?: "start" | "middle" | "end";
  /** The widest it may be; what has no room ends with `…`. */
  readonly maxWidth?: number;
}

/** A place, from the left and from the top. */
export type PicturePoint = readonly [x: number, y: number];

/** The colour and width of a line. */
export interface Stroke {
  readonly color: string;
  readonly width?: number;
}

/** About the width of a letter, as a part of its size. */
const LETTER = 0.53;

/** The width that a text needs, about. */
export function widthOf(shown: string, size: number): number {
  return shown.length * size * LETTER;
}

/** A text at a place. */
export function text(x: number, y: number, style: TextStyle & { readonly text: string }): string {
  const { size, color = COLORS.ink, anchor = "start", maxWidth = Infinity } = style;
  const most = Math.max(1, Math.floor(maxWidth / (size * LETTER)));
  const shown = style.text.length > most ? `${style.text.slice(0, Math.max(1, most - 1)).trimEnd()}…` : style.text;
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${color}" text-anchor="${anchor}" font-family="Be Vietnam Pro">${escape(shown)}</text>`;
}

/** A filled rectangle. */
export function rect({ x, y, width, height }: PictureBox, fill: string, radius = 0): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}" rx="${radius}" fill="${fill}"/>`;
}

/** A line between two places. */
export function line(from: PicturePoint, to: PicturePoint, { color, width = 2 }: Stroke): string {
  return `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" stroke="${color}" stroke-width="${width}"/>`;
}

/** A line through places; undefined is a gap. */
export function path(points: readonly (PicturePoint | undefined)[], color: string, width = 5): string {
  let d = "";
  let isOpen = false;
  for (const point of points) {
    if (point !== undefined) d += `${isOpen ? "L" : "M"}${round(point[0])} ${round(point[1])}`;
    isOpen = point !== undefined;
  }
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"/>`;
}

/** Names of lines with their colours, in a row. */
export function legend(x: number, y: number, names: readonly (readonly [name: string, color: string])[]): string {
  const size = 32;
  let at = x;
  return names
    .map(([name, color]) => {
      const drawn = `${rect({ x: at, y: y - 22, width: 28, height: 22 }, color, 5)}${text(at + 38, y, { text: name, size, color: COLORS.muted })}`;
      at += 38 + widthOf(name, size) + 36;
      return drawn;
    })
    .join("");
}

/** The title, the place for a chart, and where the data comes from. */
export interface PictureFrame {
  readonly title: string;
  readonly subtitle: string;
  readonly footer: string;
}

/** The room between title and footer. */
export const BODY: PictureBox = { x: PICTURE.margin, y: 150, width: PICTURE.width - 2 * PICTURE.margin, height: 455 };

/** A whole picture. */
export function toSvg({ title, subtitle, footer }: PictureFrame, body: string): string {
  const { width, height, margin } = PICTURE;
  const most = width - 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    rect({ x: 0, y: 0, width, height }, COLORS.paper),
    text(margin, 74, { text: title, size: 50, maxWidth: most }),
    text(margin, 122, { text: subtitle, size: 36, color: COLORS.muted, maxWidth: most }),
    body,
    text(margin, height - 24, { text: footer, size: 30, color: COLORS.muted, maxWidth: most }),
    "</svg>",
  ].join("");
}

/** The colour of a change. */
export function changeColor(change: number | null): string {
  if (change === null || change === 0) return COLORS.flat;
  return change > 0 ? COLORS.up : COLORS.down;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Control characters are not XML. */
function escape(value: string): string {
  return value.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? "").replace(/\p{Cc}/gu, " ");
}
