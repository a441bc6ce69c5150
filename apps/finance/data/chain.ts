/**
 * Chain: joins sources to one `MarketData`, with an explicit list of sources for each capability.
 *
 * An answer comes from one source. If a source fails in a way that another may not, the next is asked and the answer
 * says so. If all fail, the error that tells most about what to do is thrown. A cancelled request is never a failure.
 */
import type { Scope } from "@baton/core";
import { describeFailure, type Failure, toFallbackNote } from "./fallback.ts";
import type { Directory } from "./listing.ts";
import type { Ask, Capability, Day, MarketData, Source } from "./market-data.ts";
import { MarketError, type MarketErrorKind } from "./market-error.ts";
import type { Sourced } from "./provenance.ts";

/** The sources of each capability in the order in which they are asked; one that does not serve it is passed over. */
export type Chains = { readonly [C in Capability]?: readonly Source[] };

/** What sources are joined to. */
export interface ChainOptions<D extends Directory> {
  readonly directory: D;
  readonly mode: string;
  readonly today: () => Day;
  readonly chains: Chains;
}

/** A market whose directory is of a known kind. */
export type MarketOf<D extends Directory> = MarketData & { readonly directory: D };

const FMP = "FMP_API_KEY";
const LIVE = "BATON_FINANCE_LIVE=on";

/** The switch that brings each capability. */
export const SWITCHES: Readonly<Record<Capability, string>> = {
  quote: FMP,
  change: FMP,
  bars: FMP,
  intraday: FMP,
  statements: FMP,
  metrics: FMP,
  earnings: FMP,
  dividends: FMP,
  news: FMP,
  movers: FMP,
  screener: FMP,
  sectors: FMP,
  constituents: FMP,
  overview: FMP,
  calendar: FMP,
  coinPrice: LIVE,
  coinQuote: LIVE,
  coinBars: LIVE,
  coinMarkets: LIVE,
  coinSupply: LIVE,
  search: "TAVILY_API_KEY",
  rates: LIVE,
  series: LIVE,
  fx: LIVE,
  filings: LIVE,
  filingSection: LIVE,
  filingSearch: LIVE,
  insiderTrades: LIVE,
  holdings: LIVE,
};

/** The source that a switch brings, so that one that was asked is not advised. */
const BROUGHT: ReadonlyMap<string, string> = new Map([
  [FMP, "fmp"],
  [LIVE, "binance"],
]);

/** How much an error tells about what to do, the most telling first. */
const TELLING: readonly MarketErrorKind[] = ["ambiguous", "throttled", "plan", "upstream", "no_data", "not_configured"];

/** Joins sources. */
export function toMarketData<D extends Directory>(options: ChainOptions<D>): MarketOf<D> {
  const { directory, mode, today, chains } = options;
  return {
    directory,
    mode,
    today,
    sourcesOf: (capability) => (chains[capability] ?? []).filter((source) => source[capability] !== undefined),
    quote: chain("quote", chains.quote, (source) => source.quote),
    change: chain("change", chains.change, (source) => source.change),
    bars: chain("bars", chains.bars, (source) => source.bars),
    intraday: chain("intraday", chains.intraday, (source) => source.intraday),
    statements: chain("statements", chains.statements, (source) => source.statements),
    metrics: chain("metrics", chains.metrics, (source) => source.metrics),
    earnings: chain("earnings", chains.earnings, (source) => source.earnings),
    dividends: chain("dividends", chains.dividends, (source) => source.dividends),
    news: chain("news", chains.news, (source) => source.news),
    movers: chain("movers", chains.movers, (source) => source.movers),
    screener: chain("screener", chains.screener, (source) => source.screener),
    sectors: chain("sectors", chains.sectors, (source) => source.sectors),
    constituents: chain("constituents", chains.constituents, (source) => source.constituents),
    overview: chain("overview", chains.overview, (source) => source.overview),
    calendar: chain("calendar", chains.calendar, (source) => source.calendar),
    coinPrice: chain("coinPrice", chains.coinPrice, (source) => source.coinPrice),
    coinQuote: chain("coinQuote", chains.coinQuote, (source) => source.coinQuote),
    coinBars: chain("coinBars", chains.coinBars, (source) => source.coinBars),
    coinMarkets: chain("coinMarkets", chains.coinMarkets, (source) => source.coinMarkets),
    coinSupply: chain("coinSupply", chains.coinSupply, (source) => source.coinSupply),
    search: chain("search", chains.search, (source) => source.search),
    rates: chain("rates", chains.rates, (source) => source.rates),
    series: chain("series", chains.series, (source) => source.series),
    fx: chain("fx", chains.fx, (source) => source.fx),
    filings: chain("filings", chains.filings, (source) => source.filings),
    filingSection: chain("filingSection", chains.filingSection, (source) => source.filingSection),
    filingSearch: chain("filingSearch", chains.filingSearch, (source) => source.filingSearch),
    insiderTrades: chain("insiderTrades", chains.insiderTrades, (source) => source.insiderTrades),
    holdings: chain("holdings", chains.holdings, (source) => source.holdings),
  };
}

/** Here no data means that nothing fits, which an older source must not contradict. */
const SEARCHED: ReadonlySet<Capability> = new Set(["screener", "search", "news"]);

/** Asks the sources of one capability one after the other. */
function chain<Query, Answer>(
  capability: Capability,
  sources: readonly Source[] | undefined,
  pick: (source: Source) => Ask<Query, Answer> | undefined,
): Ask<Query, Answer> {
  return async (query, scope) => {
    const failures: Failure[] = [];
    for (const source of sources ?? []) {
      const ask = pick(source);
      if (ask === undefined) continue;
      try {
        return withNote(await ask(query, scope), source.name, failures);
      } catch (error) {
        const failure = toFailure(error, scope);
        if (failure.kind === "no_data" && SEARCHED.has(capability)) throw failure;
        failures.push({ source: source.name, error: failure });
      }
    }
    throw failures.length === 0 ? notConfigured(capability) : mostTelling(failures);
  };
}

/** What lets the next source be asked; anything else is thrown on. */
function toFailure(error: unknown, scope: Scope): MarketError {
  if (!scope.live) throw scope.reason ?? error;
  if (!(error instanceof MarketError) || error.kind === "ambiguous") throw error;
  return error;
}

function withNote<T>(answer: Sourced<T>, name: string, failures: readonly Failure[]): Sourced<T> {
  if (failures.length === 0) return answer;
  const { provenance } = answer;
  const note = [...(provenance.note === undefined ? [] : [provenance.note]), toFallbackNote(failures, name)].join("; ");
  return { ...answer, provenance: { ...provenance, note } };
}

function mostTelling(failures: readonly Failure[]): MarketError {
  const [first, ...rest] = failures.toSorted((a, b) => weight(a.error) - weight(b.error));
  if (first === undefined || rest.length === 0)
    return first?.error ?? new MarketError("no_data", "no source was asked");
  const { kind, message, details } = first.error;
  const { enable, ...known } = details;
  const isOn = failures.some(({ source }) => enable !== undefined && BROUGHT.get(enable) === source);
  const others = failures.filter((failure) => failure !== first).map(describeFailure);
  return new MarketError(kind, `${message} (also asked: ${others.join("; ")})`, {
    ...(kind === "no_data" && isOn ? known : details),
    cause: first.error,
  });
}

/** Among errors of one kind, one that says what there is instead comes first. */
function weight({ kind, details }: MarketError): number {
  const says = details.available !== undefined || details.candidates !== undefined;
  return TELLING.indexOf(kind) * 2 + (says ? 0 : 1);
}

function notConfigured(capability: Capability): MarketError {
  const enable = SWITCHES[capability];
  return new MarketError("not_configured", `no source of ${capability} is configured`, { enable });
}
