/**
 * Submissions: the filings of a company, newest first, read from the SEC's parallel arrays.
 *
 * A row is one index of all arrays; an empty text is a value that is absent there and shifts nothing. What is older
 * than the newest thousand stands in files of its own, which are fetched only if they are needed.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Filing } from "../../port/filings.ts";
import { MarketError } from "../../port/market-error.ts";
import { toDay } from "../eastern.ts";
import { parseAnswer, toLine } from "../rows.ts";
import { Cik, toAccession, toDirectory } from "./cik.ts";
import type { SecClient } from "./sec-client.ts";

/** A filing and where its main document is. */
export interface Submission extends Filing {
  readonly cik: string;
  /** The path of the main document below the filing's directory. */
  readonly document?: string;
}

/** A company's filings at the SEC. */
export interface Submissions {
  readonly name: string;
  /** Newest first. */
  readonly recent: readonly Submission[];
  readonly older: readonly OlderFile[];
  readonly url: string;
  readonly fetchedAt: number;
}

/** Filings of a span of days. */
export type OlderFile = Readonly<{ name: string; from: string; to: string }>;

const Column = z.array(z.union([z.string(), z.number()]).nullable()).default([]);
const Columns = z.looseObject({
  accessionNumber: z.array(z.string()),
  filingDate: Column,
  reportDate: Column,
  acceptanceDateTime: Column,
  form: Column,
  items: Column,
  primaryDocument: Column,
  primaryDocDescription: Column,
});
type Columns = z.infer<typeof Columns>;

const Answer = z.looseObject({
  cik: Cik,
  name: z.string(),
  filings: z.looseObject({
    recent: Columns,
    files: z.array(z.looseObject({ name: z.string(), filingFrom: z.string(), filingTo: z.string() })).default([]),
  }),
});

const KEPT_MS = 60_000;
const MAX_KEPT = 50;
const MAX_FILERS = 20_000;
const MAX_TITLE = 200;

/** The SEC's lists of filings; one is kept for a minute, because several questions need it at once. */
export class SubmissionLists {
  readonly #client: SecClient;
  readonly #kept = new Map<string, Submissions>();
  readonly #filers = new Map<string, string>();

  constructor(client: SecClient) {
    this.#client = client;
  }

  async of(cik: string, scope: Scope): Promise<Submissions> {
    const now = scope.clock.now();
    const kept = this.#kept.get(cik);
    if (kept !== undefined && now < kept.fetchedAt + KEPT_MS) return kept;
    const request = { host: "data", path: `/submissions/CIK${cik}.json`, what: `filings of CIK ${cik}` } as const;
    const { text, url, fetchedAt } = await this.#client.ask(request, scope);
    const answer = parseAnswer("the SEC", Answer, text);
    if (answer.cik !== cik) throw new MarketError("upstream", "the SEC answered with filings of another company");
    const { recent, files } = answer.filings;
    const found: Submissions = {
      name: toLine(answer.name, MAX_TITLE),
      recent: this.#toRows(cik, recent),
      older: files.flatMap(({ name, filingFrom: from, filingTo: to }) =>
        isFileOf(cik, name) ? [{ name, from, to }] : [],
      ),
      url,
      fetchedAt,
    };
    this.#kept.delete(cik);
    this.#kept.set(cik, found);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return found;
  }

  /** Remembers whose a filing is; its accession number does not say that. */
  note(accession: string, cik: string): void {
    this.#filers.delete(accession);
    this.#filers.set(accession, cik);
    const [oldest] = this.#filers.keys();
    if (this.#filers.size > MAX_FILERS && oldest !== undefined) this.#filers.delete(oldest);
  }

  /** Returns the filer of a filing that was seen before. */
  filerOf(accession: string): string | undefined {
    return this.#filers.get(accession);
  }

  /** The filings of an older file. */
  async older(cik: string, { name }: OlderFile, scope: Scope): Promise<readonly Submission[]> {
    const request = { host: "data", path: `/submissions/${name}`, what: "older filings" } as const;
    const { text } = await this.#client.ask(request, scope);
    return this.#toRows(cik, parseAnswer("the SEC", Columns, text));
  }

  #toRows(cik: string, columns: Columns): readonly Submission[] {
    const rows = columns.accessionNumber.flatMap((text, at): Submission[] => {
      const read = (column: z.infer<typeof Column>): string | undefined => {
        const value = column[at];
        return value === undefined || value === null || value === "" ? undefined : `${value}`;
      };
      const accession = toAccession(text);
      const filed = toDay(read(columns.filingDate));
      const form = read(columns.form);
      if (accession === undefined || filed === undefined || form === undefined) return [];
      this.note(accession, cik);
      const document = toDocument(read(columns.primaryDocument));
      const title = read(columns.primaryDocDescription);
      const url =
        document === undefined ? undefined : this.#client.linkTo(`${toDirectory(cik, accession)}/${document}`);
      const rest = {
        title: title === undefined ? undefined : toLine(title, MAX_TITLE),
        url,
        reportDay: toDay(read(columns.reportDate)),
        acceptedAt: toAccepted(read(columns.acceptanceDateTime)),
        items: toItems(read(columns.items)),
        document,
      };
      return [{ cik, form, filed, accession, ...omitUndefined(rest) }];
    });
    return rows.toSorted((a, b) => (a.filed === b.filed ? 0 : a.filed < b.filed ? 1 : -1));
  }
}

/** Whether a form is one of those asked for, or an amendment of one; none asked for means all. */
export function isForm(form: string, forms: readonly string[]): boolean {
  const plain = toForm(form).replace(/\/A$/, "");
  return forms.length === 0 || forms.some((asked) => toForm(asked) === toForm(form) || toForm(asked) === plain);
}

const toForm = (text: string): string => text.trim().toUpperCase();

/** A path of at most two plain names, else undefined. */
function toDocument(text: string | undefined): string | undefined {
  const names = text?.split("/") ?? [];
  const isPlain = names.length <= 2 && names.every((name) => /^[\w][\w. -]{0,150}$/.test(name));
  return isPlain ? text : undefined;
}

function toItems(text: string | undefined): readonly string[] | undefined {
  const items = text?.split(",").map((item) => item.trim().slice(0, 10));
  const known = items?.filter((item) => /^\d{1,2}(?:\.\d{2})?$/.test(item)) ?? [];
  return known.length === 0 ? undefined : known;
}

function toAccepted(text: string | undefined): string | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text.slice(0, 40));
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

const isFileOf = (cik: string, name: string): boolean =>
  name.startsWith(`CIK${cik}-submissions-`) && /^CIK\d{10}-submissions-\d{3}\.json$/.test(name);
