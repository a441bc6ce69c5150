/**
 * Value DCF: what a share is worth if the free cash flow grows as assumed. Every assumption and its origin is in the
 * result.
 */
import type { Unit } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { discountCashFlow } from "../../math/risk/dcf.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import { citeFields } from "../shared/figures.ts";
import { percentChange, tidy } from "../shared/number.ts";
import { loadQuote } from "../price/quote.ts";
import { type FiscalYear, toYears } from "./compare-cell.ts";

const YEARS = 6;
const GROWTH_LEAST = 0;
const GROWTH_MOST = 12;
/** The market's price is compared only with statements of about its own time. */
const MAX_AGE_DAYS = 550;

/** A number that the value rests on, and where it comes from. */
type Assumption = Readonly<{ name: string; value: number; unit: Unit; origin: string }>;

/** The value of a share by its cash flow. */
export const valueDcfTool = defineListingTool({
  name: "valueDcf",
  category: "beyond",
  description:
    "Value of a share by discounted free cash flow, with every assumption and its origin, and a sensitivity table.",
  of: { types: ["stock"] },
  input: {
    growth_percent: z
      .number()
      .min(-50)
      .max(100)
      .optional()
      .describe("Yearly growth of free cash flow; default from revenue"),
    years: z.int().min(1).max(20).default(5).describe("Years of growth; default 5"),
    terminal_growth_percent: z.number().min(-5).max(6).default(2.5).describe("After them; default 2.5"),
    discount_percent: z.number().min(1).max(40).default(9).describe("Default 9"),
    shares: z.number().positive().max(1e13).optional().describe("Default as reported"),
  },
  check: ({ discount_percent, terminal_growth_percent }) =>
    discount_percent > terminal_growth_percent
      ? undefined
      : { path: "discount_percent", message: "must be above terminal_growth_percent" },
  ttlMs: 60 * 60_000,
  run: async (listing, args, asked) => {
    const { years, provenance } = await loadStatements(asked, listing);
    const [latest] = years;
    if (latest === undefined) throw lacking(listing, "annual statements");
    const base = toBase(listing, years, args);
    const value = (growth: number, discount: number) => discountCashFlow({ ...args, ...base, growth, discount });
    const main = value(base.growth, args.discount_percent);
    const market = await loadMarketPrice(asked, listing, latest);
    const { start, end, label } = latest.row;
    const data = {
      ...identify(listing),
      currency: latest.row.currency,
      fiscal_year: label,
      period: { end, label, ...omitUndefined({ start }) },
      assumptions: toAssumptions(base, args, label),
      enterprise_value: tidy(main.enterprise),
      equity_value: tidy(main.equity),
      value_per_share: tidy(main.perShare),
      terminal_share_percent: tidy(main.terminalShare * 100),
      ...omitUndefined({
        price: market.price,
        price_day: market.day,
        upside_percent: percentChange(market.price, main.perShare),
      }),
      sensitivity: [-2, 0, 2].flatMap((more) =>
        [-1, 0, 1].flatMap((dearer) => {
          const [growth, discount] = [base.growth + more, args.discount_percent + dearer];
          if (discount <= args.terminal_growth_percent) return [];
          const value_per_share = tidy(value(growth, discount).perShare);
          const at = { growth_percent: Number(growth.toFixed(2)), discount_percent: Number(discount.toFixed(2)) };
          return [{ ...at, value_per_share }];
        }),
      ),
      notes: [...base.notes, ...market.notes],
    };
    return { data, provenance };
  },
  figures: (data) => {
    const { period, price_day = period.end, assumptions, sensitivity } = data;
    return [
      ...citeFields(
        { ...data, period },
        ["data", data],
        [
          ["value_per_share", "money/share", "DCF value a share"],
          ["price", "money/share", "price", { end: price_day }],
          ["upside_percent", "percent", "DCF value over the price"],
          ["enterprise_value", "money", "enterprise value"],
          ["equity_value", "money", "equity value"],
          ["terminal_share_percent", "percent", "share of the terminal value"],
        ],
      ),
      ...assumptions.flatMap((one, at) =>
        citeFields({ ...data, period }, [`data.assumptions[${at}]`, one], [["value", one.unit, `assumed ${one.name}`]]),
      ),
      ...sensitivity.flatMap((one, at) => {
        const metric = `value a share at growth ${one.growth_percent} % and discount ${one.discount_percent} %`;
        return citeFields(
          { ...data, period },
          [`data.sensitivity[${at}]`, one],
          [["value_per_share", "money/share", metric]],
        );
      }),
    ];
  },
  digest: ({ fiscal_year, assumptions, notes }) => ({
    shared: [`from ${fiscal_year}`],
    notes: [`origins: ${assumptions.map(({ name, origin }) => `${name}: ${origin}`).join("; ")}`, ...notes],
  }),
});

type Args = Readonly<{
  growth_percent?: number | undefined;
  years: number;
  terminal_growth_percent: number;
  discount_percent: number;
  shares?: number | undefined;
}>;

interface Base {
  readonly cashFlow: number;
  /** Debt less cash and short-term investments: below 0 if there is more of these than debt. */
  readonly netDebt: number;
  readonly debtOrigin: (year: string) => string;
  readonly shares: number;
  readonly growth: number;
  readonly growthOrigin: string;
  readonly sharesOrigin: string;
  readonly notes: readonly string[];
}

/** The numbers of the latest year that the value starts from. */
function toBase(listing: Listing, years: readonly FiscalYear[], { growth_percent, shares: given }: Args): Base {
  const values = years[0]?.values ?? new Map<string, number>();
  const cashFlow = values.get("freeCashFlow");
  if (cashFlow === undefined) throw lacking(listing, "free cash flow");
  if (cashFlow <= 0) throw lacking(listing, "positive free cash flow, which a DCF needs");
  const shares =
    given ?? values.get("weightedAverageShsOutDil") ?? values.get("weightedAverageShsOut") ?? bySplit(values);
  if (shares === undefined) throw lacking(listing, "number of shares; give `shares`");
  const cash = values.get("cashAndShortTermInvestments") ?? values.get("cashAndCashEquivalents");
  const debt = difference(values.get("totalDebt"), cash) ?? values.get("netDebt");
  const grown = growth_percent === undefined ? growthOf(years) : undefined;
  return {
    cashFlow,
    shares,
    netDebt: debt ?? 0,
    debtOrigin: (year) => (debt === undefined ? "not known, counted as 0" : `${year}, as reported`),
    growth: growth_percent ?? grown?.percent ?? 0,
    growthOrigin: growth_percent === undefined ? (grown?.origin ?? "no earlier year is known: no growth") : "given",
    sharesOrigin: given === undefined ? "as reported" : "given",
    notes: [
      debt === undefined
        ? "net debt is not known and counted as 0, so the equity value is the enterprise value"
        : "equity value = enterprise value − net debt; net debt is debt less cash, below 0 if there is more cash",
    ],
  };
}

const difference = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one - other;

/** Earnings by earnings a share. */
function bySplit(values: ReadonlyMap<string, number>): number | undefined {
  const [income, eps] = [values.get("netIncome"), values.get("epsDiluted") ?? values.get("eps")];
  return income === undefined || eps === undefined || eps === 0 ? undefined : income / eps;
}

/** Compound growth of revenue over the known years, within bounds. */
function growthOf(years: readonly FiscalYear[]): Readonly<{ percent: number; origin: string }> | undefined {
  const known = years.filter(({ values }) => (values.get("revenue") ?? 0) > 0);
  const [latest, first] = [known[0], known.at(-1)];
  if (latest === undefined || first === undefined || latest === first) return undefined;
  const span = known.length - 1;
  const rate = ((latest.values.get("revenue") ?? 0) / (first.values.get("revenue") ?? 1)) ** (1 / span) - 1;
  const percent = Math.min(GROWTH_MOST, Math.max(GROWTH_LEAST, tidy(rate * 100)));
  const bounds = `between ${GROWTH_LEAST} and ${GROWTH_MOST} %`;
  return { percent, origin: `revenue growth ${first.row.label} to ${latest.row.label}, ${bounds}` };
}

const NET_DEBT = "net debt (debt less cash and short-term investments)";

function toAssumptions(base: Base, args: Args, year: string): readonly Assumption[] {
  return [
    { name: "free cash flow", value: base.cashFlow, unit: "money", origin: `${year}, as reported` },
    { name: "growth a year", value: tidy(base.growth), unit: "percent", origin: base.growthOrigin },
    { name: "years of growth", value: args.years, unit: "count", origin: "given or default" },
    { name: "terminal growth", value: args.terminal_growth_percent, unit: "percent", origin: "given or default" },
    { name: "discount rate", value: args.discount_percent, unit: "percent", origin: "given or default" },
    { name: NET_DEBT, value: base.netDebt, unit: "money", origin: base.debtOrigin(year) },
    { name: "shares", value: base.shares, unit: "shares", origin: base.sharesOrigin },
  ];
}

async function loadStatements({ market, context: { scope } }: MarketContext, listing: Listing) {
  const ask = (statement: "income" | "balance" | "cash_flow") =>
    market.statements({ listing, statement, period: "annual", limit: YEARS }, scope);
  const income = await ask("income");
  const balance = await ask("balance").catch(orNone);
  const cashFlow = await ask("cash_flow");
  const years = toYears({ income: income.data, balance: balance?.data ?? [], cashFlow: cashFlow.data });
  return { years, provenance: income.provenance };
}

/** The price, if it is of about the time of the statements. */
async function loadMarketPrice(asked: MarketContext, listing: Listing, { row }: FiscalYear) {
  const answer = await loadQuote(asked, listing, "price").catch(orNone);
  if (answer === undefined) return { notes: ["no price is known to compare it with"] };
  const day = answer.provenance.as_of.slice(0, 10);
  const age = (Date.parse(day) - Date.parse(row.end)) / 86_400_000;
  if (age < 0 || age > MAX_AGE_DAYS || row.currency !== answer.data.currency) {
    return {
      notes: [`not compared with the price of ${day}: the statements end ${row.end}, and shares may have split since`],
    };
  }
  return { price: answer.data.price, day, notes: [] };
}

function orNone(thrown: unknown): undefined {
  if (!(thrown instanceof MarketError)) throw thrown;
}

const lacking = ({ symbol, name }: Listing, what: string) =>
  new MarketError("no_data", `${symbol} (${name}) has no ${what} in the data in use`, { symbol });
