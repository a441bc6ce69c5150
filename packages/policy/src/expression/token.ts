/**
 * Token: an expression cut into words, numbers, texts and marks, in one pass and with their places.
 */

/** A syntax error of an expression, or why it could not be evaluated; `at` is an offset in its text. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly at: number;
  readonly width: number;
  constructor(message: string, at = 0, width = 1) {
    super(message);
    this.at = at;
    this.width = Math.max(1, width);
  }
}

/** A piece of an expression. */
export type PolicyToken = Readonly<{
  kind: "name" | "number" | "string" | "mark" | "end";
  /** A string without its quotes and escapes. */
  text: string;
  at: number;
  width: number;
}>;

const MARKS = ["&&", "||", "==", "!=", "<=", ">=", ..."<>!+-*/%?:.,()[]{}".split("")];
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Cuts an expression into tokens; the last one is its end. */
export function tokenize(text: string): readonly PolicyToken[] {
  const tokens: PolicyToken[] = [];
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (isSpace(char)) {
      at += 1;
      continue;
    }
    const token = readToken(text, at);
    tokens.push(token);
    at += token.width;
  }
  return [...tokens, { kind: "end", text: "", at: text.length, width: 1 }];
}

function readToken(text: string, at: number): PolicyToken {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return readString(text, at);
  if (isDigit(char) || (char === "." && isDigit(text.charAt(at + 1)))) return readNumber(text, at);
  if (isWord(char)) {
    const end = skip(text, at, isWord);
    return { kind: "name", text: text.slice(at, end), at, width: end - at };
  }
  const mark = MARKS.find((one) => text.startsWith(one, at));
  if (mark === undefined) throw new ExpressionError(`${JSON.stringify(char)} is not part of an expression`, at);
  return { kind: "mark", text: mark, at, width: mark.length };
}

function readNumber(text: string, at: number): PolicyToken {
  let end = skip(text, at, isDigit);
  if (text.charAt(end) === "." && isDigit(text.charAt(end + 1))) end = skip(text, end + 1, isDigit);
  if (text.charAt(end).toLowerCase() === "e") {
    const sign = "+-".includes(text.charAt(end + 1) || " ") ? 1 : 0;
    const digits = skip(text, end + 1 + sign, isDigit);
    if (digits === end + 1 + sign) throw new ExpressionError("the number has no digits after its e", at, end + 1 - at);
    end = digits;
  }
  if (isWord(text.charAt(end))) throw new ExpressionError("a number is followed by a letter", at, end + 1 - at);
  return { kind: "number", text: text.slice(at, end), at, width: end - at };
}

function readString(text: string, at: number): PolicyToken {
  const quote = text.charAt(at);
  let value = "";
  for (let place = at + 1; place < text.length; place++) {
    const char = text.charAt(place);
    if (char === quote) return { kind: "string", text: value, at, width: place + 1 - at };
    if (char === "\n") break;
    if (char !== "\\") {
      value += char;
      continue;
    }
    place += 1;
    const escaped = text.charAt(place);
    const code = escaped === "u" ? toCode(text.slice(place + 1, place + 5)) : undefined;
    const plain = code ?? ESCAPES.get(escaped);
    if (plain === undefined) throw new ExpressionError(`"\\${escaped}" is not an escape`, place - 1, 2);
    if (code !== undefined) place += 4;
    value += plain;
  }
  throw new ExpressionError("the text has no closing quote", at);
}

function toCode(hex: string): string | undefined {
  return /^[0-9a-fA-F]{4}$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : undefined;
}

function skip(text: string, from: number, isIn: (char: string) => boolean): number {
  let end = from;
  while (end < text.length && isIn(text.charAt(end))) end += 1;
  return end;
}

const isSpace = (char: string): boolean => char === " " || char === "\n" || char === "\t" || char === "\r";
const isDigit = (char: string): boolean => char >= "0" && char <= "9";
const isWord = (char: string): boolean => /^\w$/.test(char);
