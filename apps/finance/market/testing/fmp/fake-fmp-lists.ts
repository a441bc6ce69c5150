/**
 * Fake FMP lists: movers, screener, sectors, constituents, calendar and news.
 */
import type { Asked, Rows } from "./fake-fmp-asked.ts";
import { cents, chance, fromDayNumber, isWeekday, toDayNumber } from "../fake-prices.ts";

const SYMBOLS = ["AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "TSLA", "JPM", "XOM", "KO", "WMT", "PFE"];
const SECTORS = [
  "Technology",
  "Financial Services",
  "Energy",
  "Healthcare",
  "Consumer Cyclical",
  "Industrials",
  "Basic Materials",
];

/** Returns the rows of an endpoint of lists; undefined for any other. */
export function toListRows(asked: Asked): Rows | undefined {
  const { path, query } = asked;
  switch (path) {
    case "/biggest-gainers":
      return toMovers(asked, 1);
    case "/biggest-losers":
      return toMovers(asked, -1);
    case "/most-actives":
      return toMovers(asked, 0.1);
    case "/company-screener":
      return toScreened(asked).slice(0, Number(query.get("limit") ?? 1_000));
    case "/sector-performance-snapshot":
      return toSectors(query.get("date"));
    case "/sp500-constituent":
    case "/nasdaq-constituent":
    case "/dowjones-constituent":
      return SYMBOLS.map((symbol) => ({
        symbol,
        name: `${symbol} Inc.`,
        sector: sectorOf(symbol),
        subSector: "",
        headQuarter: null,
        dateFirstAdded: "",
        cik: "0000320193",
        founded: "1976",
      }));
    case "/economic-calendar":
      return toCalendar(asked);
    default:
      return path.startsWith("/news/") ? toNews(asked) : undefined;
  }
}

const sectorOf = (symbol: string): string => SECTORS[Math.floor(chance(symbol) * SECTORS.length)] ?? "Technology";

/** The first is a penny stock, as in the real lists. */
function toMovers({ today }: Asked, direction: number): Rows {
  const penny = {
    symbol: "MOTS",
    price: 0.0002,
    name: "Motus GI Holdings, Inc.",
    change: 0.0001,
    changesPercentage: 100,
    exchange: "OTC",
  };
  const movers = SYMBOLS.map((symbol, index) => {
    const price = cents(20 + 480 * chance(`${symbol}${today}`));
    const changesPercentage = direction * (30 - index);
    return {
      symbol,
      price,
      name: `${symbol} Inc.`,
      change: cents((price * changesPercentage) / 100),
      changesPercentage,
      exchange: "NASDAQ",
    };
  });
  return [penny, ...movers];
}

function toScreened({ query }: Asked): Rows {
  const rows = SYMBOLS.map((symbol, index) => ({
    symbol,
    companyName: `${symbol} Inc.`,
    marketCap: 1e12 - index * 5e10,
    sector: sectorOf(symbol),
    industry: "Software",
    beta: index % 4 === 0 ? null : 0.5 + index / 10,
    price: 100 + index * 10,
    lastAnnualDividend: index % 3 === 0 ? null : 1 + index / 10,
    volume: 1e6 * (index + 1) + 0.5,
    exchange: "NASDAQ Global Select",
    exchangeShortName: "NASDAQ",
    country: "US",
    isEtf: false,
    isFund: false,
    isActivelyTrading: true,
  }));
  const limits = [
    ["marketCap", "marketCap"],
    ["price", "price"],
    ["volume", "volume"],
    ["beta", "beta"],
    ["dividend", "lastAnnualDividend"],
  ] as const;
  const fits = (row: (typeof rows)[number]) =>
    limits.every(([name, field]) => {
      const least = query.get(`${name}MoreThan`);
      const most = query.get(`${name}LowerThan`);
      const value = row[field] ?? Number.NaN;
      return (least === undefined || value > Number(least)) && (most === undefined || value < Number(most));
    });
  const sector = query.get("sector");
  return rows.filter((row) => (sector === undefined || row.sector === sector) && fits(row));
}

/** Two exchanges; nothing on a weekend; an error of its own without a day. */
function toSectors(date: string | undefined): Rows {
  if (date === undefined || !isWeekday(date)) return [];
  return ["NASDAQ", "NYSE"].flatMap((exchange) =>
    SECTORS.map((sector) => ({ date, sector, exchange, averageChange: 4 * chance(`${sector}${date}${exchange}`) - 2 })),
  );
}

function toCalendar({ query, today }: Asked): Rows {
  const from = toDayNumber(query.get("from") ?? today);
  const to = Math.min(toDayNumber(query.get("to") ?? today), from + 90);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const day = fromDayNumber(to - index);
    const isFuture = day > today;
    const known = (value: number) => (isFuture ? null : value);
    return {
      date: `${day} 08:30:00`,
      country: index % 2 === 0 ? "US" : "VN",
      event: `CPI (${day})`,
      currency: "USD",
      previous: known(3.1),
      estimate: known(3),
      actual: known(3.2),
      change: known(0.1),
      impact: ["Low", "Medium", "High", "None"][index % 4],
      changePercentage: known(3.2),
      unit: index % 3 === 0 ? "%" : "",
    };
  });
}

function toNews({ path, query, today }: Asked): Rows {
  const page = Number(query.get("page") ?? 0);
  const limit = Number(query.get("limit") ?? 20);
  const isGeneral = path === "/news/general-latest";
  const symbol = query.get("symbols")?.split(",")[0] ?? (path.includes("crypto") ? "BTCUSD" : "AAPL");
  return Array.from({ length: Math.min(limit, 250) }, (_, index) => {
    const number = page * limit + index;
    return {
      symbol: isGeneral ? null : symbol,
      publishedDate: `${fromDayNumber(toDayNumber(today) - Math.floor(number / 4))} 0${9 - (number % 4)}:15:00`,
      publisher: number % 5 === 4 ? "" : "Example Wire",
      title: `${symbol} headline ${number}`,
      image: null,
      site: number % 2 === 0 ? null : "example.com",
      text: "Something happened.",
      url: `https://example.com/${number}`,
    };
  });
}
