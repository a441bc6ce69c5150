/**
 * Books: the quarterly accounts of a made-up company, kept from quarter to quarter, so that assets equal liabilities
 * plus equity and the change in cash equals the three cash flows, to the dollar.
 */
import type { Day, PeriodRow, StatementKind } from "../port/market-data.ts";
import { toDay, toDayNumber } from "../pack/days.ts";
import { randomOf } from "./random.ts";
import { tradingDays } from "./trading-days.ts";

/** How a company does business. */
export interface Books {
  readonly symbol: string;
  /** Revenue of the first quarter. */
  readonly quarterRevenue: number;
  /** Of revenue, a year, as a fraction. */
  readonly growth: number;
  readonly grossMargin: number;
  /** Selling, administration and research, as a part of revenue. */
  readonly overhead: number;
  readonly shares: number;
  /** The part of net income that is paid as dividends. */
  readonly payout: number;
}

/** One quarter's three statements. */
export interface Quarter {
  readonly year: number;
  readonly quarter: number;
  readonly start: Day;
  readonly end: Day;
  readonly filed: Day;
  readonly income: ReadonlyMap<string, number>;
  readonly balance: ReadonlyMap<string, number>;
  readonly cashFlow: ReadonlyMap<string, number>;
}

/** What a quarter hands on to the next. */
interface Position {
  readonly cash: number;
  readonly receivables: number;
  readonly inventory: number;
  readonly plant: number;
  readonly payables: number;
  readonly debt: number;
  readonly paidIn: number;
  readonly retained: number;
}

interface Activity {
  readonly income: ReadonlyMap<string, number>;
  readonly netIncome: number;
  readonly revenue: number;
  readonly cost: number;
  readonly depreciation: number;
}

const FIRST_YEAR = 2017;
const QUARTERS = 31;
const TAX_RATE = 0.21;
const QUARTER_ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;
const QUARTER_STARTS = ["01-01", "04-01", "07-01", "10-01"] as const;
const FILED = ["05-08", "08-07", "11-06", "02-26"] as const;
const SEASON = [0.95, 0.99, 1, 1.06] as const;

/** The accounts from the first quarter of 2017 to the third of 2024. */
export function keepBooks(books: Books): readonly Quarter[] {
  const random = randomOf(`${books.symbol} books`);
  const quarters: Quarter[] = [];
  let position = opening(books);
  for (let index = 0; index < QUARTERS; index += 1) {
    const noise = 1 + 0.02 * random.normal();
    const activity = trade(books, position, { index, noise });
    const { next, cashFlow } = settle(books, position, activity);
    quarters.push({
      ...periodOf(index),
      income: activity.income,
      balance: toBalance(next),
      cashFlow,
    });
    position = next;
  }
  return quarters;
}

function periodOf(index: number): Pick<Quarter, "year" | "quarter" | "start" | "end" | "filed"> {
  const year = FIRST_YEAR + Math.floor(index / 4);
  const at = index % 4;
  return {
    year,
    quarter: at + 1,
    start: `${year}-${QUARTER_STARTS[at] ?? ""}`,
    end: `${year}-${QUARTER_ENDS[at] ?? ""}`,
    filed: firstTradingDay(`${at === 3 ? year + 1 : year}-${FILED[at] ?? ""}`),
  };
}

/** The first day of trading from a day on. */
function firstTradingDay(day: Day): Day {
  const number = toDayNumber(day);
  return toDay(tradingDays(day, toDay(number + 7))[0] ?? number);
}

function opening({ quarterRevenue: revenue, grossMargin }: Books): Position {
  const part = (share: number) => Math.round(revenue * share);
  const cost = revenue * (1 - grossMargin);
  const assets = { cash: part(0.9), receivables: part(0.5), inventory: Math.round(cost * 0.45), plant: part(2.4) };
  const debts = { payables: Math.round(cost * 0.4), debt: part(1.1) };
  const total = assets.cash + assets.receivables + assets.inventory + assets.plant;
  return { ...assets, ...debts, paidIn: total - debts.payables - debts.debt, retained: 0 };
}

function trade(books: Books, before: Position, { index, noise }: { index: number; noise: number }): Activity {
  const whole = Math.round;
  const trend = (1 + books.growth) ** (index / 4);
  const revenue = whole(books.quarterRevenue * trend * (SEASON[index % 4] ?? 1) * noise);
  const cost = whole(revenue * (1 - books.grossMargin) * (2 - noise));
  const research = whole(revenue * books.overhead * 0.3);
  const administration = whole(revenue * books.overhead * 0.7);
  const depreciation = whole(before.plant * 0.02);
  const interest = whole(before.debt * 0.0125);
  const operatingIncome = revenue - cost - research - administration;
  const incomeBeforeTax = operatingIncome - interest;
  const tax = Math.max(0, whole(incomeBeforeTax * TAX_RATE));
  const netIncome = incomeBeforeTax - tax;
  const diluted = whole(books.shares * 1.02);
  const income = new Map([
    ["revenue", revenue],
    ["costOfRevenue", cost],
    ["grossProfit", revenue - cost],
    ["researchAndDevelopmentExpenses", research],
    ["sellingGeneralAndAdministrativeExpenses", administration],
    ["operatingExpenses", research + administration],
    ["costAndExpenses", cost + research + administration],
    ["operatingIncome", operatingIncome],
    ["interestExpense", interest],
    ["depreciationAndAmortization", depreciation],
    ["ebit", operatingIncome],
    ["ebitda", operatingIncome + depreciation],
    ["incomeBeforeTax", incomeBeforeTax],
    ["incomeTaxExpense", tax],
    ["netIncomeFromContinuingOperations", netIncome],
    ["netIncome", netIncome],
    ["eps", perShare(netIncome, books.shares)],
    ["epsDiluted", perShare(netIncome, diluted)],
    ["weightedAverageShsOut", books.shares],
    ["weightedAverageShsOutDil", diluted],
  ]);
  return { income, netIncome, revenue, cost, depreciation };
}

const perShare = (amount: number, shares: number): number => Number((amount / shares).toFixed(2));

/** Pays and is paid; if cash would fall below a third of a quarter's revenue, it borrows. */
function settle(books: Books, before: Position, activity: Activity): { next: Position; cashFlow: Quarter["cashFlow"] } {
  const { netIncome, revenue, cost, depreciation } = activity;
  const receivables = Math.round(revenue * 0.5);
  const inventory = Math.round(cost * 0.45);
  const payables = Math.round(cost * 0.4);
  const capex = Math.round(depreciation + revenue * books.growth * 0.3);
  const dividends = Math.max(0, Math.round(netIncome * books.payout));
  const fromReceivables = before.receivables - receivables;
  const fromInventory = before.inventory - inventory;
  const fromPayables = payables - before.payables;
  const operating = netIncome + depreciation + fromReceivables + fromInventory + fromPayables;
  const unborrowed = before.cash + operating - capex - dividends;
  const borrowed = Math.max(0, Math.round(revenue / 3) - unborrowed);
  const next: Position = {
    cash: unborrowed + borrowed,
    receivables,
    inventory,
    plant: before.plant + capex - depreciation,
    payables,
    debt: before.debt + borrowed,
    paidIn: before.paidIn,
    retained: before.retained + netIncome - dividends,
  };
  const cashFlow = new Map([
    ["netIncome", netIncome],
    ["depreciationAndAmortization", depreciation],
    ["accountsReceivables", fromReceivables],
    ["inventory", fromInventory],
    ["accountsPayables", fromPayables],
    ["changeInWorkingCapital", fromReceivables + fromInventory + fromPayables],
    ["netCashProvidedByOperatingActivities", operating],
    ["operatingCashFlow", operating],
    ["investmentsInPropertyPlantAndEquipment", -capex],
    ["capitalExpenditure", -capex],
    ["netCashProvidedByInvestingActivities", -capex],
    ["netDebtIssuance", borrowed],
    ["commonDividendsPaid", -dividends],
    ["netDividendsPaid", -dividends],
    ["netCashProvidedByFinancingActivities", borrowed - dividends],
    ["effectOfForexChangesOnCash", 0],
    ["netChangeInCash", next.cash - before.cash],
    ["cashAtBeginningOfPeriod", before.cash],
    ["cashAtEndOfPeriod", next.cash],
    ["freeCashFlow", operating - capex],
  ]);
  return { next, cashFlow };
}

function toBalance(at: Position): Quarter["balance"] {
  const current = at.cash + at.receivables + at.inventory;
  const shortTermDebt = Math.round(at.debt * 0.1);
  const assets = current + at.plant;
  const liabilities = at.payables + at.debt;
  return new Map([
    ["cashAndCashEquivalents", at.cash],
    ["cashAndShortTermInvestments", at.cash],
    ["netReceivables", at.receivables],
    ["inventory", at.inventory],
    ["totalCurrentAssets", current],
    ["propertyPlantEquipmentNet", at.plant],
    ["totalNonCurrentAssets", at.plant],
    ["totalAssets", assets],
    ["accountPayables", at.payables],
    ["shortTermDebt", shortTermDebt],
    ["totalCurrentLiabilities", at.payables + shortTermDebt],
    ["longTermDebt", at.debt - shortTermDebt],
    ["totalNonCurrentLiabilities", at.debt - shortTermDebt],
    ["totalLiabilities", liabilities],
    ["commonStock", at.paidIn],
    ["retainedEarnings", at.retained],
    ["totalStockholdersEquity", at.paidIn + at.retained],
    ["totalEquity", at.paidIn + at.retained],
    ["totalLiabilitiesAndTotalEquity", liabilities + at.paidIn + at.retained],
    ["totalDebt", at.debt],
    ["netDebt", at.debt - at.cash],
  ]);
}

const FIELD = { income: "income", balance: "balance", cash_flow: "cashFlow" } as const;

/** One quarter's statement as a row. */
export function toQuarterRow(quarter: Quarter, statement: StatementKind): PeriodRow {
  const { year, start, end, filed } = quarter;
  const values = quarter[FIELD[statement]];
  return { label: `Q${quarter.quarter} ${year}`, start, end, filed, currency: "USD", values };
}

/** Four quarters in a row as one: flows are summed, a balance is the last one's. */
export function toYearRow(quarters: readonly Quarter[], statement: StatementKind, label: string): PeriodRow {
  const [first] = quarters;
  const last = quarters.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a year has quarters");
  const { end, filed } = last;
  const values = statement === "balance" ? last.balance : sumOf(quarters, statement);
  return { label, start: first.start, end, filed, currency: "USD", values };
}

function sumOf(quarters: readonly Quarter[], statement: "income" | "cash_flow"): ReadonlyMap<string, number> {
  const rows = quarters.map((quarter) => quarter[FIELD[statement]]);
  const total = (name: string) => rows.reduce((sum, row) => sum + (row.get(name) ?? 0), 0);
  const last = rows.at(-1) ?? new Map<string, number>();
  const values = new Map([...last.keys()].map((name) => [name, total(name)]));
  if (statement === "cash_flow") {
    values.set("cashAtBeginningOfPeriod", rows[0]?.get("cashAtBeginningOfPeriod") ?? 0);
    values.set("cashAtEndOfPeriod", last.get("cashAtEndOfPeriod") ?? 0);
    return values;
  }
  for (const [share, eps] of [
    ["weightedAverageShsOut", "eps"],
    ["weightedAverageShsOutDil", "epsDiluted"],
  ] as const) {
    const shares = last.get(share) ?? 1;
    values.set(share, shares);
    values.set(eps, perShare(total("netIncome"), shares));
  }
  return values;
}
