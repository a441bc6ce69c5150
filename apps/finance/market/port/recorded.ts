/**
 * Recorded market data: keeps every answer and error of a market, and plays them again.
 *
 * Records are JSON: an answer is found by its capability and its query as canonical JSON. Columns of numbers, maps and
 * typed errors come back as what they were. A query that was not recorded is a clear error, never another's answer.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory, Listing } from "./listing.ts";
import type { MarketAsk, Capabilities, Capability, Day } from "./market-data.ts";
import { toMarketData, type MarketOf } from "../chain/chain.ts";
import { type Manager, MarketError, type MarketErrorKind } from "./market-error.ts";
import { decodeValue, encodeValue, type Encoded, toCanonicalJson } from "./recorded-value.ts";
import type { Sourced } from "./provenance.ts";

/** An error as it is kept. */
export interface RecordedError {
  readonly kind: MarketErrorKind;
  readonly message: string;
  readonly symbol?: string;
  readonly retryAt?: number;
  readonly available?: string;
  readonly enable?: string;
  readonly candidates?: readonly Listing[];
  readonly managers?: readonly Manager[];
}

/** One answer or error. */
export type MarketRecord = Readonly<{ capability: Capability; query: string }> &
  (Readonly<{ answer: Encoded }> | Readonly<{ error: RecordedError }>);

/** Everything that was recorded: the market's mode and day, and its answers in the order they came. */
export interface MarketRecords {
  mode: string;
  today: Day;
  readonly answers: MarketRecord[];
}

/** No records yet. */
export function emptyRecords(): MarketRecords {
  return { mode: "", today: "", answers: [] };
}

/** A market that answers as the given one does and adds each answer to `records`. */
export function recordMarket<D extends Directory>(market: MarketOf<D>, records: MarketRecords): MarketOf<D> {
  const { directory, mode } = market;
  records.mode = mode;
  records.today = market.today();
  const keep: Wrap = (capability, ask) => async (query, scope) => {
    const key = { capability, query: toCanonicalJson(query) };
    try {
      const sourced = await ask(query, scope);
      records.answers.push({ ...key, answer: encodeValue(sourced) });
      return sourced;
    } catch (error) {
      if (error instanceof MarketError) records.answers.push({ ...key, error: toRecordedError(error) });
      throw error;
    }
  };
  return {
    directory,
    mode,
    today: () => market.today(),
    dataLine: (nowMs) => market.dataLine(nowMs),
    ...wrapAll(market, keep),
  };
}

/** A market that answers from records alone. The newest record of a query counts. */
export function playMarket<D extends Directory>(records: MarketRecords, directory: D): MarketOf<D> {
  const byKey = new Map<string, MarketRecord>();
  for (const record of records.answers) byKey.set(`${record.capability} ${record.query}`, record);
  const play: Wrap = (capability, ask) => async (query) => {
    const json = toCanonicalJson(query);
    const record = byKey.get(`${capability} ${json}`);
    if (record === undefined) throw new MarketError("no_data", `nothing is recorded for ${capability} ${json}`);
    if ("error" in record) throw toMarketError(record.error);
    return trusted(ask, decodeValue(record.answer));
  };
  const today = () => records.today;
  const silent = toMarketData({ directory, mode: "recorded", today, chains: {} });
  return { ...silent, mode: `recorded ${records.mode}`, ...wrapAll(silent, play) };
}

type Wrap = <Query, Answer>(capability: Capability, ask: MarketAsk<Query, Answer>) => MarketAsk<Query, Answer>;

function wrapAll(market: Capabilities, wrap: Wrap): Capabilities {
  return {
    quote: wrap("quote", market.quote),
    change: wrap("change", market.change),
    bars: wrap("bars", market.bars),
    intraday: wrap("intraday", market.intraday),
    statements: wrap("statements", market.statements),
    metrics: wrap("metrics", market.metrics),
    earnings: wrap("earnings", market.earnings),
    dividends: wrap("dividends", market.dividends),
    news: wrap("news", market.news),
    movers: wrap("movers", market.movers),
    screener: wrap("screener", market.screener),
    sectors: wrap("sectors", market.sectors),
    constituents: wrap("constituents", market.constituents),
    overview: wrap("overview", market.overview),
    calendar: wrap("calendar", market.calendar),
    coinPrice: wrap("coinPrice", market.coinPrice),
    coinQuote: wrap("coinQuote", market.coinQuote),
    coinBars: wrap("coinBars", market.coinBars),
    coinMarkets: wrap("coinMarkets", market.coinMarkets),
    coinSupply: wrap("coinSupply", market.coinSupply),
    search: wrap("search", market.search),
    rates: wrap("rates", market.rates),
    series: wrap("series", market.series),
    fx: wrap("fx", market.fx),
    filings: wrap("filings", market.filings),
    filingSection: wrap("filingSection", market.filingSection),
    filingSearch: wrap("filingSearch", market.filingSearch),
    insiderTrades: wrap("insiderTrades", market.insiderTrades),
    holdings: wrap("holdings", market.holdings),
    options: wrap("options", market.options),
  };
}

function toRecordedError({ kind, message, details }: MarketError): RecordedError {
  const { symbol, retryAt, available, enable, candidates, managers } = details;
  return { kind, message, ...omitUndefined({ symbol, retryAt, available, enable, candidates, managers }) };
}

function toMarketError({ kind, message, ...details }: RecordedError): MarketError {
  return new MarketError(kind, message, details);
}

/** A record holds what the capability answered when it was made. */
function trusted<Query, Answer>(ask: MarketAsk<Query, Answer>, answer: unknown): Sourced<Answer>;
function trusted(_ask: unknown, answer: unknown): unknown {
  return answer;
}
