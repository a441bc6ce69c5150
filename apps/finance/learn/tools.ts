/**
 * The tools that learn from a turn; what a message asks, and about which listings, is found by the assistant's rules.
 */
import { defineLearnTools } from "@baton/assistant";
import { openCrewMarket } from "../crew/market.ts";
import { classify } from "../intent/classify.ts";

const read = async (text: string) => {
  const market = await openCrewMarket();
  return classify(text, { directory: market.directory, today: market.today() });
};

export default defineLearnTools({
  subjects: async (text) => (await read(text)).validated_symbols,
  kindOf: async (text) => (await read(text)).query_type,
});
