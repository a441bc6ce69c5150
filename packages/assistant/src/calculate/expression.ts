/**
 * Expression: the text of a calculation as tokens, and tokens as a value.
 *
 * Each character is looked at a bounded number of times; depth and length are bounded. A problem names its place.
 */
import { BatonError } from "@baton/core";
import { scanFactId } from "../facts/fact-id.ts";
import { applyFormula, type Calculus } from "./formulas.ts";
import {
  add,
  divide,
  invalid,
  money,
  multiply,
  negate,
  plain,
  power,
  pure,
  type Quantity,
  subtract,
} from "./quantity.ts";

/** The longest expression, in characters. */
const MAX_CHARS = 2_000;
const MAX_DEPTH = 64;

type TokenType = "number" | "fact" | "name" | "text" | "sign" | "end";

/** A piece of an expression and its start, counted from 0. */
export type ExpressionToken = Readonly<{ type: TokenType; text: string; at: number; end: number }>;

const SIGNS = "+-*/^(),%";
/** After a number: `500 USD`. */
const CURRENCY = /^[A-Z]{3}$/;
const OTHER_SIGNS: ReadonlyMap<string, string> = new Map([
  ["−", "-"],
  ["–", "-"],
  ["×", "*"],
  ["·", "*"],
  ["÷", "/"],
]);

/** The tokens of an expression; throws if it has something else. */
export function tokenizeExpression(text: string): readonly ExpressionToken[] {
  if (text.length > MAX_CHARS) throw invalid(`the expression has ${text.length} characters; at most ${MAX_CHARS}`);
  const tokens: ExpressionToken[] = [];
  for (let at = skipSpace(text, 0); at < text.length;) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipSpace(text, token.end);
  }
  return [...tokens, { type: "end", text: "", at: text.length, end: text.length }];
}

/** Looks up the facts of an expression, which throws for one that is not known, and its functions. */
export type Evaluation = Readonly<{ quantityOf: (id: string) => Quantity; calculus: Calculus }>;

/** The value of an expression. */
export function evaluate(tokens: readonly ExpressionToken[], evaluation: Evaluation): Quantity {
  return new Reader(tokens, evaluation).whole();
}

function readToken(text: string, at: number): ExpressionToken {
  const character = text[at] ?? "";
  const sign = OTHER_SIGNS.get(character) ?? character;
  if (SIGNS.includes(sign)) return { type: "sign", text: sign, at, end: at + 1 };
  if (isDigit(character) || character === ".") return readNumber(text, at);
  if (character === "{") return readReference(text, at);
  if (character === '"' || character === "'") return readText(text, at);
  if (character === "f" && isDigit(text[at + 1])) return readFact(text, at);
  const end = scan(text, at, isLetter);
  if (end > at) return { type: "name", text: text.slice(at, end), at, end };
  throw problemAt(at, `${JSON.stringify(text.slice(at, at + 1))} is not part of an expression`);
}

/** A word in quotes, such as "call". */
function readText(text: string, at: number): ExpressionToken {
  const end = scan(text, at + 1, isLetter);
  if (end === at + 1 || text[end] !== text[at]) throw problemAt(at, "this is not a word in quotes");
  return { type: "text", text: text.slice(at, end + 1), at, end: end + 1 };
}

function readFact(text: string, at: number): ExpressionToken {
  const end = scanFactId(text, at);
  if (end === undefined) throw problemAt(at, "this is not the id of a fact, which looks like f3.2.1.4");
  return { type: "fact", text: text.slice(at, end), at, end };
}

/** `{f3.2.1.4}` is as good as `f3.2.1.4`. */
function readReference(text: string, at: number): ExpressionToken {
  const token = readFact(text, at + 1);
  if (text[token.end] !== "}") throw problemAt(token.end, "} is missing");
  return { ...token, at, end: token.end + 1 };
}

function readNumber(text: string, at: number): ExpressionToken {
  const whole = scan(text, at, isDigit);
  const fraction = text[whole] === "." ? scan(text, whole + 1, isDigit) : whole;
  const end = readExponent(text, fraction);
  const digits = text.slice(at, end);
  if (digits === "." || isLetter(text[end]) || text[end] === ".") throw problemAt(at, "this is not a number");
  return { type: "number", text: digits, at, end };
}

function readExponent(text: string, at: number): number {
  if (text[at] !== "e" && text[at] !== "E") return at;
  const start = text[at + 1] === "+" || text[at + 1] === "-" ? at + 2 : at + 1;
  const end = scan(text, start, isDigit);
  return end === start ? at : end;
}

/** Reads tokens from left to right; how deep it is never exceeds the limit. */
class Reader {
  readonly #tokens: readonly ExpressionToken[];
  readonly #evaluation: Evaluation;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly ExpressionToken[], evaluation: Evaluation) {
    this.#tokens = tokens;
    this.#evaluation = evaluation;
  }

  whole(): Quantity {
    const value = this.#sum();
    const token = this.#peek();
    if (token.type !== "end") throw problemAt(token.at, `"${token.text}" is not expected here`);
    return value;
  }

  #sum(): Quantity {
    let value = this.#product();
    for (let sign = this.#take("+-"); sign !== undefined; sign = this.#take("+-")) {
      const { text, at } = sign;
      const [left, right] = [value, this.#product()];
      value = placed(at, () => (text === "+" ? add(left, right) : subtract(left, right)));
    }
    return value;
  }

  #product(): Quantity {
    let value = this.#signed();
    for (let sign = this.#take("*/"); sign !== undefined; sign = this.#take("*/")) {
      const { text, at } = sign;
      const [left, right] = [value, this.#signed()];
      value = placed(at, () => (text === "*" ? multiply(left, right) : divide(left, right)));
    }
    return value;
  }

  /** A sign binds less than a power: −2^2 is −4. */
  #signed(): Quantity {
    const sign = this.#take("+-");
    if (sign === undefined) return this.#power();
    const value = this.#deeper(sign.at, () => this.#signed());
    return sign.text === "-" ? negate(value) : value;
  }

  #power(): Quantity {
    const base = this.#single();
    const sign = this.#take("^");
    if (sign === undefined) return base;
    const exponent = this.#deeper(sign.at, () => this.#signed());
    return placed(sign.at, () => power(base, exponent));
  }

  #single(): Quantity {
    const token = this.#peek();
    this.#next += 1;
    switch (token.type) {
      case "number":
        return this.#number(token);
      case "fact":
        return placed(token.at, () => this.#evaluation.quantityOf(token.text));
      case "name":
        return this.#formula(token);
      case "text":
        return placed(token.at, () => wordOf(token.text, this.#evaluation.calculus));
      case "end":
        throw problemAt(token.at, "the expression ends too early");
      case "sign":
        if (token.text === "(") return this.#nested(token);
        throw problemAt(token.at, `"${token.text}" is not expected here`);
    }
  }

  #number({ text, at }: ExpressionToken): Quantity {
    const value = Number(text);
    const after = this.#peek();
    if (after.type === "name" && CURRENCY.test(after.text)) {
      this.#next += 1;
      return placed(at, () => money(value, after.text));
    }
    return placed(at, () => (this.#take("%") === undefined ? plain(value) : pure(value, "percent")));
  }

  #nested({ at }: ExpressionToken): Quantity {
    const value = this.#deeper(at, () => this.#sum());
    this.#demand(")");
    return value;
  }

  #formula({ text, at }: ExpressionToken): Quantity {
    if (this.#take("(") === undefined) {
      throw problemAt(at, `"${text}" is neither a fact nor a function with its arguments in parentheses`);
    }
    const args: Quantity[] = [];
    if (this.#take(")") === undefined) {
      do args.push(this.#deeper(at, () => this.#sum()));
      while (this.#take(",") !== undefined);
      this.#demand(")");
    }
    return placed(at, () => applyFormula(this.#evaluation.calculus, text.toLowerCase(), args));
  }

  #deeper(at: number, read: () => Quantity): Quantity {
    if (this.#depth >= MAX_DEPTH) throw problemAt(at, `nested deeper than ${MAX_DEPTH} levels`);
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #peek(): ExpressionToken {
    return this.#tokens[this.#next] ?? { type: "end", text: "", at: 0, end: 0 };
  }

  #take(signs: string): ExpressionToken | undefined {
    const token = this.#peek();
    if (token.type !== "sign" || !signs.includes(token.text)) return undefined;
    this.#next += 1;
    return token;
  }

  #demand(sign: string): void {
    if (this.#take(sign) === undefined) throw problemAt(this.#peek().at, `"${sign}" is missing`);
  }
}

/** The number that a word in quotes stands for. */
function wordOf(text: string, { words }: Calculus): Quantity {
  const value = words.get(text.slice(1, -1).toLowerCase());
  if (value === undefined) throw invalid(`${text} is not a known word; there are ${[...words.keys()].join(", ")}`);
  return plain(value);
}

/** Adds the position to a problem of this operation. */
function placed<T>(at: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof BatonError && thrown.code === "invalid" && !thrown.message.startsWith(PLACE)) {
      throw problemAt(at, thrown.message);
    }
    throw thrown;
  }
}

const PLACE = "at character ";

function problemAt(at: number, problem: string): BatonError {
  return invalid(`${PLACE}${at + 1}: ${problem}`);
}

function skipSpace(text: string, from: number): number {
  return scan(text, from, (character) => character.trim() === "");
}

function scan(text: string, from: number, fits: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && fits(text.charAt(at))) at += 1;
  return at;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9" && character.length === 1;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /^[a-zA-Z_]$/.test(character);
}
