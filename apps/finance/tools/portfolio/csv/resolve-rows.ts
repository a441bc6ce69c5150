/**
 * Resolve rows: which listing each row of a table means. What is not known, could mean several things or cannot be held
 * is refused by name; a typing error is never guessed.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory, Listing, Resolution } from "../../../market/port/listing.ts";
import { toSafeText } from "../../shared/untrusted.ts";
import { LEAST_VND, toKeptCost } from "../valuation/currency.ts";
import { exact, type Lot, takeFrom } from "../holding.ts";
import type { OtherRow, ReadRow } from "./reading.ts";
import { wordsOf } from "./row-kind.ts";

/** A row with the listing it means and the lot it is. */
export type HeldRow = Readonly<{ line: number; listing: Listing; lot: Lot; account: string }>;

/** Rows that mean something, and those that do not. */
export type ResolvedRows = Readonly<{
  rows: readonly HeldRow[];
  refused: readonly OtherRow[];
  warnings: readonly string[];
}>;

/** Context in which rows are resolved. */
export type Resolving = Readonly<{
  directory: Directory;
  region?: "vietnam" | "europe" | undefined;
  /** Replaces the accounts of the table. */
  account?: string | undefined;
  /** For rows without one. */
  standardAccount: string;
}>;

const MAX_ACCOUNT = 60;

/** The listings and lots of all rows; sales are taken from the lots before them. */
export function resolveRows(rows: readonly ReadRow[], resolving: Resolving): ResolvedRows {
  const refused: OtherRow[] = [];
  const warnings: string[] = [];
  const found = rows.flatMap((row) => {
    const listing = findListing(row, resolving);
    if (!("reason" in listing)) return [{ row, listing }];
    refused.push({ line: row.line, text: row.text, reason: listing.reason });
    return [];
  });
  const isThousands = isInThousands(found);
  if (isThousands) warnings.push("costs below 1,000 VND a share are read as thousand VND; say so if that is wrong");
  warnings.push(...found.flatMap(({ row, listing }) => toForeignWarning(row, listing)));
  const held = found.map(({ row, listing }) => {
    const account = toSafeText(resolving.account ?? row.account ?? "", MAX_ACCOUNT) || resolving.standardAccount;
    return { row, listing, account, lot: toLot(row, listing, { account, scale: isThousands ? 1_000 : 1 }) };
  });
  return { rows: withoutSold(held, refused), refused, warnings };
}

type Found = Readonly<{ row: ReadRow; listing: Listing }>;

/** Whether all costs in dong are so small that they must be thousands. */
function isInThousands(found: readonly Found[]): boolean {
  const costs = found.flatMap(({ row: { cost, currency }, listing }) =>
    cost !== undefined && cost > 0 && (currency?.code ?? listing.currency) === "VND" ? [cost] : [],
  );
  return costs.length > 0 && costs.every((cost) => cost < LEAST_VND);
}

function toForeignWarning(
  { line, isin, symbol }: ReadRow,
  { symbol: found, name, exchange }: Listing,
): readonly string[] {
  const isHome = isin === undefined || isin.startsWith("US") || isin.startsWith("VN");
  return isHome || symbol !== undefined ? [] : [`line ${line} was found by its name: ${found} (${name}, ${exchange})`];
}

type Kept = Readonly<{ account: string; scale: number }>;

function toLot({ quantity, cost, currency, bought_on }: ReadRow, listing: Listing, { account, scale }: Kept): Lot {
  const paid = currency ?? { code: listing.currency, scale: 1 };
  const isDong = paid.code === "VND";
  const kept = toKeptCost(cost === undefined ? undefined : exact(cost * (isDong ? scale : 1)), paid);
  return { quantity, ...kept, account, ...omitUndefined({ bought_on }) };
}

type Held = Found & Readonly<{ account: string; lot: Lot }>;

/** Lots that are left after sales, in the order of days; one of more than was bought is refused. */
function withoutSold(held: readonly Held[], refused: OtherRow[]): readonly HeldRow[] {
  const toRow = ({ row, listing, lot, account }: Held): HeldRow => ({ line: row.line, listing, lot, account });
  const sales = held.filter(({ row }) => row.isSale === true);
  if (sales.length === 0) return held.map(toRow);
  const isSame = (one: Held, other: Held) =>
    one.listing.symbol === other.listing.symbol && one.account === other.account;
  let bought = held.filter(({ row }) => row.isSale !== true);
  for (const sale of sales.toSorted((a, b) => ((a.lot.bought_on ?? "") < (b.lot.bought_on ?? "") ? -1 : 1))) {
    const own = bought.filter((one) => isSame(one, sale));
    const there = own.reduce((sum, { lot }) => sum + lot.quantity, 0);
    if (there < sale.lot.quantity) {
      const reason = "it sells more than this table has bought before";
      refused.push({ line: sale.row.line, text: sale.row.text, reason });
      continue;
    }
    bought = bought.flatMap((one) => {
      if (!isSame(one, sale)) return [one];
      const at = own.indexOf(one);
      const left = takeEach(own, sale.lot.quantity)[at];
      return left === undefined ? [] : [{ ...one, lot: left }];
    });
  }
  return bought.map(toRow);
}

/** Returns the rest of each lot after a sale; undefined for one that is gone. */
function takeEach(own: readonly Held[], quantity: number): readonly (Lot | undefined)[] {
  const marked = own.map(({ lot }, index) => ({ ...lot, account: String(index) }));
  const left = new Map(takeFrom(marked, quantity).map((lot) => [lot.account, lot.quantity]));
  return own.map(({ lot }, index) => {
    const rest = left.get(String(index));
    return rest === undefined ? undefined : { ...lot, quantity: rest };
  });
}

type Meant = Listing | Readonly<{ reason: string }>;

/** Finds the listing of a row: by its symbol, else by its name if it has no symbol of its own. */
function findListing(row: ReadRow, resolving: Resolving): Meant {
  const listing = row.symbol === undefined ? byName(row, resolving) : bySymbol(row.symbol, row, resolving);
  if ("reason" in listing || listing.type !== "index") return listing;
  return { reason: `${listing.symbol} is an index, which nobody can hold` };
}

function bySymbol(written: string, row: ReadRow, resolving: Resolving): Meant {
  const { text, market } = toTicker(written);
  const narrowing = market ?? marketOf(row, resolving);
  const { directory } = resolving;
  const inMarket = narrowing === undefined ? undefined : directory.resolve(text, { market: narrowing });
  if (inMarket?.kind === "one" && inMarket.by === "symbol") return inMarket.listing;
  const own = directory.get(text);
  if (own !== undefined) return own;
  const general = directory.resolve(text);
  const isOther = general.kind === "one" && general.by !== "symbol" && isMarkedTicker(text);
  const candidates = isOther ? [] : toMeant(general);
  const [first] = candidates;
  if (first !== undefined && candidates.length === 1) return first;
  if (first !== undefined) return decide(text, candidates, { row, resolving, narrowing });
  return byLetters(text, row, resolving) ?? { reason: toUnknown(text, general) };
}

function byName({ name, isin }: ReadRow, { directory }: Resolving): Meant {
  if (name === undefined) return { reason: `no security is known by ${isin ?? "it"}; add its symbol or name` };
  const text = name.slice(0, MAX_NAME);
  const found = directory.resolve(text);
  const candidates = toMeant(found);
  const [first] = candidates;
  if (first !== undefined && candidates.length === 1) return first;
  return { reason: first === undefined ? toUnknown(text, found) : toSeveral(text, candidates) };
}

const MAX_NAME = 120;

/** A ticker as some brokers mark it: `AAPL_US_EQ`, `AAPL US`, `SPAXX**`. */
function toTicker(written: string): Readonly<{ text: string; market?: string }> {
  const text = written
    .slice(0, MAX_NAME)
    .replace(/\*{1,3}$/, "")
    .trim();
  const [, ticker] = /^([A-Z][A-Z0-9.]{0,9})[ _]US(?:[ _](?:EQ|EQUITY))?$/i.exec(text) ?? [];
  return ticker === undefined ? { text } : { text: ticker, market: "US" };
}

/** A ticker of some exchange, such as `SAP.DE`: a company of that name on another exchange is another security. */
const isMarkedTicker = (text: string): boolean => /^[A-Z0-9.:/^=-]+$/.test(text) && /[^A-Z]/.test(text);

/** Returns the market of a row, by its exchange, its currency or the language of its table. */
function marketOf({ exchange = "", currency }: ReadRow, { region }: Resolving): "VN" | "US" | undefined {
  const place = exchange
    .slice(0, 20)
    .replaceAll(/[^A-Za-z]/g, "")
    .toLowerCase();
  if (wordsOf("hose").has(place)) return "VN";
  if (wordsOf("america").has(place)) return "US";
  if (currency?.code === "VND") return "VN";
  if (currency?.code === "USD") return "US";
  return region === "vietnam" && currency === undefined ? "VN" : undefined;
}

type Deciding = Readonly<{ row: ReadRow; resolving: Resolving; narrowing: string | undefined }>;

/** Among several listings with one ticker, the one that the row's market or name tells apart. */
function decide(text: string, candidates: readonly Listing[], { row, resolving, narrowing }: Deciding): Meant {
  const isHome = ({ currency }: Listing) => narrowing === undefined || (currency === "VND") === (narrowing === "VN");
  const local = candidates.filter(isHome);
  const named = row.name === undefined ? [] : toMeant(resolving.directory.resolve(row.name.slice(0, MAX_NAME)));
  const both = local.filter(({ symbol }) => named.some((one) => one.symbol === symbol));
  const [only] = both.length === 1 ? both : local.length === 1 ? local : [];
  return only ?? { reason: toSeveral(text, candidates) };
}

/** `BRKB` beside the name of a company whose symbol is `BRK-B`. */
function byLetters(text: string, { name }: ReadRow, { directory }: Resolving): Listing | undefined {
  const letters = (symbol: string) => symbol.replaceAll(/[^A-Za-z0-9]/g, "").toUpperCase();
  const share = directory.get(`${text.slice(0, -1)}-${text.slice(-1)}`);
  const named = name === undefined ? [] : toMeant(directory.resolve(name.slice(0, MAX_NAME)));
  const near = share !== undefined && name !== undefined && text.length > 2 ? [...named, share] : named;
  return near.find(({ symbol }) => letters(symbol) === letters(text));
}

/** Returns the listings that a text means for sure. */
function toMeant(resolution: Resolution): readonly Listing[] {
  if (resolution.kind === "ambiguous") return resolution.candidates;
  return resolution.kind === "one" && resolution.by !== "typo" ? [resolution.listing] : [];
}

const MAX_SHOWN = 60;
const toShown = ({ symbol, name, exchange }: Listing): string => `${symbol} (${name}, ${exchange})`;

function toSeveral(text: string, candidates: readonly Listing[]): string {
  const choices = candidates.slice(0, 5).map(toShown).join(", ");
  return `“${toSafeText(text, MAX_SHOWN)}” can mean ${choices}; write the symbol that is meant`;
}

function toUnknown(text: string, resolution: Resolution): string {
  const near = resolution.kind === "none" ? resolution.nearest : resolution.kind === "one" ? [resolution.listing] : [];
  const hint = near.length === 0 ? "" : `; perhaps ${near.slice(0, 3).map(toShown).join(", ")} is meant`;
  return `no symbol or name “${toSafeText(text, MAX_SHOWN)}” is known${hint}`;
}
