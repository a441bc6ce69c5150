/**
 * The assistant's tools, on the market data that the environment allows: embedded by default, live with a key.
 */
import { definePlanTools } from "@baton/assistant";
import { withLock } from "../tools/identity-lock.ts";
import { withRecord } from "../tools/recorded-call.ts";
import { marketTools, openCrewMarket } from "./market.ts";

const openDirectory = async () => (await openCrewMarket()).directory;

export default [...marketTools.map((tool) => withLock(withRecord(tool), openDirectory)), ...definePlanTools()];
