/**
 * The crew's market: what the environment allows, opened by the first that needs it and shared by tools and programs.
 */
import { SystemClock } from "@baton/core";
import { openMarket } from "../data/open-market.ts";
import { deferTools, once } from "../tools/deferred-tools.ts";

/** The market of this process. */
export const openCrewMarket = once(() => openMarket({ env: process.env, clock: new SystemClock() }));

/** Every tool on it, without what the crew puts around them. */
export const marketTools = deferTools(openCrewMarket);
