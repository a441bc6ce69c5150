/**
 * Set holding: adds, replaces or removes what the user holds of one listing, once a call.
 */
import { listedItems } from "../frame/listed-items.ts";
import type { Figure } from "@baton/assistant";
import { type Json, type CallContext, ToolError } from "@baton/core";
import { lookInto, omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { AnySymbol, Day } from "../frame/arguments.ts";
import { citeFields } from "../shared/figures.ts";
import { toMissingLines } from "../frame/listing-tool.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";
import { LEAST_VND, toCurrency, toKeptCost } from "./valuation/currency.ts";
import { checkHoldable, requireHeldListing } from "./held-listing.ts";
import { averageCostOf, exact, type Lot, MAX_AMOUNT, quantityOf, takeFrom, withoutAccount } from "./holding.ts";
import { type Changed, changeHolding, readPortfolio } from "./holdings.ts";
import { dated, lotFigures, ownFigures } from "./valuation/portfolio-figures.ts";
import { ownOrigin, showLots } from "./valuation/valued-portfolio.ts";

type Input = z.output<typeof HOLDING>;
type Set = Changing["data"];

/** The longest name of an account. */
const MAX_ACCOUNT = 60;

const SHORT = "short positions are not kept: quantity is 0 or more";

/** An account's name, on one line. */
export const AccountSchema = z
  .string()
  .max(200)
  .transform((text) => toSafeText(text, MAX_ACCOUNT))
  .refine((text) => text !== "", { error: "the name of the account is empty" });

/** Code or sign of a currency. */
export const CurrencySchema = z
  .string()
  .max(10)
  .refine((text) => toCurrency(text) !== undefined, { error: "not the code of a currency, such as USD, EUR or VND" });

const HOLDING = z.strictObject({
  symbol: AnySymbol,
  quantity: z
    .number()
    .min(0, { error: SHORT })
    .max(MAX_AMOUNT)
    .optional()
    .describe("Needed unless action is remove, which without it removes all"),
  cost: z.number().min(0).max(MAX_AMOUNT).optional().describe("Of one"),
  currency: CurrencySchema.optional().describe("Of the cost; default the listing's"),
  account: AccountSchema.optional().describe("If the user named one"),
  bought_on: Day.optional(),
  action: z.enum(["set", "add", "remove"]).default("set").describe("set replaces, add adds a purchase; default set"),
});

/** The list or one: which of them is seen before the fields are checked, so that a problem names its field. */
const Holdings: z.ZodType<Readonly<{ holdings: readonly Input[] }>> = z
  .looseObject({ holdings: z.array(z.json()).optional() })
  .transform((given, context) => {
    const isList = given.holdings !== undefined;
    const parsed = isList
      ? z.strictObject({ holdings: z.array(HOLDING).min(1).max(20) }).safeParse(given)
      : HOLDING.safeParse(given);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    }
    const holdings: readonly Input[] = "holdings" in parsed.data ? parsed.data.holdings : [parsed.data];
    for (const [at, { action, quantity }] of holdings.entries()) {
      const path = isList ? ["holdings", at, "quantity"] : ["quantity"];
      if (action !== "remove" && quantity === undefined)
        context.addIssue({ code: "custom", path, message: "how many shares or coins is needed" });
    }
    return { holdings };
  });

type Several = Readonly<{ results: readonly Set[]; missing?: readonly Readonly<{ symbol: string; reason: string }>[] }>;
type Changes = Set | Several;

const isRemoval = (item: Json): boolean => lookInto(item, "action") === "remove" || lookInto(item, "quantity") === 0;

/** The number of holdings that a call removes: several at once, or one. */
export const countRemovals = (args: Json): number => [args, ...listedItems(args, "holdings")].filter(isRemoval).length;

/** Changes what the user holds. */
export const setHoldingTool = defineMarketTool({
  name: "setHolding",
  wish: {
    want: (args) => (countRemovals(args) > 0 ? "remove_holding" : "set_holding"),
    symbols: ["symbol", "holdings.symbol"],
    from: ["quantity", "cost", "holdings.quantity", "holdings.cost"],
    asksAlways: (args) => countRemovals(args) > 1,
  },
  category: "beyond",
  description:
    "Changes what the user holds, for one or several. Only if the message says that they hold, bought or sold it.",
  isCommon: true,
  effect: "idempotent",
  input: Holdings,
  offered: z.object({ holdings: z.array(HOLDING.omit({ account: true, bought_on: true })).max(20) }),
  ttlMs: 0,
  run: async ({ holdings }, asked): Promise<Sourced<Changes>> => {
    const { context } = asked;
    const done: Changing[] = [];
    const missing: { symbol: string; reason: string }[] = [];
    for (const [at, holding] of holdings.entries()) {
      const key = holdings.length === 1 ? context.key : `${context.key}/${at}`;
      try {
        done.push(await change(holding, { ...asked, context: { ...context, key } }));
      } catch (thrown) {
        const isTold = thrown instanceof MarketError || (thrown instanceof ToolError && thrown.kind === "validation");
        if (!isTold || holdings.length === 1) throw thrown;
        missing.push({ symbol: holding.symbol, reason: thrown.message });
      }
    }
    const [first, ...others] = done;
    if (first === undefined)
      throw new MarketError("no_data", missing.map(({ symbol, reason }) => `${symbol}: ${reason}`).join("; "));
    const provenance = ownOrigin(done.map(({ updatedAt }) => ({ updatedAt })));
    if (others.length === 0 && missing.length === 0) return { data: first.data, provenance };
    return { data: { results: done.map(({ data }) => data), ...(missing.length > 0 && { missing }) }, provenance };
  },
  figures: (data, provenance) =>
    dated(
      "results" in data
        ? data.results.flatMap((one, at) => setFigures(one, `data.results[${at}]`))
        : setFigures(data, "data"),
      provenance,
    ),
  digest: (data) => {
    const all = "results" in data ? data.results : [data];
    return {
      notes: all.flatMap(({ symbol, done, warnings = [] }) => [`${symbol}: ${done.replace("_", " ")}`, ...warnings]),
      missing: "results" in data ? toMissingLines(data.missing ?? []) : [],
    };
  },
});

type Changing = Awaited<ReturnType<typeof change>>;

/** Changes one holding. */
async function change(input: Input, { market, context }: MarketContext) {
  const { documents, key } = context;
  const { action, account } = input;
  checkDay(input.bought_on, context);
  const held = (await readPortfolio(documents)).holdings.map(({ listing }) => listing);
  const paid = input.currency === undefined ? undefined : toCurrency(input.currency);
  const hints = { held, ...omitUndefined({ currency: paid?.code }) };
  const listing = requireHeldListing(market, input.symbol, hints);
  checkHoldable(listing);
  let replaced: readonly Lot[] = [];
  const changed = await changeHolding(documents, { listing, key }, (lots) => {
    replaced = lots;
    return apply(lots, input, listing);
  });
  const average = averageCostOf(changed.lots);
  const warnings = warningsOf(input, { listing, changed, replaced });
  const data = {
    ...identify(listing),
    action,
    done: toDone(changed, replaced),
    before_quantity: changed.before,
    quantity: quantityOf(changed.lots),
    ...omitUndefined({ account, average_cost: average?.average, cost_currency: average?.currency }),
    ...omitUndefined({ version: changed.lots.length === 0 ? undefined : changed.version }),
    lots: showLots(changed.lots),
    ...omitUndefined({ warnings: warnings.length === 0 ? undefined : warnings }),
  };
  return { data, updatedAt: changed.updatedAt ?? context.scope.clock.now() };
}

const setFigures = (data: Set, place: string): readonly Figure[] => [
  ...ownFigures(place, data),
  ...lotFigures(place, data),
  ...citeFields(data, [place, data], [["before_quantity", "volume", "quantity before"]]),
];

function apply(lots: readonly Lot[], input: Input, listing: Listing): readonly Lot[] {
  const { action, account, quantity = 0 } = input;
  if (action === "remove" && quantity > 0) return takeFrom(lots, quantity, account);
  if (action === "remove") return withoutAccount(lots, account);
  const bought = quantity > 0 ? [toLot(quantity, input, listing)] : [];
  if (action === "add") return [...lots, ...bought];
  return [...withoutAccount(lots, account), ...bought];
}

function toLot(quantity: number, { cost, currency, account, bought_on }: Input, listing: Listing): Lot {
  const paid = toCurrency(currency ?? listing.currency) ?? { code: listing.currency, scale: 1 };
  const kept = toKeptCost(cost, paid);
  return { quantity: exact(quantity), ...kept, ...omitUndefined({ account, bought_on }) };
}

function toDone({ before, lots }: Changed, replaced: readonly Lot[]) {
  if (lots.length === 0) return before === 0 ? "not_held" : "removed";
  if (before === 0) return "added";
  return JSON.stringify(lots) === JSON.stringify(replaced) ? "unchanged" : "changed";
}

type Done = Readonly<{ listing: Listing; changed: Changed; replaced: readonly Lot[] }>;

/** Returns warnings about the change for the user. */
function warningsOf({ action, cost, quantity = 0 }: Input, { listing, changed, replaced }: Done): readonly string[] {
  const { symbol, currency } = listing;
  const average = averageCostOf(replaced);
  const isCostLost = action === "set" && quantity > 0 && cost === undefined && average !== undefined;
  const isSmall =
    currency === "VND" && cost !== undefined && cost < LEAST_VND && changed.lots.at(-1)?.currency === "VND";
  return [
    ...(isCostLost ? [`the earlier cost of ${symbol}, ${average.average} ${average.currency}, is no longer kept`] : []),
    ...(isSmall ? [`${cost} VND a share is kept as it was said; prices are often written in thousand VND`] : []),
  ];
}

const DAY_MS = 86_400_000;

function checkDay(day: string | undefined, { scope }: CallContext): void {
  // it may be tomorrow already in the user's time zone
  const last = new Date(scope.clock.now() + DAY_MS).toISOString().slice(0, 10);
  if (day !== undefined && day > last) throw new ToolError("validation", `bought_on ${day} is in the future`);
}
