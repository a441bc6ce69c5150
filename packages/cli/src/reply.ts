/**
 * Reply: an agent's text as it streams in, turned into lines for people.
 *
 * Signals are taken out and what a terminal would obey is made visible before anything is laid out; a character that
 * comes in two halves is put together first.
 */
import type { SignalMatcher } from "@baton/core";
import { Paragraph } from "./paragraph.ts";
import { toPrintable } from "./printable.ts";
import { SignalFilter } from "./signal-filter.ts";

/** One reply of one agent. */
export class Reply {
  readonly #filter: SignalFilter;
  readonly #paragraph = new Paragraph();
  /** The first half of a character, or of a line's end. */
  #half = "";

  constructor(signals: SignalMatcher) {
    this.#filter = new SignalFilter(signals);
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
    return this.#show(this.#filter.push(whole.slice(0, whole.length - this.#half.length)), width);
  }

  /** Gives what is left, and begins anew. */
  end(width: number): readonly string[] {
    const rest = this.#filter.end() + this.#half;
    this.#half = "";
    return [...this.#show(rest, width), ...this.#paragraph.end()];
  }

  #show(text: string, width: number): readonly string[] {
    return text === "" ? [] : this.#paragraph.push(toPrintable(text), width);
  }
}
