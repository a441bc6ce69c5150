/**
 * Index components: the companies in an index.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import { citeFields, dayOf } from "../shared/figures.ts";

const INDEX_NAMES = { sp500: "S&P 500", nasdaq: "Nasdaq", dowjones: "Dow Jones Industrial Average" } as const;

/** Members of an index. */
export const indexComponentsTool = defineMarketTool({
  name: "getIndexComponents",
  category: "market",
  asks: "constituents",
  description: "Companies in an index (S&P 500, Nasdaq, Dow Jones), with sector and weight if it is known.",
  input: z.strictObject({
    index: z
      .enum(["sp500", "nasdaq", "dowjones"])
      .default("sp500")
      .describe("sp500: S&P 500; nasdaq: Nasdaq; dowjones: Dow Jones Industrial Average; default sp500"),
    limit: limitOf(50, 600),
  }),
  ttlMs: 24 * 60 * 60_000,
  run: async ({ index, limit }, { market, context: { scope } }) => {
    const { data, provenance } = await market.constituents({ index, limit }, scope);
    const components = data.slice(0, limit).map(({ listing, sector, weightPercent }) => ({
      ...identify(listing),
      ...omitUndefined({ sector, weight_percent: weightPercent }),
    }));
    const index_name = INDEX_NAMES[index];
    if (components.length === 0) throw new MarketError("no_data", `the members of the ${index_name} are not known`);
    return { data: { index, index_name, count: components.length, components }, provenance };
  },
  figures: ({ index_name, components }, provenance) =>
    components.flatMap((row, at) =>
      citeFields(
        { ...row, period: dayOf(provenance) },
        [`data.components[${at}]`, row],
        [["weight_percent", "percent", `weight in the ${index_name}`]],
      ),
    ),
  describe: ({ components }) =>
    components.map(({ symbol, name, sector }) =>
      [symbol, name, sector].filter((part) => part !== undefined).join(", "),
    ),
});
