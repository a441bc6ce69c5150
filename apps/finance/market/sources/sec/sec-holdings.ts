/**
 * SEC holdings: what a manager of funds held at the end of a quarter, from 13F reports.
 *
 * A restated report replaces the first one; a report of further holdings is added to it.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { ReportedHolding, Holdings, HoldingsQuery } from "../../port/filings.ts";
import type { Directory } from "../../port/listing.ts";
import type { Capabilities } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { toDay } from "../eastern.ts";
import { parseAnswer, toLine } from "../rows.ts";
import { toCik, toDirectory } from "./cik.ts";
import { type SecCompany, toWords } from "./companies.ts";
import { parseInfoTable } from "./documents/info-table.ts";
import type { SecApi } from "./sec-api.ts";
import { isForm, type Submission } from "./submissions.ts";
import { parseXml, textAt } from "./documents/xml.ts";

const Listing13F = z.looseObject({ directory: z.looseObject({ item: z.array(z.looseObject({ name: z.string() })) }) });
const Names = z.looseObject({
  hits: z.looseObject({
    hits: z.array(
      z.looseObject({
        _source: z.looseObject({
          display_names: z.array(z.string()).default([]),
          ciks: z.array(z.string()).default([]),
        }),
      }),
    ),
  }),
});

const COVER_PAGE = "primary_doc.xml";
const MAX_BYTES = 32_000_000;
const MAX_REPORTS = 4;
const MAX_MANAGERS = 8;
const QUARTER_ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;

type Known = Readonly<{ harness: SecApi; directory: Pick<Directory, "get"> | undefined }>;

/** Managers' holdings from the SEC. */
export function secHoldings(known: Known): Pick<Capabilities, "holdings"> {
  const { harness } = known;
  return {
    holdings: async (query, scope) => {
      const manager = await findManager(known, query.manager, scope);
      const { recent, url, fetchedAt } = await harness.submissions.of(manager.cik, scope);
      const reports = pickReports(recent, query, manager);
      const { rows, used } = await readReports(harness, reports, scope);
      const [first] = used;
      const notes = used.slice(1).map(({ accession, filed }) => `with the further holdings of ${accession} (${filed})`);
      if (first?.form.endsWith("/A") === true) notes.unshift(`restated by ${first.accession} (${first.filed})`);
      const data = toHoldings(manager, { rows, report: first ?? reports[0], limit: query.limit });
      const note = notes.length === 0 ? undefined : notes.join("; ");
      return harness.sourced(data, { url, fetchedAt }, { asOf: `${data.end}T00:00:00Z`, note });
    },
  };
}

/** A manager by CIK, ticker or name. */
async function findManager({ harness, directory }: Known, asked: string, scope: Scope): Promise<SecCompany> {
  const cik = toCik(asked);
  if (cik !== undefined) return { cik, name: (await harness.submissions.of(cik, scope)).name };
  const symbol = directory?.get(asked)?.symbol ?? asked;
  const listed = await harness.companies.bySymbol(symbol, scope);
  if (listed !== undefined) return listed;
  const named = await harness.companies.byName(asked, scope);
  const found = named.length === 0 ? await searchManagers(harness, asked, scope) : named;
  const exact = found.filter(({ name }) => toWords(name) === toWords(asked));
  const [only, ...others] = exact.length === 0 ? found : exact;
  const shown = toLine(asked, 80);
  if (only === undefined) throw new MarketError("no_data", `the SEC knows no manager "${shown}" with 13F reports`);
  if (others.length > 0) {
    const managers = [only, ...others].slice(0, MAX_MANAGERS).map((each) => ({ name: each.name, cik: each.cik }));
    const available = managers.map((each) => `${each.name} (CIK ${each.cik})`).join("; ");
    throw new MarketError("ambiguous", `"${shown}" can be several managers: ask with a CIK`, { managers, available });
  }
  return only;
}

/** Managers whose name has the words, by a search over their reports. */
async function searchManagers(harness: SecApi, asked: string, scope: Scope): Promise<readonly SecCompany[]> {
  const words = toWords(asked);
  if (words === "") return [];
  const query = { q: `"${words}"`, forms: "13F-HR" };
  const request = { host: "search", path: "/LATEST/search-index", query, what: "managers" } as const;
  const { text } = await harness.client.ask(request, scope);
  const found = new Map<string, SecCompany>();
  for (const { _source: source } of parseAnswer("the SEC", Names, text).hits.hits) {
    const cik = toCik(source.ciks[0] ?? "");
    const name = toLine((source.display_names[0] ?? "").split("(CIK")[0] ?? "", 150);
    if (cik !== undefined && ` ${toWords(name)} `.includes(` ${words} `)) found.set(cik, { cik, name });
  }
  return [...found.values()];
}

/** The reports for one quarter, oldest first. */
function pickReports(
  recent: readonly Submission[],
  { quarter }: HoldingsQuery,
  manager: SecCompany,
): readonly [Submission, ...Submission[]] {
  const reports = recent.filter(({ form, reportDay }) => isForm(form, ["13F-HR"]) && reportDay !== undefined);
  const ends = [...new Set(reports.map(({ reportDay = "" }) => reportDay))].toSorted().toReversed();
  const asked = quarter === undefined ? ends[0] : toQuarterEnd(quarter);
  const [first, ...rest] = reports
    .filter(({ reportDay }) => asked !== undefined && reportDay === asked)
    .toSorted((a, b) => (a.filed < b.filed ? -1 : 1));
  if (first !== undefined) return [first, ...rest];
  const when = quarter === undefined ? "" : ` for ${toLine(quarter, 20)}`;
  const available = ends.length === 0 ? undefined : `quarters that end on ${ends.slice(0, 8).join(", ")}`;
  throw new MarketError("no_data", `${manager.name} has filed no 13F report${when}`, omitUndefined({ available }));
}

/** `2024Q3`, `Q3 2024`, `2024-09-30` or any day of the quarter; undefined for any other text. */
function toQuarterEnd(text: string): string | undefined {
  const plain = text.slice(0, 20).trim().toUpperCase();
  const match = /^(\d{4})[ -]?Q([1-4])$/.exec(plain) ?? /^Q([1-4])[ -]?(\d{4})$/.exec(plain);
  const [, one = "", other = ""] = match ?? [];
  const [year, quarter] = one.length === 4 ? [one, other] : [other, one];
  if (match !== null) return `${year}-${QUARTER_ENDS[Number(quarter) - 1] ?? "12-31"}`;
  const day = toDay(plain);
  return day === undefined
    ? undefined
    : `${day.slice(0, 4)}-${QUARTER_ENDS[Math.ceil(Number(day.slice(5, 7)) / 3) - 1] ?? "12-31"}`;
}

/** The positions that count after all amendments, and the reports they come from. */
async function readReports(harness: SecApi, reports: readonly Submission[], scope: Scope) {
  let rows: readonly ReportedHolding[] = [];
  let used: readonly Submission[] = [];
  for (const report of reports.slice(0, MAX_REPORTS)) {
    const table = await readTable(harness, report, scope);
    const isAdded = report.form.endsWith("/A") && (await amendmentOf(harness, report, scope)) === "NEW HOLDINGS";
    rows = isAdded ? [...rows, ...table] : table;
    used = isAdded ? [...used, report] : [report];
  }
  return { rows, used };
}

async function readTable(harness: SecApi, { cik, accession, filed }: Submission, scope: Scope) {
  const directory = toDirectory(cik, accession);
  const what = `13F table of ${accession}`;
  const index = await harness.client.ask({ host: "www", path: `${directory}/index.json`, what }, scope);
  const names = parseAnswer("the SEC", Listing13F, index.text).directory.item.map(({ name }) => name);
  const tables = names.filter((name) => /^[\w][\w. -]{0,150}\.xml$/i.test(name) && name.toLowerCase() !== COVER_PAGE);
  const name = tables.find((each) => each.toLowerCase().includes("table")) ?? tables[0];
  if (name === undefined) throw new MarketError("no_data", `the 13F report ${accession} has no table as data`);
  const request = { host: "www", path: `${directory}/${name}`, what, accepts: ["xml"], maxBytes: MAX_BYTES } as const;
  const { text } = await harness.client.ask(request, scope);
  return parseInfoTable(text, filed);
}

async function amendmentOf(harness: SecApi, { cik, accession }: Submission, scope: Scope): Promise<string | undefined> {
  const path = `${toDirectory(cik, accession)}/${COVER_PAGE}`;
  const what = `cover page of ${accession}`;
  const { text } = await harness.client.ask({ host: "www", path, what, accepts: ["xml"] }, scope);
  return textAt(parseXml(text), "formData/coverPage/amendmentInfo/amendmentType")?.toUpperCase();
}

type Found = Readonly<{ rows: readonly ReportedHolding[]; report: Submission; limit: number }>;

function toHoldings({ cik, name }: SecCompany, { rows, report, limit }: Found): Holdings {
  const totalValue = rows.reduce((sum, { value }) => sum + value, 0);
  const largest = rows.toSorted((a, b) => b.value - a.value).slice(0, limit);
  return {
    manager: name,
    cik,
    end: report.reportDay ?? report.filed,
    filed: report.filed,
    accession: report.accession,
    currency: "USD",
    totalValue,
    positions: rows.length,
    rows: largest.map((row) => (totalValue > 0 ? { ...row, weightPercent: (row.value / totalValue) * 100 } : row)),
  };
}
