/**
 * Keyboard: takes what is typed while a run is shown, so that it is not echoed between the lines.
 *
 * Ctrl-C, Ctrl-\ and Ctrl-Z still work; Ctrl-C also drops what was typed. Other keys are kept for the next message.
 */
import type { TypedText } from "./typed-text.ts";

/** The signals that a terminal sends for these characters. */
const SIGNALS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
  ["\u001a", "SIGTSTP"],
]);

/** Keeps the terminal in raw mode until it is disposed. */
export class Keyboard implements Disposable {
  readonly #input = process.stdin;
  readonly #decoder = new TextDecoder();
  readonly #typed: TypedText;

  constructor(typed: TypedText) {
    this.#typed = typed;
    this.#hold();
    this.#input.on("data", this.#take).resume();
    process.on("SIGCONT", this.#hold);
  }

  [Symbol.dispose](): void {
    process.off("SIGCONT", this.#hold);
    this.#input.off("data", this.#take).pause();
    this.#input.setRawMode(false);
  }

  readonly #hold = (): void => {
    this.#input.setRawMode(true);
  };

  readonly #take = (chunk: Uint8Array | string): void => {
    const keys = typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    this.#typed.type(keys);
    for (const character of keys) {
      const signal = SIGNALS.get(character);
      if (signal === undefined) continue;
      if (signal === "SIGINT") this.#typed.clear();
      // After these signals the shell needs a terminal that echoes.
      if (signal !== "SIGINT") this.#input.setRawMode(false);
      process.kill(process.pid, signal);
    }
  };
}
