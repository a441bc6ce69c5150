/**
 * Functions: what an expression may call, with the numbers of arguments that each takes.
 */
import { findPii } from "./pii.ts";
import { ExpressionError } from "./token.ts";
import { type Budget, findText, isList, sizeOf, typeOf, type Value } from "./value.ts";

/** Parts that a function may use beside its arguments. */
export type FunctionContext = Readonly<{ budget: Budget; isTainted: (value: Value, budget: Budget) => boolean }>;

/** A function; of a method the first argument is the value that it is called on. */
export type ExpressionFunction = Readonly<{
  least: number;
  most: number;
  run: (args: readonly Value[], context: FunctionContext) => Value;
}>;

const MAX_ARGUMENTS = 100;

const toText = (value: Value | undefined, name: string): string => {
  if (typeof value === "string") return value;
  throw new ExpressionError(`${name} takes text, not ${typeOf(value ?? null)}`);
};

const toNumber = (value: Value | undefined, name: string): number => {
  if (typeof value === "number") return value;
  throw new ExpressionError(`${name} takes numbers, not ${typeOf(value ?? null)}`);
};

function toSize([value = null]: readonly Value[], { budget }: FunctionContext): number {
  if (typeof value === "string") {
    budget.read(value.length);
    return Array.from(value).length;
  }
  const size = isList(value) ? value.length : sizeOf(value);
  if (size === undefined) throw new ExpressionError(`size() takes text, a list or a map, not ${typeOf(value)}`);
  return size;
}

/** The numbers of a list, or several numbers. */
function toNumbers(name: string, args: readonly Value[], { budget }: FunctionContext): readonly number[] {
  const [first = null] = args;
  const list = args.length === 1 && isList(first) ? first : args;
  budget.take(list.length);
  return list.map((value) => toNumber(value, `${name}()`));
}

function extreme(name: "min" | "max"): ExpressionFunction {
  const better = name === "min" ? Math.min : Math.max;
  const run: ExpressionFunction["run"] = (args, context) => {
    const numbers = toNumbers(name, args, context);
    if (numbers.length === 0) throw new ExpressionError(`${name}() of an empty list`);
    return numbers.reduce((one, other) => better(one, other));
  };
  return { least: 1, most: MAX_ARGUMENTS, run };
}

function toDouble([value = null]: readonly Value[]): number {
  const number = typeof value === "number" ? value : Number(toText(value, "double()").trim() || "none");
  if (Number.isNaN(number)) throw new ExpressionError("double() takes a number written as text");
  return number;
}

function toString([value = null]: readonly Value[]): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ExpressionError(`string() takes text, a number or true or false, not ${typeOf(value)}`);
}

/** A method that compares a text with another. */
function compare(name: string, test: (text: string, part: string) => boolean): ExpressionFunction {
  const run: ExpressionFunction["run"] = ([text, part], { budget }) => {
    const [whole, other] = [toText(text, `${name}()`), toText(part, `${name}()`)];
    budget.read(whole.length + other.length);
    return test(whole, other);
  };
  return { least: 2, most: 2, run };
}

/** Functions by name. */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ["size", { least: 1, most: 1, run: toSize }],
  ["string", { least: 1, most: 1, run: toString }],
  ["double", { least: 1, most: 1, run: toDouble }],
  ["sum", { least: 1, most: 1, run: (args, at) => toNumbers("sum", args, at).reduce((one, other) => one + other, 0) }],
  ["min", extreme("min")],
  ["max", extreme("max")],
  ["abs", { least: 1, most: 1, run: ([value]) => Math.abs(toNumber(value, "abs()")) }],
  ["tainted", { least: 1, most: 1, run: ([value = null], { budget, isTainted }) => isTainted(value, budget) }],
  [
    "pii",
    {
      least: 1,
      most: 1,
      run: ([value], { budget }) => {
        const text = toText(value, "pii()");
        // A character costs about as much as ten that are only compared.
        budget.read(text.length * 10);
        return findPii(text);
      },
    },
  ],
]);

/** Methods by name. */
export const METHODS: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ["size", { least: 1, most: 1, run: toSize }],
  ["contains", compare("contains", (text, part) => findText(text, part) !== -1)],
  ["startsWith", compare("startsWith", (text, part) => text.startsWith(part))],
  ["endsWith", compare("endsWith", (text, part) => text.endsWith(part))],
  [
    "lower",
    {
      least: 1,
      most: 1,
      run: ([value], { budget }) => {
        const text = toText(value, "lower()");
        budget.read(text.length);
        return text.toLowerCase();
      },
    },
  ],
]);
