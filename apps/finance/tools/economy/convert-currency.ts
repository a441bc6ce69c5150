/**
 * Convert tool: an amount of one currency in another, at the daily reference rate of a day.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day as DayText, MarketData } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { Day } from "../frame/arguments.ts";
import { type Currency, findCurrency, isKnownCurrency, roundMoney } from "../shared/currency.ts";
import { citeFields } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { tidy } from "../shared/number.ts";
import { toSafeText } from "../shared/untrusted.ts";

const Code = z.string().trim().min(1).max(40);

/** An amount in another currency. */
export const convertCurrencyTool = defineMarketTool({
  name: "convertCurrency",
  category: "beyond",
  asks: "fx",
  description:
    "Converts an amount from one currency to another at the daily reference rate of the newest or a past day.",
  input: z.strictObject({
    amount: z.number().min(-1e15).max(1e15).describe("How much, in units of `from`"),
    from: Code.describe("Currency of the amount: a code such as USD, or a name"),
    to: Code.describe("Currency that is wanted: a code such as VND, or a name"),
    date: Day.optional().describe("Day of the rate, YYYY-MM-DD; default the newest"),
  }),
  ttlMs: 60 * 60_000,
  run: async ({ amount: given_amount, from: one, to: other, date }, asked) => {
    const [from, to] = [requireCurrency(one, asked.market), requireCurrency(other, asked.market)];
    const amount = tidy(given_amount * from.scale);
    const { data, provenance } = await loadRate({ from: from.code, to: to.code, date }, asked);
    const shown = {
      amount,
      from: from.code,
      from_name: from.name,
      to: to.code,
      to_name: to.name,
      rate: data.rate,
      converted: roundMoney(amount * data.rate, to.code),
      rate_day: data.day,
      ...omitUndefined({ date, note: data.note }),
    };
    return { data: shown, provenance };
  },
  figures: ({ from, to, rate_day, ...data }) =>
    citeFields(
      { symbol: `${from}/${to}`, currency: to, period: { end: rate_day } },
      ["data", data],
      [
        ["converted", "money", `amount in ${to}`],
        ["rate", "money", `1 ${from} in ${to}`],
      ],
    ),
  describe: ({ from, from_name, to, to_name, rate_day, note }) => [
    `${from} (${from_name}) to ${to} (${to_name}), rate of ${rate_day}`,
    ...(note === undefined ? [] : [note]),
  ],
});

function requireCurrency(text: string, { directory }: MarketData): Currency {
  const found = findCurrency(text);
  if (found !== undefined && isKnownCurrency(found.code)) return found;
  const shown = toSafeText(text, 40);
  const coin = directory.resolve(text, { type: "crypto" });
  if (coin.kind === "one" && coin.by !== "typo") {
    const { symbol } = coin.listing;
    const message = `"${shown}" is a coin, not a currency: the tools of coins has the price of ${symbol}`;
    throw new MarketError("no_data", message, { symbol, candidates: [coin.listing] });
  }
  if (found !== undefined) return found;
  const available = "codes of three letters such as USD, EUR, VND, and names such as dollar or đồng";
  throw new MarketError("no_data", `no currency "${shown}" is known`, { available });
}

type Pair = Readonly<{ from: string; to: string; date: DayText | undefined }>;
type Rated = Readonly<{ rate: number; day: DayText; note?: string }>;

async function loadRate({ from, to, date }: Pair, { market, context }: MarketContext): Promise<Sourced<Rated>> {
  const today = market.today("fx");
  if (from === to) return toSame(from, date ?? today);
  const isAhead = date !== undefined && date > today;
  const day = isAhead ? undefined : date;
  const { data, provenance } = await market.fx({ from, to, ...omitUndefined({ day }) }, context.scope);
  const note = toNote({ date, day: data.day, isAhead });
  return { data: { rate: data.rate, day: data.day, ...omitUndefined({ note }) }, provenance };
}

type Dated = Readonly<{ date: DayText | undefined; day: DayText; isAhead: boolean }>;

function toNote({ date, day, isAhead }: Dated): string | undefined {
  if (date === undefined || date === day) return undefined;
  return isAhead
    ? `${date} is still to come: this is the newest rate, of ${day}`
    : `${date} has no rate, such as on a weekend: this is the rate of ${day}, the last business day before`;
}

/** A currency in itself needs no source. */
function toSame(code: string, day: DayText): Sourced<Rated> {
  const provenance: Provenance = { kind: "snapshot", source: "definition", as_of: `${day}T00:00:00Z` };
  return { data: { rate: 1, day, note: `${code} is converted to itself: the rate is 1` }, provenance };
}
