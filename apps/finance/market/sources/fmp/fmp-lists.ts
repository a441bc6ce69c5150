/**
 * FMP lists: movers, the screener, sectors, what an index holds, and the main indices.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import { toIndustries } from "../../directory/industries.ts";
import type { Capabilities, MarketRow, ScreenerQuery, SectorRow } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { screenRows } from "../../port/screen.ts";
import { easternDay, fromEastern } from "../eastern.ts";
import type { FmpAccount } from "./fmp-account.ts";
import { askQuoteRow } from "./fmp-prices.ts";
import { DayText, Num, Text } from "../rows.ts";

type Lists = "movers" | "screener" | "sectors" | "constituents" | "overview";

const Flag = z.boolean().nullish();

/** The list calls it `changesPercentage`, the quote `changePercentage`. */
const MoverRow = z.looseObject({
  symbol: z.string(),
  name: Text,
  price: Num,
  changesPercentage: Num,
  changePercentage: Num,
  volume: Num,
  exchange: Text,
});

const ScreenerRow = z.looseObject({
  symbol: z.string(),
  companyName: Text,
  price: Num,
  marketCap: Num,
  beta: Num,
  volume: Num,
  lastAnnualDividend: Num,
  sector: Text,
  industry: Text,
  exchange: Text,
  exchangeShortName: Text,
  isEtf: Flag,
  isFund: Flag,
});

const SectorSnapshot = z.looseObject({ date: DayText, sector: z.string(), exchange: Text, averageChange: Num });

const ConstituentRow = z.looseObject({ symbol: z.string(), name: Text, sector: Text });

const MOVER_PATHS = { gainers: "/biggest-gainers", losers: "/biggest-losers", active: "/most-actives" } as const;
const INDEX_PATHS = {
  sp500: "/sp500-constituent",
  nasdaq: "/nasdaq-constituent",
  dowjones: "/dowjones-constituent",
} as const;

/** Below that, changes in percent say little. */
const MIN_PRICE = 1;

/** Longest run of days on which a market may be closed. */
const MAX_CLOSED_DAYS = 6;

const DAY_MS = 86_400_000;

const INDICES: readonly Listing[] = [
  ["^GSPC", "S&P 500"],
  ["^DJI", "Dow Jones Industrial Average"],
  ["^IXIC", "NASDAQ Composite"],
  ["^RUT", "Russell 2000"],
  ["^VIX", "CBOE Volatility Index"],
].map(([symbol = "", name = ""]) => ({ symbol, name, exchange: "INDEX", type: "index", currency: "USD" }));

/** Lists from FMP. */
export function fmpLists(account: FmpAccount): Pick<Capabilities, Lists> {
  const { client, listingOf, sourced } = account;
  return {
    movers: async ({ list, limit }, scope) => {
      const answer = await client.rows({ path: MOVER_PATHS[list], row: MoverRow, what: list }, scope);
      const rows = answer.rows.flatMap((row): MarketRow[] => {
        const { price, volume } = row;
        const listing = listingOf(row);
        if (price === undefined || price < MIN_PRICE || listing === undefined) return [];
        const changePercent = row.changesPercentage ?? row.changePercentage;
        return [{ listing, price, ...omitUndefined({ changePercent, volume }) }];
      });
      const note = `stocks below ${MIN_PRICE} USD are left out`;
      return sourced(rows.slice(0, limit), answer, { isPrice: true, note });
    },
    screener: (query, scope) => screen(account, query, scope),
    sectors: (query, scope) => askSectors(account, query.day, scope),
    constituents: async ({ index, limit }, scope) => {
      const answer = await client.rows(
        { path: INDEX_PATHS[index], row: ConstituentRow, what: `list of ${index}` },
        scope,
      );
      const exchange = index === "nasdaq" ? "NASDAQ" : "US";
      const rows = answer.rows.flatMap(({ symbol, name, sector }) => {
        const listing = listingOf({ symbol, name, exchange });
        return listing === undefined ? [] : [{ listing, ...omitUndefined({ sector }) }];
      });
      return sourced(rows.slice(0, limit), answer, { isPrice: false });
    },
    overview: (_query, scope) => askOverview(account, scope),
  };
}

/** Criteria that FMP applies itself. */
const FMP_CRITERIA = (
  "sector industry exchange country volumeMoreThan dividendMoreThan marketCapMoreThan marketCapLowerThan " +
  "priceMoreThan priceLowerThan betaMoreThan betaLowerThan"
).split(" ");
/** Rows to ask for if some are left out or sorted here. */
const MAX_SCREENED = 1_000;

async function screen({ client, listingOf, sourced }: FmpAccount, asked: ScreenerQuery, scope: Scope) {
  const { limit, sortBy = "market_cap", order, ...criteria } = asked;
  const filters = Object.entries(criteria).filter(([name]) => FMP_CRITERIA.includes(name));
  const isWhole = filters.length === Object.keys(criteria).length && sortBy === "market_cap" && order !== "asc";
  const query = { ...Object.fromEntries(filters), isActivelyTrading: "true", limit: isWhole ? limit : MAX_SCREENED };
  const industries = asked.industry === undefined ? [undefined] : toIndustries(asked.industry);
  const answers = await Promise.all(
    industries.map((industry) => {
      const own = { ...query, ...omitUndefined({ industry }) };
      return client.rows({ path: "/company-screener", query: own, row: ScreenerRow, what: "stock like that" }, scope);
    }),
  );
  const [first] = answers;
  if (first === undefined) throw new MarketError("no_data", "FMP has no stock like that");
  const answer = { ...first, rows: answers.flatMap((one) => one.rows) };
  const rows = answer.rows.flatMap((row): MarketRow[] => {
    const { symbol, companyName: name, price, volume, marketCap, beta, sector, industry } = row;
    const type = row.isEtf === true || row.isFund === true ? "etf" : "stock";
    const listing = listingOf({ symbol, name, exchange: row.exchangeShortName ?? row.exchange, type });
    if (price === undefined || price <= 0 || listing === undefined) return [];
    const dividend = row.lastAnnualDividend;
    const dividendYieldPercent = dividend === undefined ? undefined : (dividend / price) * 100;
    return [{ listing, price, ...omitUndefined({ volume, marketCap, beta, sector, industry, dividendYieldPercent }) }];
  });
  const left = answer.rows.length - rows.length;
  const note = left === 0 ? undefined : `${left} listings without a known price or currency are left out`;
  if (rows.length === 0) throw new MarketError("no_data", "FMP has no stock like that with a known price and currency");
  return sourced(screenRows(rows, asked, ["peMoreThan", "peLowerThan"]), answer, { isPrice: true, note });
}

/** The snapshot of a day; without one, of the last day that has any. */
async function askSectors({ client, sourced }: FmpAccount, day: string | undefined, scope: Scope) {
  const path = "/sector-performance-snapshot";
  const ask = (date: string) =>
    client.rows({ path, query: { date }, row: SectorSnapshot, what: `sectors on ${date}` }, scope);
  const days = day === undefined ? toDaysBefore(scope.clock.now()) : [day];
  for (const date of days) {
    const isLast = date === days.at(-1);
    const answer = await ask(date).catch((error: unknown) => {
      if (isLast || !(error instanceof MarketError) || error.kind !== "no_data") throw error;
      return undefined;
    });
    if (answer === undefined) continue;
    const exchanges = [...new Set(answer.rows.flatMap(({ exchange }) => exchange ?? []))].toSorted();
    const note = exchanges.length > 1 ? `each change is the plain mean of ${exchanges.join(" and ")}` : undefined;
    return sourced(toSectors(answer.rows), answer, { isPrice: true, asOf: fromEastern(`${date} 16:00:00`), note });
  }
  throw new MarketError("no_data", "FMP has no sectors for the last days");
}

/** The weekdays before and including today in New York, newest first. */
function toDaysBefore(now: number): readonly string[] {
  return Array.from({ length: MAX_CLOSED_DAYS }, (_, back) => easternDay(now - back * DAY_MS)).filter((day) => {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    return weekday !== 0 && weekday !== 6;
  });
}

function toSectors(rows: readonly z.infer<typeof SectorSnapshot>[]): readonly SectorRow[] {
  return [...Map.groupBy(rows, ({ sector }) => sector)].flatMap(([sector, ofSector]) => {
    const changes = ofSector.flatMap(({ averageChange }) => averageChange ?? []);
    if (changes.length === 0) return [];
    return [{ sector, changePercent: changes.reduce((sum, change) => sum + change, 0) / changes.length }];
  });
}

/** The main indices; one that the plan or the service does not give is left out and said to be. */
async function askOverview(account: FmpAccount, scope: Scope) {
  const settle = async (listing: Listing) => {
    try {
      return await askQuoteRow(account, listing, scope);
    } catch (error) {
      if (error instanceof MarketError) return error;
      throw error;
    }
  };
  const found = await Promise.all(INDICES.map(async (listing) => ({ listing, quote: await settle(listing) })));
  const missing = found.flatMap(({ listing, quote }) => (quote instanceof MarketError ? [listing.symbol] : []));
  const quotes = found.flatMap(({ listing, quote }) => (quote instanceof MarketError ? [] : [{ listing, ...quote }]));
  const [first] = quotes;
  const error = found.map(({ quote }) => quote).find((quote) => quote instanceof MarketError);
  if (first === undefined) throw error ?? new MarketError("no_data", "FMP has no indices");
  const indices = quotes.map(({ listing, row, price }): MarketRow => {
    const { changePercentage: changePercent, volume } = row;
    return { listing, price, ...omitUndefined({ changePercent, volume }) };
  });
  const times = quotes.flatMap(({ asOf }) => asOf ?? []);
  return account.sourced({ indices }, first.answer, {
    isPrice: true,
    asOf: times.length === 0 ? undefined : Math.max(...times),
    note: missing.length === 0 ? undefined : `without ${missing.join(", ")}, which the source did not give`,
  });
}
