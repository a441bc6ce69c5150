/**
 * Arithmetic: a sum that a question gives in figures, as an expression: `1500 * 0.07`, `15% of 230`, `12 nhân 5`.
 */
import { foldText } from "../../market/directory/words.ts";
import { toNumber } from "./amounts.ts";
import type { QuestionLanguage } from "../intent.ts";

/** Longest first. */
const OPERATORS: readonly (readonly [word: string, operator: string])[] = [
  ["divided by", "/"],
  ["multiplied by", "*"],
  ["chia cho", "/"],
  ["nhan voi", "*"],
  ["plus", "+"],
  ["minus", "-"],
  ["times", "*"],
  ["cong", "+"],
  ["tru", "-"],
  ["nhan", "*"],
  ["chia", "/"],
  ["+", "+"],
  ["*", "*"],
  ["×", "*"],
  ["÷", "/"],
  ["/", "/"],
  ["-", "-"],
  ["x", "*"],
];
const SHARE: readonly string[] = ["% of", "percent of", "% cua", "phan tram cua"];
const MAX_TERMS = 20;

/** The expression of a question; undefined if it has none. */
export function toExpression(question: string, language: QuestionLanguage): string | undefined {
  const text = foldText(question.normalize("NFC"));
  const start = text.search(/\d/);
  if (start < 0) return undefined;
  const terms: string[] = [];
  let at = start;
  while (terms.length < MAX_TERMS) {
    const number = numberAt(text, at);
    if (number === undefined) break;
    terms.push(String(toNumber(number.literal, language)));
    const operator = operatorAt(text, number.end, terms.length === 1 ? SHARE : []);
    if (operator === undefined) return finish(text, number.end, terms);
    terms.push(operator.operator);
    at = operator.end;
  }
  return undefined;
}

/** Only a sum that ends the question is one; "5 - 10 stocks" is not. */
function finish(text: string, end: number, terms: readonly string[]): string | undefined {
  const rest = text.slice(end).trim();
  const isEnd =
    /^(?:[=?.!%]|la bao nhieu|bang bao nhieu|bang may|equals|is what|please|thank you|thanks|cam on|giup|minh|toi|voi|nhe|a$|,|\s)*$/.test(
      rest.slice(0, 60),
    );
  return terms.length > 2 && isEnd ? terms.join(" ") : undefined;
}

function numberAt(text: string, from: number): Readonly<{ literal: string; end: number }> | undefined {
  let at = from;
  while (text[at] === " " || text[at] === "$") at++;
  let end = at;
  while (/[\d.,]/.test(text.charAt(end))) end++;
  const literal = text.slice(at, end).replace(/[.,]+$/, "");
  return /^\d/.test(literal) ? { literal, end: at + literal.length } : undefined;
}

function operatorAt(
  text: string,
  from: number,
  shares: readonly string[],
): Readonly<{ operator: string; end: number }> | undefined {
  let at = from;
  while (text[at] === " ") at++;
  const share = shares.find((word) => text.startsWith(word, at));
  if (share !== undefined) return { operator: "/ 100 *", end: at + share.length };
  const found = OPERATORS.find(([word]) => text.startsWith(word, at));
  return found === undefined ? undefined : { operator: found[1], end: at + found[0].length };
}
