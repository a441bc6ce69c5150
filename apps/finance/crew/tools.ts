/**
 * The assistant's tools, on the market data that the environment allows: embedded by default, live with a key.
 */
import { SystemClock } from "@baton/core";
import { openMarket } from "../data/open-market.ts";
import { deferTools } from "../tools/deferred-tools.ts";

export default deferTools(() => openMarket({ env: process.env, clock: new SystemClock() }));
