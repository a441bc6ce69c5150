/**
 * Compute metrics: key metrics, ratios and growth from statements, by FMP's names and formulas, for sources that have
 * only statements. What cannot be computed, or would mean nothing (a quotient by a loss), is absent.
 */
import type { PeriodRow } from "../port/market-data.ts";
import {
  daysBetween,
  minus,
  over,
  percent,
  sum,
  times,
  toFacts,
  type MaybeNumber,
  type StatementFacts,
  type Statements,
} from "./statement-facts.ts";

type Formulas = readonly (readonly [name: string, value: MaybeNumber])[];

interface Period {
  readonly row: PeriodRow;
  readonly facts: StatementFacts;
}

/** Key metrics of each period that has an income statement, in its order. */
export function computeKeyMetrics(statements: Statements): readonly PeriodRow[] {
  const periods = toPeriods(statements);
  return periods.map((period) => {
    const before = findBefore(periods, period.row, 1)?.facts;
    return toRow(period, [...toReturns(period.facts), ...toValuation(period.facts), ...toCycle(period.facts, before)]);
  });
}

/** Ratios of each period that has an income statement, in its order. */
export function computeRatios(statements: Statements): readonly PeriodRow[] {
  return toPeriods(statements).map((period) =>
    toRow(period, [
      ...toMargins(period.facts),
      ...toSolvency(period.facts),
      ...toCoverage(period.facts),
      ...toPerShare(period.facts),
      ...toPriceRatios(period.facts),
    ]),
  );
}

/** Growth of each period on the same period of the year before, in percent; a period without one is left out. */
export function computeGrowth(statements: Statements): readonly PeriodRow[] {
  const periods = toPeriods(statements);
  return periods.flatMap((period) => {
    const before = findBefore(periods, period.row, 1)?.facts;
    if (before === undefined) return [];
    const spans = (
      [
        ["three", 3],
        ["five", 5],
        ["ten", 10],
      ] as const
    ).flatMap(([word, years]) => toSpanGrowth(word, period.facts, findBefore(periods, period.row, years)?.facts));
    return [toRow(period, [...toYearGrowth(period.facts, before), ...spans])];
  });
}

function toPeriods(statements: Statements): readonly Period[] {
  return statements.income.map((row) => ({ row, facts: toFacts(row, statements) }));
}

/** The period that ended so many years earlier; fiscal years have 52 or 53 weeks. */
function findBefore(periods: readonly Period[], now: PeriodRow, years: number): Period | undefined {
  return periods.find(
    ({ row }) => row.currency === now.currency && Math.abs(daysBetween(row.end, now.end) - years * 365.25) < 16,
  );
}

function toRow({ row }: Period, formulas: Formulas): PeriodRow {
  const { label, start, end, filed, currency, derived } = row;
  const values = new Map<string, number>();
  for (const [name, value] of formulas) {
    if (value !== undefined && Number.isFinite(value)) values.set(name, value);
  }
  return {
    label,
    end,
    currency,
    values,
    ...(start === undefined ? {} : { start }),
    ...(filed === undefined ? {} : { filed }),
    // what follows from lines of which some are computed is computed as well
    ...(derived === undefined ? {} : { derived: derived.slice(derived.lastIndexOf(": ") + 1).trim() }),
  };
}

function toReturns(f: StatementFacts): Formulas {
  const invested = minus(sum(f.debt, f.equity), f.cash);
  const afterTax = times(f.operatingIncome, minus(1, f.taxRate));
  return [
    ["returnOnEquity", percent(f.netIncome, f.equity)],
    ["returnOnAssets", percent(f.netIncome, f.assets)],
    ["returnOnTangibleAssets", percent(f.netIncome, minus(f.assets, f.intangibles))],
    ["operatingReturnOnAssets", percent(f.operatingIncome, f.assets)],
    ["returnOnInvestedCapital", percent(afterTax, invested)],
    ["returnOnCapitalEmployed", percent(f.ebit, minus(f.assets, f.currentLiabilities))],
    ["investedCapital", invested],
    ["workingCapital", f.workingCapital],
    ["currentRatio", over(f.currentAssets, f.currentLiabilities)],
    ["netDebtToEBITDA", over(minus(f.debt, f.cash), f.ebitda)],
    ["incomeQuality", over(f.operatingCashFlow, f.netIncome)],
    ["taxBurden", over(f.netIncome, f.pretax)],
    ["interestBurden", over(f.pretax, f.ebit)],
    ["capexToOperatingCashFlow", over(f.capex, f.operatingCashFlow)],
    ["capexToDepreciation", over(f.capex, f.depreciation)],
    ["capexToRevenue", percent(f.capex, f.revenue)],
    ["salesGeneralAndAdministrativeToRevenue", percent(f.sga, f.revenue)],
    ["researchAndDevelopementToRevenue", percent(f.rd, f.revenue)],
    ["stockBasedCompensationToRevenue", percent(f.stockCompensation, f.revenue)],
    ["intangiblesToTotalAssets", percent(f.intangibles, f.assets)],
  ];
}

function toValuation(f: StatementFacts): Formulas {
  const graham = times(22.5, times(f.eps, f.bookValuePerShare));
  const netNet = minus(sum(f.liquid, times(f.receivables, 0.75), times(f.inventory, 0.5)), f.liabilities);
  return [
    ["marketCap", f.marketCap],
    ["enterpriseValue", f.enterpriseValue],
    ["evToSales", over(f.enterpriseValue, f.revenue)],
    ["evToEBITDA", over(f.enterpriseValue, f.ebitda)],
    ["evToOperatingCashFlow", over(f.enterpriseValue, f.operatingCashFlow)],
    ["evToFreeCashFlow", over(f.enterpriseValue, f.freeCashFlow)],
    ["earningsYield", percent(f.eps, f.price)],
    ["freeCashFlowYield", percent(f.freeCashFlow, f.marketCap)],
    ["grahamNumber", graham === undefined || graham < 0 || (f.eps ?? 0) < 0 ? undefined : Math.sqrt(graham)],
    ["grahamNetNet", over(netNet, f.shares)],
    ["freeCashFlowToEquity", sum(f.freeCashFlow, f.debtIssued)],
    ["freeCashFlowToFirm", sum(f.freeCashFlow, times(f.interest, minus(1, f.taxRate)))],
    ["tangibleAssetValue", minus(f.equity, f.intangibles)],
    ["netCurrentAssetValue", minus(f.currentAssets, f.liabilities)],
  ];
}

function toCycle(f: StatementFacts, before: StatementFacts | undefined): Formulas {
  const sales = times(over(f.receivables, f.revenue), f.days);
  const payables = times(over(f.payables, f.costOfRevenue), f.days);
  const inventory = times(over(f.inventory, f.costOfRevenue), f.days);
  const mean = (a: MaybeNumber, b: MaybeNumber) => times(sum(a, b), 0.5);
  return [
    ["daysOfSalesOutstanding", sales],
    ["daysOfPayablesOutstanding", payables],
    ["daysOfInventoryOutstanding", inventory],
    ["operatingCycle", sum(sales, inventory)],
    ["cashConversionCycle", minus(sum(sales, inventory), payables)],
    ["averageReceivables", mean(f.receivables, before?.receivables)],
    ["averagePayables", mean(f.payables, before?.payables)],
    ["averageInventory", mean(f.inventory, before?.inventory)],
  ];
}

function toMargins(f: StatementFacts): Formulas {
  return [
    ["grossProfitMargin", percent(f.grossProfit, f.revenue)],
    ["ebitMargin", percent(f.ebit, f.revenue)],
    ["ebitdaMargin", percent(f.ebitda, f.revenue)],
    ["operatingProfitMargin", percent(f.operatingIncome, f.revenue)],
    ["pretaxProfitMargin", percent(f.pretax, f.revenue)],
    ["continuousOperationsProfitMargin", percent(f.continuing, f.revenue)],
    ["netProfitMargin", percent(f.netIncome, f.revenue)],
    ["bottomLineProfitMargin", percent(f.bottomLine, f.revenue)],
    ["effectiveTaxRate", times(f.taxRate, 100)],
    ["receivablesTurnover", over(f.revenue, f.receivables)],
    ["payablesTurnover", over(f.costOfRevenue, f.payables)],
    ["inventoryTurnover", over(f.costOfRevenue, f.inventory)],
    ["fixedAssetTurnover", over(f.revenue, f.fixedAssets)],
    ["assetTurnover", over(f.revenue, f.assets)],
    ["workingCapitalTurnoverRatio", over(f.revenue, f.workingCapital)],
    ["netIncomePerEBT", over(f.netIncome, f.pretax)],
    ["ebtPerEbit", over(f.pretax, f.ebit)],
  ];
}

function toSolvency(f: StatementFacts): Formulas {
  return [
    ["currentRatio", over(f.currentAssets, f.currentLiabilities)],
    ["quickRatio", over(minus(f.currentAssets, f.inventory), f.currentLiabilities)],
    ["cashRatio", over(f.cash, f.currentLiabilities)],
    ["solvencyRatio", over(sum(f.netIncome, f.depreciation), f.liabilities)],
    ["debtToAssetsRatio", over(f.debt, f.assets)],
    ["debtToEquityRatio", over(f.debt, f.equity)],
    ["debtToCapitalRatio", over(f.debt, sum(f.debt, f.equity))],
    ["longTermDebtToCapitalRatio", over(f.longTermDebt, sum(f.longTermDebt, f.equity))],
    ["financialLeverageRatio", over(f.assets, f.equity)],
    ["debtToMarketCap", over(f.debt, f.marketCap)],
  ];
}

function toCoverage(f: StatementFacts): Formulas {
  return [
    ["operatingCashFlowRatio", over(f.operatingCashFlow, f.currentLiabilities)],
    ["operatingCashFlowSalesRatio", over(f.operatingCashFlow, f.revenue)],
    ["freeCashFlowOperatingCashFlowRatio", over(f.freeCashFlow, f.operatingCashFlow)],
    ["interestCoverageRatio", over(f.operatingIncome, f.interest)],
    ["shortTermOperatingCashFlowCoverageRatio", over(f.operatingCashFlow, f.shortTermDebt)],
    ["operatingCashFlowCoverageRatio", over(f.operatingCashFlow, f.debt)],
    ["capitalExpenditureCoverageRatio", over(f.operatingCashFlow, f.capex)],
    ["dividendPaidAndCapexCoverageRatio", over(f.operatingCashFlow, sum(f.dividends, f.capex))],
    ["dividendPayoutRatio", percent(f.dividends, f.netIncome)],
  ];
}

function toPerShare(f: StatementFacts): Formulas {
  return [
    ["revenuePerShare", over(f.revenue, f.shares)],
    ["netIncomePerShare", over(f.netIncome, f.shares)],
    ["interestDebtPerShare", over(f.debt, f.shares)],
    ["cashPerShare", over(f.liquid, f.shares)],
    ["bookValuePerShare", f.bookValuePerShare],
    ["shareholdersEquityPerShare", f.bookValuePerShare],
    ["tangibleBookValuePerShare", over(minus(f.equity, f.intangibles), f.shares)],
    ["operatingCashFlowPerShare", over(f.operatingCashFlow, f.shares)],
    ["capexPerShare", over(f.capex, f.shares)],
    ["freeCashFlowPerShare", f.freeCashFlowPerShare],
    ["dividendPerShare", f.dividendPerShare],
  ];
}

function toPriceRatios(f: StatementFacts): Formulas {
  return [
    ["priceToEarningsRatio", over(f.price, f.eps)],
    ["priceToEarningsDilutedRatio", over(f.price, f.epsDiluted)],
    ["priceToBookRatio", over(f.price, f.bookValuePerShare)],
    ["priceToSalesRatio", over(f.marketCap, f.revenue)],
    ["priceToFreeCashFlowRatio", over(f.price, f.freeCashFlowPerShare)],
    ["priceToOperatingCashFlowRatio", over(f.marketCap, f.operatingCashFlow)],
    ["dividendYield", percent(f.dividendPerShare, f.price)],
    ["dividendYieldPercentage", percent(f.dividendPerShare, f.price)],
    ["enterpriseValueMultiple", over(f.enterpriseValue, f.ebitda)],
  ];
}

const growth = (now: MaybeNumber, before: MaybeNumber): MaybeNumber => percent(minus(now, before), before);

function toYearGrowth(f: StatementFacts, before: StatementFacts): Formulas {
  const of = (name: keyof StatementFacts) => growth(f[name], before[name]);
  return [
    ["revenueGrowth", of("revenue")],
    ["grossProfitGrowth", of("grossProfit")],
    ["ebitgrowth", of("ebit")],
    ["ebitdaGrowth", of("ebitda")],
    ["operatingIncomeGrowth", of("operatingIncome")],
    ["netIncomeGrowth", of("netIncome")],
    ["epsgrowth", of("eps")],
    ["epsdilutedGrowth", of("epsDiluted")],
    ["weightedAverageSharesGrowth", of("shares")],
    ["weightedAverageSharesDilutedGrowth", of("sharesDiluted")],
    ["dividendsPerShareGrowth", of("dividendPerShare")],
    ["operatingCashFlowGrowth", of("operatingCashFlow")],
    ["freeCashFlowGrowth", of("freeCashFlow")],
    ["receivablesGrowth", of("receivables")],
    ["inventoryGrowth", of("inventory")],
    ["assetGrowth", of("assets")],
    ["bookValueperShareGrowth", of("bookValuePerShare")],
    ["debtGrowth", of("debt")],
    ["rdexpenseGrowth", of("rd")],
    ["sgaexpensesGrowth", of("sga")],
  ];
}

function toSpanGrowth(word: string, now: StatementFacts, before: StatementFacts | undefined): Formulas {
  const perShare = (name: "revenue" | "netIncome" | "operatingCashFlow" | "equity" | "dividends") =>
    growth(over(now[name], now.shares), over(before?.[name], before?.shares));
  return [
    [`${word}YRevenueGrowthPerShare`, perShare("revenue")],
    [`${word}YNetIncomeGrowthPerShare`, perShare("netIncome")],
    [`${word}YOperatingCFGrowthPerShare`, perShare("operatingCashFlow")],
    [`${word}YShareholdersEquityGrowthPerShare`, perShare("equity")],
    [`${word}YDividendperShareGrowthPerShare`, perShare("dividends")],
  ];
}
