/**
 * Holdings: the user's portfolio as documents, one a listing, with the listing's symbol as its id.
 *
 * A write names the version it has read, so two at once both count. A call that is made again changes nothing: each
 * document remembers the keys of the calls that changed it. What is no longer held stays for a day without lots, so
 * that this holds for removals too.
 */
import { BatonError, type Json, ToolError } from "@baton/core";
import type { Document, Documents, NewDocument } from "@baton/core/ports";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { type Holding, type Lot, LotsSchema, MAX_LOTS, quantityOf } from "./holding.ts";

const HOLDINGS = "holdings";
const PAGE = 1_000;
const MAX_HOLDINGS = 2_000;
const MAX_TRIES = 100;
const MAX_KEYS = 32;
const KEPT_EMPTY_MS = 24 * 60 * 60_000;

const StoredSchema = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  type: z.enum(["stock", "etf", "index", "crypto"]),
  currency: z.string(),
  lots: LotsSchema,
  /** The newest calls that changed it, and how much there was before each. */
  calls: z.array(z.object({ key: z.string(), before: z.number() })),
});
type Stored = z.infer<typeof StoredSchema>;

/** All that is held, by symbol; and the documents that cannot be read, by name. */
export type Portfolio = Readonly<{ holdings: readonly Holding[]; damaged: readonly string[] }>;

/** The whole portfolio. */
export async function readPortfolio(documents: Documents): Promise<Portfolio> {
  const holdings: Holding[] = [];
  const damaged: string[] = [];
  for (const document of await listAll(documents)) {
    const stored = toStored(document);
    if (stored === undefined) damaged.push(document.id);
    else if (stored.lots.length > 0) holdings.push(toHolding(stored, document));
  }
  return { holdings, damaged };
}

/** Result of a change of one holding. */
export type Changed = Readonly<{ before: number; lots: readonly Lot[]; version?: number; updatedAt?: number }>;

/** The holding, and the key of the call that changes it. */
export type Changing = Readonly<{ listing: Listing; key: string }>;

/** Changes the lots of one listing; once a key, however often it is called. */
export async function changeHolding(
  documents: Documents,
  { listing, key }: Changing,
  change: (lots: readonly Lot[]) => readonly Lot[],
): Promise<Changed> {
  return retry(async () => {
    const found = await documents.get(HOLDINGS, listing.symbol);
    const stored = found === undefined ? undefined : requireStored(found);
    const done = stored?.calls.find((call) => call.key === key);
    if (found !== undefined && stored !== undefined && done !== undefined) return toChanged(found, done.before);
    const lots = change(stored?.lots ?? []);
    const before = quantityOf(stored?.lots ?? []);
    if (lots.length === 0 && (stored?.lots.length ?? 0) === 0) return { before, lots };
    return toChanged(await documents.put(HOLDINGS, toDocument({ listing, lots, key, before }, found)), before);
  });
}

/** New lots by listing, for accounts that are replaced as a whole. */
export type Replacing = Readonly<{
  key: string;
  accounts: ReadonlySet<string>;
  lots: readonly Readonly<{ listing: Listing; lots: readonly Lot[] }>[];
}>;

/** Replaces all lots of some accounts at once; gives the symbols that changed. */
export async function replaceAccounts(documents: Documents, replacing: Replacing): Promise<readonly string[]> {
  const { key, accounts } = replacing;
  return retry(async () => {
    const there = new Map((await listAll(documents)).map((document) => [document.id, document]));
    const stored = [...there.values()].flatMap((document) => {
      const one = toStored(document);
      return one === undefined ? [] : [{ document, stored: one }];
    });
    const done = stored.filter((one) => one.stored.calls.some((call) => call.key === key));
    if (done.length > 0) return done.map(({ document }) => document.id);
    const bought = new Map(replacing.lots.map((one) => [one.listing.symbol, one]));
    const kept = new Map(stored.map((one) => [one.stored.symbol, one.stored]));
    const changed: NewDocument[] = [];
    for (const symbol of new Set([...bought.keys(), ...kept.keys()])) {
      const old = kept.get(symbol);
      const rest = (old?.lots ?? []).filter(({ account }) => account === undefined || !accounts.has(account));
      const lots = [...rest, ...(bought.get(symbol)?.lots ?? [])];
      const listing = bought.get(symbol)?.listing ?? old;
      if (listing === undefined || isSame(lots, old?.lots ?? [])) continue;
      const before = quantityOf(old?.lots ?? []);
      changed.push(toDocument({ listing, lots, key, before }, there.get(symbol)));
    }
    checkSize(new Set([...bought.keys(), ...kept.keys()]).size);
    return (await documents.putAll(HOLDINGS, changed)).map(({ id }) => id);
  });
}

async function listAll(documents: Documents): Promise<readonly Document[]> {
  const all: Document[] = [];
  let after: string | undefined;
  do {
    const page = await documents.list(HOLDINGS, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    all.push(...page.documents);
    after = page.next;
  } while (after !== undefined);
  return all;
}

/** Again from the start if somebody else has written in between. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (thrown) {
      const isConflict = thrown instanceof BatonError && thrown.code === "conflict";
      if (!isConflict || tries === MAX_TRIES) throw thrown;
    }
  }
}

function toStored({ data, error }: Document): Stored | undefined {
  return error === undefined ? StoredSchema.safeParse(data).data : undefined;
}

function requireStored(document: Document): Stored {
  const stored = toStored(document);
  if (stored !== undefined) return stored;
  throw new ToolError("permanent", `what is stored of the holding ${document.id} cannot be read, so it is not changed`);
}

function toHolding({ symbol, name, exchange, type, currency, lots }: Stored, document: Document): Holding {
  const listing = { symbol, name, exchange, type, currency };
  return { listing, lots, version: document.version, updatedAt: document.updatedAt };
}

function toChanged(document: Document, before: number): Changed {
  const { lots } = requireStored(document);
  return { before, lots, version: document.version, updatedAt: document.updatedAt };
}

type Written = Changing & Readonly<{ lots: readonly Lot[]; before: number }>;

function toDocument({ listing, lots, key, before }: Written, found: Document | undefined): NewDocument {
  if (lots.length > MAX_LOTS) {
    const message = `${listing.symbol} would have ${lots.length} lots; at most ${MAX_LOTS} are kept`;
    throw new ToolError("validation", message);
  }
  const { symbol, name, exchange, type, currency } = listing;
  const calls = [...(found === undefined ? [] : requireStored(found).calls), { key, before }].slice(-MAX_KEYS);
  const data: Json = { symbol, name, exchange, type, currency, lots: lots.map((lot) => ({ ...lot })), calls };
  const ttl = lots.length === 0 ? { ttlMs: KEPT_EMPTY_MS } : {};
  return { id: symbol, data, version: found?.version ?? 0, index: { symbol }, ...ttl };
}

function isSame(one: readonly Lot[], other: readonly Lot[]): boolean {
  const toText = ({ quantity, cost, currency, account, bought_on }: Lot) =>
    JSON.stringify([quantity, cost ?? "", currency, account ?? "", bought_on ?? ""]);
  const texts = (lots: readonly Lot[]) => lots.map(toText).toSorted();
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other));
}

function checkSize(count: number): void {
  if (count <= MAX_HOLDINGS) return;
  throw new ToolError("validation", `there would be ${count} holdings; at most ${MAX_HOLDINGS} are kept`);
}
