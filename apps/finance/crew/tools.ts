/**
 * The assistant's tools, on the market data that the environment allows and on what is kept for the user.
 *
 * Tools that change what is kept ask a person, unless the user's own words ask for the change.
 */
import { guardTools } from "./guarded-tools.ts";
import { defineLoadMarket } from "./load-market.ts";
import { closeCrewMarket, marketTools, openCrewMarket } from "./market.ts";

export default [...guardTools(marketTools, openCrewMarket), defineLoadMarket(openCrewMarket)];

/** Closes what the tools have open. */
export const onShutdown = closeCrewMarket;
