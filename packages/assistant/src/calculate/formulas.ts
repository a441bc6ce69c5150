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
  /** The names of its arguments, those that may be left out with a question mark; absent if it takes one or more of the same unit. */
  readonly takes?: readonly string[];
  readonly apply: (args: readonly Quantity[]) => Quantity;
}

/** Replaces a missing argument; that has been checked before. */
const NOTHING = plain(0);

const FORMULAS: ReadonlyMap<string, Formula> = new Map<string, Formula>([
  ["growth", formula(["new", "old"], growth)],
  ["cagr", formula(["start", "end", "years"], (start, end, years) => cagr(end, start, years))],
  ["percent_change", formula(["from", "to"], (from, to) => growth(to, from))],
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
  ["position_pl", formula(["quantity", "cost", "price"], profit)],
  [
    "tax",
    formula(["profit", "rate_percent"], (gain, rate) => scale(gain, (Math.max(0, gain.value) * rateOf(rate)) / 100)),
  ],
  ["compound", { takes: ["principal", "rate_percent", "years", "monthly_addition?"], apply: compound }],
  ["loan_payment", formula(["principal", "rate_percent", "years"], loanPayment)],
  ["monthly_investment_to_reach", formula(["target_sum", "rate_percent", "years"], monthlyInvestment)],
  [
    "option_price",
    { takes: ['"call" or "put"', "spot", "strike", "days", "volatility_percent", "rate_percent?"], apply: optionPrice },
  ],
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
  const needed = takes?.filter((each) => !each.endsWith("?")).length ?? 1;
  const fits = args.length >= needed && args.length <= (takes?.length ?? Infinity);
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

/** An amount of the same unit. */
const scale = (like: Quantity, value: number): Quantity => ({ ...like, value: checked(value) });

/** A rate in percent: a plain 8 and a fact of 8 % are the same. */
function rateOf(rate: Quantity): number {
  if (isKind(rate, "percent") || isKind(rate, "plain")) return rate.value;
  throw invalid(`a rate is a percentage such as 8, not ${toUnitText(rate)}`);
}

function numberOf(one: Quantity, name: string): number {
  const isDays = one.dimensions.size === 1 && one.dimensions.get("days") === 1;
  if ((one.dimensions.size === 0 && !isKind(one, "percent")) || isDays) return one.value;
  throw invalid(`${name} is a plain number, not ${toUnitText(one)}`);
}

function yearsOf(years: Quantity): number {
  const value = numberOf(years, "years");
  if (value > 0 && value <= 200) return value;
  throw invalid(`years must be above 0 and at most 200, not ${value}`);
}

/** The growth of 1 in months at a yearly rate, and the worth of 1 paid at the end of each. */
function monthly(rate: Quantity, years: Quantity): Readonly<{ grown: number; paid: number; months: number }> {
  const months = Math.round(yearsOf(years) * 12);
  const i = rateOf(rate) / 1_200;
  if (months < 1 || i <= -1) throw invalid("the rate and the years give no number of months");
  const grown = (1 + i) ** months;
  return { grown, paid: i === 0 ? months : (grown - 1) / i, months };
}

/** Compounded yearly; with an addition at the end of each month, monthly. */
function compound([principal = NOTHING, rate = NOTHING, years = NOTHING, addition]: readonly Quantity[]): Quantity {
  if (addition === undefined) return scale(principal, principal.value * (1 + rateOf(rate) / 100) ** yearsOf(years));
  const unit = unify(principal, addition, "be added");
  const { grown, paid } = monthly(rate, years);
  return scale(unit, principal.value * grown + addition.value * paid);
}

/** The payment at the end of each month that pays a loan back. */
function loanPayment(principal: Quantity, rate: Quantity, years: Quantity): Quantity {
  const { grown, paid } = monthly(rate, years);
  return scale(principal, (principal.value * grown) / paid);
}

/** The sum to put aside at the end of each month to have the amount after the years. */
function monthlyInvestment(amount: Quantity, rate: Quantity, years: Quantity): Quantity {
  return scale(amount, amount.value / monthly(rate, years).paid);
}

const DEFAULT_RATE_PERCENT = 4.5;

/** Black and Scholes, of a European option without dividends; kind 1 is a call, -1 a put. */
function optionPrice(args: readonly Quantity[]): Quantity {
  const [kind = NOTHING, spot = NOTHING, strike = NOTHING, days = NOTHING, volatility = NOTHING, rate] = args;
  const sign = kind.value;
  if (sign !== 1 && sign !== -1) throw invalid('the first argument of option_price is "call" or "put"');
  const unit = unify(spot, strike, "be compared");
  const years = numberOf(days, "days") / 365;
  const sigma = rateOf(volatility) / 100;
  if (!(spot.value > 0 && strike.value > 0 && years > 0 && sigma > 0)) {
    throw invalid("spot, strike, days and volatility are above 0");
  }
  const r = rate === undefined ? DEFAULT_RATE_PERCENT / 100 : rateOf(rate) / 100;
  const spread = sigma * Math.sqrt(years);
  const first = (Math.log(spot.value / strike.value) + (r + (sigma * sigma) / 2) * years) / spread;
  const discounted = strike.value * Math.exp(-r * years);
  const value = sign * (spot.value * normal(sign * first) - discounted * normal(sign * (first - spread)));
  return scale(unit, Math.max(0, value));
}

/** The standard normal distribution, by its series; exact to twelve digits. */
function normal(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let term = x;
  let total = x;
  for (let n = 1; Math.abs(term) > 1e-17; n += 1) {
    term *= (x * x) / (2 * n + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

function checked(value: number): number {
  if (!Number.isFinite(value)) throw invalid("the value is too large");
  return value;
}
