/**
 * SEC: the EDGAR system of the US Securities and Exchange Commission as a source of statements and filings. It needs no
 * key, but a contact.
 */
import type { Scope } from "@baton/core/ports";
import type { Directory } from "../../port/listing.ts";
import type { LiveSource } from "../live-source.ts";
import type { CompaniesOptions } from "./companies.ts";
import type { SecOptions } from "./sec-client.ts";
import { SecApi } from "./sec-api.ts";
import { secFilings } from "./sec-filings.ts";
import { secHoldings } from "./sec-holdings.ts";
import { secInsiders } from "./sec-insiders.ts";
import { secNews } from "./sec-news.ts";
import { secStatements } from "./statements/sec-statements.ts";

/** Connection to the SEC, and the listings known beside it. */
export interface SecSourceOptions extends SecOptions, CompaniesOptions {
  /** Finds a manager of funds by its ticker in any spelling. */
  readonly directory?: Pick<Directory, "get">;
}

/** The SEC, and a way to have its list of companies fetched before anything is asked. */
export interface SecSource extends LiveSource {
  readonly loadCompanies: (scope: Scope) => Promise<void>;
}

/** The source for a contact. */
export function secSource(options: SecSourceOptions): SecSource {
  const harness = new SecApi(options);
  return {
    loadCompanies: (scope) => harness.companies.load(scope),
    name: "sec",
    stats: (now) => harness.client.stats(now),
    ...secStatements(harness),
    ...secFilings(harness),
    ...secNews(harness),
    ...secInsiders(harness),
    ...secHoldings({ harness, directory: options.directory }),
  };
}
