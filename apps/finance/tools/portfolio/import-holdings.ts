/**
 * Import holdings: a broker's table becomes holdings, after a dry run that shows what was read. The accounts of the
 * table are replaced as a whole, so importing twice does not double anything.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { cite, priceUnit, volumeUnit } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";
import { readHoldings, type ReadTable } from "./csv/read-holdings.ts";
import type { CashRow, OtherRow } from "./csv/reading.ts";
import { type HeldRow, resolveRows, type ResolvedRows } from "./csv/resolve-rows.ts";
import type { Holding, Lot } from "./holding.ts";
import { readPortfolio, replaceAccounts } from "./holdings.ts";
import { dated } from "./valuation/portfolio-figures.ts";
import { AccountSchema } from "./set-holding.ts";
import { ownOrigin } from "./valuation/valued-portfolio.ts";

const STANDARD_ACCOUNT = "imported";
const MAX_CHARS = 20_000;
const MAX_SHOWN = 200;
const MAX_NAMED = 500;

interface ShownRow extends ListingIdentity {
  readonly line: number;
  readonly quantity: number;
  readonly cost?: number;
  readonly cost_currency?: string;
  readonly account: string;
  readonly bought_on?: string;
}

interface ShownAccount {
  readonly account: string;
  readonly holdings: number;
  readonly lots: number;
  /** Symbols held in that account, whose lots there are replaced. */
  readonly replaces: readonly string[];
  /** Symbols held in that account that are not in the table. */
  readonly removes: readonly string[];
}

interface Import {
  readonly dry_run: boolean;
  readonly imported: boolean;
  readonly accepted: number;
  readonly refused_count: number;
  readonly cash_count: number;
  readonly skipped_count: number;
  readonly accounts: readonly ShownAccount[];
  readonly holdings: readonly ShownRow[];
  readonly refused?: readonly OtherRow[];
  readonly cash?: readonly CashRow[];
  readonly skipped?: readonly OtherRow[];
  readonly read: Readonly<{
    lines: number;
    delimiter: string;
    decimal: string;
    header_line?: number;
    columns: readonly Readonly<{ header: string; field: string }>[];
  }>;
  readonly warnings?: readonly string[];
}

type Input = Readonly<{ csv?: string | undefined; dry_run: boolean; account?: string | undefined }>;

/** Reads a table of holdings, and imports it unless it is a dry run. */
export const importHoldingsTool = defineMarketTool<Input, Import>({
  name: "importHoldings",
  wish: { want: "import_holdings", verbatim: ["csv"] },
  category: "beyond",
  description:
    "Reads a pasted CSV of a broker, or lines such as AAPL,10,150, into the portfolio. First a dry run; then, if the user agrees, the same csv with dry_run false.",
  says: `import holdings from a CSV of my broker; paste my positions from Fidelity Schwab Vanguard;
    upload my portfolio; yes, import it; nhập danh mục từ file CSV;
    dán danh sách cổ phiếu từ công ty chứng khoán`,
  effect: "idempotent",
  input: z.strictObject({
    csv: z
      .string()
      .max(MAX_CHARS)
      .optional()
      .describe("The table as the user pasted it; without it nothing is imported"),
    dry_run: z.boolean().default(true).describe("true only shows what would be imported; default true"),
    account: AccountSchema.optional().describe("Name of the account; default as the table has it"),
  }),
  ttlMs: 0,
  run: async (input, asked) => {
    const { context } = asked;
    const table = readHoldings(requireCsv(input));
    const resolved = resolveRows(table.rows, {
      directory: asked.market.directory,
      region: table.style.region,
      account: input.account,
      standardAccount: STANDARD_ACCOUNT,
    });
    if (isNothing(table, resolved)) throw nothing();
    const { holdings: before } = await readPortfolio(context.documents);
    const imported = resolved.rows.length > 0 && !input.dry_run;
    if (imported) await replaceAccounts(context.documents, { key: context.key, ...toReplacing(resolved.rows) });
    const data: Import = {
      dry_run: input.dry_run,
      imported,
      ...show(table, resolved),
      accounts: toAccounts(resolved.rows, before),
      ...toWarnings(table, resolved, before),
    };
    return { data, provenance: ownOrigin([{ updatedAt: context.scope.clock.now() }]) };
  },
  figures: ({ holdings }, provenance) => dated(holdings.flatMap(rowFigures), provenance),
  describe: (data) => [
    data.imported
      ? `${data.accepted} rows were imported`
      : `${data.accepted} rows can be imported; nothing was changed yet`,
    ...data.accounts.map(toAccountLine),
    ...(data.refused ?? []).map(({ line, text, reason }) => `line ${line} refused: ${reason}: ${text}`),
    ...(data.cash ?? []).map(({ line, text }) => `line ${line} is cash, which is not kept: ${text}`),
    ...(data.warnings ?? []),
  ],
});

function toAccountLine({ account, holdings, replaces, removes }: ShownAccount): string {
  const replaced = replaces.length === 0 ? "" : `; replaces ${replaces.join(", ")}`;
  const removed = removes.length === 0 ? "" : `; removes ${removes.join(", ")}`;
  return `account ${account}: ${holdings} holdings${replaced}${removed}`;
}

/** The table of the call. A call without one imports nothing, whatever was shown before. */
function requireCsv({ csv = "" }: Input): string {
  if (csv.trim() !== "") return csv;
  const message =
    "nothing was imported: `csv` is missing. It needs the table as the user pasted it: the CSV of a broker, or lines " +
    "such as AAPL,10,150";
  throw new MarketError("no_data", message);
}

function isNothing({ refused, cash }: ReadTable, { rows, refused: unknown }: ResolvedRows): boolean {
  return rows.length + refused.length + unknown.length + cash.length === 0;
}

const nothing = () =>
  new MarketError(
    "no_data",
    "no holding can be read from that text: each line needs a symbol and a quantity, such as AAPL,10,150, or the text " +
      "needs the header of a table",
  );

function toReplacing(rows: readonly HeldRow[]) {
  const bySymbol = new Map<string, { listing: Listing; lots: Lot[] }>();
  for (const { listing, lot } of rows) {
    const one = bySymbol.get(listing.symbol) ?? { listing, lots: [] };
    bySymbol.set(listing.symbol, one);
    one.lots.push(lot);
  }
  return { accounts: new Set(rows.map(({ account }) => account)), lots: [...bySymbol.values()] };
}

function toAccounts(rows: readonly HeldRow[], before: readonly Holding[]): readonly ShownAccount[] {
  return [...new Set(rows.map(({ account }) => account))].map((account) => {
    const own = rows.filter((row) => row.account === account);
    const symbols = new Set(own.map(({ listing }) => listing.symbol));
    const there = before
      .filter(({ lots }) => lots.some((lot) => lot.account === account))
      .map(({ listing }) => listing.symbol);
    return {
      account,
      holdings: symbols.size,
      lots: own.length,
      replaces: there.filter((symbol) => symbols.has(symbol)),
      removes: there.filter((symbol) => !symbols.has(symbol)),
    };
  });
}

function toWarnings(table: ReadTable, resolved: ResolvedRows, before: readonly Holding[]): Pick<Import, "warnings"> {
  const accounts = new Set(resolved.rows.map(({ account }) => account));
  const symbols = new Set(resolved.rows.map(({ listing }) => listing.symbol));
  const also = before.filter(
    ({ listing, lots }) =>
      symbols.has(listing.symbol) && lots.some(({ account }) => account === undefined || !accounts.has(account)),
  );
  const names = also.map(({ listing }) => listing.symbol).join(", ");
  const more = also.length === 0 ? [] : [`${names} is also held outside of these accounts; both are counted`];
  const warnings = [...table.warnings, ...resolved.warnings, ...more].slice(0, MAX_SHOWN);
  return warnings.length === 0 ? {} : { warnings };
}

function show(table: ReadTable, { rows, refused }: ResolvedRows) {
  const all = [...table.refused, ...refused].toSorted((a, b) => a.line - b.line);
  const { style, lines, headerLine, cash, skipped } = table;
  const columns = [...(style.columns?.values() ?? [])].toSorted((a, b) => a.index - b.index);
  return {
    accepted: rows.length,
    refused_count: all.length,
    cash_count: cash.length,
    skipped_count: skipped.length,
    holdings: rows.slice(0, MAX_SHOWN).map(showRow),
    ...(all.length === 0 ? {} : { refused: all.slice(0, MAX_NAMED) }),
    ...(cash.length === 0 ? {} : { cash: cash.slice(0, MAX_NAMED) }),
    ...(skipped.length === 0 ? {} : { skipped: skipped.slice(0, MAX_NAMED) }),
    read: {
      lines,
      delimiter: style.delimiter,
      decimal: style.decimal,
      ...omitUndefined({ header_line: headerLine }),
      columns: columns.map(({ header, field }) => ({ header: toSafeText(header, 60), field })),
    },
  };
}

function showRow({ line, listing, lot, account }: HeldRow): ShownRow {
  const { quantity, cost, currency, bought_on } = lot;
  const paid = cost === undefined ? {} : { cost, cost_currency: currency };
  return { ...identify(listing), line, quantity, ...paid, account, ...omitUndefined({ bought_on }) };
}

function rowFigures(row: ShownRow, at: number): readonly Figure[] {
  const place = `data.holdings[${at}]`;
  return cite({ symbol: row.symbol, currency: row.cost_currency ?? row.currency }, [
    { path: `${place}.quantity`, value: row.quantity, unit: volumeUnit(row), metric: "quantity" },
    { path: `${place}.cost`, value: row.cost, unit: priceUnit(row), metric: "cost" },
  ]);
}
