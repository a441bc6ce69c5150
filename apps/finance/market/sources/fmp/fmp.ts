/**
 * FMP: Financial Modeling Prep as a source of prices, statements, news and lists, for an account with a key.
 */
import { type FmpSourceOptions, toAccount } from "./fmp-account.ts";
import { fmpLists } from "./fmp-lists.ts";
import { fmpNews } from "./fmp-news.ts";
import { fmpPrices } from "./fmp-prices.ts";
import { fmpStatements } from "./fmp-statements.ts";
import type { LiveSource } from "../live-source.ts";

/** The source for an account. */
export function fmpSource(options: FmpSourceOptions): LiveSource {
  const account = toAccount(options);
  return {
    name: "fmp",
    stats: (now) => account.client.stats(now),
    ...fmpPrices(account),
    ...fmpStatements(account),
    ...fmpNews(account),
    ...fmpLists(account),
  };
}
