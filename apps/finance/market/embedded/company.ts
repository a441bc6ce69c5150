/**
 * Company: the made-up companies of the embedded data. Their names cannot be mistaken for real firms, they trade on
 * the exchange FICTIONAL, and all about them fits together: price, statements, earnings, dividends and news.
 */
import type { Listing } from "../port/listing.ts";
import type { SnapshotStock } from "../pack/pack.ts";
import { type Books, keepBooks, type Quarter } from "./books.ts";
import { roundPrice } from "./price.ts";

/** A made-up company on the snapshot's day. */
export interface Company {
  readonly stock: SnapshotStock;
  /** Oldest first. */
  readonly quarters: readonly Quarter[];
  readonly paysDividends: boolean;
}

interface Draft extends Books {
  readonly name: string;
  readonly sector: string;
  readonly industry: string;
  readonly pe: number;
  readonly changePercent: number;
}

const M = 1e6;

type Row = readonly [
  symbol: string,
  name: string,
  sector: string,
  industry: string,
  /** Revenue of a quarter in millions, its growth, gross margin and overhead. */
  numbers: readonly [revenueMillions: number, growth: number, grossMargin: number, overhead: number],
];

const ROWS: readonly Row[] = [
  ["FICTEA", "Fictional Teapot Works", "Consumer durables", "Home furnishings", [412, 0.062, 0.44, 0.18]],
  ["FICMOON", "Fictional Moonbase Freight", "Transportation", "Air freight/Couriers", [905, 0.11, 0.3, 0.14]],
  ["FICDRGN", "Fictional Dragon Power", "Utilities", "Electric utilities", [640, 0.03, 0.42, 0.12]],
  ["FICWHAL", "Fictional Cloudwhale Software", "Technology services", "Packaged software", [520, 0.21, 0.76, 0.5]],
  ["FICROBO", "Fictional Robot Bakery", "Consumer non-durables", "Food: specialty/Candy", [233, 0.08, 0.36, 0.22]],
  ["FICGNOM", "Fictional Gnome Tools", "Producer manufacturing", "Tools & hardware", [318, 0.045, 0.38, 0.2]],
  ["FICPOTN", "Fictional Potion Remedies", "Health technology", "Pharmaceuticals: other", [376, 0.13, 0.71, 0.46]],
  ["FICUNIC", "Fictional Unicorn Motors", "Consumer durables", "Motor vehicles", [1_480, 0.17, 0.14, 0.19]],
  [
    "FICATLN",
    "Fictional Atlantis Harbours",
    "Industrial services",
    "Engineering & construction",
    [288, 0.05, 0.34, 0.17],
  ],
  ["FICBEAN", "Fictional Beanstalk Timber", "Process industries", "Forest products", [197, 0.035, 0.33, 0.16]],
  ["FICCARP", "Fictional Flying Carpet Lines", "Transportation", "Airlines", [1_120, 0.07, 0.26, 0.17]],
  ["FICWIZD", "Fictional Wizard Circuits", "Electronic technology", "Semiconductors", [860, 0.19, 0.58, 0.27]],
];

function toDraft([symbol, name, sector, industry, numbers]: Row): Draft {
  const [revenueMillions, growth, grossMargin, overhead] = numbers;
  return {
    symbol,
    name: `${name} Inc.`,
    sector,
    industry,
    quarterRevenue: revenueMillions * M,
    growth,
    grossMargin,
    overhead,
    shares: Math.round(revenueMillions / 4) * M,
    payout: growth < 0.1 ? 0.4 : 0,
    pe: 14 + 120 * growth,
    changePercent: Math.round((growth - 0.09) * 1_500) / 100,
  };
}

/** All made-up companies. */
export const FICTIONAL_COMPANIES: readonly Company[] = ROWS.map((row) => toCompany(toDraft(row)));

function toCompany(made: Draft): Company {
  const quarters = keepBooks(made);
  const year = quarters.slice(-4);
  const total = (name: string) => year.reduce((sum, { income }) => sum + (income.get(name) ?? 0), 0);
  const dividends = year.reduce((sum, { cashFlow }) => sum - (cashFlow.get("commonDividendsPaid") ?? 0), 0);
  const eps = Number((total("netIncome") / made.shares).toFixed(2));
  const price = roundPrice(eps > 0 ? eps * made.pe : (2 * total("revenue")) / made.shares);
  const before = roundPrice(price / (1 + made.changePercent / 100));
  const perShare = dividends / made.shares;
  const stock = {
    symbol: made.symbol,
    name: made.name,
    exchange: "FICTIONAL",
    sector: made.sector,
    industry: made.industry,
    price,
    changePercent: Number(((price / before - 1) * 100).toFixed(6)),
    volume: Math.round(made.shares / 140),
    relativeVolume: 1.05,
    marketCap: Math.round(price * made.shares),
    eps,
    dividendYieldPercent: Number(((perShare / price) * 100).toFixed(4)),
    ...(eps > 0 ? { pe: Number((price / eps).toFixed(4)) } : {}),
  };
  return { stock, quarters, paysDividends: made.payout > 0 };
}

/** How a made-up company is listed. */
export function toCompanyListing({ stock: { symbol, name, exchange } }: Company): Listing {
  return { symbol, name, exchange, type: "stock", currency: "USD" };
}
