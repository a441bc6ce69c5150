/**
 * Company metrics: growth, margins, EV/EBITDA and FCF yield from named values of statements (FMP's names).
 *
 * Fractions, not percent. What cannot be computed says which values are missing, or why those there are do not do;
 * nothing is guessed. Amounts of money must all be in one currency.
 */

/** Values of one period, by FMP's names in camelCase. */
export type Values = ReadonlyMap<string, number>;

/** A metric, or why there is none: the names of values that are missing, or a reason. */
export type CompanyMetric =
  | Readonly<{ value: number }>
  | Readonly<{ value?: undefined; missing: readonly string[]; reason: string }>;

/** The three statements of one period as one map; `inventory` and its like are amounts, not the cash flow's changes. */
export function mergeStatements(
  statements: Readonly<{ income?: Values; balance?: Values; cashFlow?: Values }>,
): Values {
  return new Map([...(statements.cashFlow ?? []), ...(statements.income ?? []), ...(statements.balance ?? [])]);
}

/** Growth from one period to the next; there is none from an amount that is not positive. */
export function growth(current: number, previous: number): CompanyMetric {
  if (!(previous > 0)) return none(`growth from ${previous} is not defined: it is not positive`);
  return finite(current / previous - 1);
}

/** Compound annual growth over some years; both ends must be positive. */
export function cagr(first: number, last: number, years: number): CompanyMetric {
  if (!(years > 0)) return none(`${years} years are no span`);
  if (!(first > 0 && last > 0)) return none(`CAGR from ${first} to ${last} is not defined: both must be positive`);
  return finite((last / first) ** (1 / years) - 1);
}

/** The profit line that a margin divides by revenue. */
export type MarginOf = "gross" | "operating" | "net" | "ebitda" | "fcf";

/** A share of revenue. */
export function margin(values: Values, of: MarginOf): CompanyMetric {
  const part = { gross: grossProfit, operating: operatingIncome, net: netIncome, ebitda, fcf: freeCashFlow }[of];
  return combine([part(values), revenue(values)], ([amount = 0, sales = 0]) =>
    sales > 0 ? finite(amount / sales) : none(`revenue is ${sales}: a margin needs a positive one`),
  );
}

/** Enterprise value: market capitalisation and debt less cash, as FMP defines it. */
export function enterpriseValue(values: Values, marketCap: number | undefined): CompanyMetric {
  return combine([given("marketCap", marketCap), netDebt(values)], ([cap = 0, debt = 0]) => finite(cap + debt));
}

/** Enterprise value by EBITDA, which must be positive. */
export function evToEbitda(values: Values, marketCap: number | undefined): CompanyMetric {
  return combine([enterpriseValue(values, marketCap), ebitda(values)], ([worth = 0, earned = 0]) =>
    earned > 0 ? finite(worth / earned) : none(`ebitda is ${earned}: EV/EBITDA needs a positive one`),
  );
}

/** Free cash flow by market capitalisation. */
export function fcfYield(values: Values, marketCap: number | undefined): CompanyMetric {
  return combine([freeCashFlow(values), given("marketCap", marketCap)], ([flow = 0, cap = 0]) =>
    cap > 0 ? finite(flow / cap) : none(`marketCap is ${cap}: a yield needs a positive one`),
  );
}

/** Revenue as reported. */
export const revenue = (values: Values): CompanyMetric => named(values, "revenue");
/** Net income as reported. */
export const netIncome = (values: Values): CompanyMetric => named(values, "netIncome");
/** Operating income as reported. */
const operatingIncome = (values: Values): CompanyMetric => named(values, "operatingIncome");

/** Gross profit: as reported, else revenue less its cost. */
export function grossProfit(values: Values): CompanyMetric {
  return either(named(values, "grossProfit"), () =>
    combine([revenue(values), named(values, "costOfRevenue")], ([sales = 0, cost = 0]) => finite(sales - cost)),
  );
}

/** Earnings before interest and tax: as reported, else income before tax and interest expense. */
export function ebit(values: Values): CompanyMetric {
  const parts = () => [named(values, "incomeBeforeTax"), named(values, "interestExpense")];
  return either(named(values, "ebit"), () => combine(parts(), ([income = 0, paid = 0]) => finite(income + paid)));
}

/** EBITDA: as reported, else EBIT with depreciation and amortisation. */
function ebitda(values: Values): CompanyMetric {
  const parts = () => [ebit(values), named(values, "depreciationAndAmortization")];
  return either(named(values, "ebitda"), () => combine(parts(), ([income = 0, worn = 0]) => finite(income + worn)));
}

/** Cash from operations, under either of its names. */
export function operatingCashFlow(values: Values): CompanyMetric {
  return either(named(values, "operatingCashFlow"), () => named(values, "netCashProvidedByOperatingActivities"));
}

/** Free cash flow: as reported, else cash from operations less capital expenditure, whichever sign that has. */
function freeCashFlow(values: Values): CompanyMetric {
  const parts = () => [operatingCashFlow(values), named(values, "capitalExpenditure")];
  return either(named(values, "freeCashFlow"), () =>
    combine(parts(), ([flow = 0, spent = 0]) => finite(flow - Math.abs(spent))),
  );
}

/** Debt less cash: as reported, else from total debt, or its short and long part, and cash and equivalents. */
function netDebt(values: Values): CompanyMetric {
  const parts = () => [named(values, "shortTermDebt"), named(values, "longTermDebt")];
  const debt = () =>
    either(named(values, "totalDebt"), () => combine(parts(), ([short = 0, long = 0]) => finite(short + long)));
  return either(named(values, "netDebt"), () =>
    combine([debt(), named(values, "cashAndCashEquivalents")], ([owed = 0, cash = 0]) => finite(owed - cash)),
  );
}

/** The value of a name. */
export function named(values: Values, name: string): CompanyMetric {
  return given(name, values.get(name));
}

/** A value that may be absent. */
export function given(name: string, value: number | undefined): CompanyMetric {
  if (value !== undefined && Number.isFinite(value)) return { value };
  return { missing: [name], reason: `${name} is not known` };
}

/** Computes from metrics if all are there; else says what is missing of any of them. */
export function combine(
  parts: readonly CompanyMetric[],
  compute: (values: readonly number[]) => CompanyMetric,
): CompanyMetric {
  const lacking = parts.flatMap((part) => (part.value === undefined ? [part] : []));
  if (lacking.length === 0) return compute(parts.flatMap((part) => (part.value === undefined ? [] : [part.value])));
  const missing = [...new Set(lacking.flatMap((part) => part.missing))];
  return { missing, reason: [...new Set(lacking.map((part) => part.reason))].join("; ") };
}

/** No metric, for a reason other than a missing value. */
export function none(reason: string): CompanyMetric {
  return { missing: [], reason };
}

/** A computed number, which may have become too large. */
export function finite(value: number): CompanyMetric {
  return Number.isFinite(value) ? { value } : none("the result is too large");
}

/** The reported value, else the computed one; if neither can be, the reported one is what is missing. */
function either(reported: CompanyMetric, compute: () => CompanyMetric): CompanyMetric {
  if (reported.value !== undefined) return reported;
  const computed = compute();
  return computed.value === undefined ? reported : computed;
}
