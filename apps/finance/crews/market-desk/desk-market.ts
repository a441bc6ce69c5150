/**
 * Desk market: the embedded data, which needs no key and no network.
 */
import { toMarketData } from "../../data/chain.ts";
import { openDirectory } from "../../data/directory/directory.ts";
import { embeddedSource, PACK_DAY, packListings } from "../../data/embedded/embedded.ts";
import type { MarketData } from "../../data/market-data.ts";
import { openPack } from "../../data/pack/pack.ts";

/** Opens the embedded data as a market. */
export function openDeskMarket(): MarketData {
  const pack = openPack();
  const { name, quote, bars, statements } = embeddedSource(pack);
  return toMarketData({
    directory: openDirectory(packListings(pack)),
    mode: "embedded",
    today: () => PACK_DAY,
    chains: {
      ...(quote === undefined ? {} : { quote: [{ name, quote }] }),
      ...(bars === undefined ? {} : { bars: [{ name, bars }] }),
      ...(statements === undefined ? {} : { statements: [{ name, statements }] }),
    },
  });
}
