/**
 * Projection: a run's log on its way to bytes: how far it was read, and what the dialect remembers there.
 *
 * It always begins at the first event and leaves out what the reader has; only the `baton` dialect, which needs no
 * memory, begins at the reader's position.
 */
import { isFrameSeen, type EventId, parseEventId } from "./event-id.ts";
import type { StreamFormat } from "./stream-format.ts";
import type { SegmentEndType, LogPage, StreamPiece } from "./log-page.ts";
import { toSse } from "./sse.ts";
import type { Frame } from "../dialects/dialect.ts";

const NOTHING = Buffer.alloc(0);

/** A write that has as much gets no further event, so that no reader holds much more than one. */
const MAX_PIECE_CHARS = 64 * 1_024;

/** Frames that are sent together. */
export interface FramePiece extends Omit<StreamPiece, "bytes"> {
  readonly frames: readonly Frame[];
}

/** One reader's place, or that of many who are at the same. */
export class Projection {
  readonly format: StreamFormat;
  readonly #seen: EventId | undefined;
  #state: unknown;
  #after: number;

  /** `seen` is what the reader has already. */
  constructor(format: StreamFormat, seen: EventId | undefined) {
    this.format = format;
    this.#seen = seen;
    this.#state = format.dialect.start(format.context);
    this.#after = format.dialect.name === "baton" ? (seen?.seq ?? 0) : 0;
  }

  /** The seq of the last event it has read. */
  get after(): number {
    return this.#after;
  }

  /** Its reader has seen nothing yet. */
  get isAtStart(): boolean {
    return this.#seen === undefined && this.#after === 0;
  }

  /** Two with the same key and position continue with the same bytes. */
  get key(): string {
    const { key } = this.format;
    return this.#seen !== undefined && this.#seen.seq > this.#after
      ? `${key} ${this.#seen.seq}.${this.#seen.part}`
      : key;
  }

  /** Another at the same place. */
  fork(): Projection {
    const fork = new Projection(this.format, this.#seen);
    fork.#state = this.#state;
    fork.#after = this.#after;
    return fork;
  }

  /** The next write's worth of a page that holds what comes next, up to `last`; undefined if there is no more. */
  next(page: LogPage, last: number): StreamPiece | undefined {
    const first = this.#after;
    const stop = Math.min(last, page.last, first + this.format.maxEvents);
    if (first >= stop) return undefined;
    if (this.format.dialect.name !== "baton") return this.#make(page, stop);
    // The log looks the same to everybody who reads it from the same place.
    const piece = page.piece(`${first} ${stop}`, () => this.#make(page, stop));
    this.#after = piece.after;
    return piece;
  }

  #make(page: LogPage, stop: number): StreamPiece {
    const { frames, end } = this.read(page, stop);
    return { bytes: frames.length === 0 ? NOTHING : Buffer.from(frames.map(toSse).join("")), after: this.#after, end };
  }

  /** The frames of the next write's worth of a page. */
  read(page: LogPage, last: number): FramePiece {
    const frames: Frame[] = [];
    const stop = Math.min(last, page.last, this.#after + this.format.maxEvents);
    let end: SegmentEndType | undefined;
    for (let chars = 0; this.#after < stop && end === undefined && chars < MAX_PIECE_CHARS;) {
      const seq = this.#after + 1;
      end = page.endAt(seq);
      const told = this.#tell(page, seq);
      frames.push(...told);
      chars += told.reduce((sum, { data }) => sum + data.length, 0);
      this.#after = seq;
    }
    return { frames, after: this.#after, end };
  }

  /** All that a page holds of what comes next, a write's worth at a time. */
  *pieces(page: LogPage, last: number): Generator<StreamPiece, void> {
    for (let piece = this.next(page, last); piece !== undefined; piece = this.next(page, last)) yield piece;
  }

  #tell(page: LogPage, seq: number): readonly Frame[] {
    const { dialect } = this.format;
    if (dialect.name === "baton") return [{ id: `${seq}`, data: page.line(seq) }];
    const [state, frames] = dialect.next(this.#state, page.event(seq));
    this.#state = state;
    const seen = this.#seen;
    if (seen === undefined || seq > seen.seq) return frames;
    return frames.filter(({ id = "" }) => !isFrameSeen({ seq, part: partOf(id) }, seen));
  }
}

/** The only frame of an event is its first. */
function partOf(id: string): number {
  const part = parseEventId(id)?.part ?? Infinity;
  return part === Infinity ? 1 : part;
}
