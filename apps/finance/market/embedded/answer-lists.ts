/**
 * Answer lists: movers, screener, sectors and breadth over the stocks of the snapshot.
 */
import type { Listing } from "../port/listing.ts";
import type { Breadth, Capabilities, MarketRow, ScreenerQuery, SectorRow } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { PACK_DAY, type SnapshotStock } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { isInIndustry, isInSector } from "./sector.ts";
import { daysOf } from "./window.ts";
import { fromSnapshot, simulated, STOCK_SWITCH, type World } from "./world.ts";

/** The exchanges of a day's movers: over-the-counter prices of a few trades do not count. */
const EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "CBOE"]);
const LEAST_PRICE = 1;
const LEAST_VOLUME = 100_000;
const FICTIONAL = "FICTIONAL";

type Lists = Pick<Capabilities, "movers" | "screener" | "sectors" | "overview" | "constituents">;

/** What the embedded source answers about many stocks at once. */
export function listCapabilities(world: World): Lists {
  return {
    movers: async ({ list, limit }) => movers(world, list, limit),
    screener: async (query) => screener(world, query),
    sectors: async ({ day }) => sectors(world, day),
    overview: async () => ({
      data: { indices: [], breadth: breadth(world) },
      provenance: fromSnapshot(overviewNote(world)),
    }),
    constituents: async ({ index }) => {
      throw new MarketError("no_data", `the embedded data does not have the members of ${index}`, {
        enable: STOCK_SWITCH,
      });
    },
  };
}

function* listed({ pack }: World): Generator<SnapshotStock> {
  for (let index = 0; index < pack.size; index += 1) {
    const stock = pack.stock(index);
    if (EXCHANGES.has(stock.exchange)) yield stock;
  }
}

function movers(world: World, list: "gainers" | "losers" | "active", limit: number): Sourced<readonly MarketRow[]> {
  const stocks = [...listed(world)].filter(
    ({ price, volume, changePercent }) => price >= LEAST_PRICE && volume >= LEAST_VOLUME && changePercent !== undefined,
  );
  const rank = {
    gainers: ({ changePercent = 0 }: SnapshotStock) => -changePercent,
    losers: ({ changePercent = 0 }: SnapshotStock) => changePercent,
    active: ({ volume }: SnapshotStock) => -volume,
  }[list];
  const moved = stocks.filter((stock) => list === "active" || rank(stock) < 0);
  const note = `NASDAQ, NYSE and AMEX, price of at least ${LEAST_PRICE} USD, volume of at least ${LEAST_VOLUME}`;
  return {
    data: moved
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, limit)
      .map(toRow),
    provenance: fromSnapshot(note),
  };
}

function toRow(stock: SnapshotStock): MarketRow {
  const { symbol, name, exchange, price, changePercent, volume, marketCap, sector, industry } = stock;
  const listing: Listing = { symbol, name, exchange, type: "stock", currency: "USD" };
  const { dividendYieldPercent } = stock;
  return {
    listing,
    price,
    volume,
    ...(changePercent === undefined ? {} : { changePercent }),
    ...(marketCap === undefined ? {} : { marketCap }),
    ...(sector === undefined ? {} : { sector }),
    ...(industry === undefined ? {} : { industry }),
    ...(dividendYieldPercent === undefined ? {} : { dividendYieldPercent }),
  };
}

/** Largest companies first. A condition on a number that is unknown is not met. */
function screener(world: World, query: ScreenerQuery): Sourced<readonly MarketRow[]> {
  if (query.betaMoreThan !== undefined || query.betaLowerThan !== undefined) {
    throw new MarketError("no_data", "the embedded data has no beta to screen by", { enable: STOCK_SWITCH });
  }
  const country = query.country?.trim().toUpperCase();
  if (country !== undefined && country !== "" && !["US", "USA", "UNITED STATES"].includes(country)) {
    throw new MarketError("no_data", "the embedded data has only stocks that trade in the US, without their country", {
      available: "US",
      enable: STOCK_SWITCH,
    });
  }
  const isMadeUp = query.exchange?.trim().toUpperCase() === FICTIONAL;
  const stocks = isMadeUp ? [...world.companies.values()].map(({ stock }) => stock) : allStocks(world);
  const found = stocks.filter((stock) => meets(stock, query));
  const provenance = isMadeUp
    ? simulated("made-up companies")
    : fromSnapshot(`${found.length} stocks match; trading in the US, the companies may be from elsewhere`);
  return {
    data: found
      .toSorted((a, b) => (b.marketCap ?? 0) - (a.marketCap ?? 0))
      .slice(0, query.limit)
      .map(toRow),
    provenance,
  };
}

function allStocks({ pack }: World): readonly SnapshotStock[] {
  return Array.from({ length: pack.size }, (_, index) => pack.stock(index));
}

function meets(stock: SnapshotStock, query: ScreenerQuery): boolean {
  const more = (value: number | undefined, least: number | undefined) =>
    least === undefined || (value !== undefined && value > least);
  const lower = (value: number | undefined, most: number | undefined) =>
    most === undefined || (value !== undefined && value < most);
  return (
    (query.sector === undefined || isInSector(stock, query.sector)) &&
    (query.industry === undefined || isInIndustry(stock, query.industry)) &&
    (query.exchange === undefined || stock.exchange === query.exchange.trim().toUpperCase()) &&
    more(stock.marketCap, query.marketCapMoreThan) &&
    lower(stock.marketCap, query.marketCapLowerThan) &&
    more(stock.price, query.priceMoreThan) &&
    lower(stock.price, query.priceLowerThan) &&
    more(stock.volume, query.volumeMoreThan) &&
    more(dividendOf(stock), query.dividendMoreThan)
  );
}

/** Paid in twelve months on one share, in money, as the screener's condition counts it. */
function dividendOf({ price, dividendYieldPercent }: SnapshotStock): number | undefined {
  return dividendYieldPercent === undefined ? undefined : (price * dividendYieldPercent) / 100;
}

/** Weighted by capitalization; a company with several classes of shares counts once. */
function sectors(world: World, day: string | undefined): Sourced<readonly SectorRow[]> {
  if (day !== undefined && day !== PACK_DAY) {
    throw new MarketError("no_data", `the embedded data has sectors of ${PACK_DAY} only`, {
      available: PACK_DAY,
      enable: STOCK_SWITCH,
    });
  }
  const byCap = new Map<string, SnapshotStock>();
  for (const stock of listed(world)) {
    const { sector, marketCap, changePercent, price } = stock;
    const counts = sector !== undefined && marketCap !== undefined && changePercent !== undefined;
    const key = `${sector} ${marketCap}`;
    if (counts && price >= LEAST_PRICE && !byCap.has(key)) byCap.set(key, stock);
  }
  const rows = [...Map.groupBy(byCap.values(), ({ sector = "" }) => sector)].map(([sector, stocks]) => {
    const now = stocks.reduce((sum, { marketCap = 0 }) => sum + marketCap, 0);
    const before = stocks.reduce(
      (sum, { marketCap = 0, changePercent = 0 }) => sum + marketCap / (1 + changePercent / 100),
      0,
    );
    return { sector, changePercent: (now / before - 1) * 100, count: stocks.length, marketCap: now };
  });
  return {
    data: rows.toSorted((a, b) => b.changePercent - a.changePercent),
    provenance: fromSnapshot("change of the summed capitalization of NASDAQ, NYSE and AMEX stocks"),
  };
}

function breadth(world: World): Breadth {
  let up = 0;
  let down = 0;
  let flat = 0;
  for (const { changePercent } of listed(world)) {
    if (changePercent === undefined) continue;
    if (changePercent > 0) up += 1;
    else if (changePercent < 0) down += 1;
    else flat += 1;
  }
  return { up, down, flat };
}

function overviewNote({ pack }: World): string {
  const series = pack.series("^GSPC", "1day");
  const last = series === undefined ? "" : `; the last real S&P 500 close is of ${daysOf(series.bars).last}`;
  return `breadth of NASDAQ, NYSE and AMEX stocks; the snapshot has no index levels${last}`;
}
