/**
 * Finance formulas: the functions of `calculate` that belong to finance, beside those of any calculation.
 */
import {
  add,
  asRatio,
  type Assume,
  type Calculus,
  divide,
  type Formula,
  formula,
  invalid,
  isKind,
  multiply,
  NOTHING,
  type Quantity,
  share,
  subtract,
  toUnitText,
  unify,
} from "@baton/assistant/calculate";

/** Margins and multiples, positions, interest, loans, tax and options. */
export const FINANCE: Calculus = {
  words: new Map([
    ["call", 1],
    ["put", -1],
  ]),
  formulas: new Map<string, Formula>([
    ["margin", formula(["part", "whole"], share)],
    ["ev_ebitda", { takes: ["cap", "debt", "cash", "ebitda"], apply: evEbitda }],
    ["fcf_yield", formula(["fcf", "cap"], share)],
    ["position_pl", formula(["quantity", "cost", "price"], profit)],
    ["tax", formula(["profit", "rate_percent"], tax)],
    ["compound", { takes: ["principal", "rate_percent", "years", "monthly_addition?"], apply: compound }],
    ["loan_payment", formula(["principal", "rate_percent", "years"], loanPayment)],
    ["monthly_investment", formula(["target_sum", "rate_percent", "years"], monthlyInvestment)],
    [
      "option_price",
      {
        takes: ['"call" or "put"', "spot", "strike", "days", "volatility_percent", "rate_percent?"],
        apply: optionPrice,
      },
    ],
  ]),
};

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

/** A part of a profit; a loss has none. */
function tax(gain: Quantity, rate: Quantity): Quantity {
  return scale(gain, (Math.max(0, gain.value) * rateOf(rate)) / 100);
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
function optionPrice(args: readonly Quantity[], assume: Assume): Quantity {
  const [kind = NOTHING, spot = NOTHING, strike = NOTHING, days = NOTHING, volatility = NOTHING, rate] = args;
  const sign = kind.value;
  if (sign !== 1 && sign !== -1) throw invalid('the first argument of option_price is "call" or "put"');
  const unit = unify(spot, strike, "be compared");
  const years = numberOf(days, "days") / 365;
  const sigma = rateOf(volatility) / 100;
  if (!(spot.value > 0 && strike.value > 0 && years > 0 && sigma > 0)) {
    throw invalid("spot, strike, days and volatility are above 0");
  }
  if (rate === undefined) assume({ metric: "interest rate a year", value: DEFAULT_RATE_PERCENT, unit: "percent" });
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
