/**
 * SEC filings: what a company filed, sections of its reports, and a search over the text of all filings.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Filing, FilingHit, FilingSearchQuery, FilingSectionQuery } from "../../port/filings.ts";
import type { Listing } from "../../port/listing.ts";
import type { Capabilities } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { easternDay, toDay } from "../eastern.ts";
import type { HttpAnswer } from "../http/http-source.ts";
import { DayText, parseAnswer, Text, toLine } from "../rows.ts";
import { senderOf, toAccession, toCik, toDirectory } from "./cik.ts";
import { cutText } from "./documents/cut-text.ts";
import { findSections, pickSection, type FilingSection, toFormKind } from "./documents/filing-sections.ts";
import { toHtmlLines } from "./documents/html-lines.ts";
import type { SecApi } from "./sec-api.ts";
import { parseSection } from "./documents/section-name.ts";
import { isForm, type Submission } from "./submissions.ts";

type FilingsQuery = Readonly<{ listing: Listing; forms: readonly string[]; from?: string; to?: string; limit: number }>;

const MAX_OLDER_FILES = 6;
const MAX_DOCUMENT_BYTES = 32_000_000;
const PAGE = 100;
const MAX_HITS = 10_000;
const MAX_QUERY = 500;
const FIRST_DAY = "2001-01-01";
/** Words on the cover of every report. */
const COVER = "securities and exchange commission";
const COVER_CHARS = 20_000;

const SearchAnswer = z.looseObject({
  hits: z.looseObject({
    total: z.looseObject({ value: z.number(), relation: Text }),
    hits: z.array(
      z.looseObject({
        _id: z.string(),
        _source: z.looseObject({
          display_names: z.array(z.string()).default([]),
          ciks: z.array(z.string()).default([]),
          form: Text,
          file_type: Text,
          file_date: DayText,
          period_ending: DayText,
          adsh: Text,
        }),
      }),
    ),
  }),
});
type Hit = z.infer<typeof SearchAnswer>["hits"]["hits"][number];

/** Filings from the SEC. */
export function secFilings(harness: SecApi): Pick<Capabilities, "filings" | "filingSection" | "filingSearch"> {
  return {
    filings: async (query, scope) => {
      const { found, origin } = await listFilings(harness, query, scope);
      return harness.sourced(found.map(toFiling), origin, {});
    },
    filingSection: async (query, scope) => readSection(harness, query, scope),
    filingSearch: async (query, scope) => askFilingSearch(harness, query, scope),
  };
}

/** The newest filings of some forms, with older lists if they are needed. */
async function listFilings(harness: SecApi, query: FilingsQuery, scope: Scope) {
  const { listing, forms, from = "", to = "9999", limit } = query;
  const { company, recent, older, url, fetchedAt } = await harness.filingsOf(listing, scope);
  const fits = ({ form, filed }: Submission) => isForm(form, forms) && filed >= from && filed <= to;
  const found = recent.filter(fits);
  const files = older.toSorted((a, b) => (a.to < b.to ? 1 : -1)).filter((file) => file.to >= from && file.from <= to);
  for (const file of files.slice(0, MAX_OLDER_FILES)) {
    if (found.length >= limit) break;
    found.push(...(await harness.submissions.older(company.cik, file, scope)).filter(fits));
  }
  if (found.length === 0) {
    const span = query.from === undefined && query.to === undefined ? "" : " in these days";
    const what = forms.length === 0 ? "anything" : forms.join(", ").slice(0, 100);
    const known = [...new Set(recent.map(({ form }) => form))].slice(0, 12).join(", ");
    const message = `${listing.symbol} (${company.name}) did not file ${what}${span}`;
    const available = known === "" ? undefined : `forms ${known}`;
    throw new MarketError("no_data", message, { symbol: listing.symbol, ...omitUndefined({ available }) });
  }
  return { found: found.slice(0, limit), origin: { url, fetchedAt } };
}

const toFiling = (submission: Submission): Filing => {
  const { form, filed, accession, title, url, reportDay, acceptedAt, items } = submission;
  return { form, filed, accession, ...omitUndefined({ title, url, reportDay, acceptedAt, items }) };
};

async function readSection(harness: SecApi, query: FilingSectionQuery, scope: Scope) {
  const submission = await findSubmission(harness, query, scope);
  const { form, accession } = submission;
  const kind = toFormKind(form);
  const answer = await fetchDocument(harness, submission, scope);
  const sections = findSections(toLines(answer), kind);
  const asked = parseSection(query.section, kind);
  const section = asked === undefined ? undefined : pickSection(sections, asked);
  if (section === undefined) throw toMissing(submission, query.section, sections);
  const { url, fetchedAt } = answer;
  const text = cutText(section.text, Math.max(1, query.maxChars));
  const data = {
    ...toFiling(submission),
    accession,
    section: toName(section),
    heading: section.heading,
    text,
    isCut: text.length < section.text.length,
    totalChars: section.text.length,
  };
  return harness.sourced(data, { url, fetchedAt }, { asOf: `${submission.filed}T00:00:00Z` });
}

const toName = ({ item, part }: FilingSection): string => (part === undefined ? item : `part ${part} item ${item}`);

function toMissing({ form, accession }: Submission, asked: string, sections: readonly FilingSection[]): MarketError {
  const known = sections.map(toName).join(", ");
  const available = known === "" ? undefined : `sections ${known}`;
  const message = `the ${form} ${accession} has no section "${toLine(asked, 40)}"`;
  return new MarketError("no_data", message, omitUndefined({ available }));
}

/** The filing of an accession number: the sender's own, the listing's, or one that was seen before. */
async function findSubmission(harness: SecApi, query: FilingSectionQuery, scope: Scope): Promise<Submission> {
  const accession = toAccession(query.accession);
  if (accession === undefined) {
    const message = `"${toLine(query.accession, 40)}" is not an accession number such as 0000320193-24-000123`;
    throw new MarketError("no_data", message);
  }
  const seen = harness.submissions.filerOf(accession);
  const own = query.listing === undefined ? undefined : (await harness.companies.of(query.listing, scope)).cik;
  const ciks = new Set([seen, own, senderOf(accession)].filter((cik) => cik !== undefined));
  for (const cik of ciks) {
    const found = await findIn(harness, { cik, accession }, scope);
    if (found !== undefined) return found;
  }
  const hint = query.listing === undefined ? ": list the filings of its company first" : "";
  throw new MarketError("no_data", `the SEC's lists have no filing ${accession}${hint}`);
}

type Wanted = Readonly<{ cik: string; accession: string }>;

async function findIn(harness: SecApi, { cik, accession }: Wanted, scope: Scope): Promise<Submission | undefined> {
  try {
    const { recent, older } = await harness.submissions.of(cik, scope);
    const here = recent.find((each) => each.accession === accession);
    if (here !== undefined) return here;
    const year = Number(accession.slice(11, 13));
    const years = [`20${accession.slice(11, 13)}`, year > 90 ? `19${year}` : ""];
    const files = older.filter(({ from, to }) =>
      years.some((each) => from.slice(0, 4) <= each && each <= to.slice(0, 4)),
    );
    for (const file of files.slice(0, MAX_OLDER_FILES)) {
      const rows = await harness.submissions.older(cik, file, scope);
      const found = rows.find((each) => each.accession === accession);
      if (found !== undefined) return found;
    }
  } catch (error) {
    // An agent that sends filings for others has no list of its own.
    if (!(error instanceof MarketError) || error.kind !== "no_data") throw error;
  }
  return undefined;
}

async function fetchDocument(harness: SecApi, submission: Submission, scope: Scope): Promise<HttpAnswer> {
  const { cik, accession, form, document } = submission;
  if (document === undefined) throw new MarketError("no_data", `the ${form} ${accession} has no main document`);
  const path = `${toDirectory(cik, accession)}/${document}`;
  const what = `document ${document} of ${accession}`;
  const answer = await harness.client.ask(
    { host: "www", path, what, accepts: ["html", "text", "xml"], maxBytes: MAX_DOCUMENT_BYTES },
    scope,
  );
  return answer;
}

/** The lines of a report; a page that is not a report, such as one about maintenance, is an error. */
function toLines({ kind, text }: HttpAnswer): readonly string[] {
  const plain = () => text.split("\n").flatMap((line) => line.split(/\s+/).filter(Boolean).join(" ") || []);
  const lines = kind === "text" && !text.slice(0, 5_000).toLowerCase().includes("<html") ? plain() : toHtmlLines(text);
  let cover = "";
  for (const line of lines) {
    if (cover.length > COVER_CHARS) break;
    cover += `${line.toLowerCase()} `;
  }
  const isReport = cover.includes(COVER) && !text.slice(0, 3_000).toLowerCase().includes("<title>sec.gov |");
  if (!isReport) throw new MarketError("upstream", "the SEC answered with a page that is not the report");
  return lines;
}

async function askFilingSearch(harness: SecApi, query: FilingSearchQuery, scope: Scope) {
  const { limit, offset = 0 } = query;
  if (offset + limit > MAX_HITS) {
    const message = `the SEC's search shows the first ${MAX_HITS} filings; narrow it by form, day or company`;
    throw new MarketError("no_data", message, { available: `filings 1 to ${MAX_HITS}` });
  }
  const ciks = await Promise.all(query.listings.map((listing) => harness.companies.of(listing, scope)));
  const parameters = {
    q: query.query.slice(0, MAX_QUERY),
    forms: query.forms.length === 0 ? undefined : query.forms.join(","),
    ciks: ciks.length === 0 ? undefined : [...new Set(ciks.map(({ cik }) => cik))].join(","),
    ...toDays(query, easternDay(scope.clock.now())),
    from: offset - (offset % PAGE),
    size: PAGE,
  };
  const request = { host: "search", path: "/LATEST/search-index", query: parameters, what: "such filings" } as const;
  const { text, url, fetchedAt } = await harness.client.ask(request, scope);
  const { total, hits } = parseAnswer("the SEC", SearchAnswer, text).hits;
  const found = hits.flatMap((hit) => toHit(harness, hit)).slice(offset % PAGE, (offset % PAGE) + limit);
  if (found.length === 0) {
    throw new MarketError("no_data", `no filing has "${toLine(query.query, 80)}" with these conditions`);
  }
  const isCapped = total.relation === "gte" || total.value >= MAX_HITS;
  const note = isCapped ? `there are ${MAX_HITS} filings or more; the search counts no further` : undefined;
  return harness.sourced({ total: total.value, isCapped, hits: found }, { url, fetchedAt }, { note });
}

/** The search wants both days or none. */
function toDays({ from, to }: FilingSearchQuery, today: string) {
  if (from === undefined && to === undefined) return {};
  return { dateRange: "custom", startdt: from ?? FIRST_DAY, enddt: to ?? today };
}

function toHit(harness: SecApi, { _id: id, _source: source }: Hit): readonly FilingHit[] {
  const [before = "", document = ""] = id.split(":");
  const accession = toAccession(source.adsh ?? before);
  const cik = toCik(source.ciks[0] ?? "");
  const form = source.form ?? source.file_type;
  const filed = toDay(source.file_date);
  if (accession === undefined || cik === undefined || form === undefined || filed === undefined) return [];
  harness.submissions.note(accession, cik);
  const company = toLine((source.display_names[0] ?? "").split("(CIK")[0] ?? "", 150);
  const isPlain = /^[\w][\w. -]{0,150}(?:\/[\w][\w. -]{0,150})?$/.test(document);
  const url = isPlain ? harness.client.linkTo(`${toDirectory(cik, accession)}/${document}`) : undefined;
  const rest = { url, reportDay: source.period_ending };
  return [{ form: toLine(form, 20), filed, accession, company, cik, ...omitUndefined(rest) }];
}
