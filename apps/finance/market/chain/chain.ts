/**
 * Chain: joins sources to one `MarketData`, with an explicit list of sources for each capability.
 *
 * An answer comes from one source. If a source fails in a way that another may not, the next is asked and the answer
 * says so. If all fail, the error that tells most about what to do is thrown. A cancelled request is never a failure.
 */
import { BatonError } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { describeFailure, type SourceFailure, toFallbackNote } from "./fallback.ts";
import type { DataLine } from "../port/data-line.ts";
import type { Directory } from "../port/listing.ts";
import type { MarketAsk, Capability, MarketData, MarketSource } from "../port/market-data.ts";
import { MarketError, type MarketErrorKind } from "../port/market-error.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";

/** The sources of each capability in the order in which they are asked; one that does not serve it is passed over. */
export type Chains = { readonly [C in Capability]?: readonly MarketSource[] };

/** Rules for asking the sources of a chain; without rules, they are asked one after the other. */
export interface ChainRules {
  /** Whether a source may have what is asked for; one that cannot is passed over, and that is not a fallback. */
  readonly covers?: (source: MarketSource, query: unknown) => boolean;
  /** The failure after which a source is left alone for a while; undefined if it may be asked. */
  readonly resting?: (source: MarketSource, now: number) => MarketError | undefined;
  /** Limits the time of the sources before a stored one; without it, each has its own limits. */
  readonly patience?: Patience;
  /** The switch that brings an answer, if there is one that is off. */
  readonly advise?: (capability: Capability, query: unknown) => string | undefined;
  /** Returns a further note for an answer. */
  readonly remark?: (answered: ChainAnswer) => string | undefined;
  /** Called with what a source answered, or why it did not. */
  readonly onAnswer?: (answered: ChainAnswer) => void;
  readonly onFailure?: (failure: SourceFailure & Readonly<{ now: number }>) => void;
}

/** The time that sources have before stored data answers instead. */
export interface Patience {
  /** For all of them together. */
  readonly totalMs: number;
  /** Whether the answers of a source are stored on this machine. */
  readonly isStored: (source: MarketSource) => boolean;
  /** Whether a source has its own limits, because its answers are large. */
  readonly isLarge: (source: MarketSource) => boolean;
  /** Whether a source has answered a moment ago, so that one that takes its time is waited for; ms since 1970. */
  readonly isAlive: (source: MarketSource, now: number) => boolean;
}

/** An answer of a source. */
export type ChainAnswer = Readonly<{ source: MarketSource; provenance: Provenance; now: number }>;

/** Parts of a chained market. */
export interface ChainOptions<D extends Directory> {
  readonly directory: D;
  readonly mode: string;
  readonly today: MarketData["today"];
  readonly dataLine?: MarketData["dataLine"];
  readonly chains: Chains;
  readonly rules?: ChainRules;
}

/** A market whose directory is of a known kind. */
export type MarketOf<D extends Directory> = MarketData & { readonly directory: D };

/** Kinds of error, the most useful to the reader first. */
const TELLING: readonly MarketErrorKind[] = ["ambiguous", "throttled", "plan", "upstream", "no_data", "not_configured"];

/** Joins sources. */
export function toMarketData<D extends Directory>(options: ChainOptions<D>): MarketOf<D> {
  const { directory, mode, today, dataLine = () => UNSAID, chains, rules = {} } = options;
  const join = <Query, Answer>(
    capability: Capability,
    pick: (source: MarketSource) => MarketAsk<Query, Answer> | undefined,
  ): MarketAsk<Query, Answer> => chain({ capability, sources: chains[capability] ?? [], rules }, pick);
  return {
    directory,
    mode,
    today,
    dataLine,
    serves: (capability) => (chains[capability] ?? []).length > 0,
    quote: join("quote", (source) => source.quote),
    change: join("change", (source) => source.change),
    bars: join("bars", (source) => source.bars),
    intraday: join("intraday", (source) => source.intraday),
    statements: join("statements", (source) => source.statements),
    metrics: join("metrics", (source) => source.metrics),
    earnings: join("earnings", (source) => source.earnings),
    dividends: join("dividends", (source) => source.dividends),
    news: join("news", (source) => source.news),
    movers: join("movers", (source) => source.movers),
    screener: join("screener", (source) => source.screener),
    sectors: join("sectors", (source) => source.sectors),
    constituents: join("constituents", (source) => source.constituents),
    overview: join("overview", (source) => source.overview),
    calendar: join("calendar", (source) => source.calendar),
    coinPrice: join("coinPrice", (source) => source.coinPrice),
    coinQuote: join("coinQuote", (source) => source.coinQuote),
    coinBars: join("coinBars", (source) => source.coinBars),
    coinMarkets: join("coinMarkets", (source) => source.coinMarkets),
    coinSupply: join("coinSupply", (source) => source.coinSupply),
    search: join("search", (source) => source.search),
    rates: join("rates", (source) => source.rates),
    series: join("series", (source) => source.series),
    fx: join("fx", (source) => source.fx),
    filings: join("filings", (source) => source.filings),
    filingSection: join("filingSection", (source) => source.filingSection),
    filingSearch: join("filingSearch", (source) => source.filingSearch),
    insiderTrades: join("insiderTrades", (source) => source.insiderTrades),
    holdings: join("holdings", (source) => source.holdings),
    options: join("options", (source) => source.options),
  };
}

/** The line of a market that does not say where its data comes from. */
const UNSAID: DataLine = { mode: "offline", asOf: "", age: "", headline: "", has: [], lacks: [] };

/** Here no data means that nothing fits, which an older source must not contradict. */
const SEARCHED: ReadonlySet<Capability> = new Set(["screener", "search"]);

type Link = Readonly<{ capability: Capability; sources: readonly MarketSource[]; rules: ChainRules }>;

/** Asks the sources of one capability one after the other. */
function chain<Query, Answer>(
  { capability, sources, rules }: Link,
  pick: (source: MarketSource) => MarketAsk<Query, Answer> | undefined,
): MarketAsk<Query, Answer> {
  return async (query, scope) => {
    const failures: SourceFailure[] = [];
    const asked = sources.filter((source) => pick(source) !== undefined && rules.covers?.(source, query) !== false);
    const limit = toLimit(asked, rules, scope);
    for (const source of asked) {
      const now = scope.clock.now();
      const resting = rules.resting?.(source, now);
      if (resting !== undefined) {
        failures.push({ source: source.name, error: resting });
        continue;
      }
      try {
        const answer = await within(limit(source), { source, scope, rules }, (own) => pick(source)?.(query, own));
        return finish(answer, { source, failures, rules, now: scope.clock.now() });
      } catch (thrown) {
        const error = toFailure(thrown, scope);
        if (error.kind === "no_data" && SEARCHED.has(capability)) throw error;
        rules.onFailure?.({ source: source.name, error, now: scope.clock.now() });
        failures.push({ source: source.name, error });
      }
    }
    const advice = rules.advise?.(capability, query);
    throw failures.length === 0 ? nothingAsked(capability, advice) : mostTelling(failures, advice);
  };
}

/** A source with others behind it leaves them this part of the time that is left. */
const SHARE = 0.6;

/** Without a stored one behind it, a source has at least so long. */
const LEAST_MS = 600;

/** The time that each source has, if others come after it. */
function toLimit(asked: readonly MarketSource[], { patience }: ChainRules, scope: Scope) {
  const startedMs = scope.clock.monotonic();
  return (source: MarketSource): number | undefined => {
    if (asked.length === 1 || patience === undefined) return undefined;
    if (patience.isStored(source) || patience.isLarge(source)) return undefined;
    const isLast = asked.slice(asked.indexOf(source) + 1).every(patience.isStored);
    const leftMs = patience.totalMs - (scope.clock.monotonic() - startedMs);
    const leastMs = asked.some(patience.isStored) ? 1 : LEAST_MS;
    return Math.max(leastMs, Math.round(isLast ? leftMs : leftMs * SHARE));
  };
}

type Asked = Readonly<{ source: MarketSource; scope: Scope; rules: ChainRules }>;

/** The answer, if it comes in time; a source that answers others meanwhile has only many questions to answer. */
async function within<T>(
  limitMs: number | undefined,
  { source, scope, rules }: Asked,
  ask: (scope: Scope) => Promise<T> | undefined,
): Promise<T> {
  if (limitMs === undefined) return required(await ask(scope), source);
  await using own = scope.child({ name: `ask:${source.name}` });
  const late = new BatonError("timeout", `${source.name} did not answer within ${limitMs} ms`);
  const timer = scope.clock.after(limitMs, () => {
    if (rules.patience?.isAlive(source, scope.clock.now()) === true) return;
    own.cancel(late).catch(() => undefined);
  });
  try {
    return required(await own.race(() => ask(own)), source);
  } catch (error) {
    throw own.reason === late && scope.live ? new MarketError("upstream", late.message) : error;
  } finally {
    timer.cancel();
  }
}

function required<T>(answer: T | undefined, { name }: MarketSource): T {
  if (answer !== undefined) return answer;
  throw new MarketError("no_data", `${name} does not have it`, { isOutside: true });
}

const isOutside = ({ kind, details }: MarketError): boolean => kind === "no_data" && details.isOutside === true;

/** Returns an error after which the next source may be asked; throws any other. */
function toFailure(error: unknown, scope: Scope): MarketError {
  if (!scope.live) throw scope.reason ?? error;
  if (!(error instanceof MarketError) || error.kind === "ambiguous") throw error;
  return error;
}

type Ended = Readonly<{ source: MarketSource; failures: readonly SourceFailure[]; rules: ChainRules; now: number }>;

/** The answer, with what it stands in for. */
function finish<T>(answer: Sourced<T>, { source, failures, rules, now }: Ended): Sourced<T> {
  const { provenance } = answer;
  rules.onAnswer?.({ source, provenance, now });
  const asked = failures.filter(({ error }) => !isOutside(error));
  const said = [
    provenance.note,
    rules.remark?.({ source, provenance, now }),
    asked.length === 0 ? undefined : toFallbackNote(asked, source.name),
  ].filter((text) => text !== undefined);
  if (said.length === 0 || (said.length === 1 && said[0] === provenance.note)) return answer;
  return { ...answer, provenance: { ...provenance, note: said.join("; ") } };
}

function mostTelling(failures: readonly SourceFailure[], advice: string | undefined): MarketError {
  const [first] = failures.toSorted((a, b) => weight(a.error) - weight(b.error));
  if (first === undefined) return new MarketError("no_data", "no source was asked");
  const { kind, message, details } = first.error;
  const others = failures.filter((failure) => failure !== first && !isOutside(failure.error)).map(describeFailure);
  const enable = toSwitch(first.error, failures, advice);
  if (others.length === 0 && enable === details.enable) return first.error;
  const { enable: _, ...known } = details;
  return new MarketError(kind, others.length === 0 ? message : `${message} (also asked: ${others.join("; ")})`, {
    ...known,
    ...omitUndefined({ enable }),
    cause: first.error,
  });
}

/**
 * The switch to name beside an error: one that the source itself names, or one that turns on a source that may have
 * it. What a source that covers it does not have is not brought by a switch.
 */
function toSwitch({ kind, details }: MarketError, failures: readonly SourceFailure[], advice: string | undefined) {
  if (kind !== "no_data" || details.enable !== undefined) return details.enable;
  return failures.every((failure) => isOutside(failure.error)) ? advice : undefined;
}

/** Among errors of one kind, one that says what there is instead comes first; one that lies outside says least. */
function weight(error: MarketError): number {
  const { kind, details } = error;
  const says = details.available !== undefined || details.candidates !== undefined;
  return TELLING.indexOf(kind) * 3 + (says ? 0 : 1) + (isOutside(error) ? 1 : 0);
}

function nothingAsked(capability: Capability, advice: string | undefined): MarketError {
  const what = capability === "fx" ? "exchange rates" : capability.replaceAll(/(?=[A-Z])/g, " ").toLowerCase();
  return new MarketError("no_data", `no source that is on has ${what}`, omitUndefined({ enable: advice }));
}
