/**
 * Keyboard: keeps what is typed during a run from being echoed into what is shown.
 *
 * Ctrl-C, Ctrl-\ and Ctrl-Z do what they always do; everything else is dropped, so that it cannot answer a question
 * nobody has asked yet.
 */

/** What the terminal would have made of these characters itself. */
const SIGNALS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
  ["\u001a", "SIGTSTP"],
]);

/** Holds the keyboard until it is disposed of. */
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
      // Whatever ends or stops the process must leave a terminal that echoes.
      if (signal !== "SIGINT") this.#input.setRawMode(false);
      process.kill(process.pid, signal);
    }
  };
}
