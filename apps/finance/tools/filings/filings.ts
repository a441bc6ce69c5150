/**
 * Filing tools: what a company filed with the SEC, and which filings speak of something. Titles and names in them are
 * untrusted text, links are shown and not followed, and none of their numbers is a figure.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Filing, FilingHit } from "../../market/port/filings.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day, isOrdered, limitOf, ORDERED, Symbol } from "../frame/arguments.ts";
import { toForm, toFormName, toItemTitle } from "./filing-words.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { requireFiler } from "./require-filer.ts";
import { identify, requireListing, SECURITIES } from "../frame/require-listing.ts";
import { toSafeMoment, toSafeText, toSafeUrl } from "../shared/untrusted.ts";

const TTL_MS = 15 * 60_000;
const MAX_ROWS = 100;
const MAX_FORMS = 20;
const MAX_SYMBOLS = 10;
const MAX_TITLE = 200;
const MAX_COMPANY = 120;

/** A filing as results show it; `items` are of an 8-K. */
export type ShownFiling = ReturnType<typeof toShownFiling>;

/** A filing with its words made safe. */
export function toShownFiling(filing: Filing) {
  const { form, filed, accession, title, url, reportDay, acceptedAt, items } = filing;
  const shown = toSafeText(form, 20);
  const words = toSafeText(title ?? "", MAX_TITLE);
  return {
    form: shown,
    ...omitUndefined({ form_name: toFormName(shown) }),
    filed,
    ...omitUndefined({ report_date: toSafeMoment(reportDay), accepted_at: toSafeMoment(acceptedAt) }),
    accession,
    ...omitUndefined({
      title: words === "" || words === shown ? undefined : words,
      items: items?.map((item) => ({ item: toSafeText(item, 10), ...omitUndefined({ title: toItemTitle(item) }) })),
      url: toSafeUrl(url),
    }),
  };
}

const Forms = z.array(z.string().trim().min(1).max(40)).max(MAX_FORMS);

/** Each form once, as the SEC writes it. */
const toForms = (texts: readonly string[]): readonly string[] => [...new Set(texts.map(toForm))];

/** Lists the filings of a company. */
export const filingsTool = defineMarketTool({
  name: "getFilings",
  category: "beyond",
  asks: "filings",
  description:
    "Filings of one American company with the SEC, newest first: form, day, period, accession number and link.",
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

/** Search over the text of filings. */
export const searchFilingsTool = defineMarketTool({
  name: "searchFilings",
  category: "beyond",
  asks: "filingSearch",
  description:
    "Searches the full text of SEC filings since 2001, of all companies or some. Put an exact phrase in quotation marks.",
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

function toShownHit({ company, cik, ...filing }: FilingHit) {
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
