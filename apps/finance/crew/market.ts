/**
 * The crew's market: what the environment allows, opened by the first that needs it and shared by tools and programs of
 * this process, so that each host has one rate limit.
 */
import { AssistantMeter } from "@baton/assistant";
import { SystemClock } from "@baton/core/ports";
import { ListenState } from "../market/chain/listen-address.ts";
import { MarketHolder } from "../market/chain/market-holder.ts";
import { openMarket, loadMarket } from "../market/chain/open-market.ts";
import { deferTools, once } from "../tools/frame/deferred-tools.ts";
import { sharedCache } from "./shared-cache.ts";

const cache = sharedCache(process.env);

/** Counts the answers, cached results and sources of this process, for `/metrics`. */
export const crewMeter = new AssistantMeter();

/** Reads the pack and its directory; for a server that is about to listen. Asks no source. */
export const loadCrewMarket = once(async () => loadMarket());

/** Where this process listens, if it does. */
export const listenState = new ListenState();

/** The market of this process. */
export const crewMarket = new MarketHolder(process.env, async (env) => {
  const { isLoopback } = listenState;
  const loaded = await loadCrewMarket();
  const market = await openMarket({ env, clock: new SystemClock(), isLoopback, ...loaded });
  crewMeter.watchSources(() =>
    market.sources().sources.flatMap(({ name, on, breaker }) => {
      return on ? [{ name, isBreakerOpen: breaker === "open", requests: market.requestsOf(name) }] : [];
    }),
  );
  return market;
});

/** The same, for those that only read it. */
export const openCrewMarket = () => crewMarket.open();

/** Every tool on it, without what the crew puts around them. */
export const marketTools = deferTools(openCrewMarket, async () => ({ ...(await cache.open()), meter: crewMeter }));

/** Closes what the market has open; for the end of the process. */
export const closeCrewMarket = cache.close;
