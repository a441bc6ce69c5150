/**
 * Fake CoinGecko: a list of coins on loopback, with two that share a ticker, one without a price and one whose ticker
 * no listing can have.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";

export type FakeCoinGecko = FakeServer;

/** Largest first. */
const COINS = [
  coin("bitcoin", "btc", {
    price: 63_243.8,
    cap: 1.25e12,
    volume: 3e10,
    percent: 1.5,
    supply: 19_800_000,
    max: 21_000_000,
  }),
  coin("ethereum", "eth", { price: 2_500, cap: 3e11, volume: 2e10, percent: -2.25, supply: 120_000_000 }),
  coin("tether", "usdt", { price: 1, cap: 1.4e11, volume: 5e10, percent: 0.01, supply: 1.4e11 }),
  coin("solana", "sol", { price: 150, cap: 7e10, volume: 3e9, percent: 6.5, supply: 4.7e8 }),
  coin("bridged-bitcoin", "btc", { price: 60_000, cap: 1e7, volume: 4e10, percent: -9, supply: 100 }),
  coin("newcomer", "new", { price: 0.5, cap: 0, volume: 1e6, percent: 80, supply: 0 }),
  coin("no-price", "nop", { price: null, cap: null, volume: null, percent: null, supply: null }),
  coin("strange", "$🐶.x", { price: 2, cap: 1, volume: 9e10, percent: 900, supply: 1 }),
];

/** Starts one: `await using gecko = await FakeCoinGecko.start()`. */
export const FakeCoinGecko = { start: (): Promise<FakeCoinGecko> => FakeServer.start(toReply) };

type Figures = Readonly<{
  price: number | null;
  cap: number | null;
  volume: number | null;
  percent: number | null;
  supply: number | null;
  max?: number;
}>;

function coin(id: string, symbol: string, { price, cap, volume, percent, supply, max }: Figures) {
  return {
    id,
    symbol,
    name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
    image: `https://coin-images.coingecko.com/${id}.png`,
    current_price: price,
    market_cap: cap,
    market_cap_rank: cap === 0 ? null : 1,
    fully_diluted_valuation: cap,
    total_volume: volume,
    high_24h: price,
    low_24h: price,
    price_change_24h: price === null || percent === null ? null : (price * percent) / 100,
    price_change_percentage_24h: percent,
    circulating_supply: supply,
    total_supply: supply,
    max_supply: max ?? null,
    last_updated: "2026-03-05T20:29:00.000Z",
  };
}

function toReply({ path, query }: Seen): Reply {
  if (path !== "/api/v3/coins/markets") return { status: 404, body: '{"error":"coin not found"}' };
  if (query.get("vs_currency") !== "usd") return { status: 400, body: '{"error":"invalid vs_currency"}' };
  const byVolume = COINS.toSorted((one, other) => (other.total_volume ?? 0) - (one.total_volume ?? 0));
  const coins = query.get("order") === "volume_desc" ? byVolume : COINS;
  return { body: JSON.stringify(coins.slice(0, Number(query.get("per_page") ?? 100))) };
}
