/**
 * Calculate: arithmetic over facts that keeps their units.
 *
 * Doubles; results are rounded to 15 significant digits, sums to 15 digits of their larger part, so that what people
 * compute by hand with up to 12 digits comes out exactly. It never throws: it returns what is wrong, with its position.
 */
import { BatonError } from "@baton/core";
import { evaluate, type ExpressionToken, tokenizeExpression } from "./expression.ts";
import type { Fact, Unit } from "../facts/fact.ts";
import { type Assume, type AssumedValue, BASIC, type Calculus } from "./formulas.ts";
import { invalid, type Quantity, toQuantity, toUnit, toUnitText } from "./quantity.ts";

/** A value with its unit, and the facts it is made of, each once. */
export type Calculated = Readonly<{
  ok: true;
  value: number;
  unit: Unit;
  currency?: string;
  /** The expression as it was read. */
  formula: string;
  /** The formula with each fact's id replaced by what the fact measures. */
  metric: string;
  uses: readonly Fact[];
  /** The numbers that the expression itself has. */
  numbers: readonly number[];
  /** Values that functions took for arguments that were left out. */
  defaults?: readonly AssumedValue[];
}>;

/** The value, or what is wrong with the expression. */
export type Calculation = Calculated | Readonly<{ ok: false; problem: string }>;

const MAX_METRIC_CHARS = 120;

/** The value of an expression such as `growth(f1.1.1.1, f1.1.1.2)` over the facts that `lookup` knows. */
export function calculate(
  expression: string,
  lookup: (id: string) => Fact | undefined,
  calculus: Calculus = BASIC,
): Calculation {
  const uses = new Map<string, Fact>();
  const quantityOf = (id: string): Quantity => {
    const fact = lookup(id);
    if (fact === undefined) throw invalid(`there is no fact ${id}`);
    uses.set(id, fact);
    return toQuantity(fact);
  };
  try {
    const tokens = tokenizeExpression(expression);
    const defaults: AssumedValue[] = [];
    const assume: Assume = (assumed) => {
      defaults.push(assumed);
    };
    const quantity = evaluate(tokens, { quantityOf, calculus: { ...calculus, assume } });
    const unit = toUnit(quantity);
    if (unit === undefined)
      throw invalid(`the result would be in ${toUnitText(quantity)}, which is not a unit of facts`);
    const value = Number(quantity.value.toPrecision(15)) + 0;
    const formula = toText(tokens, ({ text }) => text);
    const metric = toMetric(tokens, uses);
    const numbers = tokens.flatMap(({ type, text }) => (type === "number" ? [Number(text)] : []));
    const said = defaults.length === 0 ? {} : { defaults };
    return { ok: true, value, ...unit, formula, metric, uses: [...uses.values()], numbers, ...said };
  } catch (thrown) {
    if (thrown instanceof BatonError && thrown.code === "invalid") return { ok: false, problem: thrown.message };
    throw thrown;
  }
}

/** Facts that measure the same are labelled by what differs. */
function toMetric(tokens: readonly ExpressionToken[], uses: ReadonlyMap<string, Fact>): string {
  const facts = Array.from(uses.values());
  const hasSymbols = new Set(facts.map(({ symbol }) => symbol)).size > 1;
  const hasPeriods = new Set(facts.map(({ metric, symbol }) => JSON.stringify([metric, symbol]))).size < facts.length;
  const text = toText(tokens, ({ text: id, type }) => {
    const fact = type === "fact" ? uses.get(id) : undefined;
    if (fact === undefined) return id;
    const period = hasPeriods ? (fact.period?.label ?? fact.period?.end ?? fact.as_of.slice(0, 10)) : "";
    return [hasSymbols ? fact.symbol : "", fact.metric, period].filter((part) => part !== "").join(" ");
  });
  return text.length <= MAX_METRIC_CHARS ? text : `${text.slice(0, MAX_METRIC_CHARS - 1)}…`;
}

/** The tokens as text again, with spaces as people set them. */
function toText(tokens: readonly ExpressionToken[], nameOf: (token: ExpressionToken) => string): string {
  const parts = tokens.map((token, index) => {
    const isBinary = token.type === "sign" && "+-*/".includes(token.text) && isOperand(tokens[index - 1]);
    if (isBinary) return ` ${token.text} `;
    return token.text === "," && token.type === "sign" ? ", " : nameOf(token);
  });
  return parts.join("");
}

function isOperand(token: ExpressionToken | undefined): boolean {
  if (token === undefined || token.type === "name") return false;
  return token.type !== "sign" || token.text === ")" || token.text === "%";
}
