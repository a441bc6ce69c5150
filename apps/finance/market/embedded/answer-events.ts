/**
 * Answer events: earnings, dividends, news and calendar. Only made-up companies have them; about a real company
 * nothing is invented.
 */
import type { CalendarEvent, Capabilities, NewsItem, NewsQuery } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import type { Listing } from "../port/listing.ts";
import type { Sourced } from "../port/provenance.ts";
import type { Company } from "./company.ts";
import { dividendsOf, earningsOf, newsOf } from "./events.ts";
import { onlyLive, simulated, STOCK_SWITCH, type World } from "./world.ts";

const COUNTRY = "FICTIONAL";
const NOTE = "made-up companies; about real ones the embedded data has none";

type Events = Pick<Capabilities, "earnings" | "dividends" | "news" | "calendar">;

/** What the embedded source answers about events. */
export function eventCapabilities(world: World): Events {
  return {
    earnings: async ({ listing, limit }) =>
      answer(earningsOf(companyOf(world, listing, "earnings")).slice(0, limit), listing),
    dividends: async ({ listing, from }) => {
      const all = dividendsOf(companyOf(world, listing, "dividends"));
      return answer(
        all.filter(({ day }) => day >= from),
        listing,
      );
    },
    news: async (query) => news(world, query),
    calendar: async (query) => calendar(world, query),
  };
}

const answer = <T>(data: T, { name }: Listing): Sourced<T> => ({
  data,
  provenance: simulated(`${name} is a made-up company`),
});

function companyOf({ companies }: World, listing: Listing, what: string): Company {
  const company = companies.get(listing.symbol);
  if (company === undefined) throw onlyLive(listing, what);
  return company;
}

function news(world: World, { about, listing, limit, page }: NewsQuery): Sourced<readonly NewsItem[]> {
  if (about === "crypto" || listing?.type === "crypto") {
    throw new MarketError("no_data", "the embedded data has no news of coins", {
      enable: STOCK_SWITCH,
      ...(listing === undefined ? {} : { symbol: listing.symbol }),
    });
  }
  const items =
    listing === undefined
      ? [...world.companies.values()].flatMap(newsOf).toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1))
      : newsOf(companyOf(world, listing, "news"));
  return { data: items.slice(page * limit, (page + 1) * limit), provenance: simulated(NOTE) };
}

type CalendarQuery = Parameters<Capabilities["calendar"]>[0];

/** Reports of made-up companies; events of real countries are not embedded. */
function calendar(world: World, { from, to, country, impact }: CalendarQuery): Sourced<readonly CalendarEvent[]> {
  const isReal = country !== undefined && country.trim().toUpperCase() !== COUNTRY;
  if (isReal) {
    throw new MarketError("no_data", `the embedded data has no economic calendar of ${country}`, {
      available: `reports of made-up companies, country ${COUNTRY}`,
      enable: STOCK_SWITCH,
    });
  }
  const events = [...world.companies.values()].flatMap((company) =>
    earningsOf(company).map(({ day, epsActual, epsEstimated }): CalendarEvent => ({
      at: day,
      country: COUNTRY,
      event: `${company.stock.name} reports earnings per share`,
      impact: (company.stock.marketCap ?? 0) > 20e9 ? "High" : "Medium",
      unit: "USD",
      ...(epsActual === undefined ? {} : { actual: epsActual }),
      ...(epsEstimated === undefined ? {} : { estimate: epsEstimated }),
    })),
  );
  const wanted = impact?.trim().toLowerCase();
  const data = events
    .filter(({ at }) => at >= from && at <= to)
    .filter((event) => wanted === undefined || event.impact?.toLowerCase() === wanted)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return { data, provenance: simulated(NOTE) };
}
