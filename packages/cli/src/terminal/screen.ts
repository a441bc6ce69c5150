/**
 * Screen: lines that stay, and below them a few that are drawn again and again.
 *
 * On a terminal the live lines are erased before anything else is written, and the cursor is hidden as long as there
 * are any. Elsewhere lines are only ever added.
 */
import { toText, type Line } from "./styled-line.ts";
import type { Paint } from "./paint.ts";
import type { Look } from "../view/reply-view.ts";
import { widthOf } from "./width.ts";

/** Where lines are written to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether the cursor can be moved. */
  readonly isLive: boolean;
  readonly paint: Paint;
  /** Whether Markdown is rendered; not if it is left out. */
  readonly look?: Look;
  /** Of a terminal, else infinite. */
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const ERASE_BELOW = "\u001b[J";
/** Beyond this, running text is hard to read. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 16;

/** What is on an output. */
export class Screen {
  readonly #output: Output;
  #live: readonly Line[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** How wide a line may be. The last column stays free: not every terminal waits there for the next character. */
  get width(): number {
    const columns = this.#output.columns();
    return columns === Infinity ? Infinity : Math.max(MIN_WIDTH, Math.min(columns - 1, MAX_WIDTH));
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  get look(): Look {
    return this.#output.look ?? "plain";
  }

  get isLive(): boolean {
    return this.#output.isLive;
  }

  /** Adds lines for good, and draws others below them. */
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

  /** A terminal that became narrower has broken the lines anew. */
  #erase(): string {
    if (this.#live.length === 0) return "";
    const columns = this.#output.columns();
    const rows = this.#live.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(toText(line)) / columns)), 0);
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}${ERASE_BELOW}`;
  }
}
