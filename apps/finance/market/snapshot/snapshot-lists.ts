/**
 * Snapshot lists: movers, screener, sectors and breadth over the stocks of the snapshot.
 */
import { omitUndefined } from "@baton/core/util";
import type {
  Breadth,
  Capabilities,
  MarketRow,
  ScreenerAnswer,
  ScreenerQuery,
  SectorRow,
} from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { PACK_DAY, type Pack, type SnapshotStock } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { screenRows } from "../port/screen.ts";
import { isInIndustry, isInSector } from "./sector.ts";
import { fromSnapshot } from "./stored.ts";
import { daysOf } from "./window.ts";

/** The exchanges of a day's movers: over-the-counter prices of a few trades do not count. */
const EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "CBOE"]);
const LEAST_PRICE = 1;
const LEAST_VOLUME = 100_000;

type Lists = Pick<Capabilities, "movers" | "screener" | "sectors" | "overview">;

/** The answers about many stocks at once. */
export function listCapabilities(pack: Pack): Lists {
  return {
    movers: async ({ list, limit }) => movers(pack, list, limit),
    screener: async (query) => screener(pack, query),
    sectors: async ({ day }) => sectors(pack, day),
    overview: async () => ({
      data: { indices: [], breadth: breadth(pack) },
      provenance: fromSnapshot(overviewNote(pack)),
    }),
  };
}

function* listed(pack: Pack): Generator<SnapshotStock> {
  for (let index = 0; index < pack.size; index += 1) {
    const stock = pack.stock(index);
    if (EXCHANGES.has(stock.exchange)) yield stock;
  }
}

function movers(pack: Pack, list: "gainers" | "losers" | "active", limit: number): Sourced<readonly MarketRow[]> {
  const stocks = [...listed(pack)].filter(
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
  const { symbol, name, exchange, price, volume, changePercent, marketCap, sector, industry } = stock;
  const { pe, eps, dividendYieldPercent } = stock;
  const known = { changePercent, marketCap, sector, industry, pe, eps, dividendYieldPercent };
  return {
    listing: { symbol, name, exchange, type: "stock", currency: "USD" },
    price,
    volume,
    ...omitUndefined(known),
  };
}

/** The snapshot has neither beta nor the country of a company: only that its shares trade in the US. */
function screener(pack: Pack, query: ScreenerQuery): Sourced<ScreenerAnswer> {
  const { sector, industry, exchange, country } = query;
  const found = Array.from({ length: pack.size }, (_, index) => pack.stock(index)).filter(
    (stock) =>
      (sector === undefined || isInSector(stock, sector)) &&
      (industry === undefined || isInIndustry(stock, industry)) &&
      (exchange === undefined || stock.exchange === exchange.trim().toUpperCase()) &&
      (country !== "US" || exchange !== undefined || stock.exchange !== "OTC"),
  );
  const data = screenRows(found.map(toRow), query, ["betaMoreThan", "betaLowerThan", "country"]);
  const where = country === "US" && exchange === undefined ? "on US exchanges, not over the counter" : "in the US";
  const note = `${data.total ?? 0} companies match; the data has no country: their shares trade ${where}, they may be from elsewhere`;
  return { data, provenance: fromSnapshot(note) };
}

/** Weighted by capitalization; a company with several classes of shares counts once. */
function sectors(pack: Pack, day: string | undefined): Sourced<readonly SectorRow[]> {
  if (day !== undefined && day !== PACK_DAY) {
    throw new MarketError("no_data", `the stored data has sectors of ${PACK_DAY} only`, {
      available: PACK_DAY,
      isOutside: true,
    });
  }
  const byCap = new Map<string, SnapshotStock>();
  for (const stock of listed(pack)) {
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

function breadth(pack: Pack): Breadth {
  let up = 0;
  let down = 0;
  let flat = 0;
  for (const { changePercent } of listed(pack)) {
    if (changePercent === undefined) continue;
    if (changePercent > 0) up += 1;
    else if (changePercent < 0) down += 1;
    else flat += 1;
  }
  return { up, down, flat };
}

function overviewNote(pack: Pack): string {
  const series = pack.series("^GSPC", "1day");
  const last = series === undefined ? "" : `; the last stored close of the S&P 500 is of ${daysOf(series.bars).last}`;
  return `breadth of NASDAQ, NYSE and AMEX stocks; the snapshot has no index levels${last}`;
}
