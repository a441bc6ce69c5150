/**
 * Pack directory: the directory of all that the pack has, ranked by market capitalization.
 */
import { packListings } from "../embedded/embedded.ts";
import type { Pack } from "../pack/pack.ts";
import { openDirectory, type IndexedDirectory } from "./directory.ts";

/** Opens the directory of a pack. */
export function openPackDirectory(pack: Pack): IndexedDirectory {
  const ranked = packListings(pack).map((listing) => {
    const index = pack.indexOf(listing.symbol);
    return { listing, marketCap: (index === undefined ? undefined : pack.stock(index).marketCap) ?? 0 };
  });
  return openDirectory(ranked.toSorted((a, b) => b.marketCap - a.marketCap).map(({ listing }) => listing));
}
