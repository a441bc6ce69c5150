/**
 * Fake SEC filings: what companies and managers filed, as lists of submissions, and the documents of each filing.
 */
import { addDays, FAKE_COMPANIES, type FakeCompany, toReports } from "./fake-sec-books.ts";
import {
  type FakePosition,
  toAnnualReport,
  toCoverPage,
  toCurrentReport,
  toForm4,
  toInfoTable,
  toQuarterlyReport,
} from "./fake-sec-documents.ts";

/** A filing and its files by name. */
export interface FakeFiling {
  readonly accn: string;
  readonly form: string;
  readonly filed: string;
  readonly reportDate: string;
  readonly items: string;
  readonly document: string;
  readonly description: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Someone who files. */
export interface FakeFiler {
  readonly cik: number;
  readonly name: string;
  readonly tickers: readonly string[];
  readonly filings: readonly FakeFiling[];
}

/** The number of filings in the first list; older ones stand in a file of their own. */
const RECENT = 30;
const BERKSHIRE = 1067983;
const BRIDGEWATER = 1350694;

/** Everyone who files, with what was filed until a day. */
export function toFilers(today: string): readonly FakeFiler[] {
  const companies = FAKE_COMPANIES.map((company) => ({
    cik: company.cik,
    name: company.name,
    tickers: company.tickers,
    filings: toCompanyFilings(company, today),
  }));
  const berkshire = { cik: BERKSHIRE, name: "BERKSHIRE HATHAWAY INC", tickers: ["BRK-B", "BRK-A"] };
  const bridgewater = { cik: BRIDGEWATER, name: "Bridgewater Associates, LP", tickers: [] };
  return [
    ...companies,
    { ...berkshire, filings: BERKSHIRE_FILINGS.filter(({ filed }) => filed <= today) },
    { ...bridgewater, filings: BRIDGEWATER_FILINGS.filter(({ filed }) => filed <= today) },
  ];
}

function toCompanyFilings(company: FakeCompany, today: string): readonly FakeFiling[] {
  const { cik, name, tickers } = company;
  const [ticker = ""] = tickers;
  const filings = toReports(company, today).flatMap(({ accn, form, filed, end }, at): FakeFiling[] => {
    const document = `${ticker.toLowerCase()}-${end.replaceAll("-", "")}.htm`;
    const body = form === "10-Q" ? toQuarterlyReport(name) : toAnnualReport(name);
    const report = { accn, form, filed, reportDate: end, items: "", document, description: form };
    const files = new Map([[document, body]]);
    const agent = `0001193125-${accn.slice(11, 13)}-${`${cik}`.slice(-4)}${`${at}`.padStart(2, "0")}`;
    const current: FakeFiling = {
      accn: agent,
      form: "8-K",
      filed: addDays(filed, -5),
      reportDate: at % 2 === 0 ? addDays(filed, -5) : "",
      items: "2.02,9.01",
      document: "d8k.htm",
      description: at % 3 === 0 ? "" : "8-K",
      files: new Map([["d8k.htm", toCurrentReport(name)]]),
    };
    return [current, { ...report, files }, toInsiderFiling(company, { filed: addDays(filed, 2), at })];
  });
  return filings.filter(({ filed }) => filed <= today).toSorted((a, b) => (a.filed < b.filed ? 1 : -1));
}

type Insider = Readonly<{ filed: string; at: number }>;

/** Each fourth one is about shares of another issuer that the company itself holds. */
function toInsiderFiling({ cik, tickers }: FakeCompany, { filed, at }: Insider): FakeFiling {
  const isOwn = at % 4 !== 3;
  const xml = toForm4({
    issuerCik: isOwn ? `${cik}`.padStart(10, "0") : "0000000042",
    symbol: isOwn ? (tickers[0] ?? "") : "OTHER",
    owner: `COOK TIMOTHY ${at}`,
    day: addDays(filed, -2),
    code: at % 2 === 0 ? "S" : "A",
    shares: `${1_000 + at}.5`,
    acquired: at % 2 === 0 ? "D" : "A",
    ...(at % 3 === 0 ? {} : { price: "221.0850" }),
  });
  return {
    accn: `0000950103-${filed.slice(2, 4)}-${`${cik}`.slice(-4)}${`${at}`.padStart(2, "0")}`,
    form: "4",
    filed,
    reportDate: addDays(filed, -2),
    items: "",
    document: "xslF345X05/wk-form4_1.xml",
    description: "FORM 4",
    files: new Map([["wk-form4_1.xml", xml]]),
  };
}

type Report13F = Readonly<{
  number: number;
  end: string;
  filed: string;
  positions: readonly FakePosition[];
  prefix: string;
  amendment?: "RESTATEMENT" | "NEW HOLDINGS";
}>;

function to13F(cik: number, { number, end, filed, positions, prefix, amendment }: Report13F): FakeFiling {
  return {
    accn: `${`${cik}`.padStart(10, "0")}-${filed.slice(2, 4)}-${`${number}`.padStart(6, "0")}`,
    form: amendment === undefined ? "13F-HR" : "13F-HR/A",
    filed,
    reportDate: end,
    items: "",
    document: "xslForm13F_X02/primary_doc.xml",
    description: "",
    files: new Map([
      ["primary_doc.xml", toCoverPage(amendment)],
      [prefix === "" ? "form13fInfoTable.xml" : "46994.xml", toInfoTable(positions, prefix)],
    ]),
  };
}

const APPLE: FakePosition = { issuer: "APPLE INC", cusip: "037833100", value: 60_000_000, shares: 300_000 };
const BANK: FakePosition = { issuer: "BANK AMER CORP", cusip: "060505104", value: 30_000_000, shares: 800_000 };

const BERKSHIRE_FILINGS: readonly FakeFiling[] = [
  to13F(BERKSHIRE, {
    number: 9,
    end: "2025-12-31",
    filed: "2026-02-14",
    prefix: "",
    positions: [
      APPLE,
      BANK,
      { ...APPLE, value: 10_000_000, shares: 50_000 },
      { ...APPLE, issuer: "APPLE INC", value: 1_000_000, shares: 5_000, putCall: "Put" },
      { issuer: "AT&amp;T INC", cusip: "00206R102", value: 5_000_000, shares: 5_000_000, type: "PRN" },
    ],
  }),
  to13F(BERKSHIRE, {
    number: 8,
    end: "2025-09-30",
    filed: "2026-01-20",
    prefix: "n1",
    amendment: "RESTATEMENT",
    positions: [{ ...BANK, value: 29_000_000 }],
  }),
  to13F(BERKSHIRE, { number: 7, end: "2025-09-30", filed: "2025-11-14", prefix: "ns1", positions: [APPLE, BANK] }),
  to13F(BERKSHIRE, {
    number: 6,
    end: "2025-06-30",
    filed: "2025-09-20",
    prefix: "ns1",
    amendment: "NEW HOLDINGS",
    positions: [BANK],
  }),
  to13F(BERKSHIRE, { number: 5, end: "2025-06-30", filed: "2025-08-14", prefix: "ns1", positions: [APPLE] }),
  to13F(BERKSHIRE, {
    number: 1,
    end: "2022-09-30",
    filed: "2022-11-14",
    prefix: "ns1",
    positions: [{ ...APPLE, value: 60_000 }],
  }),
];
const BRIDGEWATER_FILINGS: readonly FakeFiling[] = [
  to13F(BRIDGEWATER, { number: 3, end: "2025-12-31", filed: "2026-02-13", prefix: "ns1", positions: [BANK] }),
];

/** The list of submissions, and the older ones that stand in a file of their own. */
export function toSubmissions({ cik, name, tickers, filings }: FakeFiler) {
  const padded = `${cik}`.padStart(10, "0");
  const older = filings.slice(RECENT);
  const files =
    older.length === 0
      ? []
      : [
          {
            name: `CIK${padded}-submissions-001.json`,
            filingCount: older.length,
            filingFrom: older.at(-1)?.filed,
            filingTo: older[0]?.filed,
          },
        ];
  const head = { cik: padded, entityType: "operating", sic: "3571", name, tickers, exchanges: ["Nasdaq"] };
  return {
    whole: { ...head, fiscalYearEnd: "0927", filings: { recent: toColumns(filings.slice(0, RECENT)), files } },
    older: toColumns(older),
  };
}

const toColumns = (filings: readonly FakeFiling[]) => ({
  accessionNumber: filings.map(({ accn }) => accn),
  filingDate: filings.map(({ filed }) => filed),
  reportDate: filings.map(({ reportDate }) => reportDate),
  acceptanceDateTime: filings.map(({ filed }) => `${filed}T18:01:14.000Z`),
  form: filings.map(({ form }) => form),
  items: filings.map(({ items }) => items),
  size: filings.map(() => 1_000),
  isXBRL: filings.map(() => 1),
  isInlineXBRL: filings.map(() => 1),
  primaryDocument: filings.map(({ document }) => document),
  primaryDocDescription: filings.map(({ description }) => description),
});
