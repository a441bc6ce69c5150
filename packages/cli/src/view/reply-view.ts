/**
 * Reply view: the text of an agent as it streams in, as lines.
 *
 * Removes signals, makes control characters visible, and joins surrogate pairs that arrive in two pieces. Renders
 * Markdown if the format asks for it.
 */
import { feed, finish, type Hold, startHold, type Watch } from "@baton/core/engine";
import { type Line, styleLine } from "../terminal/styled-line.ts";
import { Markdown } from "../terminal/markdown/markdown.ts";
import { Paragraph } from "../terminal/paragraph.ts";
import type { TextFormat } from "../terminal/screen.ts";
import { toPrintable } from "../terminal/printable.ts";

/** Lays out text that streams in. */
type Layout = Pick<Markdown, "open" | "hasBegun" | "push" | "end">;

/** Wraps plain text. */
class PlainLayout implements Layout {
  readonly #paragraph = new Paragraph();

  get open(): string {
    return this.#paragraph.open;
  }

  get hasBegun(): boolean {
    return this.#paragraph.hasBegun;
  }

  push(text: string, width: number): readonly Line[] {
    return toPlain(this.#paragraph.push(text, width));
  }

  end(): readonly Line[] {
    return toPlain(this.#paragraph.end());
  }
}

function toPlain(texts: readonly string[]): readonly Line[] {
  return texts.map((text) => (text === "" ? [] : styleLine(text)));
}

/** The text of one agent. */
export class ReplyView {
  readonly #watch: Watch;
  #hold: Hold;
  readonly #layout: Layout;
  /** The first half of a surrogate pair or of a line end. */
  #half = "";

  constructor(watch: Watch, format: TextFormat = "plain") {
    this.#watch = watch;
    this.#layout = format === "markdown" ? new Markdown() : new PlainLayout();
    this.#hold = startHold(watch);
  }

  /** The text of lines that are not complete. */
  get open(): string {
    return this.#layout.open;
  }

  /** Whether anything was shown. */
  get hasBegun(): boolean {
    return this.#layout.hasBegun || this.#layout.open.trim() !== "";
  }

  /** Adds text, and gives the lines it completed. */
  push(text: string, width: number): readonly Line[] {
    const whole = this.#half + text;
    this.#half = /[\r\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    const [hold, shown] = feed(this.#hold, whole.slice(0, whole.length - this.#half.length));
    this.#hold = hold;
    return this.#show(shown, width);
  }

  /** Gives the rest, and starts a new text. */
  end(width: number): readonly Line[] {
    const rest = finish(this.#hold) + this.#half;
    this.#hold = startHold(this.#watch);
    this.#half = "";
    return [...this.#show(rest, width), ...this.#layout.end(width)];
  }

  #show(text: string, width: number): readonly Line[] {
    return text === "" ? [] : this.#layout.push(toPrintable(text), width);
  }
}
