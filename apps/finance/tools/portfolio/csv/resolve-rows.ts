/**
 * Resolve rows: which listing each row of a table means. What is not known, could mean several things or cannot be held
 * is refused by name; a typing error is never guessed.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory, Listing, Resolution } from "../../../market/port/listing.ts";
import { toSafeText } from "../../shared/untrusted.ts";
import { exact, type Lot } from "../holding.ts";
import { LEAST_VND, toKeptCost } from "../valuation/currency.ts";
import { wordsOf } from "./header.ts";
import type { OtherRow, ReadRow, ReadTable } from "./read-holdings.ts";

/** A row with the listing it means and the lot it is. */
export type HeldRow = Readonly<{ line: number; listing: Listing; lot: Lot; account: string }>;

/** Rows that mean something, and those that do not. */
export interface ResolvedRows {
  readonly rows: readonly HeldRow[];
  readonly refused: readonly OtherRow[];
  readonly warnings: readonly string[];
}

const MAX_NAME = 120;
const MAX_ACCOUNT = 60;
const STANDARD_ACCOUNT = "imported";

/** The listings and lots of all rows, in one account or in those of the table. */
export function resolveRows(table: ReadTable, directory: Directory, account?: string): ResolvedRows {
  const refused: OtherRow[] = [];
  const found = table.rows.flatMap((row) => {
    const listing = findListing(row, table, directory);
    if (!("reason" in listing)) return [{ row, listing }];
    refused.push({ line: row.line, text: row.text, reason: listing.reason });
    return [];
  });
  const dong = found.flatMap(({ row: { cost = 0, currency }, listing }) =>
    cost > 0 && (currency?.code ?? listing.currency) === "VND" ? [cost] : [],
  );
  const isThousands = dong.length > 0 && dong.every((cost) => cost < LEAST_VND);
  const rows = found.map(({ row, listing }): HeldRow => {
    const named = toSafeText(account ?? row.account, MAX_ACCOUNT) || STANDARD_ACCOUNT;
    const paid = row.currency ?? { code: listing.currency, scale: 1 };
    const scale = isThousands && paid.code === "VND" ? 1_000 : 1;
    const kept = toKeptCost(row.cost === undefined ? undefined : exact(row.cost * scale), paid);
    const lot = { quantity: row.quantity, ...kept, account: named, ...omitUndefined({ bought_on: row.bought_on }) };
    return { line: row.line, listing, account: named, lot };
  });
  const warning = "costs below 1,000 VND a share are read as thousand VND; say so if that is wrong";
  return { rows, refused, warnings: isThousands ? [warning] : [] };
}

type Meant = Listing | Readonly<{ reason: string }>;

function findListing(row: ReadRow, table: ReadTable, directory: Directory): Meant {
  const listing = row.symbol === "" ? byName(row, directory) : bySymbol(row, table, directory);
  if ("reason" in listing || listing.type !== "index") return listing;
  return { reason: `${listing.symbol} is an index, which cannot be held` };
}

/** The listing of a ticker, also as brokers mark it: `AAPL_US_EQ`, `AAPL US`, `BRKB`. */
function bySymbol(row: ReadRow, table: ReadTable, directory: Directory): Meant {
  const written = row.symbol.slice(0, MAX_NAME).replace(/\*{1,3}$/, "");
  const [, marked] = /^([A-Z][A-Z0-9.]{0,9})[ _]US(?:[ _](?:EQ|EQUITY))?$/i.exec(written) ?? [];
  const text = marked ?? written;
  const market = marked === undefined ? marketOf(row, table) : "US";
  const local = market === undefined ? undefined : directory.resolve(text, { market });
  if (local?.kind === "one" && local.by === "symbol") return local.listing;
  const own = directory.get(text);
  if (own !== undefined) return own;
  const general = directory.resolve(text);
  // A ticker of some exchange, such as SAP.DE, is not the company of that name on another exchange.
  const isForeign =
    /^[A-Z0-9.:/^=-]+$/.test(text) && /[^A-Z]/.test(text) && !(general.kind === "one" && general.by === "symbol");
  const meant = isForeign ? [] : toMeant(general);
  const named = row.name === "" ? [] : toMeant(directory.resolve(row.name.slice(0, MAX_NAME)));
  const isHome = ({ currency }: Listing) => market === undefined || (currency === "VND") === (market === "VN");
  const home = meant.length === 1 ? meant : meant.filter(isHome);
  const both = home.filter(({ symbol }) => named.some((one) => one.symbol === symbol));
  const [only, other] = both.length === 1 ? both : home;
  if (only !== undefined && other === undefined) return only;
  if (meant.length > 1) return { reason: toSeveral(text, meant) };
  const letters = (symbol: string) => symbol.replaceAll(/[^A-Za-z0-9]/g, "").toUpperCase();
  const share = row.name === "" ? undefined : directory.get(`${text.slice(0, -1)}-${text.slice(-1)}`);
  const near = [...named, ...(share === undefined ? [] : [share])].find(
    ({ symbol }) => letters(symbol) === letters(text),
  );
  return near ?? { reason: toUnknown(text, general) };
}

function byName({ name }: ReadRow, directory: Directory): Meant {
  const text = name.slice(0, MAX_NAME);
  const found = directory.resolve(text);
  const [first, ...others] = toMeant(found);
  if (first === undefined) return { reason: toUnknown(text, found) };
  return others.length === 0 ? first : { reason: toSeveral(text, [first, ...others]) };
}

/** Returns the market of a row, by its exchange, its currency or the language of its table. */
function marketOf({ exchange, currency }: ReadRow, { region }: ReadTable): "VN" | "US" | undefined {
  const place = exchange
    .slice(0, 20)
    .replaceAll(/[^A-Za-z]/g, "")
    .toLowerCase();
  if (wordsOf("hose").has(place) || currency?.code === "VND") return "VN";
  if (wordsOf("america").has(place) || currency?.code === "USD") return "US";
  return region === "vietnam" && currency === undefined ? "VN" : undefined;
}

/** Returns the listings that a text means for sure. */
function toMeant(resolution: Resolution): readonly Listing[] {
  if (resolution.kind === "ambiguous") return resolution.candidates;
  return resolution.kind === "one" && resolution.by !== "typo" ? [resolution.listing] : [];
}

const toShown = ({ symbol, name, exchange }: Listing): string => `${symbol} (${name}, ${exchange})`;

function toSeveral(text: string, candidates: readonly Listing[]): string {
  const choices = candidates.slice(0, 5).map(toShown).join(", ");
  return `“${toSafeText(text, MAX_ACCOUNT)}” can mean ${choices}; write the symbol that is meant`;
}

function toUnknown(text: string, resolution: Resolution): string {
  const near = resolution.kind === "none" ? resolution.nearest : resolution.kind === "one" ? [resolution.listing] : [];
  const hint = near.length === 0 ? "" : `; perhaps ${near.slice(0, 3).map(toShown).join(", ")} is meant`;
  return `no symbol or name “${toSafeText(text, MAX_ACCOUNT)}” is known${hint}`;
}
