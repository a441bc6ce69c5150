/**
 * Sector: whether a stock of the snapshot is in a sector or an industry, by the snapshot's own name of it or by what
 * people and other sources call it.
 */
import { isIndustry } from "../directory/industries.ts";
import type { SnapshotStock } from "../pack/pack.ts";
import { sectorOf, toNameKey, toSector } from "../directory/sectors.ts";

type Filed = Pick<SnapshotStock, "sector" | "industry">;

/** Whether a stock is in a sector. */
export function isInSector(stock: Filed, wanted: string): boolean {
  const isOwn = stock.sector !== undefined && toNameKey(stock.sector) === toNameKey(wanted);
  const sector = toSector(wanted);
  return isOwn || (sector !== undefined && sectorOf(stock) === sector);
}

/** Whether a stock is in an industry. */
export const isInIndustry = ({ industry }: Filed, wanted: string): boolean =>
  industry !== undefined && isIndustry(wanted, industry);
