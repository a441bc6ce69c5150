/**
 * Screen: permanent lines, and below them live lines that are redrawn.
 *
 * On a terminal the live lines are erased before anything else is written, and the cursor is hidden while there are
 * any. On other outputs there are no live lines.
 */
import { plainText, type Line } from "./styled-line.ts";
import type { Paint } from "./paint.ts";

import { displayWidth } from "./width.ts";

/** The form of replies: plain text, or rendered Markdown. */
export type TextFormat = "plain" | "markdown";

/** A stream that lines are written to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether the cursor can be moved. */
  readonly isLive: boolean;
  readonly paint: Paint;
  /** Plain if it is missing. */
  readonly textFormat?: TextFormat;
  /** Infinite if it is not a terminal. */
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const ERASE_BELOW = "\u001b[J";
/** Longer lines are hard to read. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 16;

/** Draws lines on an output. */
export class Screen {
  readonly #output: Output;
  #live: readonly Line[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** The width of a line. The last column stays free because some terminals wrap as soon as it is filled. */
  get width(): number {
    const columns = this.#output.columns();
    return columns === Infinity ? Infinity : Math.max(MIN_WIDTH, Math.min(columns - 1, MAX_WIDTH));
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  get textFormat(): TextFormat {
    return this.#output.textFormat ?? "plain";
  }

  get isLive(): boolean {
    return this.#output.isLive;
  }

  /** Adds permanent lines, and draws live lines below them. */
  draw(lines: readonly Line[], live: readonly Line[] = []): void {
    const { isLive, paint, rows, write } = this.#output;
    if (!isLive && lines.length === 0) return;
    const shown = isLive ? live.slice(-Math.max(1, rows() - 2)) : [];
    if (lines.length === 0 && shown.length === 0 && this.#live.length === 0) return;
    const added = lines.map((line) => `${paint(line)}\n`).join("");
    const cursor = shown.length > 0 ? HIDE_CURSOR : this.#live.length > 0 ? SHOW_CURSOR : "";
    write(`${this.#erase()}${added}${shown.map(paint).join("\n")}${cursor}`);
    this.#live = shown;
  }

  /** If the terminal has become narrower, it has wrapped the live lines. */
  #erase(): string {
    if (this.#live.length === 0) return "";
    const columns = this.#output.columns();
    const rows = this.#live.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(displayWidth(plainText(line)) / columns)),
      0,
    );
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}${ERASE_BELOW}`;
  }
}
