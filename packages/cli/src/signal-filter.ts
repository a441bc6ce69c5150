/**
 * Signal filter: an agent's text as it streams in, with its signals taken out.
 *
 * Text is held back from a `[` until it is known whether a signal follows. Signals are shown apart, when the engine
 * says what they led to. Linear in the text.
 */
import type { SignalMatcher } from "@baton/core";

/** Longer bracketed text is no signal anybody would write, and is let through. */
const MAX_HELD_CHARS = 512;

/** Takes the signals of one agent out of its text. */
export class SignalFilter {
  readonly #matcher: SignalMatcher;
  #held = "";

  constructor(matcher: SignalMatcher) {
    this.#matcher = matcher;
  }

  /** Adds text, and gives what of it is sure to be no signal. */
  push(text: string): string {
    const whole = this.#held + text;
    this.#held = "";
    const first = whole.indexOf("[");
    if (first === -1) return whole;
    const free = [whole.slice(0, first)];
    for (let open = first; open !== -1;) {
      const next = whole.indexOf("[", open + 1);
      const piece = whole.slice(open, next === -1 ? undefined : next);
      if (next === -1 && !piece.includes("]") && piece.length <= MAX_HELD_CHARS) this.#held = piece;
      else free.push(this.#withoutSignal(piece));
      open = next;
    }
    return free.join("");
  }

  /** Gives what was held back, and begins anew. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** A piece begins with the only `[` in it. */
  #withoutSignal(piece: string): string {
    const end = piece.indexOf("]") + 1;
    return end > 0 && this.#matcher.find(piece.slice(0, end)).length > 0 ? piece.slice(end) : piece;
  }
}
