/**
 * Open market: the market data that the environment allows. Nothing leaves the machine unless a key or switch is set.
 *
 * Simulated prices never stand in for live ones: the embedded source is asked for them only if no source that is on may
 * have the listing. Only real data (packs, embedded statements, screener, sectors) may follow a live source that fails.
 */
import { type Clock, Scope, SystemClock } from "@baton/core/ports";
import { CAPABILITIES, CHAIN_TABLE, EMBEDDED_SOURCE, isSimulated, PACK_SOURCE } from "./chain-table.ts";
import { type ChainAnswer, type ChainRules, type MarketOf, toMarketData } from "./chain.ts";
import type { IndexedDirectory } from "../directory/directory.ts";
import { openPackDirectory, type PackDirectory } from "../directory/pack-directory.ts";
import { embeddedSource, PACK_DAY } from "../embedded/embedded.ts";
import { openSwitched, type SourceContext, type SwitchedSource } from "../sources/switched-sources.ts";
import { marketOf } from "../sources/sources.ts";
import type { Listing } from "../port/listing.ts";
import type { Capability, Day, MarketSource } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { newYorkDay } from "../port/market-hours.ts";
import { type MarketEnvironment, type MarketSettings, readMarketSettings } from "./market-settings.ts";
import { openPack, type Pack } from "../pack/pack.ts";
import { openBuiltPack, type PackManifest } from "../refresh/pack-folder.ts";
import { packSource } from "../refresh/pack-source.ts";
import { SourceBook } from "./source-book.ts";
import { type SourceReport, toSourceReport } from "./source-report.ts";

/** Settings of a market. */
export interface OpenMarketOptions {
  readonly env: MarketEnvironment;
  readonly clock: Pick<Clock, "now">;
  /** The pack of the repository if not given. */
  readonly pack?: Pack;
  /** The directory of the pack if it is open already; it grows with the companies that this market's sources name. */
  readonly directory?: PackDirectory;
  /** In place of the real sources, by name. */
  readonly sources?: SourceContext["replace"];
}

/** Reads the pack and builds its directory with all indices, which takes about a second. Asks no source. */
export function loadMarket(): Required<Pick<OpenMarketOptions, "pack" | "directory">> {
  const pack = openPack();
  const directory = openPackDirectory(pack);
  directory.typos.nearest(ANY_WORD);
  return { pack, directory };
}

/** The indices are built by the first search; any word that is long enough is one. */
const ANY_WORD = "company";

/** A market, and how its sources fare. */
export interface OpenedMarket extends MarketOf<IndexedDirectory> {
  readonly sources: () => SourceReport;
  /** Number of times a source was asked, by how that ended: `ok` or the kind of failure. */
  readonly requestsOf: (source: string) => ReadonlyMap<string, number>;
}

/** The longest time that opening waits for the list of companies; a later list is added when it arrives. */
const COMPANIES_MS = 5_000;
const DAY_MS = 86_400_000;

/** Opens the market that the environment allows. */
export async function openMarket(options: OpenMarketOptions): Promise<OpenedMarket> {
  const { env, clock, pack = openPack(), directory = openPackDirectory(pack), sources: replace } = options;
  const settings = readMarketSettings(env);
  const book = new SourceBook();
  const switched = openSwitched(settings, {
    directory,
    onCompanies: async (companies, ticking) => {
      await directory.add(companies, ticking);
      book.success("sec", { now: clock.now(), asOf: new Date(clock.now()).toISOString() });
    },
    ...(replace === undefined ? {} : { replace }),
  });
  const built = openBuilt(settings);
  if (built !== undefined)
    await directory.add(new Map(built.pack.companies.map((company) => [company.symbol, company])), new SystemClock());
  if (switched.loadCompanies !== undefined) await tryToLoad(switched.loadCompanies);
  const byName = new Map<string, MarketSource>(
    switched.sources.flatMap(({ entry, source }) => (source ? [[entry.name, source]] : [])),
  );
  if (built !== undefined) byName.set(PACK_SOURCE, packSource(built.pack, built.manifest));
  byName.set(EMBEDDED_SOURCE, embeddedSource(pack));
  const chains: Partial<Record<Capability, readonly MarketSource[]>> = {};
  for (const capability of CAPABILITIES) chains[capability] = toChain(capability, settings, byName);
  const isOn = new Map(switched.sources.map(({ entry, isOn: on }) => [entry.name, on]));
  const today = (of: Capability = "bars"): Day => {
    const [first] = chains[of] ?? [];
    return first !== undefined && isOn.get(first.name) === true ? newYorkDay(clock.now()) : PACK_DAY;
  };
  const rules = toRules(switched.sources, book);
  const mode = toMode(switched.sources, built?.manifest.built_at);
  const market = toMarketData({ directory, mode, today, chains, rules });
  const report = { mode, chains, switched: switched.sources, book, today, ...toPackState(settings, built?.manifest) };
  const requestsOf = (source: string) => book.requestsOf(source);
  return { ...market, sources: () => toSourceReport(report, clock.now()), requestsOf };
}

function toChain(
  capability: Capability,
  { chains }: MarketSettings,
  byName: ReadonlyMap<string, MarketSource>,
): readonly MarketSource[] {
  const names = chains.get(capability) ?? CHAIN_TABLE[capability];
  return names.flatMap((name) => {
    const source = byName.get(name);
    return source?.[capability] === undefined ? [] : [source];
  });
}

/** A part of every cache key: answers of other sources are not used again. */
function toMode(switched: readonly SwitchedSource[], builtAt: string | undefined): string {
  const names = switched.filter(({ isOn }) => isOn).map(({ entry }) => entry.name);
  const live = names.length === 0 ? "embedded" : `live ${names.join("+")}`;
  return builtAt === undefined ? live : `${live}, pack of ${builtAt}`;
}

/** The pack beside the embedded one, if the settings name one. */
function openBuilt({ dataPack, dataFolder }: MarketSettings) {
  return dataPack === undefined || dataPack === EMBEDDED_SOURCE ? undefined : openBuiltPack(dataFolder, dataPack);
}

function toPackState({ dataPack = "" }: MarketSettings, manifest: PackManifest | undefined) {
  if (manifest === undefined) return {};
  return { pack: { isOn: true, why: `--data-pack ${dataPack}`, builtAt: manifest.built_at } };
}

function toRules(switched: readonly SwitchedSource[], book: SourceBook): ChainRules {
  const entries = new Map(switched.map((each) => [each.entry.name, each]));
  const isLive = switched.some(({ isOn }) => isOn);
  return {
    isSimulated: ({ name }, capability) => isSimulated(name, capability),
    covers: ({ name }, query) => {
      const listing = listingOf(query);
      const { markets } = entries.get(name)?.entry ?? {};
      return listing === undefined || markets === undefined || markets.includes(marketOf(listing));
    },
    advise: (capability, query) => adviceOf(switched, capability, query),
    remark: (answered) => (isLive ? ageOf(answered) : undefined),
    onAnswer: ({ source: { name }, provenance: { as_of: asOf }, now }) => book.success(name, { now, asOf }),
    onFailure: ({ source, error: { kind, message }, now }) => {
      book.failure(source, { now, kind, message });
    },
  };
}

/** Beside live data, a snapshot says how old it is. */
function ageOf({ source: { name }, provenance: { kind, as_of }, now }: ChainAnswer): string | undefined {
  const isOld = (name === EMBEDDED_SOURCE || name === PACK_SOURCE) && kind === "real-snapshot";
  const days = Math.floor((now - Date.parse(as_of)) / DAY_MS);
  return isOld && days > 1 ? `of ${as_of.slice(0, 10)}, ${days} days ago` : undefined;
}

const GROUPS = ["open", "keyed", "unofficial"] as const;

/** The switch of the first source that is off and may have it: open ones first, those to be named last. */
function adviceOf(switched: readonly SwitchedSource[], capability: Capability, query: unknown): string | undefined {
  const listing = listingOf(query);
  const market = listing === undefined ? undefined : marketOf(listing);
  const places = CHAIN_TABLE[capability];
  const possible = switched
    .filter(({ isOn, entry: { name, markets } }) => {
      return !isOn && places.includes(name) && (market === undefined || (markets ?? [market]).includes(market));
    })
    .toSorted((one, other) => places.indexOf(one.entry.name) - places.indexOf(other.entry.name));
  return GROUPS.flatMap((group) => possible.filter((each) => each.group === group))[0]?.enable;
}

/** The listing that is asked about, if it is one. */
function listingOf(query: unknown): Pick<Listing, "type" | "exchange"> | undefined {
  if (typeof query !== "object" || query === null || !("listing" in query)) return undefined;
  return isListing(query.listing) ? query.listing : undefined;
}

function isListing(value: unknown): value is Listing {
  return typeof value === "object" && value !== null && "symbol" in value && "exchange" in value && "type" in value;
}

/** Without the list, all that is embedded is found; it comes with the first answer of the SEC. */
async function tryToLoad(load: (scope: Scope) => Promise<void>): Promise<void> {
  await using root = Scope.root({ clock: new SystemClock(), name: "companies" });
  await using scope = root.child({ name: "companies", timeoutMs: COMPANIES_MS });
  try {
    await scope.race(() => load(scope));
  } catch (error) {
    if (!(error instanceof MarketError) && scope.live) throw error;
  }
}
