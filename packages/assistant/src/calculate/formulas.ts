/**
 * Formulas: the functions of a calculation by name, each with the units it takes and gives.
 */
import {
  add,
  divide,
  invalid,
  isKind,
  multiply,
  negate,
  plain,
  pure,
  type Quantity,
  subtract,
  toUnitText,
  unify,
} from "./quantity.ts";

interface Formula {
  /** The names of its arguments; absent if it takes one or more of the same unit. */
  readonly takes?: readonly string[];
  readonly apply: (args: readonly Quantity[]) => Quantity;
}

/** Replaces a missing argument; that has been checked before. */
const NOTHING = plain(0);

const FORMULAS: ReadonlyMap<string, Formula> = new Map<string, Formula>([
  ["growth", formula(["new", "old"], growth)],
  ["cagr", formula(["new", "old", "years"], cagr)],
  ["margin", formula(["part", "whole"], share)],
  ["share", formula(["part", "whole"], share)],
  ["percent", formula(["ratio"], toPercent)],
  ["abs", formula(["x"], (x) => (x.value < 0 ? negate(x) : x))],
  ["min", list((args) => args.reduce((least, arg) => pick(least, arg, "less")))],
  ["max", list((args) => args.reduce((most, arg) => pick(most, arg, "more")))],
  ["sum", list(sum)],
  ["avg", list((args) => divide(sum(args), plain(args.length)))],
  ["ev_ebitda", { takes: ["cap", "debt", "cash", "ebitda"], apply: evEbitda }],
  ["fcf_yield", formula(["fcf", "cap"], share)],
  ["pl", formula(["quantity", "cost", "price"], profit)],
]);

/** The names of all formulas with their arguments. */
export const FORMULA_NAMES: readonly string[] = Array.from(
  FORMULAS,
  ([name, { takes }]) => `${name}(${takes?.join(", ") ?? "x, y, …"})`,
);

/** The value of a formula; throws if there is none of this name or its arguments do not fit. */
export function applyFormula(name: string, args: readonly Quantity[]): Quantity {
  const found = FORMULAS.get(name);
  if (found === undefined) throw invalid(`there is no function "${name}"; there are ${FORMULA_NAMES.join(", ")}`);
  const { takes, apply } = found;
  const fits = takes === undefined ? args.length > 0 : args.length === takes.length;
  if (!fits) throw invalid(`${name} takes (${takes?.join(", ") ?? "one or more values"}), not ${args.length} values`);
  return apply(args);
}

type Three = readonly [Quantity, Quantity, Quantity];

function formula(takes: readonly string[], of: (...args: Three) => Quantity): Formula {
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

function share(part: Quantity, whole: Quantity): Quantity {
  unify(part, whole, "be compared");
  return toPercent(asRatio(divide(part, whole)));
}

function toPercent(ratio: Quantity): Quantity {
  if (isKind(ratio, "percent")) return ratio;
  const fits = isKind(ratio, "ratio") || isKind(ratio, "plain");
  if (!fits) throw invalid(`percent takes a ratio, not ${toUnitText(ratio)}`);
  return pure(ratio.value * 100, "percent");
}

function asRatio({ value }: Quantity): Quantity {
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

function evEbitda([cap = NOTHING, debt = NOTHING, cash = NOTHING, ebitda = NOTHING]: readonly Quantity[]): Quantity {
  const value = subtract(add(cap, debt), cash);
  unify(value, ebitda, "be compared");
  return asRatio(divide(value, ebitda));
}

/** (price − cost) × quantity. A plain quantity or cost, such as a person names, is in the unit of the price. */
function profit(quantity: Quantity, cost: Quantity, price: Quantity): Quantity {
  const paid = isKind(cost, "plain") ? { ...price, value: cost.value } : cost;
  const gain = subtract(price, paid);
  if (!isKind(quantity, "plain")) return multiply(gain, quantity);
  const per = Array.from(price.dimensions).find(([, exponent]) => exponent === -1)?.[0];
  const held: Quantity = per === undefined ? quantity : { ...quantity, dimensions: new Map([[per, 1]]) };
  return multiply(gain, held);
}
