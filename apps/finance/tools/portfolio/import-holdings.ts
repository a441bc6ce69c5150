/**
 * Import holdings: a broker's table becomes holdings, after a dry run that shows what was read. The accounts of the
 * table are replaced as a whole, so importing twice does not double anything.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { cite, priceUnit, volumeUnit } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import { readHoldings } from "./csv/read-holdings.ts";
import { type HeldRow, resolveRows } from "./csv/resolve-rows.ts";
import type { Holding, Lot } from "./holding.ts";
import { readPortfolio, replaceAccounts } from "./holdings.ts";
import { dated } from "./valuation/portfolio-figures.ts";
import { AccountSchema } from "./set-holding.ts";
import { ownOrigin } from "./valuation/valued-portfolio.ts";

const MAX_CHARS = 20_000;
const MAX_SHOWN = 200;

const NOTHING =
  "no holding can be read from that text: each line needs a symbol and a quantity, such as AAPL,10,150, or the text " +
  "needs the header of a table";
const NO_CSV =
  "nothing was imported: `csv` is missing. It needs the table as the user pasted it: the CSV of a broker, or lines " +
  "such as AAPL,10,150";

/** Reads a table of holdings, and imports it unless it is a dry run. */
export const importHoldingsTool = defineMarketTool({
  name: "importHoldings",
  wish: { want: "import_holdings", verbatim: ["csv"] },
  category: "beyond",
  description:
    "Reads a pasted CSV of a broker, or lines such as AAPL,10,150, into the portfolio. First a dry run; then, if the user agrees, the same csv with dry_run false.",
  effect: "idempotent",
  input: z.strictObject({
    csv: z
      .string()
      .max(MAX_CHARS)
      .default("")
      .describe("The table as the user pasted it; without it nothing is imported"),
    dry_run: z.boolean().default(true).describe("true only shows what would be imported; default true"),
    account: AccountSchema.optional().describe("Name of the account; default as the table has it"),
  }),
  ttlMs: 0,
  run: async ({ csv, dry_run, account }, { market, context }) => {
    if (csv.trim() === "") throw new MarketError("no_data", NO_CSV);
    const table = readHoldings(csv);
    const { rows, refused: unknown, warnings } = resolveRows(table, market.directory, account);
    const refused = [...table.refused, ...unknown].toSorted((a, b) => a.line - b.line);
    if (rows.length + refused.length === 0) throw new MarketError("no_data", NOTHING);
    const { holdings: before } = await readPortfolio(context.documents);
    const imported = rows.length > 0 && !dry_run;
    if (imported) await replaceAccounts(context.documents, { key: context.key, ...toReplacing(rows) });
    const said = [...table.warnings, ...warnings, ...heldElsewhere(rows, before)];
    const data = {
      dry_run,
      imported,
      accepted: rows.length,
      skipped_count: table.skipped.length,
      accounts: toAccounts(rows, before),
      holdings: rows.slice(0, MAX_SHOWN).map(showRow),
      ...(refused.length === 0 ? {} : { refused: refused.slice(0, MAX_SHOWN) }),
      ...(said.length === 0 ? {} : { warnings: said }),
    };
    return { data, provenance: ownOrigin([{ updatedAt: context.scope.clock.now() }]) };
  },
  figures: ({ holdings }, provenance) =>
    dated(
      holdings.flatMap((row, at) =>
        cite({ symbol: row.symbol, currency: row.cost_currency ?? row.currency }, [
          { path: `data.holdings[${at}].quantity`, value: row.quantity, unit: volumeUnit(row), metric: "quantity" },
          { path: `data.holdings[${at}].cost`, value: row.cost, unit: priceUnit(row), metric: "cost" },
        ]),
      ),
      provenance,
    ),
  describe: ({ imported, accepted, accounts, refused = [], warnings = [] }) => [
    imported ? `${accepted} rows were imported` : `${accepted} rows can be imported; nothing was changed yet`,
    ...accounts.map(({ account, holdings, replaces, removes }) => {
      const replaced = replaces.length === 0 ? "" : `; replaces ${replaces.join(", ")}`;
      const removed = removes.length === 0 ? "" : `; removes ${removes.join(", ")}`;
      return `account ${account}: ${holdings} holdings${replaced}${removed}`;
    }),
    ...refused.map(({ line, text, reason }) => `line ${line} refused: ${reason}: ${text}`),
    ...warnings,
  ],
});

function toReplacing(rows: readonly HeldRow[]) {
  const bySymbol = Map.groupBy(rows, ({ listing }) => listing.symbol);
  const lots = [...bySymbol.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ listing: first.listing, lots: own.map(({ lot }): Lot => lot) }];
  });
  return { accounts: new Set(rows.map(({ account }) => account)), lots };
}

/** Each account of the table, with the symbols that are held there now: those that it has, and those that it lacks. */
function toAccounts(rows: readonly HeldRow[], before: readonly Holding[]) {
  return [...Map.groupBy(rows, ({ account }) => account)].map(([account, own]) => {
    const symbols = new Set(own.map(({ listing }) => listing.symbol));
    const there = before.filter(({ lots }) => lots.some((lot) => lot.account === account));
    const held = there.map(({ listing }) => listing.symbol);
    return {
      account,
      holdings: symbols.size,
      lots: own.length,
      replaces: held.filter((symbol) => symbols.has(symbol)),
      removes: held.filter((symbol) => !symbols.has(symbol)),
    };
  });
}

function heldElsewhere(rows: readonly HeldRow[], before: readonly Holding[]): readonly string[] {
  const accounts = new Set(rows.map(({ account }) => account));
  const symbols = new Set(rows.map(({ listing }) => listing.symbol));
  const also = before.filter(
    ({ listing, lots }) =>
      symbols.has(listing.symbol) && lots.some(({ account }) => account === undefined || !accounts.has(account)),
  );
  const names = also.map(({ listing }) => listing.symbol).join(", ");
  return also.length === 0 ? [] : [`${names} is also held outside of these accounts; both are counted`];
}

function showRow({ line, listing, lot: { quantity, cost, currency, bought_on }, account }: HeldRow) {
  const paid = cost === undefined ? {} : { cost, cost_currency: currency };
  return { ...identify(listing), line, quantity, ...paid, account, ...omitUndefined({ bought_on }) };
}
