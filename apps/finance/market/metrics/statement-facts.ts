/**
 * Statement facts: the three statements of one period read together, with what follows from them (EBITDA, free cash
 * flow, total debt …). A value that is unknown, or would divide by nothing, is undefined: never 0, never NaN.
 */
import type { Day, PeriodRow } from "../port/market-data.ts";

/** A value that may be unknown. */
export type MaybeNumber = number | undefined;

/** Statements of one company; every period of `income` is one of the result's. */
export interface Statements {
  readonly income: readonly PeriodRow[];
  readonly balance: readonly PeriodRow[];
  readonly cash: readonly PeriodRow[];
  /** The price of a share on a day, in the statements' currency; without it nothing is said of valuation. */
  readonly priceAt?: (day: Day) => MaybeNumber;
}

/** The numbers of one period that formulas use. Capital expenditure and dividends are what was paid: positive. */
export type StatementFacts = Readonly<ReturnType<typeof toFacts>>;

type Read = (name: string) => MaybeNumber;

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

/** The sum, if all parts are known. */
export function sum(...parts: readonly MaybeNumber[]): MaybeNumber {
  let total = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    total += part;
  }
  return total;
}

/** The difference, if both are known. */
export const minus = (a: MaybeNumber, b: MaybeNumber): MaybeNumber =>
  a === undefined || b === undefined ? undefined : a - b;

/** The product, if both are known. */
export const times = (a: MaybeNumber, b: MaybeNumber): MaybeNumber =>
  a === undefined || b === undefined ? undefined : a * b;

/** The quotient, if both are known and it means something: the divisor is positive. */
export const over = (a: MaybeNumber, b: MaybeNumber): MaybeNumber =>
  a === undefined || b === undefined || b <= 0 ? undefined : a / b;

/** The quotient in percent. */
export const percent = (a: MaybeNumber, b: MaybeNumber): MaybeNumber => times(over(a, b), 100);

/** Days from one day to another. */
export const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Reads the statements of the period of one income statement. */
export function toFacts(row: PeriodRow, { balance, cash, priceAt }: Statements) {
  const readerOf = (rows: readonly PeriodRow[]): Read => {
    const found = rows.find(({ end }) => end === row.end);
    return (name) => found?.values.get(name);
  };
  const income = toIncomeFacts((name) => row.values.get(name));
  const flows = toCashFacts(readerOf(cash));
  const standing = toBalanceFacts(readerOf(balance));
  const depreciation = flows.depreciation ?? income.depreciation;
  const days = toDays(row);
  // a price against a quarter's earnings is not what people call P/E
  const price = days === YEAR_DAYS ? priceAt?.(row.end) : undefined;
  const marketCap = times(price, income.shares);
  return {
    ...income,
    ...flows,
    ...standing,
    depreciation,
    ebitda: income.ebitda ?? sum(income.ebit, depreciation),
    days,
    price,
    marketCap,
    enterpriseValue: minus(sum(marketCap, standing.debt), standing.cash),
    dividendPerShare: over(flows.dividends, income.shares),
    freeCashFlowPerShare: over(flows.freeCashFlow, income.shares),
    bookValuePerShare: over(standing.equity, income.shares),
  };
}

function toIncomeFacts(read: Read) {
  const netIncome = read("netIncome");
  const pretax = read("incomeBeforeTax");
  const shares = read("weightedAverageShsOut") ?? read("weightedAverageShsOutDil");
  const tax = read("incomeTaxExpense");
  const eps = read("eps") ?? over(netIncome, shares);
  return {
    revenue: read("revenue"),
    costOfRevenue: read("costOfRevenue"),
    grossProfit: read("grossProfit") ?? minus(read("revenue"), read("costOfRevenue")),
    operatingIncome: read("operatingIncome"),
    ebit: read("ebit") ?? sum(pretax, read("interestExpense")),
    ebitda: read("ebitda"),
    interest: read("interestExpense"),
    pretax,
    taxRate: over(tax, pretax),
    netIncome,
    continuing: read("netIncomeFromContinuingOperations"),
    bottomLine: read("bottomLineNetIncome"),
    rd: read("researchAndDevelopmentExpenses"),
    sga: read("sellingGeneralAndAdministrativeExpenses"),
    depreciation: read("depreciationAndAmortization"),
    eps,
    epsDiluted: read("epsDiluted"),
    shares,
    sharesDiluted: read("weightedAverageShsOutDil"),
  };
}

function toBalanceFacts(read: Read) {
  const equity = read("totalStockholdersEquity");
  const assets = read("totalAssets");
  const cash = read("cashAndCashEquivalents");
  const currentAssets = read("totalCurrentAssets");
  const currentLiabilities = read("totalCurrentLiabilities");
  return {
    assets,
    currentAssets,
    currentLiabilities,
    workingCapital: minus(currentAssets, currentLiabilities),
    liabilities: read("totalLiabilities") ?? minus(assets, read("totalEquity") ?? equity),
    equity,
    cash,
    liquid: read("cashAndShortTermInvestments") ?? sum(cash, read("shortTermInvestments")),
    receivables: read("netReceivables") ?? read("accountsReceivables"),
    inventory: read("inventory"),
    payables: read("accountPayables"),
    fixedAssets: read("propertyPlantEquipmentNet"),
    intangibles: read("goodwillAndIntangibleAssets") ?? sum(read("goodwill"), read("intangibleAssets")),
    shortTermDebt: read("shortTermDebt"),
    longTermDebt: read("longTermDebt"),
    debt: read("totalDebt") ?? sum(read("shortTermDebt"), read("longTermDebt")),
  };
}

function toCashFacts(read: Read) {
  const operatingCashFlow = read("operatingCashFlow") ?? read("netCashProvidedByOperatingActivities");
  const capex = paid(read("capitalExpenditure") ?? read("investmentsInPropertyPlantAndEquipment"));
  return {
    operatingCashFlow,
    capex,
    freeCashFlow: read("freeCashFlow") ?? minus(operatingCashFlow, capex),
    dividends: paid(read("commonDividendsPaid") ?? read("netDividendsPaid")),
    stockCompensation: read("stockBasedCompensation"),
    debtIssued: read("netDebtIssuance"),
    depreciation: read("depreciationAndAmortization"),
  };
}

/** Payments are negative in statements; as an amount that was paid they are positive. */
const paid = (value: MaybeNumber): MaybeNumber => (value === undefined ? undefined : Math.abs(value));

/** A year counts as 365 days, however many weeks a fiscal year has; a shorter period by its days. */
function toDays({ start, end }: PeriodRow): number {
  const days = start === undefined ? YEAR_DAYS : daysBetween(start, end) + 1;
  return days > 340 ? YEAR_DAYS : days;
}
