/**
 * Reporter: shows a run while it happens, to people or to programs.
 *
 * For people, a transcript on a screen that is drawn at most so often; for programs, one event a line.
 */
import type { RunEvent } from "@baton/core";
import type { Line } from "../terminal/styled-line.ts";
import type { Screen } from "../terminal/screen.ts";
import type { Transcript } from "./transcript.ts";

/** Is told everything that happens, and shows it. */
export interface Reporter extends Disposable {
  event(event: RunEvent): void;
  /** Takes what was shown of a run before; people see its last turn again, to know where they are. */
  recall(events: readonly RunEvent[]): void;
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

  recall(): void {}

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
    this.#ready.push(...this.#add(event));
    if (!this.#screen.isLive) this.settle();
    else this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
  }

  recall(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (isOpening(event)) this.#ready = [];
      this.#ready.push(...this.#add(event));
    }
    this.settle();
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

  #add(event: RunEvent): readonly Line[] {
    if (event.type === "run.started") this.#transcript = this.#open();
    return this.#transcript.add(event, this.#screen.width);
  }

  #draw(): void {
    const frame = { now: Date.now() + this.#aheadMs, width: this.#screen.width };
    this.#screen.draw(this.#ready, this.#transcript.live(frame));
    this.#ready = [];
  }
}

/** Whether somebody takes the baton with it. */
function isOpening({ type, lane }: RunEvent): boolean {
  return lane === "" && (type === "turn.started" || type === "group.started");
}
