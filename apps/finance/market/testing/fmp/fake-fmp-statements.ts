/**
 * Fake FMP statements: statements that add up, ratios, key metrics and growth by the same figures, earnings, dividends.
 */
import type { Asked, Rows } from "./fake-fmp-asked.ts";
import { barOf, chance, lastWeekday } from "../fake-prices.ts";

type Period = Readonly<{ date: string; fiscalYear: string; period: string; scale: number }>;

const YEARS = 30;

/** Returns the rows of an endpoint of fundamentals; undefined for any other. */
export function toStatementRows(asked: Asked): Rows | undefined {
  const { path } = asked;
  const isTtm = path.endsWith("-ttm");
  const name = isTtm ? path.slice(0, -4) : path;
  const build = BUILDERS.get(name);
  if (build !== undefined) return toPeriods(asked, isTtm).map((period) => build(asked, period));
  const metrics = METRICS.get(name);
  if (metrics !== undefined) return toMetricRows(asked, isTtm, metrics);
  if (path === "/earnings") return toEarnings(asked);
  return path === "/dividends" ? toDividends(asked) : undefined;
}

/** Newest first; a quarter is a fourth of its year. */
function toPeriods({ query, today }: Asked, isTtm: boolean): readonly Period[] {
  const last = Number(today.slice(0, 4)) - 1;
  const limit = isTtm ? 1 : Number(query.get("limit") ?? 5);
  const isQuarter = query.get("period") === "quarter";
  const count = Math.min(limit, isQuarter ? 4 * YEARS : YEARS);
  const ends = ["12-31", "09-30", "06-30", "03-31"];
  return Array.from({ length: count }, (_, index) => {
    const year = last - (isQuarter ? Math.floor(index / 4) : index);
    const quarter = isQuarter ? index % 4 : 0;
    const growth = 1.05 ** (year - last);
    return {
      date: `${year}-${ends[quarter] ?? "12-31"}`,
      fiscalYear: `${year}`,
      period: isQuarter ? `Q${4 - quarter}` : "FY",
      scale: isQuarter ? growth / 4 : growth,
    };
  });
}

const base = (symbol: string, { date, fiscalYear, period }: Period) => ({
  date,
  symbol,
  reportedCurrency: symbol.endsWith(".VN") ? "VND" : "USD",
  cik: "0000320193",
  filingDate: `${Number(fiscalYear) + 1}-02-15`,
  acceptedDate: `${Number(fiscalYear) + 1}-02-15 06:01:26`,
  fiscalYear,
  period,
});

const revenueOf = (symbol: string, { scale }: Period): number =>
  Math.round((1e9 + 4e11 * chance(`${symbol}r`)) * scale);

function toIncome({ symbol }: Asked, period: Period) {
  const revenue = revenueOf(symbol, period);
  const part = (share: number) => Math.round(revenue * share);
  const costOfRevenue = part(0.55);
  const grossProfit = revenue - costOfRevenue;
  const operatingExpenses = part(0.15);
  const operatingIncome = grossProfit - operatingExpenses;
  const incomeTaxExpense = part(0.05);
  const netIncome = operatingIncome - incomeTaxExpense;
  return {
    ...base(symbol, period),
    revenue,
    costOfRevenue,
    grossProfit,
    researchAndDevelopmentExpenses: part(0.08),
    generalAndAdministrativeExpenses: null,
    sellingAndMarketingExpenses: 0,
    sellingGeneralAndAdministrativeExpenses: part(0.07),
    otherExpenses: 0,
    operatingExpenses,
    costAndExpenses: costOfRevenue + operatingExpenses,
    netInterestIncome: 0,
    interestIncome: 0,
    interestExpense: 0,
    depreciationAndAmortization: part(0.03),
    ebitda: operatingIncome + part(0.03),
    ebit: operatingIncome,
    nonOperatingIncomeExcludingInterest: 0,
    operatingIncome,
    totalOtherIncomeExpensesNet: 0,
    incomeBeforeTax: operatingIncome,
    incomeTaxExpense,
    netIncomeFromContinuingOperations: netIncome,
    netIncomeFromDiscontinuedOperations: 0,
    otherAdjustmentsToNetIncome: 0,
    netIncome,
    netIncomeDeductions: 0,
    bottomLineNetIncome: netIncome,
    eps: netIncome / 1e9,
    epsDiluted: netIncome / 1.01e9,
    weightedAverageShsOut: 1e9,
    weightedAverageShsOutDil: 1.01e9,
  };
}

function toBalance({ symbol }: Asked, period: Period) {
  const totalAssets = revenueOf(symbol, period);
  const part = (share: number) => Math.round(totalAssets * share);
  const cash = part(0.1);
  const totalCurrentAssets = part(0.4);
  const totalCurrentLiabilities = part(0.3);
  const totalLiabilities = part(0.7);
  const totalEquity = totalAssets - totalLiabilities;
  return {
    ...base(symbol, period),
    cashAndCashEquivalents: cash,
    shortTermInvestments: part(0.05),
    cashAndShortTermInvestments: cash + part(0.05),
    netReceivables: part(0.1),
    inventory: part(0.05),
    totalCurrentAssets,
    propertyPlantEquipmentNet: part(0.2),
    goodwill: 0,
    intangibleAssets: 0,
    goodwillAndIntangibleAssets: 0,
    longTermInvestments: part(0.2),
    totalNonCurrentAssets: totalAssets - totalCurrentAssets,
    totalAssets,
    accountPayables: part(0.1),
    shortTermDebt: part(0.05),
    totalCurrentLiabilities,
    longTermDebt: part(0.2),
    totalNonCurrentLiabilities: totalLiabilities - totalCurrentLiabilities,
    totalLiabilities,
    preferredStock: 0,
    commonStock: part(0.1),
    retainedEarnings: totalEquity - part(0.1),
    totalStockholdersEquity: totalEquity,
    totalEquity,
    minorityInterest: 0,
    totalLiabilitiesAndTotalEquity: totalAssets,
    totalDebt: part(0.25),
    netDebt: part(0.25) - cash,
  };
}

function toCashFlow({ symbol }: Asked, period: Period) {
  const revenue = revenueOf(symbol, period);
  const part = (share: number) => Math.round(revenue * share);
  const operatingCashFlow = part(0.3);
  const capitalExpenditure = -part(0.1);
  const financing = -part(0.15);
  return {
    ...base(symbol, period),
    netIncome: part(0.25),
    depreciationAndAmortization: part(0.03),
    stockBasedCompensation: part(0.02),
    changeInWorkingCapital: 0,
    netCashProvidedByOperatingActivities: operatingCashFlow,
    investmentsInPropertyPlantAndEquipment: capitalExpenditure,
    netCashProvidedByInvestingActivities: capitalExpenditure,
    commonStockRepurchased: -part(0.1),
    netDividendsPaid: -part(0.05),
    commonDividendsPaid: -part(0.05),
    netCashProvidedByFinancingActivities: financing,
    netChangeInCash: operatingCashFlow + capitalExpenditure + financing,
    operatingCashFlow,
    capitalExpenditure,
    freeCashFlow: operatingCashFlow + capitalExpenditure,
    incomeTaxesPaid: part(0.05),
    interestPaid: null,
  };
}

type Build = (asked: Asked, period: Period) => Rows[number];

const BUILDERS: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["/income-statement", toIncome],
  ["/balance-sheet-statement", toBalance],
  ["/cash-flow-statement", toCashFlow],
]);

const RATIOS = {
  grossProfitMargin: 0.45,
  operatingProfitMargin: 0.3,
  netProfitMargin: 0.25,
  currentRatio: 1.3333,
  quickRatio: 1.1667,
  priceToEarningsRatio: 30.5,
  priceToBookRatio: 12.25,
  debtToEquityRatio: 0.8333,
  interestCoverageRatio: 0,
  dividendPayoutRatio: 0.2,
  dividendYield: 0.0042,
  dividendYieldPercentage: 0.42,
  dividendPerShare: 1.05,
  effectiveTaxRate: 0.1667,
  assetTurnover: 1,
  bookValuePerShare: 30,
  enterpriseValueMultiple: null,
};
const KEY_METRICS = {
  marketCap: 3e11,
  enterpriseValue: 3.1e11,
  evToSales: 7.5,
  evToEBITDA: 22.5,
  currentRatio: 1.3333,
  returnOnEquity: 0.83,
  returnOnAssets: 0.25,
  earningsYield: 0.033,
  freeCashFlowYield: 0.026,
  workingCapital: 4e10,
  researchAndDevelopementToRevenue: 0.08,
  daysOfSalesOutstanding: 36.5,
  grahamNumber: null,
  investedCapital: 5e10,
};
const GROWTH = {
  revenueGrowth: 0.05,
  grossProfitGrowth: 0.05,
  ebitgrowth: 0.05,
  netIncomeGrowth: 0.05,
  epsgrowth: 0.07,
  epsdilutedGrowth: 0.07,
  bookValueperShareGrowth: -0.02,
  fiveYRevenueGrowthPerShare: 0.2763,
  ebitdaGrowth: null,
};
const METRICS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<
  string,
  Readonly<Record<string, unknown>>
>([
  ["/ratios", RATIOS],
  ["/key-metrics", KEY_METRICS],
  ["/financial-growth", GROWTH],
]);

function toMetricRows(asked: Asked, isTtm: boolean, metrics: Readonly<Record<string, unknown>>): Rows {
  const { symbol } = asked;
  const toTtm = () => Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${name}TTM`, value]));
  if (isTtm) return [{ symbol, ...toTtm() }];
  return toPeriods(asked, false).map((period) => {
    const { date, fiscalYear, period: label } = period;
    return { symbol, date, fiscalYear, period: label, reportedCurrency: "USD", ...metrics };
  });
}

/** The first is yet to come. */
function toEarnings({ symbol, query, today }: Asked): Rows {
  const limit = Number(query.get("limit") ?? 20);
  const year = Number(today.slice(0, 4));
  return Array.from({ length: Math.min(limit, 40) }, (_, index) => ({
    symbol,
    date: `${year + 1 - Math.floor((index + 3) / 4)}-${["10", "07", "04", "01"][(index + 3) % 4] ?? "01"}-28`,
    epsActual: index === 0 ? null : 1.5 + chance(`${symbol}${index}`),
    epsEstimated: 1.6,
    revenueActual: index === 0 ? null : 9.4e10,
    revenueEstimated: 9.3e10 + 0.5,
    lastUpdated: today,
  }));
}

function toDividends({ symbol, today }: Asked): Rows {
  const year = Number(today.slice(0, 4));
  const dates = [year, year - 1, year - 2].flatMap((each) =>
    ["11-10", "08-11", "05-12", "02-10"].map((day) => `${each}-${day}`),
  );
  return dates
    .filter((date) => date <= today)
    .map((date) => ({
      symbol,
      date,
      recordDate: date,
      paymentDate: date,
      declarationDate: "",
      adjDividend: 0.25,
      dividend: 0.25,
      yield: 100 / barOf(symbol, lastWeekday(date)).close,
      frequency: "Quarterly",
    }));
}
