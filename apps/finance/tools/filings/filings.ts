/**
 * Filing tools: what a company filed with the SEC, and which filings speak of something. Titles and names in them are
 * untrusted text, links are shown and not followed, and none of their numbers is a figure.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Filing, FilingHit } from "../../market/port/filings.ts";
import type { Day as DayText } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day, isOrdered, limitOf, ORDERED, Symbol } from "../frame/arguments.ts";
import { toForm, toFormName, toItemTitle } from "./filing-words.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { requireFiler } from "./require-filer.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES } from "../frame/require-listing.ts";
import { toSafeMoment, toSafeText, toSafeUrl } from "../shared/untrusted.ts";

const TTL_MS = 15 * 60_000;
const MAX_ROWS = 100;
const MAX_FORMS = 20;
const MAX_SYMBOLS = 10;
const MAX_TITLE = 200;
const MAX_COMPANY = 120;

/** A filing as results show it. */
export interface ShownFiling {
  readonly form: string;
  /** Common name of the form, such as `annual report`. */
  readonly form_name?: string;
  readonly filed: DayText;
  /** The end of the period it reports on. */
  readonly report_date?: DayText;
  readonly accepted_at?: string;
  readonly accession: string;
  readonly title?: string;
  /** Of an 8-K. */
  readonly items?: readonly Readonly<{ item: string; title?: string }>[];
  readonly url?: string;
}

/** A filing with its words made safe. */
export function toShownFiling(filing: Filing): ShownFiling {
  const { form, filed, accession, title, url, reportDay, acceptedAt, items } = filing;
  const shown = toSafeText(form, 20);
  const words = toSafeText(title ?? "", MAX_TITLE);
  return {
    form: shown,
    ...omitUndefined({ form_name: toFormName(shown) }),
    filed,
    ...omitUndefined({ report_date: toSafeMoment(reportDay), accepted_at: toSafeMoment(acceptedAt) }),
    accession,
    ...(words === "" || words === shown ? {} : { title: words }),
    ...omitUndefined({
      items: items?.map((item) => ({ item: toSafeText(item, 10), ...omitUndefined({ title: toItemTitle(item) }) })),
      url: toSafeUrl(url),
    }),
  };
}

const Forms = z.array(z.string().trim().min(1).max(40)).max(MAX_FORMS);

/** Each form once, as the SEC writes it. */
const toForms = (texts: readonly string[]): readonly string[] => [...new Set(texts.map(toForm))];

type Window = Readonly<{ from?: DayText | undefined; to?: DayText | undefined }>;
type FilingsInput = Window & Readonly<{ symbol: string; forms: readonly string[]; limit: number }>;

interface Filings extends ListingIdentity {
  readonly forms: readonly string[];
  readonly from?: DayText;
  readonly to?: DayText;
  readonly count: number;
  /** Newest first. */
  readonly filings: readonly ShownFiling[];
}

/** Lists the filings of a company. */
export const filingsTool = defineMarketTool<FilingsInput, Filings>({
  name: "getFilings",
  category: "beyond",
  asks: "filings",
  description:
    "Filings of one American company with the SEC, newest first: form, day, period, accession number and link.",
  says: `SEC filings of a company; latest 10-K annual report; 10-Q quarterly report filed;
    recent 8-K current reports; what did the company file with the SEC; EDGAR documents;
    proxy statement DEF 14A; hồ sơ nộp SEC của công ty; báo cáo thường niên 10-K mới nhất;
    công bố thông tin bất thường 8-K; công ty đã nộp báo cáo gì; documents a company sent to the regulator;
    annual and quarterly reports list; báo cáo đã nộp lên SEC`,
  input: z
    .strictObject({
      symbol: Symbol,
      forms: Forms.default(["10-K", "10-Q", "8-K"]).describe(
        "Forms such as 10-K, 10-Q, 8-K, DEF 14A, 20-F, 4; an empty list means all; amendments are included",
      ),
      from: Day.optional().describe("First day of filing, YYYY-MM-DD"),
      to: Day.optional().describe("Last day of filing, YYYY-MM-DD"),
      limit: limitOf(10, MAX_ROWS),
    })
    .refine(isOrdered, ORDERED),
  ttlMs: TTL_MS,
  run: async ({ symbol, forms: texts, from, to, limit }, { market, context: { scope } }) => {
    const forms = toForms(texts);
    const listing = requireListing(market, symbol, SECURITIES);
    requireFiler(listing);
    const window = omitUndefined({ from, to });
    const { data, provenance } = await market.filings({ listing, forms, ...window, limit }, scope);
    const filings = data.slice(0, limit).map(toShownFiling);
    if (filings.length === 0) {
      const message = `${listing.symbol} (${listing.name}) filed nothing of this kind`;
      throw new MarketError("no_data", message, { symbol: listing.symbol });
    }
    return { data: { ...identify(listing), forms, ...window, count: filings.length, filings }, provenance };
  },
  figures: () => [],
  describe: ({ filings }) => filings.map(toFilingLine),
});

type SearchInput = Window &
  Readonly<{ query: string; forms: readonly string[]; symbols: readonly string[]; limit: number }>;

type ShownHit = ShownFiling & Readonly<{ company: string; cik: string }>;

interface Hits {
  readonly query: string;
  readonly forms: readonly string[];
  readonly symbols: readonly string[];
  readonly from?: DayText;
  readonly to?: DayText;
  readonly total: number;
  /** There are at least `total`. */
  readonly is_capped: boolean;
  readonly count: number;
  readonly hits: readonly ShownHit[];
}

/** Search over the text of filings. */
export const searchFilingsTool = defineMarketTool<SearchInput, Hits>({
  name: "searchFilings",
  category: "beyond",
  asks: "filingSearch",
  description:
    "Searches the full text of SEC filings since 2001, of all companies or some. Put an exact phrase in quotation marks.",
  says: `search the text of SEC filings; which companies mention something in their filings;
    full text search in EDGAR; find 10-K reports that mention a phrase;
    companies that disclosed a cyber attack in an 8-K; tìm trong toàn văn hồ sơ SEC;
    công ty nào nhắc đến trong báo cáo thường niên; tìm kiếm cụm từ trong báo cáo nộp SEC;
    who talks about a topic in official reports; companies that mention a word; hồ sơ nào có nhắc đến`,
  input: z
    .strictObject({
      query: z.string().trim().min(1).max(400).describe('Words to search for; "…" for an exact phrase'),
      forms: Forms.default([]).describe("Only these forms, such as 10-K or 8-K; all if empty"),
      from: Day.optional().describe("First day of filing, YYYY-MM-DD"),
      to: Day.optional().describe("Last day of filing, YYYY-MM-DD"),
      symbols: z.array(Symbol).max(MAX_SYMBOLS).default([]).describe("Only filings of these companies; all if empty"),
      limit: limitOf(10, MAX_ROWS),
    })
    .refine(isOrdered, ORDERED),
  ttlMs: TTL_MS,
  run: async ({ query, forms: texts, from, to, symbols, limit }, { market, context: { scope } }) => {
    const forms = toForms(texts);
    const listings = symbols.map((symbol) => requireListing(market, symbol, SECURITIES));
    listings.forEach(requireFiler);
    const window = omitUndefined({ from, to });
    const asked = { query, forms, ...window, listings, limit };
    const { data, provenance } = await market.filingSearch(asked, scope);
    const hits = data.hits.slice(0, limit).map(toShownHit);
    const shown = toSafeText(query, MAX_TITLE);
    if (hits.length === 0) throw new MarketError("no_data", `no filing has "${shown}"`);
    const of = listings.map(({ symbol }) => symbol);
    const { total, isCapped: is_capped } = data;
    const head = { query: shown, forms, symbols: of, ...window };
    return { data: { ...head, total, is_capped, count: hits.length, hits }, provenance };
  },
  figures: () => [],
  describe: ({ total, is_capped, hits }) => [
    `${is_capped ? "at least " : ""}${total} filings found`,
    ...hits.map((hit) => `${hit.company}: ${toFilingLine(hit)}`),
  ],
});

function toShownHit({ company, cik, ...filing }: FilingHit): ShownHit {
  return { company: toSafeText(company, MAX_COMPANY), cik: toSafeText(cik, 10), ...toShownFiling(filing) };
}

/** One line of a list of filings. */
export function toFilingLine({ form, form_name, filed, report_date, accession, items = [], url }: ShownFiling): string {
  return [
    `${filed} ${form}${form_name === undefined ? "" : ` (${form_name})`}`,
    ...(report_date === undefined ? [] : [`for ${report_date}`]),
    ...items.map(({ item, title }) => (title === undefined ? item : `${item} ${title}`)),
    accession,
    ...(url === undefined ? [] : [`<${url}>`]),
  ].join(", ");
}
