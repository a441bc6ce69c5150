/**
 * Narrowing: whether a listing is what a search is narrowed to.
 */
import type { Listing, Narrowing } from "../port/listing.ts";

const US: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "OTC", "CBOE", "US", "INDEX"]);
const VN: ReadonlySet<string> = new Set(["HOSE", "HNX", "UPCOM"]);

/** Whether it is listed in `US`, `VN` or on an exchange. */
export function isInMarket({ exchange }: Listing, market: string): boolean {
  const wanted = market.trim().toUpperCase();
  if (wanted === "US" || wanted === "USA") return US.has(exchange);
  if (wanted === "VN" || wanted === "VIETNAM") return VN.has(exchange);
  return exchange === wanted || (wanted === "HSX" && exchange === "HOSE");
}

/** Keeps what fits; a fund passes as a stock if nothing else does, because people call funds stocks. */
export function narrow<T>(items: readonly T[], { type, market }: Narrowing, of: (item: T) => Listing): readonly T[] {
  const listed = market === undefined || market === "" ? items : items.filter((item) => isInMarket(of(item), market));
  if (type === undefined || type === "any") return listed;
  const exact = listed.filter((item) => of(item).type === type);
  if (exact.length > 0 || type !== "stock") return exact;
  return listed.filter((item) => of(item).type === "etf");
}
