/**
 * Sector: the words for sectors that people and other sources use, for those of the snapshot.
 */
import type { SnapshotStock } from "../pack/pack.ts";

/** The snapshot's sectors by the eleven names that most sources use. */
const COMMON: ReadonlyMap<string, readonly string[]> = new Map([
  ["technology", ["electronic technology", "technology services"]],
  ["financial services", ["finance"]],
  ["financials", ["finance"]],
  ["financial", ["finance"]],
  ["healthcare", ["health technology", "health services"]],
  ["health care", ["health technology", "health services"]],
  ["energy", ["energy minerals"]],
  ["basic materials", ["non-energy minerals", "process industries"]],
  ["materials", ["non-energy minerals", "process industries"]],
  [
    "industrials",
    ["producer manufacturing", "industrial services", "transportation", "commercial services", "distribution services"],
  ],
  ["consumer cyclical", ["consumer durables", "retail trade", "consumer services"]],
  ["consumer discretionary", ["consumer durables", "retail trade", "consumer services"]],
  ["consumer defensive", ["consumer non-durables"]],
  ["consumer staples", ["consumer non-durables"]],
  ["communication services", ["communications"]],
]);

const REAL_ESTATE = "real estate";

/** Whether a stock is in a sector, by the snapshot's own name of it or a common one. */
export function isInSector({ sector, industry }: SnapshotStock, wanted: string): boolean {
  const name = wanted.trim().toLowerCase();
  // the snapshot files property under finance
  if (name === REAL_ESTATE) return (industry ?? "").toLowerCase().startsWith(REAL_ESTATE);
  const own = (sector ?? "").toLowerCase();
  return own === name || (COMMON.get(name)?.includes(own) ?? false);
}
