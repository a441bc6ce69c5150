/**
 * Open market: the market data that the environment allows. Nothing leaves the machine unless a key or switch is set.
 *
 * A live source takes the embedded one's place in every capability it serves: simulated prices never stand in for live
 * ones. Only real embedded data (statements, screener, sectors, constituents) may follow a live source that fails.
 */
import type { Clock } from "@baton/core";
import { type MarketOf, SWITCHES, toMarketData } from "./chain.ts";
import type { IndexedDirectory } from "./directory/directory.ts";
import { openPackDirectory } from "./directory/pack-directory.ts";
import { embeddedSource, PACK_DAY } from "./embedded/embedded.ts";
import { binanceSource, type BinanceOptions } from "./live/binance.ts";
import type { FmpSourceOptions } from "./live/fmp-account.ts";
import { fmpSource } from "./live/fmp.ts";
import { tavilySource, type TavilyOptions } from "./live/tavily.ts";
import type { Capability, Source } from "./market-data.ts";
import { MarketError } from "./market-error.ts";
import { newYorkDay } from "./market-hours.ts";
import { openPack, type Pack } from "./pack/pack.ts";

/** How live sources are made. */
export interface LiveSources {
  readonly fmp: (options: FmpSourceOptions) => Source;
  readonly binance: (options: BinanceOptions) => Source;
  readonly tavily: (options: TavilyOptions) => Source;
}

/** What a market is opened with. */
export interface OpenMarketOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, "now">;
  /** The pack of the repository if not given. */
  readonly pack?: Pack;
  readonly sources?: Partial<LiveSources>;
}

/** Capabilities whose embedded answers are real data of the past, and may follow a live source. */
const REAL_EMBEDDED: ReadonlySet<Capability> = new Set(["statements", "screener", "sectors", "constituents"]);

const LIVE: LiveSources = { fmp: fmpSource, binance: binanceSource, tavily: tavilySource };

/** Opens the market that the environment allows. */
export async function openMarket(options: OpenMarketOptions): Promise<MarketOf<IndexedDirectory>> {
  const { env, clock, pack = openPack() } = options;
  const directory = openPackDirectory(pack);
  const embedded = embeddedSource(pack);
  const live = liveSources(env, directory, { ...LIVE, ...options.sources });
  const chains: Partial<Record<Capability, readonly Source[]>> = {};
  for (const capability of capabilities()) chains[capability] = toChain(capability, live, embedded);
  const isLive = chains.bars?.[0] !== embedded;
  return toMarketData({
    directory,
    mode: live.length === 0 ? "embedded" : `live ${live.map(({ name }) => name).join("+")}`,
    today: () => (isLive ? newYorkDay(clock.now()) : PACK_DAY),
    chains,
  });
}

function liveSources(env: OpenMarketOptions["env"], directory: IndexedDirectory, make: LiveSources): readonly Source[] {
  const sources: Source[] = [];
  const fmpKey = keyOf(env, "FMP_API_KEY");
  const tavilyKey = keyOf(env, "TAVILY_API_KEY");
  if (fmpKey !== undefined) sources.push(make.fmp({ key: fmpKey, directory, ...baseUrl(env, "FMP_BASE_URL") }));
  if (isOn(env, "BATON_FINANCE_LIVE")) sources.push(make.binance({ directory, ...baseUrl(env, "BINANCE_BASE_URL") }));
  if (tavilyKey !== undefined) sources.push(make.tavily({ key: tavilyKey, ...baseUrl(env, "TAVILY_BASE_URL") }));
  return sources;
}

function toChain(capability: Capability, live: readonly Source[], embedded: Source): readonly Source[] {
  const serving = live.filter((source) => source[capability] !== undefined);
  if (embedded[capability] === undefined) return serving;
  return serving.length === 0 || REAL_EMBEDDED.has(capability) ? [...serving, embedded] : serving;
}

function capabilities(): readonly Capability[] {
  const all: Readonly<Record<Capability, string>> = SWITCHES;
  return Object.keys(all).filter((name) => isCapability(name));
}

function isCapability(name: string): name is Capability {
  return Object.hasOwn(SWITCHES, name);
}

function baseUrl(env: OpenMarketOptions["env"], name: string): { readonly baseUrl?: string } {
  const url = setting(env, name);
  return url === undefined ? {} : { baseUrl: url };
}

/** A setting that is blank is not set. */
function setting(env: OpenMarketOptions["env"], name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** A key goes into a header, which takes no spaces or line breaks; it is not shown. */
function keyOf(env: OpenMarketOptions["env"], name: string): string | undefined {
  const key = setting(env, name);
  if (key === undefined || /^[!-~]+$/.test(key)) return key;
  const message = `${name} holds a space, a line break or another character that no key has`;
  throw new MarketError("not_configured", message, { enable: name });
}

function isOn(env: OpenMarketOptions["env"], name: string): boolean {
  const value = setting(env, name)?.toLowerCase() ?? "off";
  if (value !== "on" && value !== "off") {
    throw new MarketError("not_configured", `${name} is "${value}": set it to on or off`, { enable: `${name}=on` });
  }
  return value === "on";
}
