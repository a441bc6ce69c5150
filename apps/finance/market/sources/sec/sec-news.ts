/**
 * SEC news: what a company had to report at once: its reports of current events (Form 8-K and 6-K), each as a
 * headline made of its items, with a link. The text itself is not returned.
 */
import type { Capabilities, NewsItem } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { readTable } from "../../tables.ts";
import type { SecApi } from "./sec-api.ts";
import { isForm, type Submission } from "./submissions.ts";

const FORMS = ["8-K", "6-K"] as const;

/** Subject of each item of Form 8-K that has one. */
const ITEMS: ReadonlyMap<string, string> = new Map(
  readTable("filings/form-8k-items").flatMap(([item = "", , subject]) =>
    subject === undefined ? [] : [[item, subject]],
  ),
);

/** Companies' events from the SEC. */
export function secNews(harness: SecApi): Pick<Capabilities, "news"> {
  return {
    news: async ({ about, listing, limit, page }, scope) => {
      if (about !== "stock" || listing === undefined) {
        throw new MarketError("no_data", "the SEC has news of one company at a time", { isOutside: true });
      }
      const { symbol } = listing;
      const { company, recent, url, fetchedAt } = await harness.filingsOf(listing, scope);
      const events = recent.filter(({ form }) => isForm(form, FORMS));
      const items = events
        .slice(page * limit, (page + 1) * limit)
        .map((event) => toItem(event, { symbol, name: company.name }));
      const [newest] = items;
      if (newest === undefined) {
        throw new MarketError("no_data", `${symbol} (${company.name}) has no more reports of events`, { symbol });
      }
      const note = "reports of current events (Form 8-K or 6-K), named by their items; not articles";
      return harness.sourced(items, { url, fetchedAt }, { asOf: newest.publishedAt, note });
    },
  };
}

type Of = Readonly<{ symbol: string; name: string }>;

function toItem({ form, filed, items = [], acceptedAt, url }: Submission, { symbol, name }: Of): NewsItem {
  const topics = items.flatMap((item) => ITEMS.get(item) ?? []);
  const what = topics.length === 0 ? "report of an event" : topics.join(", ");
  return {
    title: `${name}: ${what} (Form ${form})`,
    source: "SEC EDGAR",
    publishedAt: acceptedAt ?? `${filed}T00:00:00Z`,
    symbols: [symbol],
    ...(url === undefined ? {} : { url }),
  };
}
