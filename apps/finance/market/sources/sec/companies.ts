/**
 * Companies: which CIK belongs to a listing. The list of the SEC is fetched once a day.
 *
 * Several symbols may share one CIK, such as GOOGL and GOOG: they are one company with one set of statements.
 */
import type { Clock, Scope } from "@baton/core/ports";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import { MarketError } from "../../port/market-error.ts";
import { isUsExchange } from "../live-source.ts";
import { parseAnswer, toLine } from "../rows.ts";
import { Cik } from "./cik.ts";
import type { SecClient } from "./sec-client.ts";

/** A company that files with the SEC. */
export interface SecCompany {
  /** Ten digits. */
  readonly cik: string;
  readonly name: string;
}

const Tickers = z.record(z.string(), z.looseObject({ cik_str: Cik, ticker: z.string(), title: z.string() }));

const DAY_MS = 86_400_000;
const MAX_NAME = 150;

type Known = Readonly<{ bySymbol: ReadonlyMap<string, SecCompany>; until: number }>;

/** Callbacks for others who need the list. */
export interface CompaniesOptions {
  /** Is given the list by ticker each time it was fetched, the largest company first. */
  readonly onCompanies?: (companies: ReadonlyMap<string, SecCompany>, clock: Clock) => Promise<void>;
}

/** The SEC's list of tickers. */
export class Companies {
  readonly #client: SecClient;
  readonly #options: CompaniesOptions;
  #known: Known | undefined;

  constructor(client: SecClient, options: CompaniesOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** Fetches the list if it is not known yet, or too old. */
  async load(scope: Scope): Promise<void> {
    await this.#load(scope);
  }

  /** The company of a listing, or `no_data` if it does not file with the SEC. */
  async of(listing: Listing, scope: Scope): Promise<SecCompany> {
    const { symbol, name, exchange, type } = listing;
    const isHere = isUsExchange(exchange) && (type === "stock" || type === "etf");
    const company = isHere ? await this.bySymbol(symbol, scope) : undefined;
    if (company !== undefined) return company;
    const details = isHere ? { symbol } : { symbol, isOutside: true as const };
    throw new MarketError("no_data", `${symbol} (${name}) is not in the SEC's list of companies`, details);
  }

  /** The company with a ticker in any spelling of its class: BRK-B, BRK.B, BRK/B. */
  async bySymbol(symbol: string, scope: Scope): Promise<SecCompany | undefined> {
    return (await this.#load(scope)).get(toKey(symbol));
  }

  /** Companies whose name begins with these words, each once. */
  async byName(name: string, scope: Scope): Promise<readonly SecCompany[]> {
    const words = toWords(name);
    const found = new Map<string, SecCompany>();
    for (const company of (await this.#load(scope)).values()) {
      if (words !== "" && `${toWords(company.name)} `.startsWith(`${words} `)) found.set(company.cik, company);
    }
    return [...found.values()];
  }

  async #load(scope: Scope): Promise<ReadonlyMap<string, SecCompany>> {
    const now = scope.clock.now();
    if (this.#known !== undefined && now < this.#known.until) return this.#known.bySymbol;
    const request = { host: "www", path: "/files/company_tickers.json", what: "list of companies" } as const;
    const { text } = await this.#client.ask(request, scope);
    const bySymbol = new Map<string, SecCompany>();
    for (const { cik_str: cik, ticker, title } of Object.values(parseAnswer("the SEC", Tickers, text))) {
      bySymbol.set(toKey(ticker), { cik, name: toLine(title, MAX_NAME) });
    }
    if (bySymbol.size === 0) throw new MarketError("upstream", "the SEC answered with an empty list of companies");
    this.#known = { bySymbol, until: now + DAY_MS };
    await this.#options.onCompanies?.(bySymbol, scope.clock);
    return bySymbol;
  }
}

const toKey = (symbol: string): string => symbol.trim().toUpperCase().replaceAll(".", "-").replaceAll("/", "-");

/** A name as lower-case words without punctuation, for comparison. */
export function toWords(name: string): string {
  const plain = Array.from(name.slice(0, MAX_NAME).toLowerCase(), (sign) => (isWordSign(sign) ? sign : " ")).join("");
  return plain.split(" ").filter(Boolean).join(" ");
}

const isWordSign = (sign: string): boolean =>
  (sign >= "a" && sign <= "z") || (sign >= "0" && sign <= "9") || sign > "\u007F";
