/**
 * Observe: asks the market for what an alert looks at. Alerts of many users on one listing share an answer for a moment.
 */
import type { ResultCache } from "@baton/assistant";
import { MarketError } from "../../../market/port/market-error.ts";
import type { Provenance } from "../../../market/port/provenance.ts";
import { loadDaily } from "../../shared/daily.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import { percentChange } from "../../shared/number.ts";
import { toJson } from "../../shared/to-json.ts";
import { rsi } from "../../../math/indicators/rsi.ts";
import type { Alert, AlertKind } from "./alert.ts";
import { OBSERVED, type Observed } from "./observed.ts";

/** Subject of an alert, without the fields that identify the alert. */
export type Subject = Pick<Alert, "listing" | "kind" | "since" | "forms">;

const SECOND_MS = 1_000;

/** Seconds between two checks of each kind. */
export const EVERY_S: Readonly<Record<AlertKind, number>> = {
  price_above: 60,
  price_crosses: 60,
  price_below: 60,
  percent_move: 60,
  rsi_above: 900,
  rsi_below: 900,
  filing: 900,
  earnings: 86_400,
};

/**
 * Observes the subject of an alert, at most half as old as the time between two checks; throws a `MarketError` if no
 * source has it.
 */
export async function observeShared(asked: MarketContext, subject: Subject, cache: ResultCache): Promise<Observed> {
  const { market } = asked;
  const { listing, kind, since = "", forms = [] } = subject;
  const key = `watch:${market.mode}:${topicOf(kind)}:${listing.symbol}:${since}:${forms.join("+")}:${market.today()}`;
  const kept = OBSERVED.safeParse(await cache.get(key)).data;
  if (kept !== undefined) return kept;
  const observed = await observe(asked, subject);
  await cache.set(key, toJson(observed), (EVERY_S[kind] * SECOND_MS) / 2);
  return observed;
}

function topicOf(kind: AlertKind): Observed["what"] {
  if (kind === "rsi_above" || kind === "rsi_below") return "rsi";
  if (kind === "filing") return "filings";
  return kind === "earnings" ? "earnings" : "price";
}

/** Observes the subject of an alert now; throws a `MarketError` if no source has it. */
export async function observe(asked: MarketContext, subject: Subject): Promise<Observed> {
  switch (topicOf(subject.kind)) {
    case "price":
      return subject.listing.type === "crypto" ? askCoin(asked, subject) : askQuote(asked, subject);
    case "rsi":
      return askRsi(asked, subject);
    case "filings":
      return askFilings(asked, subject);
    case "earnings":
      return askEarnings(asked, subject);
  }
}

function toStanding({ as_of, kind, source, stale }: Provenance) {
  return { as_of, kind, source, is_stale: stale === true };
}

async function askQuote({ market, context: { scope } }: MarketContext, { listing, since }: Subject): Promise<Observed> {
  const { data, provenance } = await market.quote({ listing, detail: "price" }, scope);
  const change_percent = data.changePercent ?? percentChange(data.previousClose, data.price);
  return {
    what: "price",
    price: requirePrice(data.price, listing.symbol),
    currency: listing.currency,
    ...toChange(change_percent, { listing, since }),
    ...toStanding(provenance),
  };
}

async function askCoin({ market, context: { scope } }: MarketContext, { listing, since }: Subject): Promise<Observed> {
  if (since !== "day") {
    const { data, provenance } = await market.coinPrice({ listing }, scope);
    const price = requirePrice(data.price, listing.symbol);
    return { what: "price", price, currency: data.quoteCurrency, ...toStanding(provenance) };
  }
  const { data, provenance } = await market.coinQuote({ listing }, scope);
  return {
    what: "price",
    price: requirePrice(data.price, listing.symbol),
    currency: data.quoteCurrency,
    ...toChange(data.changePercent, { listing, since }),
    ...toStanding(provenance),
  };
}

/** An alert on a day's move is worth nothing without it. */
function toChange(percent: number | undefined, { listing, since }: Pick<Subject, "listing" | "since">) {
  if (percent !== undefined && Number.isFinite(percent)) return { change_percent: percent };
  if (since !== "day") return {};
  throw new MarketError("no_data", `no source says how much ${listing.symbol} moved today`, { symbol: listing.symbol });
}

/** A source that gives something else than a price has failed. */
function requirePrice(price: number, symbol: string): number {
  if (Number.isFinite(price) && price > 0) return price;
  throw new MarketError("upstream", `the source gave no price of ${symbol}`, { symbol });
}

/** Enough to let the smoothing of the first days fade. */
const RSI_BARS = 300;
const RSI_PERIOD = 14;

async function askRsi(asked: MarketContext, { listing }: Subject): Promise<Observed> {
  const { data, provenance } = await loadDaily(asked, { listing, limit: RSI_BARS });
  const value = rsi(data.c, RSI_PERIOD).at(-1);
  if (value === undefined || !Number.isFinite(value)) {
    const message = `RSI(14) of ${listing.symbol} needs more than ${data.t.length} daily prices`;
    throw new MarketError("no_data", message, { symbol: listing.symbol });
  }
  return { what: "rsi", rsi: value, ...toStanding(provenance) };
}

const MAX_FILINGS = 40;

/**
 * Asks for filings; an entry that does not look like a filing is left out, so that no text of a source gets further.
 */
async function askFilings(
  { market, context: { scope } }: MarketContext,
  { listing, forms = [] }: Subject,
): Promise<Observed> {
  const { data, provenance } = await market.filings({ listing, forms, limit: MAX_FILINGS }, scope);
  const filings = data
    .map(({ form, filed, accession }) => ({ form, filed, accession }))
    .filter(({ form, filed, accession }) => {
      const isForm = /^[A-Z0-9][A-Z0-9 /-]{0,19}$/i.test(form);
      return isForm && /^\d{4}-\d\d-\d\d$/.test(filed) && /^[\d-]{10,24}$/.test(accession);
    });
  return { what: "filings", filings, ...toStanding(provenance) };
}

const MAX_REPORTS = 12;

async function askEarnings({ market, context: { scope } }: MarketContext, { listing }: Subject): Promise<Observed> {
  const { data, provenance } = await market.earnings({ listing, limit: MAX_REPORTS }, scope);
  const today = market.today();
  const days = data
    .filter(
      ({ day, epsActual, revenueActual }) => day >= today && epsActual === undefined && revenueActual === undefined,
    )
    .map(({ day }) => day)
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .toSorted();
  return { what: "earnings", ...(days[0] !== undefined && { next: days[0] }), today, ...toStanding(provenance) };
}
