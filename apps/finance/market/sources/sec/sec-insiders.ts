/**
 * SEC insiders: what directors, officers and large owners of a company bought, sold or were granted, from Forms 4.
 *
 * A company's list also has forms about shares of others that it holds itself; those are left out.
 */
import type { Scope } from "@baton/core/ports";
import type { InsiderTrade } from "../../port/filings.ts";
import type { Capabilities } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { toDirectory } from "./cik.ts";
import { parseForm4 } from "./documents/form4.ts";
import type { SecApi } from "./sec-api.ts";
import { isForm, type Submission } from "./submissions.ts";

const MAX_DOCUMENTS = 40;
const AT_ONCE = 5;

/** Insiders' trades from the SEC. */
export function secInsiders(harness: SecApi): Pick<Capabilities, "insiderTrades"> {
  return {
    insiderTrades: async ({ listing, limit }, scope) => {
      const { company, recent, url, fetchedAt } = await harness.filingsOf(listing, scope);
      const forms = recent.filter(({ form }) => isForm(form, ["4"])).slice(0, MAX_DOCUMENTS);
      const { trades, failures } = await readTrades({ harness, forms, limit, cik: company.cik }, scope);
      const [failed] = failures;
      if (trades.length === 0 && failed !== undefined) throw failed;
      if (trades.length === 0) {
        const { symbol } = listing;
        throw new MarketError("no_data", `no trades of insiders of ${symbol} (${company.name}) are listed`, { symbol });
      }
      const newest = trades.toSorted((a, b) => (a.filed === b.filed ? 0 : a.filed < b.filed ? 1 : -1)).slice(0, limit);
      const note = failures.length === 0 ? undefined : `${failures.length} of the Forms 4 could not be read`;
      return harness.sourced(newest, { url, fetchedAt }, { asOf: `${newest[0]?.filed ?? ""}T00:00:00Z`, note });
    },
  };
}

type Reading = Readonly<{ harness: SecApi; forms: readonly Submission[]; limit: number; cik: string }>;

/** Reads forms, the newest first, until there are enough trades. */
async function readTrades({ harness, forms, limit, cik }: Reading, scope: Scope) {
  const trades: InsiderTrade[] = [];
  const failures: MarketError[] = [];
  for (let at = 0; at < forms.length && trades.length < limit; at += AT_ONCE) {
    const read = forms.slice(at, at + AT_ONCE).map((form) => (own: Scope) => readForm(harness, form, own));
    for (const result of await scope.all(read)) {
      if (result instanceof MarketError) failures.push(result);
      else if (result.issuerCik === cik) trades.push(...result.trades);
    }
    if (failures.length >= AT_ONCE && trades.length === 0) break;
  }
  return { trades, failures };
}

/** The form, or why it cannot be read. */
async function readForm(harness: SecApi, form: Submission, scope: Scope) {
  const { cik, accession, document = "" } = form;
  // The list names the page for people; the data stands beside its directory.
  const name = document.slice(document.lastIndexOf("/") + 1);
  if (!name.toLowerCase().endsWith(".xml")) return { issuerCik: undefined, trades: [] };
  const path = `${toDirectory(cik, accession)}/${name}`;
  try {
    const { text } = await harness.client.ask(
      { host: "www", path, what: `Form 4 ${accession}`, accepts: ["xml"] },
      scope,
    );
    return parseForm4(text, form);
  } catch (error) {
    if (!(error instanceof MarketError) || !scope.live) throw error;
    return error;
  }
}
