/**
 * Log page: some stored lines of a run's log, parsed only if a reader needs events.
 *
 * A line is looked at without parsing wherever its beginning says enough.
 */
import type { RunEvent } from "@baton/core";
import { parseEvent } from "@baton/store";

/** The last event of a run, or of one of its segments. */
export type SegmentEndType = "run.paused" | "run.ended";

/** Events that are written at once. */
export interface StreamPiece {
  /** Empty if the dialect has no frames for them. */
  readonly bytes: Buffer;
  /** The seq of the last one. */
  readonly after: number;
  /** Set if a segment of the run ends with it. */
  readonly end: SegmentEndType | undefined;
}

/** Bytes of pieces kept for the next reader, for each character of the page; who reads from an odd place makes its own. */
const MAX_KEPT_RATIO = 2;

/** Lines `after + 1` to `last`. */
export class LogPage {
  readonly after: number;
  readonly last: number;
  readonly chars: number;
  readonly #lines: readonly string[];
  readonly #events: (RunEvent | undefined)[] = [];
  readonly #pieces = new Map<string, StreamPiece>();
  #keptBytes = 0;

  constructor(after: number, lines: readonly string[]) {
    this.after = after;
    this.last = after + lines.length;
    this.chars = lines.reduce((sum, line) => sum + line.length, 0);
    this.#lines = lines;
  }

  line(seq: number): string {
    return this.#lines[seq - this.after - 1] ?? "";
  }

  event(seq: number): RunEvent {
    const index = seq - this.after - 1;
    return (this.#events[index] ??= parseEvent(this.line(seq)));
  }

  /** A piece that others may have had before. */
  piece(key: string, make: () => StreamPiece): StreamPiece {
    const known = this.#pieces.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#keptBytes + made.bytes.length > this.chars * MAX_KEPT_RATIO) return made;
    this.#keptBytes += made.bytes.length;
    this.#pieces.set(key, made);
    return made;
  }

  /** Returns the type of an event that ends a segment of the run; undefined for others. */
  endAt(seq: number): SegmentEndType | undefined {
    const line = this.line(seq);
    if (!line.includes('.ended"') && !line.includes('.paused"')) return undefined;
    const { type } = this.event(seq);
    return type === "run.ended" || type === "run.paused" ? type : undefined;
  }
}
