/**
 * Stock path: how the simulated series of a stock moves, by its size and its sector.
 */
import type { SnapshotStock } from "../pack/pack.ts";
import type { PathAnchor } from "./generator.ts";
import { previousClose } from "./price.ts";
import { randomOf } from "./random.ts";

/** Own daily volatility from a market capitalization upwards. */
const BY_SIZE: readonly (readonly [cap: number, volatility: number])[] = [
  [200e9, 0.011],
  [10e9, 0.015],
  [2e9, 0.02],
  [300e6, 0.027],
  [50e6, 0.036],
  [0, 0.045],
];
const UNKNOWN_SIZE = 0.02;

const BY_SECTOR: ReadonlyMap<string, number> = new Map([
  ["Utilities", 0.7],
  ["Consumer non-durables", 0.8],
  ["Finance", 0.85],
  ["Communications", 0.9],
  ["Miscellaneous", 0.6],
  ["Health technology", 1.25],
  ["Technology services", 1.15],
  ["Electronic technology", 1.2],
  ["Energy minerals", 1.1],
  ["Non-energy minerals", 1.2],
]);

/** What the simulated series of a stock ends in, and how it moves. */
export function toAnchor(stock: SnapshotStock): PathAnchor {
  const { symbol, price, volume } = stock;
  const random = randomOf(`${symbol} nature`);
  const factor = BY_SECTOR.get(stock.sector ?? "") ?? 1;
  const beta = Math.max(0.2, Math.min(2, factor * (0.75 + 0.5 * random.uniform())));
  const volatility = sizeVolatility(stock.marketCap) * factor * (0.85 + 0.3 * random.uniform());
  return {
    symbol,
    price,
    previous: stock.changePercent === undefined ? price : previousClose(price, stock.changePercent),
    volume,
    averageVolume: averageVolumeOf(stock) ?? volume,
    volatility,
    beta,
    volumeStep: 1,
    gap: 0.3,
  };
}

/** The average that the snapshot's relative volume refers to. */
export function averageVolumeOf({ volume, relativeVolume }: SnapshotStock): number | undefined {
  return relativeVolume === undefined ? undefined : Math.max(1, Math.round(volume / relativeVolume));
}

function sizeVolatility(cap: number | undefined): number {
  if (cap === undefined) return UNKNOWN_SIZE;
  return BY_SIZE.find(([least]) => cap >= least)?.[1] ?? UNKNOWN_SIZE;
}
