/**
 * SEC API: what all capabilities of the SEC share: the client, the companies, their filings and their books.
 *
 * The books of a company come in one large answer; those of the companies asked for last are kept for a while, because
 * one question asks for several statements.
 */
import type { Scope } from "@baton/core/ports";
import type { Listing } from "../../port/listing.ts";
import { MarketError } from "../../port/market-error.ts";
import type { Provenance, Sourced } from "../../port/provenance.ts";
import { type AnswerOrigin, toSourced } from "../live-source.ts";
import { Companies, type CompaniesOptions, type SecCompany } from "./companies.ts";
import { fetchFacts } from "./statements/company-facts.ts";
import { type CompanyBooks, openBooks } from "./statements/company-statements.ts";
import { CONCEPTS } from "./statements/concept-lines.ts";
import { SecClient, type SecOptions } from "./sec-client.ts";
import { toLag } from "./statements/statement-notes.ts";
import { SubmissionLists, type Submissions } from "./submissions.ts";

const KEPT_MS = 900_000;
const MAX_KEPT = 8;

type Dated = Readonly<{ asOf?: string | undefined; note?: string | undefined; derivedFrom?: readonly string[] }>;

/** Books and where they came from. */
export type OpenBooks = Readonly<{
  books: CompanyBooks;
  company: SecCompany;
  origin: AnswerOrigin;
  lag: string | undefined;
}>;

/** One user of the SEC's services. */
export class SecApi {
  readonly client: SecClient;
  readonly companies: Companies;
  readonly submissions: SubmissionLists;
  readonly #books = new Map<string, Readonly<{ books: CompanyBooks; origin: AnswerOrigin }>>();

  constructor(options: SecOptions & CompaniesOptions) {
    this.client = new SecClient(options);
    this.companies = new Companies(this.client, options);
    this.submissions = new SubmissionLists(this.client);
  }

  /** The books of a listing's company. */
  async booksOf(listing: Listing, scope: Scope): Promise<OpenBooks> {
    const company = await this.companies.of(listing, scope);
    const { books, origin } = await this.#open(company.cik, scope);
    const { years, quarters } = books.calendar;
    const ends = [years[0]?.end, quarters[0]?.end].filter((end) => end !== undefined);
    if (ends.length === 0) {
      const message = `the filings of ${listing.symbol} (${company.name}) report no statements as data`;
      throw new MarketError("no_data", message, { symbol: listing.symbol });
    }
    const newest = new Date(Math.max(...ends) * 86_400_000).toISOString().slice(0, 10);
    return { books, company, origin, lag: await this.#lagOf(company, newest, scope) };
  }

  /** The filings of a listing's company. */
  async filingsOf(listing: Listing, scope: Scope): Promise<Submissions & Readonly<{ company: SecCompany }>> {
    const company = await this.companies.of(listing, scope);
    return { ...(await this.submissions.of(company.cik, scope)), company };
  }

  /** Data with its provenance. */
  sourced<T>(data: T, origin: AnswerOrigin, { asOf, note, derivedFrom = [] }: Dated): Sourced<T> {
    const { provenance } = toSourced(data, origin, { source: "sec", kind: "live", asOf, note });
    const whole: Provenance = { ...provenance, ...(derivedFrom.length === 0 ? {} : { derived_from: derivedFrom }) };
    return { data, provenance: whole };
  }

  async #open(cik: string, scope: Scope) {
    const kept = this.#books.get(cik);
    if (kept !== undefined && scope.clock.now() < kept.origin.fetchedAt + KEPT_MS) return kept;
    const facts = await fetchFacts({ client: this.client, concepts: CONCEPTS }, cik, scope);
    const opened = { books: openBooks(facts), origin: { url: facts.url, fetchedAt: facts.fetchedAt } };
    this.#books.delete(cik);
    this.#books.set(cik, opened);
    const [oldest] = this.#books.keys();
    if (this.#books.size > MAX_KEPT && oldest !== undefined) this.#books.delete(oldest);
    return opened;
  }

  /** Statements are useful even if the list of filings is not available. */
  async #lagOf({ cik }: SecCompany, newest: string, scope: Scope): Promise<string | undefined> {
    try {
      const { recent } = await this.submissions.of(cik, scope);
      return toLag(recent, newest);
    } catch (error) {
      if (!(error instanceof MarketError) || !scope.live) throw error;
      return "it is not known whether a newer report was filed";
    }
  }
}
