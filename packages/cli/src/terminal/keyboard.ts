/**
 * Keyboard: drops what is typed while a run is shown, so that it is not echoed between the lines.
 *
 * Ctrl-C, Ctrl-\ and Ctrl-Z still work. Other keys are dropped, so they cannot answer a later question.
 */

/** The signals that a terminal sends for these characters. */
const SIGNALS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
  ["\u001a", "SIGTSTP"],
]);

/** Keeps the terminal in raw mode until it is disposed. */
export class Keyboard implements Disposable {
  readonly #input = process.stdin;

  constructor() {
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
    for (const character of chunk.toString()) {
      const signal = SIGNALS.get(character);
      if (signal === undefined) continue;
      // After these signals the shell needs a terminal that echoes.
      if (signal !== "SIGINT") this.#input.setRawMode(false);
      process.kill(process.pid, signal);
    }
  };
}
