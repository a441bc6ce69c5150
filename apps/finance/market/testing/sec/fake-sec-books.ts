/**
 * Fake SEC books: companies whose quarters, years to date and years add up, and the facts that their filings report, as
 * the SEC's company facts have them: with comparatives, the filing's own `fy` and `fp`, and changing concepts.
 */

/** A fact as the SEC writes it. */
export interface FakeFact {
  readonly start?: string;
  readonly end: string;
  readonly val: number;
  readonly accn: string;
  readonly fy: number;
  readonly fp: string;
  readonly form: string;
  readonly filed: string;
}

/** A periodic report that was filed. */
export interface FakeReport {
  readonly accn: string;
  readonly form: "10-K" | "10-Q" | "10-K/A" | "20-F";
  readonly fy: number;
  readonly fp: string;
  readonly end: string;
  readonly filed: string;
}

/** A company and the way it reports. */
export interface FakeCompany {
  readonly cik: number;
  readonly name: string;
  readonly tickers: readonly string[];
  /** The length of its quarters in days, or calendar quarters. */
  readonly weeks?: readonly [number, number, number, number];
  /** The last day of the fiscal year before the first one that has data. */
  readonly before: string;
  readonly firstYear: number;
  readonly years: number;
  readonly scale: number;
  readonly revenueConcept: (year: number) => string;
  readonly currency?: string;
  readonly taxonomy?: "us-gaap" | "ifrs-full";
  readonly isAnnualOnly?: boolean;
  /** A year that an amended report changes, by so much of its revenue. */
  readonly restated?: Readonly<{ year: number; change: number }>;
  /** Fiscal years that have a 53rd week. */
  readonly longYears?: readonly number[];
}

type Quarter = Readonly<{ year: number; quarter: number; start: string; end: string; values: Values }>;
type Values = Readonly<Record<string, number>>;
type Unit = Readonly<{ taxonomy: string; concept: string; unit: string }>;

const DAY_MS = 86_400_000;
const EPS = ["EarningsPerShareBasic", "EarningsPerShareDiluted", "CommonStockDividendsPerShareDeclared"];
const SHARES = ["WeightedAverageNumberOfSharesOutstandingBasic", "WeightedAverageNumberOfDilutedSharesOutstanding"];
const INSTANTS = [
  "Assets",
  "Liabilities",
  "StockholdersEquity",
  "CashAndCashEquivalentsAtCarryingValue",
  "AssetsCurrent",
];
const CASH_FLOW = [
  "NetCashProvidedByUsedInOperatingActivities",
  "PaymentsToAcquirePropertyPlantAndEquipment",
  "PaymentsOfDividends",
  "DepreciationDepletionAndAmortization",
];

/** The day so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The quarters of a company, oldest first. */
export function toQuarters(company: FakeCompany): readonly Quarter[] {
  const quarters: Quarter[] = [];
  let { before } = company;
  for (let at = 0; at < company.years * 4; at++) {
    const year = company.firstYear + Math.floor(at / 4);
    const quarter = (at % 4) + 1;
    const start = addDays(before, 1);
    const end = company.weeks === undefined ? monthEnd(start) : addDays(before, toDays(company, year, quarter));
    quarters.push({ year, quarter, start, end, values: toValues(company, at) });
    before = end;
  }
  return quarters;
}

function toDays({ weeks = [13, 13, 13, 13], longYears = [] }: FakeCompany, year: number, quarter: number): number {
  const isLong = quarter === 4 && longYears.includes(year);
  return ((weeks[quarter - 1] ?? 13) + (isLong ? 1 : 0)) * 7;
}

/** The last day of the third month. */
function monthEnd(start: string): string {
  const date = new Date(start);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 3, 0)).toISOString().slice(0, 10);
}

function toValues({ scale }: FakeCompany, at: number): Values {
  const revenue = Math.round(scale * (100 + 3 * at + (at % 4) * 7));
  const netIncome = Math.round(revenue * 0.2);
  const shares = 15 * scale;
  return {
    revenue,
    CostOfGoodsAndServicesSold: Math.round(revenue * 0.6),
    GrossProfit: revenue - Math.round(revenue * 0.6),
    OperatingIncomeLoss: Math.round(revenue * 0.28),
    IncomeTaxExpenseBenefit: Math.round(revenue * 0.05),
    NetIncomeLoss: netIncome,
    NetCashProvidedByUsedInOperatingActivities: Math.round(revenue * 0.3),
    PaymentsToAcquirePropertyPlantAndEquipment: Math.round(revenue * 0.04),
    PaymentsOfDividends: Math.round(revenue * 0.03),
    DepreciationDepletionAndAmortization: Math.round(revenue * 0.02),
    EarningsPerShareBasic: Number((netIncome / shares).toFixed(2)),
    EarningsPerShareDiluted: Number((netIncome / shares).toFixed(2)),
    CommonStockDividendsPerShareDeclared: Number((0.2 + Math.floor(at / 4) * 0.01).toFixed(2)),
    WeightedAverageNumberOfSharesOutstandingBasic: shares,
    WeightedAverageNumberOfDilutedSharesOutstanding: shares,
    Assets: revenue * 8,
    Liabilities: revenue * 5,
    StockholdersEquity: revenue * 3,
    CashAndCashEquivalentsAtCarryingValue: revenue,
    AssetsCurrent: revenue * 2,
  };
}

/** The reports of a company that were filed until a day, oldest first. */
export function toReports(company: FakeCompany, today: string): readonly FakeReport[] {
  const reports = toQuarters(company).flatMap(({ year, quarter, end }): FakeReport[] => {
    const isYear = quarter === 4;
    if (company.isAnnualOnly === true && !isYear) return [];
    const form = isYear ? (company.isAnnualOnly === true ? "20-F" : "10-K") : "10-Q";
    const rest = { fy: year, fp: isYear ? "FY" : `Q${quarter}`, end };
    const report = { ...rest, form, accn: toAccn(company.cik, year, quarter), filed: addDays(end, 33) } as const;
    const amended = { ...rest, form: "10-K/A", accn: toAccn(company.cik, year, 5), filed: addDays(end, 120) } as const;
    return isYear && company.restated?.year === year ? [report, amended] : [report];
  });
  return reports.filter(({ filed }) => filed <= today).toSorted((a, b) => (a.filed < b.filed ? -1 : 1));
}

const toAccn = (cik: number, year: number, number: number): string =>
  `${`${cik}`.padStart(10, "0")}-${`${year % 100}`.padStart(2, "0")}-${`${number}`.padStart(6, "0")}`;

/** `facts` of company facts. */
export function toFacts(company: FakeCompany, reports: readonly FakeReport[]): Record<string, Record<string, unknown>> {
  const all = toQuarters(company);
  const facts = new Map<string, { readonly unit: Unit; readonly rows: FakeFact[] }>();
  const add = (unit: Unit, row: FakeFact) => {
    const key = `${unit.taxonomy} ${unit.concept}`;
    const entry = facts.get(key) ?? { unit, rows: [] };
    entry.rows.push(row);
    facts.set(key, entry);
  };
  for (const report of reports) {
    for (const back of report.form.startsWith("10-Q") ? [0, 1] : [0, 1, 2]) {
      addPeriod({ company, all, report, year: report.fy - back, add });
    }
  }
  const whole: Record<string, Record<string, unknown>> = { dei: {} };
  for (const { unit, rows } of facts.values()) {
    const concepts = (whole[unit.taxonomy] ??= {});
    concepts[unit.concept] = { label: unit.concept, description: null, units: { [unit.unit]: rows } };
  }
  return whole;
}

type Period = Readonly<{
  company: FakeCompany;
  all: readonly Quarter[];
  report: FakeReport;
  year: number;
  add: (unit: Unit, row: FakeFact) => void;
}>;

/**
 * Adds the values of a report for the same part of one fiscal year: its last quarter, the year to date, and the day.
 */
function addPeriod({ company, all, report, year, add }: Period): void {
  const last = report.fp === "FY" ? 4 : Number(report.fp.slice(1));
  const quarters = all.filter((each) => each.year === year && each.quarter <= last);
  const newest = quarters.at(-1);
  const [first] = quarters;
  if (first === undefined || newest === undefined || quarters.length < last) return;
  const { accn, fy, fp, form, filed } = report;
  const rest = { accn, fy, fp, form, filed };
  const factor = toFactor(company, report, year);
  for (const name of Object.keys(newest.values)) {
    const unit = toUnit(company, name, report.fy);
    const read = (quarter: Quarter) => quarter.values[name] ?? 0;
    if (INSTANTS.includes(name)) {
      add(unit, { end: newest.end, val: read(newest), ...rest });
      continue;
    }
    const sum = quarters.map(read).reduce((a, b) => a + b, 0);
    const toDate = SHARES.includes(name) ? sum / last : Number((sum * (name === "revenue" ? factor : 1)).toFixed(2));
    if (last < 4 && (last === 1 || !CASH_FLOW.includes(name))) {
      add(unit, { start: newest.start, end: newest.end, val: read(newest), ...rest });
    }
    if (last > 1) add(unit, { start: first.start, end: newest.end, val: toDate, ...rest });
  }
}

/** An amended report, and every report after it, has the restated revenue. */
function toFactor({ restated }: FakeCompany, { form, fy }: FakeReport, year: number): number {
  if (restated === undefined || restated.year !== year) return 1;
  return form === "10-K/A" || fy > year ? 1 + restated.change : 1;
}

function toUnit(company: FakeCompany, name: string, filingYear: number): Unit {
  const { taxonomy = "us-gaap", currency = "USD" } = company;
  const plain = name === "revenue" ? company.revenueConcept(filingYear) : name;
  const concept = taxonomy === "us-gaap" ? plain : (IFRS.get(plain) ?? plain);
  if (EPS.includes(name)) return { taxonomy, concept, unit: `${currency}/shares` };
  return { taxonomy, concept, unit: SHARES.includes(name) ? "shares" : currency };
}

const IFRS: ReadonlyMap<string, string> = new Map([
  ["NetIncomeLoss", "ProfitLoss"],
  ["StockholdersEquity", "Equity"],
  ["EarningsPerShareBasic", "BasicEarningsLossPerShare"],
  ["EarningsPerShareDiluted", "DilutedEarningsLossPerShare"],
]);

const RFC = "RevenueFromContractWithCustomerExcludingAssessedTax";

/** Invented figures under known tickers, so that directories find them. */
export const FAKE_COMPANIES: readonly FakeCompany[] = [
  {
    cik: 320193,
    name: "Apple Inc.",
    tickers: ["AAPL"],
    weeks: [13, 13, 13, 13],
    longYears: [2023],
    before: "2017-09-30",
    firstYear: 2018,
    years: 9,
    scale: 1_000_000,
    revenueConcept: (year) => (year < 2019 ? "SalesRevenueNet" : RFC),
    restated: { year: 2022, change: -0.1 },
  },
  {
    cik: 19617,
    name: "JPMORGAN CHASE & CO",
    tickers: ["JPM", "JPM-PC"],
    before: "2019-12-31",
    firstYear: 2020,
    years: 7,
    scale: 400_000,
    revenueConcept: () => "RevenuesNetOfInterestExpense",
  },
  {
    cik: 1652044,
    name: "Alphabet Inc.",
    tickers: ["GOOGL", "GOOG"],
    before: "2019-12-31",
    firstYear: 2020,
    years: 7,
    scale: 700_000,
    revenueConcept: (year) => (year < 2023 ? RFC : "Revenues"),
  },
  {
    cik: 909832,
    name: "COSTCO WHOLESALE CORP /NEW",
    tickers: ["COST"],
    weeks: [12, 12, 12, 16],
    longYears: [2023],
    before: "2019-09-01",
    firstYear: 2020,
    years: 7,
    scale: 300_000,
    revenueConcept: () => "Revenues",
  },
  {
    cik: 1046179,
    name: "TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD",
    tickers: ["TSM"],
    before: "2019-12-31",
    firstYear: 2020,
    years: 6,
    scale: 900_000,
    revenueConcept: () => "Revenue",
    currency: "TWD",
    taxonomy: "ifrs-full",
    isAnnualOnly: true,
  },
];
