/**
 * Formulas: the functions of a calculation by name, each with the units it takes and gives.
 */
import type { Unit } from "../facts/fact.ts";
import {
  add,
  divide,
  invalid,
  isKind,
  negate,
  plain,
  pure,
  type Quantity,
  subtract,
  toUnitText,
  unify,
} from "./quantity.ts";

export {
  add,
  divide,
  invalid,
  isKind,
  multiply,
  plain,
  type Quantity,
  subtract,
  toUnitText,
  unify,
} from "./quantity.ts";

/** A value that a function takes for an argument that is left out, such as a rate in percent. */
export type AssumedValue = Readonly<{ metric: string; value: number; unit: Unit }>;

/** Tells a value that is assumed. */
export type Assume = (assumed: AssumedValue) => void;

/** A function of a calculation. */
export interface Formula {
  /** The names of its arguments, those that may be left out with a question mark; absent if it takes one or more of the same unit. */
  readonly takes?: readonly string[];
  /** `assume` says what it takes for an argument that is left out. */
  readonly apply: (args: readonly Quantity[], assume: Assume) => Quantity;
}

/** The functions that expressions may use, and the words in quotes that stand for numbers in them. */
export interface Calculus {
  readonly formulas: ReadonlyMap<string, Formula>;
  readonly words: ReadonlyMap<string, number>;
  /** Receives what functions take for arguments that are left out. */
  readonly assume?: Assume;
}

/** Replaces a missing argument; that has been checked before. */
export const NOTHING = plain(0);

/** The functions of every calculation. */
export const BASIC: Calculus = {
  words: new Map(),
  formulas: new Map<string, Formula>([
    ["growth", formula(["new", "old"], growth)],
    ["cagr", formula(["start", "end", "years"], (start, end, years) => cagr(end, start, years))],
    ["percent_change", formula(["from", "to"], (from, to) => growth(to, from))],
    ["share", formula(["part", "whole"], share)],
    ["percent", formula(["ratio"], toPercent)],
    ["abs", formula(["x"], (x) => (x.value < 0 ? negate(x) : x))],
    ["min", list((args) => args.reduce((least, arg) => pick(least, arg, "less")))],
    ["max", list((args) => args.reduce((most, arg) => pick(most, arg, "more")))],
    ["sum", list(sum)],
    ["avg", list((args) => divide(sum(args), plain(args.length)))],
  ]),
};

/** The names of formulas with their arguments. */
export const toFormulaNames = ({ formulas }: Calculus): string =>
  Array.from(formulas, ([name, { takes }]) => `${name}(${takes?.join(", ") ?? "x, y, …"})`).join(", ");

/** The value of a formula; throws if there is none of this name or its arguments do not fit. */
export function applyFormula(calculus: Calculus, name: string, args: readonly Quantity[]): Quantity {
  const found = calculus.formulas.get(name);
  if (found === undefined) throw invalid(`there is no function "${name}"; there are ${toFormulaNames(calculus)}`);
  const { takes, apply } = found;
  const needed = takes?.filter((each) => !each.endsWith("?")).length ?? 1;
  const fits = args.length >= needed && args.length <= (takes?.length ?? Infinity);
  if (!fits) throw invalid(`${name} takes (${takes?.join(", ") ?? "one or more values"}), not ${args.length} values`);
  return apply(args, calculus.assume ?? (() => {}));
}

type Three = readonly [Quantity, Quantity, Quantity];

/** A formula of up to three arguments. */
export function formula(takes: readonly string[], of: (...args: Three) => Quantity): Formula {
  return { takes, apply: ([one = NOTHING, two = NOTHING, three = NOTHING]) => of(one, two, three) };
}

function list(apply: (args: readonly Quantity[]) => Quantity): Formula {
  return { apply };
}

/** (new − old) / old. From a negative to a positive value there is no growth that means anything. */
function growth(to: Quantity, from: Quantity): Quantity {
  unify(to, from, "be compared");
  if (from.value < 0 && to.value > 0) throw invalid("growth from a negative to a positive value has no meaning");
  return toPercent(asRatio(divide(subtract(to, from), from)));
}

function cagr(to: Quantity, from: Quantity, years: Quantity): Quantity {
  unify(to, from, "be compared");
  const span = years.dimensions.size === 0 && !isKind(years, "percent") ? years.value : Number.NaN;
  if (!(span > 0)) throw invalid(`years must be a number above 0, not ${years.value} (${toUnitText(years)})`);
  const change = divide(subtract(to, from), from).value;
  if (change <= -1) throw invalid("CAGR needs two values of the same sign, neither zero");
  // Not a power less 1, whose digits would be lost if the growth is small.
  return pure(Math.expm1(Math.log1p(change) / span) * 100, "percent");
}

/** One amount as a percentage of another. */
export function share(part: Quantity, whole: Quantity): Quantity {
  unify(part, whole, "be compared");
  return toPercent(asRatio(divide(part, whole)));
}

function toPercent(ratio: Quantity): Quantity {
  if (isKind(ratio, "percent")) return ratio;
  const fits = isKind(ratio, "ratio") || isKind(ratio, "plain");
  if (!fits) throw invalid(`percent takes a ratio, not ${toUnitText(ratio)}`);
  return pure(ratio.value * 100, "percent");
}

/** The number alone. */
export function asRatio({ value }: Quantity): Quantity {
  return pure(value, "ratio");
}

function pick(one: Quantity, other: Quantity, wanted: "less" | "more"): Quantity {
  const shared = unify(one, other, "be compared");
  const isOther = wanted === "less" ? other.value < one.value : other.value > one.value;
  return { ...shared, value: isOther ? other.value : one.value };
}

function sum(args: readonly Quantity[]): Quantity {
  return args.reduce((total, arg) => {
    unify(total, arg, "be added");
    return add(total, arg);
  });
}
