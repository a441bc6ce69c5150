/**
 * Reporter: shows the events of a run as they happen: as a transcript on a screen, or as JSON lines.
 */
import type { RunEvent } from "@baton/core";
import type { Line } from "../terminal/styled-line.ts";
import type { Screen } from "../terminal/screen.ts";
import type { Transcript } from "./transcript.ts";

/** Receives every event of a run, and shows it. */
export interface Reporter extends Disposable {
  event(event: RunEvent): void;
  /** Restores the state after earlier events of a run; a screen shows only its last turn again. */
  restore(events: readonly RunEvent[]): void;
  /** Prints lines that are not part of the run's events; only for people. */
  print(lines: readonly Line[]): void;
  /** Writes all pending lines, and ends live drawing until the next event. */
  flush(): void;
}

const FRAME_MS = 40;

/** Writes one event a line, as JSON. */
export class JsonReporter implements Reporter {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  event(event: RunEvent): void {
    this.#write(`${JSON.stringify(event)}\n`);
  }

  restore(): void {}

  print(): void {}

  flush(): void {}

  [Symbol.dispose](): void {}
}

/** Draws the transcript of each run, at most once a frame. */
export class ScreenReporter implements Reporter {
  readonly #screen: Screen;
  readonly #open: () => Transcript;
  #transcript: Transcript;
  #ready: Line[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The difference between the clock of the log and the clock of this process. */
  #aheadMs = 0;

  /** `open` makes the transcript of a new run. */
  constructor(screen: Screen, open: () => Transcript) {
    this.#screen = screen;
    this.#open = open;
    this.#transcript = open();
  }

  event(event: RunEvent): void {
    this.#aheadMs = event.at - Date.now();
    this.#ready.push(...this.#add(event));
    if (!this.#screen.isLive) this.flush();
    else this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
  }

  restore(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (startsTurn(event)) this.#ready = [];
      this.#ready.push(...this.#add(event));
    }
    this.flush();
  }

  print(lines: readonly Line[]): void {
    this.#ready.push(...lines);
    this.flush();
  }

  flush(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.draw(this.#ready);
    this.#ready = [];
  }

  [Symbol.dispose](): void {
    this.flush();
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

/** Whether a turn or a group of the run's own lane starts. */
function startsTurn({ type, lane }: RunEvent): boolean {
  return lane === "" && (type === "turn.started" || type === "group.started");
}
