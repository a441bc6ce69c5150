/**
 * Portfolio events: which holdings report earnings or go ex-dividend in a window of days. A source that cannot tell is
 * named; it never looks like a week without events.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Dividend, Earning } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { addDays, daysFrom } from "../shared/calendar-day.ts";
import { cite } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { tidy } from "../shared/number.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";
import { type Holding, quantityOf } from "./holding.ts";
import { attempt, loadEach, type PricePart } from "./valuation/load-prices.ts";
import { dated, ofOrigin } from "./valuation/portfolio-figures.ts";
import { derive, ownOrigin, requireHoldings } from "./valuation/valued-portfolio.ts";

interface Event extends ListingIdentity {
  readonly kind: "earnings" | "ex_dividend";
  readonly day: string;
  readonly quantity: number;
  readonly event_currency: string;
  readonly eps_estimated?: number;
  readonly eps_actual?: number;
  readonly revenue_estimated?: number;
  /** A dividend per share, and what the holding gets. */
  readonly amount?: number;
  readonly income?: number;
  readonly payment_day?: string;
  readonly origin: Pick<Provenance, "kind" | "source" | "as_of">;
}

type What = "earnings" | "dividends";
type Missing = Readonly<{ symbol: string; what: What; reason: string }>;

interface Events {
  readonly window: Readonly<{ start: string; end: string }>;
  /** Number of holdings that were asked about. */
  readonly asked: number;
  /** By day. */
  readonly events: readonly Event[];
  readonly missing?: readonly Missing[];
  /** Where what the user said comes from. */
  readonly entered: Provenance;
}

const WEEK = 6;
const MAX_DAYS = 366;
const MAX_EVENTS = 300;
const REPORTS = 12;

/** The dates of the user's holdings. */
export const portfolioEventsTool = defineMarketTool<
  Readonly<{ from?: string | undefined; to?: string | undefined }>,
  Events
>({
  name: "getPortfolioEvents",
  category: "beyond",
  description:
    "Earnings dates and ex-dividend days of what the user holds, within a window; default the week from today.",
  says: `what in my portfolio reports this week; upcoming earnings of my holdings; ex-dividend dates of my stocks;
    dividends I will get; tuần này cổ phiếu nào của tôi công bố kết quả; lịch chia cổ tức của danh mục của tôi`,
  input: z
    .strictObject({
      from: Day.optional().describe("First day as YYYY-MM-DD; default today"),
      to: Day.optional().describe("Last day as YYYY-MM-DD; default six days after the first"),
    })
    .refine(isOrdered, ORDERED)
    .refine(({ from, to }) => from === undefined || to === undefined || daysFrom(from, to) <= MAX_DAYS, {
      error: `the window is longer than ${MAX_DAYS} days`,
      path: ["to"],
    }),
  ttlMs: 0,
  isOfUser: true,
  timeoutMs: 60_000,
  run: async ({ from, to }, asked) => {
    const owned = await requireHoldings(asked);
    const window = toWindow(asked.market.today(), { from, to });
    const companies = owned.filter(({ listing }) => listing.type !== "crypto");
    if (companies.length === 0) {
      throw new MarketError("no_data", "the portfolio holds only coins, which report no earnings and pay no dividends");
    }
    const found = await loadEach(asked, companies, (one, holding) => loadEvents(one, holding, window));
    const origins = found.flatMap((one) => one.origins);
    const missing = found.flatMap((one) => one.missing);
    const enable = found.flatMap((one) => one.enable ?? [])[0];
    if (origins.length === 0) throw nobodyKnows(missing, enable);
    const events = found.flatMap((one) => one.events).toSorted(byDay);
    const data: Events = {
      window,
      asked: companies.length,
      events: events.slice(0, MAX_EVENTS),
      ...(missing.length === 0 ? {} : { missing }),
      entered: ownOrigin(owned),
    };
    return { data, provenance: derive(origins, owned.length) };
  },
  figures: ({ events, entered }, provenance) =>
    dated(
      events.flatMap((event, at) => eventFigures(event, at, entered)),
      provenance,
    ),
  describe: ({ window, events, missing = [] }) => [
    ...(events.length === 0 ? [`no event is known from ${window.start} to ${window.end}`] : []),
    ...events.map(({ symbol, name, kind, day }) => `${day}: ${symbol} (${name}) ${kind.replace("_", "-")}`),
    ...missing.map(({ symbol, what, reason }) => `not known: ${what} of ${symbol}: ${reason}`),
  ],
});

const byDay = (a: Event, b: Event): number =>
  a.day === b.day ? (a.symbol < b.symbol ? -1 : 1) : a.day < b.day ? -1 : 1;

function toWindow(today: string, { from, to }: Readonly<{ from?: string | undefined; to?: string | undefined }>) {
  if (from === undefined && to !== undefined) return { start: to < today ? to : today, end: to };
  const start = from ?? today;
  return { start, end: to ?? addDays(start, WEEK) };
}

interface Loaded {
  readonly events: readonly Event[];
  readonly missing: readonly Missing[];
  readonly origins: readonly Provenance[];
  readonly enable?: string;
}

type Window = Events["window"];

/** The events of one holding; funds report no earnings. */
async function loadEvents(asked: MarketContext, holding: Holding, window: Window): Promise<Loaded> {
  const { market, context } = asked;
  const { listing } = holding;
  const reports =
    listing.type === "stock"
      ? await attempt(() => market.earnings({ listing, limit: REPORTS }, context.scope))
      : undefined;
  const payouts = await attempt(() => market.dividends({ listing, from: window.start }, context.scope));
  const isIn = ({ day }: Readonly<{ day: string }>) => day >= window.start && day <= window.end;
  const parts: readonly Read[] = [
    ...(reports === undefined ? [] : [read(holding, "earnings", withRows(reports, isIn, toReport))]),
    read(holding, "dividends", withRows(payouts, isIn, toPayout)),
  ];
  const enable = parts.flatMap((part) => part.enable ?? [])[0];
  return {
    events: parts.flatMap((part) => part.events),
    missing: parts.flatMap((part) => part.missing),
    origins: parts.flatMap((part) => part.origins),
    ...omitUndefined({ enable }),
  };
}

type Row = Pick<Event, "kind" | "day" | "event_currency"> & Partial<Event>;
type Read = Loaded;

function withRows<T>(
  part: PricePart<readonly T[]>,
  isIn: (row: T) => boolean,
  toRow: (row: T) => Row,
): PricePart<readonly Row[]> {
  return "reason" in part ? part : { ...part, data: part.data.filter(isIn).map(toRow) };
}

function read({ listing, lots }: Holding, what: What, part: PricePart<readonly Row[]>): Read {
  if ("reason" in part) {
    const { reason, enable } = part;
    return {
      events: [],
      missing: [{ symbol: listing.symbol, what, reason }],
      origins: [],
      ...omitUndefined({ enable }),
    };
  }
  const { kind, source, as_of } = part.provenance;
  const quantity = quantityOf(lots);
  const events = part.data.map((row): Event => {
    const income = row.amount === undefined ? undefined : tidy(row.amount * quantity);
    return { ...identify(listing), ...row, quantity, ...omitUndefined({ income }), origin: { kind, source, as_of } };
  });
  return { events, missing: [], origins: [part.provenance] };
}

function toReport({ day, currency, epsActual, epsEstimated, revenueEstimated }: Earning): Row {
  const figures = { eps_actual: epsActual, eps_estimated: epsEstimated, revenue_estimated: revenueEstimated };
  return { kind: "earnings", day, event_currency: currency, ...omitUndefined(figures) };
}

function toPayout({ day, amount, currency, paymentDay }: Dividend): Row {
  return { kind: "ex_dividend", day, event_currency: currency, amount, ...omitUndefined({ payment_day: paymentDay }) };
}

const MAX_NAMED = 20;

function nobodyKnows(missing: readonly Missing[], enable: string | undefined): MarketError {
  const symbols = [...new Set(missing.map(({ symbol }) => symbol))].slice(0, MAX_NAMED).join(", ");
  const [reason] = missing.map((one) => one.reason);
  const message = `no source knows earnings dates or dividends of ${symbols}: ${reason ?? "none was asked"}`;
  return new MarketError("no_data", message, omitUndefined({ enable }));
}

function eventFigures(event: Event, at: number, entered: Provenance): readonly Figure[] {
  const place = `data.events[${at}]`;
  const period = { end: event.day };
  const figures = cite({ symbol: event.symbol, currency: event.event_currency }, [
    {
      path: `${place}.eps_estimated`,
      value: event.eps_estimated,
      unit: "money/share",
      metric: "estimated EPS",
      period,
    },
    { path: `${place}.eps_actual`, value: event.eps_actual, unit: "money/share", metric: "reported EPS", period },
    {
      path: `${place}.revenue_estimated`,
      value: event.revenue_estimated,
      unit: "money",
      metric: "estimated revenue",
      period,
    },
    { path: `${place}.amount`, value: event.amount, unit: "money/share", metric: "dividend per share", period },
    { path: `${place}.income`, value: event.income, unit: "money", metric: "dividend of the holding", period },
  ]);
  const { symbol, currency, quantity } = event;
  const path = `${place}.quantity`;
  const held = cite({ symbol, currency }, [{ path, value: quantity, unit: "shares", metric: "quantity held" }]);
  return [...ofOrigin(figures, event.origin), ...ofOrigin(held, entered)];
}
