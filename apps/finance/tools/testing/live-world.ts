/**
 * Live world: a market with every open source and FMP on, each of them a server on loopback.
 */
import { openMarket } from "../../market/chain/open-market.ts";
import type { Pack } from "../../market/pack/pack.ts";
import type { Fault } from "../../market/testing/fake-server.ts";
import { FakeWorld } from "../../market/testing/fake-world.ts";

/** Data, clock, fault and settings of the world. */
export interface LiveWorldOptions {
  readonly pack: Pack;
  readonly clock: Readonly<{ now: () => number }>;
  /** Fault that all servers show instead of answering. */
  readonly fault?: Fault;
  /** Settings beside those of the addresses; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts the servers and opens the market: `await using world = await openLiveWorld(…)`. */
export async function openLiveWorld({ pack, clock, fault = "none", env = {} }: LiveWorldOptions) {
  const world = await FakeWorld.start();
  world.fault = fault;
  const settings = {
    FMP_API_KEY: "secret-key-of-fmp",
    TAVILY_API_KEY: "secret-key-of-tavily",
    BATON_FINANCE_DATA: "auto",
    BATON_FINANCE_WITHOUT: "cboe,yahoo,vndirect",
    SEC_CONTACT: "lan@example.com",
  };
  const market = await openMarket({ env: { ...settings, ...world.env, ...env }, clock, pack });
  return { market, servers: world.servers, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}
