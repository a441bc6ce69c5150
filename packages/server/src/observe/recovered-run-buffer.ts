/**
 * Recovered-run buffer: holds back the events of a run that this process has not seen before, until its log has shown where the
 * run comes from; a recovered run, for example.
 *
 * The events of a run stay in order, and what waits is bounded: if the log cannot be read, or too much waits, the
 * events are passed on without it.
 */
import type { RunEvent } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { OpenRuns, RunOrigin } from "./open-runs.ts";

/** The events of a run up to a place in its log. */
export type ReadLog = (run: string, last: number) => Promise<readonly RunEvent[]>;

/** Options of the buffer. */
interface IntroductionOptions {
  readonly runs: OpenRuns;
  readonly readLog: ReadLog;
  /** Takes each event in its turn. */
  readonly tell: (event: RunEvent) => void;
}

const MAX_WAITING = 1_000;

/** Passes events on, those of a strange run once it is known. */
export class RecoveredRunBuffer {
  readonly #options: IntroductionOptions;
  /** The events that wait, by run. */
  readonly #waiting = new Map<string, RunEvent[]>();

  constructor(options: IntroductionOptions) {
    this.#options = options;
  }

  take(event: RunEvent): void {
    const { runs, tell } = this.#options;
    const waiting = this.#waiting.get(event.run);
    if (waiting !== undefined) {
      waiting.push(event);
      if (waiting.length >= MAX_WAITING) this.#release(event.run);
    } else if (runs.isStrange(event)) this.#introduce(event);
    else tell(event);
  }

  /** Passes on what waits. */
  close(): void {
    for (const run of this.#waiting.keys()) this.#release(run);
  }

  #introduce(event: RunEvent): void {
    const { runs, readLog } = this.#options;
    const { run, seq } = event;
    this.#waiting.set(run, [event]);
    readLog(run, seq - 1).then(
      (events) => {
        if (this.#waiting.has(run)) runs.introduce(run, toOrigin(events));
        this.#release(run);
      },
      () => this.#release(run),
    );
  }

  #release(run: string): void {
    const events = this.#waiting.get(run) ?? [];
    this.#waiting.delete(run);
    for (const event of events) this.#options.tell(event);
  }
}

/** Where a run comes from, by its log. */
function toOrigin(events: readonly RunEvent[]): RunOrigin {
  const started = events.find(({ type }) => type === "run.started");
  const latest = events.findLast((event) => event.type === "turn.started" && event.lane === "");
  const { turn = "", agent } = latest?.type === "turn.started" ? latest : {};
  const { crew, session, request: requestId } = started?.type === "run.started" ? started : {};
  return { turn, ...omitUndefined({ agent, crew, session, requestId }) };
}
