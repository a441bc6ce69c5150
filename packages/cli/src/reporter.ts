/**
 * Reporter: shows a run while it happens, to people or to programs.
 *
 * For people, a transcript on a screen that is drawn at most so often; for programs, one event a line.
 * Reads: screen, transcript. Read by: commands.
 */
import type { RunEvent } from "@baton/core";
import type { Line } from "./line.ts";
import type { Screen } from "./screen.ts";
import type { Transcript } from "./transcript.ts";

/** Is told everything that happens, and shows it. */
export interface Reporter extends Disposable {
  event(event: RunEvent): void;
  /** Something beside the run that people should read. */
  note(lines: readonly Line[]): void;
  /** Shows all there is now, with nothing left to be drawn over. */
  settle(): void;
}

const FRAME_MS = 40;

/** Writes one event a line. */
export class JsonReporter implements Reporter {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  event(event: RunEvent): void {
    this.#write(`${JSON.stringify(event)}\n`);
  }

  note(): void {}

  settle(): void {}

  [Symbol.dispose](): void {}
}

/** Shows one run after another. */
export class ScreenReporter implements Reporter {
  readonly #screen: Screen;
  readonly #open: () => Transcript;
  #transcript: Transcript;
  #ready: Line[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The clock of the log may not be this process's. */
  #aheadMs = 0;

  /** `open` gives the transcript for a run that starts. */
  constructor(screen: Screen, open: () => Transcript) {
    this.#screen = screen;
    this.#open = open;
    this.#transcript = open();
  }

  event(event: RunEvent): void {
    this.#aheadMs = event.at - Date.now();
    if (event.type === "run.started") this.#transcript = this.#open();
    this.#ready.push(...this.#transcript.add(event, this.#screen.width));
    if (!this.#screen.isLive) this.settle();
    else this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
  }

  note(lines: readonly Line[]): void {
    this.#ready.push(...lines);
    this.settle();
  }

  settle(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.draw(this.#ready);
    this.#ready = [];
  }

  [Symbol.dispose](): void {
    this.settle();
  }

  #draw(): void {
    const frame = { now: Date.now() + this.#aheadMs, width: this.#screen.width };
    this.#screen.draw(this.#ready, this.#transcript.live(frame));
    this.#ready = [];
  }
}
