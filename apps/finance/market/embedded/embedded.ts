/**
 * Embedded: the source that needs no key and no network. Each answer is real for one day, real for the past, or
 * simulated, and says which; nothing is made up about a real company but a labelled price path.
 */
import type { MarketSource } from "../port/market-data.ts";
import type { Pack } from "../pack/pack.ts";
import { barCapabilities } from "./answer-bars.ts";
import { coinCapabilities } from "./answer-coins.ts";
import { eventCapabilities } from "./answer-events.ts";
import { listCapabilities } from "./answer-lists.ts";
import { quoteCapabilities } from "./answer-quotes.ts";
import { statementCapabilities } from "./answer-statements.ts";
import { toWorld } from "./world.ts";

export { PACK_DAY } from "../pack/pack.ts";
export { packListings } from "./listings.ts";

/** All that a pack can answer. */
export function embeddedSource(pack: Pack): MarketSource {
  const world = toWorld(pack);
  return {
    name: "embedded",
    ...quoteCapabilities(world),
    ...barCapabilities(world),
    ...statementCapabilities(world),
    ...listCapabilities(world),
    ...eventCapabilities(world),
    ...coinCapabilities(world),
  };
}
