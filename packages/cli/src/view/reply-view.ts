/**
 * Reply: an agent's text as it streams in, turned into lines for people.
 *
 * Signals are taken out and what a terminal would obey is made visible before anything is laid out; a character that
 * comes in two halves is put together first. On a terminal with colours Markdown is rendered.
 */
import { feed, finish, type Hold, startHold, type Watch } from "@baton/core/ports";
import { type Line, toLine } from "../terminal/styled-line.ts";
import { Markdown } from "../terminal/markdown/markdown.ts";
import { Paragraph } from "../terminal/paragraph.ts";
import { toPrintable } from "../terminal/printable.ts";

/** How text is shown: as it is, or with its Markdown rendered. */
export type Look = "plain" | "rich";

/** Text as it streams in. */
type Layout = Pick<Markdown, "open" | "hasBegun" | "push" | "end">;

/** Text as it is, broken into lines. */
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
  return texts.map((text) => (text === "" ? [] : toLine(text)));
}

/** One reply of one agent. */
export class Reply {
  readonly #watch: Watch;
  #hold: Hold;
  readonly #layout: Layout;
  /** The first half of a character, or of a line's end. */
  #half = "";

  constructor(watch: Watch, look: Look = "plain") {
    this.#watch = watch;
    this.#layout = look === "rich" ? new Markdown() : new PlainLayout();
    this.#hold = startHold(watch);
  }

  /** What is there already of lines that are not complete. */
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

  /** Gives what is left, and begins anew. */
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
