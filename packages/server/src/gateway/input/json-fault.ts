/**
 * JSON fault: finds the position at which a text stops being JSON; the parser reports it for some faults only.
 *
 * It reads each character a bounded number of times.
 */

/** The tokens that may follow; with `first` the bracket may close at once. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next";

/** The first character that cannot be there, counted from 1; of a text that breaks off, the one that is missing. */
export function findFault(text: string): number {
  const fault = new Walk(text).toFault();
  let chars = 1;
  for (const _ of text.slice(0, fault)) chars += 1;
  return chars;
}

/** One way through a text, token by token, as far as it is JSON. */
class Walk {
  readonly #text: string;
  readonly #space = /[ \t\n\r]+/y;
  readonly #scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  /** From the space on, all but the quote and the backslash. */
  readonly #piece = /[ !#-[\]-\uffff]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}/y;
  /** The closing brackets of those that are open. */
  readonly #open: ("]" | "}")[] = [];
  #expected: Expected = "value";
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  toFault(): number {
    do this.#take(this.#space);
    while (this.#step());
    return this.#index;
  }

  /** Reads one token; false if no valid token follows. */
  #step(): boolean {
    const first = this.#text[this.#index];
    const closing = this.#open.at(-1);
    switch (this.#expected) {
      case "colon":
        return first === ":" && this.#pass("value");
      case "next":
        if (first === closing) return this.#close();
        return closing !== undefined && first === "," && this.#pass(closing === "}" ? "key" : "value");
      case "first key":
      case "key":
        if (first === "}" && this.#expected === "first key") return this.#close();
        return this.#takeString("colon");
      default:
        if (first === "]" && this.#expected === "first value") return this.#close();
        return this.#takeValue(first);
    }
  }

  #takeValue(first: string | undefined): boolean {
    if (first === '"') return this.#takeString("next");
    if (first !== "{" && first !== "[") return this.#take(this.#scalar) && this.#expect("next");
    this.#open.push(first === "{" ? "}" : "]");
    return this.#pass(first === "{" ? "first key" : "first value");
  }

  #takeString(expected: Expected): boolean {
    if (this.#text[this.#index] !== '"') return false;
    this.#index += 1;
    while (this.#take(this.#piece));
    return this.#text[this.#index] === '"' && this.#pass(expected);
  }

  #close(): boolean {
    return this.#open.pop() !== undefined && this.#pass("next");
  }

  /** Over one character. */
  #pass(expected: Expected): true {
    this.#index += 1;
    return this.#expect(expected);
  }

  #expect(expected: Expected): true {
    this.#expected = expected;
    return true;
  }

  /** Over what matches here, if anything does. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#index;
    if (!pattern.test(this.#text)) return false;
    this.#index = pattern.lastIndex;
    return true;
  }
}
