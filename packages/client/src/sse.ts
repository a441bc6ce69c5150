/**
 * SSE: bytes of `text/event-stream`, cut anywhere, to the frames in them.
 *
 * As the HTML standard reads them: lines end with CR, LF or CRLF, a blank line ends a frame, and a frame that was not
 * ended does not count. Time and memory are linear in what comes, and a frame has a largest size.
 */
import { ClientError } from "./client-error.ts";

/** One event of a stream. */
export interface SseFrame {
  /** The frame's own id: what a browser would remember of an earlier frame is not in it. */
  readonly id: string | undefined;
  /** `message` if the frame has no name. */
  readonly event: string;
  readonly data: string;
}

/** Options of a parser. */
export interface SseOptions {
  /** The most one frame may hold; default 64 Mi: a run's first event holds its whole history. */
  readonly maxChars?: number;
}

const MAX_CHARS = 64 * 1_024 * 1_024;
const LINE_END = /\r\n|\r|\n/;
const DIGITS = /^[0-9]+$/;

/** Reads one stream from its beginning. */
export class SseParser {
  /** Node's decoder drops a second byte order mark if the first one comes in two parts, so it is told to keep all. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #isAtStart = true;
  readonly #maxChars: number;
  /** The line that has not ended. */
  #tail = "";
  /** A LF that comes next belongs to the CR before it. */
  #isAfterCr = false;
  #id: string | undefined;
  #event = "";
  #data: string[] = [];
  /** Of the frame's data lines, their ends included. */
  #chars = 0;
  #retryMs: number | undefined;

  constructor({ maxChars = MAX_CHARS }: SseOptions = {}) {
    this.#maxChars = maxChars;
  }

  /** The wait before a reconnect that the stream asked for last. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** The frames that these bytes end. Throws if one is too large. */
  push(bytes: Uint8Array): readonly SseFrame[] {
    const decoded = this.#decode(bytes);
    if (decoded === "") return [];
    const text = this.#isAfterCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    this.#isAfterCr = text.endsWith("\r");
    const lines = text.split(LINE_END);
    const rest = lines.pop() ?? "";
    const frames = lines.flatMap((line) => this.#endLine(line) ?? []);
    this.#tail += rest;
    this.#checkSize(this.#tail.length);
    return frames;
  }

  /** The text of these bytes, without the byte order mark that a stream may begin with. */
  #decode(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === "" || !this.#isAtStart) return text;
    this.#isAtStart = false;
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  }

  #endLine(end: string): SseFrame | undefined {
    const line = this.#tail + end;
    this.#tail = "";
    this.#checkSize(line.length);
    if (line === "") return this.#endFrame();
    const colon = line.indexOf(":");
    if (colon === -1) this.#take(line, "");
    else this.#take(line.slice(0, colon), line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1));
    return undefined;
  }

  /** A line that begins with a colon is a comment, and has a field without a name. */
  #take(field: string, value: string): void {
    if (field === "data") {
      this.#data.push(value);
      this.#chars += value.length + 1;
    } else if (field === "event") {
      this.#event = value;
    } else if (field === "id" && !value.includes("\0")) {
      this.#id = value;
    } else if (field === "retry" && DIGITS.test(value)) {
      this.#retryMs = Number(value);
    }
  }

  #endFrame(): SseFrame | undefined {
    const frame = { id: this.#id, event: this.#event === "" ? "message" : this.#event, data: this.#data.join("\n") };
    const hasData = this.#data.length > 0;
    this.#id = undefined;
    this.#event = "";
    this.#data = [];
    this.#chars = 0;
    return hasData ? frame : undefined;
  }

  #checkSize(lineChars: number): void {
    if (this.#chars + lineChars <= this.#maxChars) return;
    throw new ClientError("invalid_answer", `the stream has a frame of more than ${this.#maxChars} characters`);
  }
}
