/**
 * Signal scan: reads a reply, whole or as it streams, and tells signals from text that only looks like one.
 *
 * A signal in a code fence, on a quoted line or directly in quotation marks is text, unless it stands alone on its line
 * outside a fence. With `end` one counts only alone on its line, or if nothing but closing marks and signals follow it in
 * the reply. One forward pass, linear in the text however it is cut; text whose meaning is open is kept back.
 */

/** Place of a signal in a reply. */
export type SignalPlace = "line" | "end" | "inside" | "quoted";

/** A piece of a reply: text, or a signal and whether it counts. */
export type ScanItem =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "signal"; readonly text: string; readonly place: SignalPlace; readonly counts: boolean };

/** Signals to look for, and where they count. */
export interface Vocabulary {
  readonly position: "anywhere" | "end";
  /** Whether bracketed text is a signal. */
  readonly isSignal: (bracketed: string) => boolean;
  /** Whether text from a `[` on, its white space collapsed, can still become one. */
  readonly mayBecome: (collapsed: string) => boolean;
}

/** The beginning of the line that is being read. */
interface LineHead {
  readonly hasText: boolean;
  /** Backticks or tildes at its beginning; three or more may open or close a fence. */
  readonly mark: string;
  readonly isInMark: boolean;
  /** Backticks after the mark; nothing but white space after it. */
  readonly hasTick: boolean;
  readonly isBlank: boolean;
  readonly isQuote: boolean;
  /** So far only white space, quotation marks and emphasis. */
  readonly isWrapped: boolean;
}

/** A signal whose place is not known yet, and the text after it. */
interface Pending {
  readonly text: string;
  /** The mark that would close a quotation around it; empty if none is open. */
  readonly closer: string;
  readonly isQuoted: boolean | undefined;
  readonly isAlone: boolean;
  readonly tail: string;
}

/** A list that grows at its end without being copied. */
type Queue = Readonly<{ before: Queue | undefined; item: ScanItem | Undecided }>;

/** A signal that counts if nothing but closing marks follow. */
type Undecided = Readonly<{ kind: "undecided"; text: string }>;

/** State between two pieces of a reply. */
export interface Scan {
  /** From a `[` on, while it may be a signal; `collapsed` is the same with each gap as one space. */
  readonly candidate: string;
  readonly collapsed: string;
  readonly line: LineHead;
  /** The character before; empty at the beginning of a line. */
  readonly last: string;
  /** The mark that opened the code fence; empty outside. */
  readonly fence: string;
  readonly pending: Pending | undefined;
  /** Items behind the first undecided signal. */
  readonly queue: Queue | undefined;
}

type Draft = { -readonly [Key in keyof Scan]: Scan[Key] };

const NEW_LINE: LineHead = {
  hasText: false,
  mark: "",
  isInMark: false,
  hasTick: false,
  isBlank: true,
  isQuote: false,
  isWrapped: true,
};

/** Before the first text of a reply. */
export const SCAN_START: Scan = {
  candidate: "",
  collapsed: "",
  line: NEW_LINE,
  last: "",
  fence: "",
  pending: undefined,
  queue: undefined,
};

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["‚", "‘"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["「", "」"],
  ["『", "』"],
]);
const MARKS: ReadonlySet<string> = new Set([...CLOSERS.keys(), ...CLOSERS.values(), "*", "_", "~"]);
const CLOSING: ReadonlySet<string> = new Set([...MARKS, ...Array.from(".,;:!?…)]}。！？；：，、）】》")]);
const MIN_FENCE = 3;

/** Reads one reply; `vocabulary` and `out` are the same for all its pieces. */
export class SignalScanner {
  readonly #vocabulary: Vocabulary;
  readonly #out: (item: ScanItem) => void;
  readonly #state: Draft;

  constructor(vocabulary: Vocabulary, from: Scan, out: (item: ScanItem) => void) {
    this.#vocabulary = vocabulary;
    this.#out = out;
    this.#state = { ...from };
  }

  /** The state behind the pieces so far. */
  get state(): Scan {
    return { ...this.#state };
  }

  /** Reads the next piece. */
  read(text: string): void {
    const state = this.#state;
    let from = 0;
    while (from < text.length) {
      if (state.candidate === "") {
        const open = text.indexOf("[", from);
        const to = open === -1 ? text.length : open;
        this.#pass(text.slice(from, to));
        if (open !== -1) state.candidate = state.collapsed = "[";
        from = open === -1 ? to : open + 1;
        continue;
      }
      const to = nextBracket(text, from);
      this.#extend(text.slice(from, to));
      from = to;
      if (to === text.length) break;
      if (text[to] === "[") this.#release();
      else this.#close();
      if (text[to] === "]") from++;
    }
    if (state.candidate !== "" && !this.#vocabulary.mayBecome(state.collapsed)) this.#release();
  }

  /** The reply has ended: what is open is decided. */
  end(): void {
    const state = this.#state;
    if (state.candidate !== "") this.#release();
    const { pending } = state;
    if (pending !== undefined) {
      if (pending.isAlone) this.#settle("line");
      else this.#settle(pending.isQuoted === true ? "quoted" : "end");
    }
    this.#flush("end");
  }

  #extend(piece: string): void {
    const state = this.#state;
    state.candidate += piece;
    const more = piece.replace(/\s+/g, " ");
    const isSame = state.collapsed === "[" || state.collapsed.endsWith(" ");
    state.collapsed += isSame && more.startsWith(" ") ? more.slice(1) : more;
  }

  /** The candidate is not a signal. */
  #release(): void {
    const { candidate } = this.#state;
    this.#state.candidate = this.#state.collapsed = "";
    this.#pass(candidate);
  }

  /** The candidate is complete. */
  #close(): void {
    const state = this.#state;
    const text = `${state.candidate}]`;
    state.candidate = text;
    if (!this.#vocabulary.isSignal(text)) {
      this.#release();
      return;
    }
    state.candidate = state.collapsed = "";
    while (state.pending !== undefined) this.#look("[");
    const { line, fence, last } = state;
    this.#advance(text);
    const mayOpenFence = line.mark.length >= MIN_FENCE;
    if (fence !== "" || line.isQuote) this.#tell({ kind: "signal", text, place: "quoted", counts: false });
    else {
      const closer = CLOSERS.get(last) ?? "";
      const isQuoted = mayOpenFence ? true : closer === "" ? false : undefined;
      state.pending = { text, closer, isQuoted, isAlone: line.isWrapped, tail: "" };
      // Wherever it stands it counts, so nothing must be waited for.
      if (isQuoted === false && this.#vocabulary.position === "anywhere") this.#settle("inside");
    }
  }

  /** Text that holds no signal. */
  #pass(text: string): void {
    const state = this.#state;
    let from = 0;
    while (state.pending !== undefined && from < text.length) {
      const char = text.charAt(from);
      if (!this.#look(char)) continue;
      state.pending = { ...state.pending, tail: state.pending.tail + char };
      this.#advance(char);
      from++;
    }
    const rest = from === 0 ? text : text.slice(from);
    if (rest === "") return;
    this.#tell({ kind: "text", text: rest });
    let start = 0;
    for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
      this.#advance(rest.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#advance(start === 0 ? rest : rest.slice(start));
  }

  /** Looks at the character after a signal; true if the signal stays open behind it. */
  #look(char: string): boolean {
    const { pending, line } = this.#state;
    if (pending === undefined) return false;
    const { closer, isAlone } = pending;
    const isQuoted = pending.isQuoted ?? char === closer;
    this.#state.pending = { ...pending, isQuoted };
    if (!isQuoted && this.#vocabulary.position === "anywhere") this.#settle("inside");
    else if (!isAlone) this.#settle(isQuoted ? "quoted" : "end");
    else if (char === "\n") this.#settle(isOpener(line) ? "quoted" : "line");
    else if (char.trim() === "" || MARKS.has(char)) return true;
    else this.#state.pending = { ...pending, isQuoted, isAlone: false };
    return false;
  }

  /** Decides the place of the open signal; with `end` that depends on what follows. */
  #settle(place: SignalPlace): void {
    const { pending } = this.#state;
    if (pending === undefined) return;
    this.#state.pending = undefined;
    const { text, tail } = pending;
    if (place === "end") this.#state.queue = { before: this.#state.queue, item: { kind: "undecided", text } };
    else this.#tell({ kind: "signal", text, place, counts: place !== "quoted" });
    if (tail !== "") this.#tell({ kind: "text", text: tail });
  }

  /** Hands an item on, behind those that are undecided. */
  #tell(item: ScanItem): void {
    const { queue } = this.#state;
    if (queue !== undefined && (item.kind === "text" ? !isClosing(item.text) : !item.counts)) this.#flush("inside");
    if (this.#state.queue === undefined) this.#out(item);
    else this.#state.queue = { before: this.#state.queue, item };
  }

  /** The undecided signals are at the end of the reply, or inside it. */
  #flush(place: "end" | "inside"): void {
    const items: (ScanItem | Undecided)[] = [];
    for (let at = this.#state.queue; at !== undefined; at = at.before) items.push(at.item);
    this.#state.queue = undefined;
    for (const item of items.toReversed()) {
      if (item.kind !== "undecided") this.#out(item);
      else this.#out({ kind: "signal", text: item.text, place, counts: place === "end" });
    }
  }

  #advance(piece: string): void {
    if (piece === "") return;
    this.#state.line = readLine(this.#state.line, piece);
    this.#state.last = piece.charAt(piece.length - 1);
  }

  #endLine(): void {
    const { line, fence } = this.#state;
    if (fence === "") this.#state.fence = isOpener(line) ? line.mark : "";
    else if (isCloser(line, fence)) this.#state.fence = "";
    this.#state.line = NEW_LINE;
    this.#state.last = "";
  }
}

function isOpener({ mark, hasTick }: LineHead): boolean {
  return mark.length >= MIN_FENCE && (mark.startsWith("~") || !hasTick);
}

function isCloser({ mark, isBlank }: LineHead, fence: string): boolean {
  return isBlank && mark.length >= fence.length && mark.charAt(0) === fence.charAt(0);
}

/** The line with one more piece of it. */
function readLine(line: LineHead, piece: string): LineHead {
  // Nothing in the middle of a line of prose matters.
  if (line.hasText && line.mark === "" && !line.isWrapped) return line;
  let { hasText, mark, isInMark, isQuote } = line;
  let at = 0;
  if (!hasText) {
    while (at < piece.length && piece.charAt(at).trim() === "") at++;
    const first = piece.charAt(at);
    hasText = first !== "";
    isQuote = first === ">";
    isInMark = first === "`" || first === "~";
    mark = isInMark ? first : "";
    if (isInMark) at++;
  }
  if (isInMark) {
    while (at < piece.length && piece[at] === mark.charAt(0)) {
      mark += mark.charAt(0);
      at++;
    }
    isInMark = at === piece.length;
  }
  const rest = mark === "" ? "" : piece.slice(at);
  return {
    hasText,
    mark,
    isInMark,
    isQuote,
    hasTick: line.hasTick || rest.includes("`"),
    isBlank: line.isBlank && rest.trim() === "",
    isWrapped: line.isWrapped && isWrapping(piece),
  };
}

function isWrapping(piece: string): boolean {
  for (const char of piece) if (char.trim() !== "" && !MARKS.has(char)) return false;
  return true;
}

function isClosing(piece: string): boolean {
  for (const char of piece) if (char.trim() !== "" && !CLOSING.has(char)) return false;
  return true;
}

function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "[" || text[at] === "]") return at;
  return text.length;
}
