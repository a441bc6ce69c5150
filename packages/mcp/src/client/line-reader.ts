/**
 * Line reader: bytes of a process as lines of bounded length.
 *
 * A line that is too long is not kept: only its beginning and its end, which say whose answer it is.
 */

const EDGE_BYTES = 512;
const NEWLINE = 10;

/** A line, or the two ends of one that was too long. */
export type ReadLine = Readonly<{ text: string; bytes: number; isCut: boolean }>;

/** Splits bytes into lines. */
export class LineReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get openBytes(): number {
    return this.#bytes;
  }

  /** The lines that end in these bytes. */
  *read(chunk: Uint8Array): Iterable<ReadLine> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      yield this.#take();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    this.#parts.push(this.#isCut ? part.subarray(-EDGE_BYTES) : part);
    if (this.#bytes <= this.#maxBytes) return;
    const kept = Buffer.concat(this.#parts);
    this.#isCut = true;
    this.#parts = [Buffer.from(kept.subarray(0, EDGE_BYTES)), Buffer.from(kept.subarray(-EDGE_BYTES))];
  }

  #take(): ReadLine {
    const line = { text: Buffer.concat(this.#parts).toString("utf8"), bytes: this.#bytes, isCut: this.#isCut };
    this.#parts = [];
    this.#bytes = 0;
    this.#isCut = false;
    return line;
  }
}
