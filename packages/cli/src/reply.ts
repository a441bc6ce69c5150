/**
 * Reply: an agent's text as it streams in, turned into lines for people.
 *
 * Signals are taken out and what a terminal would obey is made visible before anything is laid out; a character that
 * comes in two halves is put together first.
 */
import { feed, finish, type Hold, startHold, type Watch } from "@baton/core";
import { Paragraph } from "./paragraph.ts";
import { toPrintable } from "./printable.ts";

/** One reply of one agent. */
export class Reply {
  readonly #watch: Watch;
  #hold: Hold;
  readonly #paragraph = new Paragraph();
  /** The first half of a character, or of a line's end. */
  #half = "";

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#hold = startHold(watch);
  }

  /** The part of the last line that is there already. */
  get open(): string {
    return this.#paragraph.open;
  }

  /** Whether anything was shown. */
  get hasBegun(): boolean {
    return this.#paragraph.hasBegun || this.#paragraph.open.trim() !== "";
  }

  /** Adds text, and gives the lines it completed. */
  push(text: string, width: number): readonly string[] {
    const whole = this.#half + text;
    this.#half = /[\r\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    const [hold, shown] = feed(this.#hold, whole.slice(0, whole.length - this.#half.length));
    this.#hold = hold;
    return this.#show(shown, width);
  }

  /** Gives what is left, and begins anew. */
  end(width: number): readonly string[] {
    const rest = finish(this.#hold) + this.#half;
    this.#hold = startHold(this.#watch);
    this.#half = "";
    return [...this.#show(rest, width), ...this.#paragraph.end()];
  }

  #show(text: string, width: number): readonly string[] {
    return text === "" ? [] : this.#paragraph.push(toPrintable(text), width);
  }
}
