/**
 * Typed text: what the user types while a reply is shown, kept for the next prompt.
 *
 * Enter ends a line, Backspace and Ctrl-U correct it. Other control characters and the sequences of special keys are
 * dropped. It never holds more than `MAX_CHARS` characters.
 */

/** A line that was typed before the prompt was shown. */
export interface TypedLine {
  readonly text: string;
  /** Whether the user pressed Enter after it. */
  readonly isComplete: boolean;
}

const MAX_CHARS = 10_000;
const ESCAPE = "\u001b";
/** The characters after Escape that stand for a special key, such as an arrow. */
const SPECIAL_KEY = /^(?:\[[0-9;?]*[@-~]|O.|[^[O])/u;
const DELETES: readonly string[] = ["\b", "\u007f"];
const CLEAR_LINE = "\u0015";

/** Collects keys as lines. */
export class TypedText {
  #lines: string[] = [];
  #draft: string[] = [];
  #chars = 0;

  /** Adds keys as the terminal sent them together. */
  type(keys: string): void {
    const [first = "", ...rest] = keys.split(ESCAPE);
    const text = [first, ...rest.map((after) => after.replace(SPECIAL_KEY, ""))].join("");
    for (const character of text) this.#add(character);
  }

  /** Forgets everything. */
  clear(): void {
    this.#lines = [];
    this.#draft = [];
    this.#chars = 0;
  }

  /** Makes all lines one that is not complete: after a question the user must look at it before it is sent. */
  hold(): void {
    const text = [...this.#lines, this.#draft.join("")].join(" ").trim();
    this.clear();
    this.type(text);
  }

  /** Takes the first line that is not blank; undefined if there is none. */
  take(): TypedLine | undefined {
    const line = this.#lines.shift();
    const text = line ?? this.#draft.splice(0).join("");
    this.#chars -= text.length;
    return text.trim() === "" ? undefined : { text, isComplete: line !== undefined };
  }

  #add(character: string): void {
    if (character === "\r" || character === "\n") this.#endLine();
    else if (DELETES.includes(character)) this.#chars -= this.#draft.pop()?.length ?? 0;
    else if (character === CLEAR_LINE) this.#clearLine();
    else if (!isControl(character) && this.#chars < MAX_CHARS) {
      this.#draft.push(character);
      this.#chars += character.length;
    }
  }

  #endLine(): void {
    const line = this.#draft.join("");
    if (line.trim() === "") return this.#clearLine();
    this.#lines.push(line);
    this.#draft = [];
  }

  #clearLine(): void {
    this.#chars -= this.#draft.join("").length;
    this.#draft = [];
  }
}

/** C0, DEL and C1. */
function isControl(character: string): boolean {
  return character < " " || (character >= "\u007f" && character <= "\u009f");
}
