/**
 * Open market: the market data that the settings allow. Opening asks nothing of the network.
 *
 * `auto` asks the sources and falls back to the snapshot, which the answer says; `offline` has the snapshot alone;
 * `live` never has it.
 */
import { ageInWords } from "@baton/assistant";
import { type Clock, type Scope, SystemClock } from "@baton/core/ports";
import { CAPABILITIES, CHAIN_TABLE, PACK_SOURCE } from "./chain-table.ts";
import { type ChainAnswer, type ChainRules, type Chains, type MarketOf, toMarketData } from "./chain.ts";
import { type DataSituation, toDataLine } from "./data-line.ts";
import type { IndexedDirectory } from "../directory/directory.ts";
import { openPackDirectory, type PackDirectory } from "../directory/pack-directory.ts";
import { openSwitched, type SourceContext, type SwitchedSource } from "../sources/switched-sources.ts";
import { marketOf } from "../sources/sources.ts";
import { toWrittenDay } from "../port/data-line.ts";
import type { Listing } from "../port/listing.ts";
import type { Capability, Day, MarketSource } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { newYorkDay } from "../port/market-hours.ts";
import { type MarketEnvironment, type MarketSettings, readMarketSettings } from "./market-settings.ts";
import { openPack, PACK_DAY, type Pack } from "../pack/pack.ts";
import { openBuiltPack, type PackManifest } from "../refresh/pack-folder.ts";
import { packSource } from "../refresh/pack-source.ts";
import { snapshotSource } from "../snapshot/snapshot.ts";
import { SNAPSHOT_SOURCE } from "../snapshot/stored.ts";
import { SourceBook } from "./source-book.ts";
import { type SourceReport, toSourceReport } from "./source-report.ts";

/** Settings of a market. */
export interface OpenMarketOptions {
  readonly env: MarketEnvironment;
  readonly clock: Pick<Clock, "now">;
  /** Whether only this machine can reach the server; unofficial sources are off otherwise. True if not given. */
  readonly isLoopback?: boolean;
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
  directory.lookUp(ANY_WORDS);
  return { pack, directory };
}

/** The indices are built by the first search; words that no name has search all of them. */
const ANY_WORDS = "qqqqqq zzzzzz";

/** A market, and how its sources fare. */
export interface OpenedMarket extends MarketOf<IndexedDirectory> {
  readonly sources: () => SourceReport;
  readonly prepare: (scope: Scope) => Promise<void>;
  /** Number of times a source was asked, by how that ended: `ok` or the kind of failure. */
  readonly requestsOf: (source: string) => ReadonlyMap<string, number>;
}

/** The time that sources without a key have before stored data answers instead. */
const PATIENCE_MS = 2_000;

/** Opens the market that the environment allows. */
export async function openMarket(options: OpenMarketOptions): Promise<OpenedMarket> {
  const { env, clock, pack = openPack(), directory = openPackDirectory(pack), isLoopback = true } = options;
  const settings = readMarketSettings(env);
  const book = new SourceBook();
  const replace = options.sources === undefined ? {} : { replace: options.sources };
  const onCompanies: SourceContext["onCompanies"] = async (companies, ticking) => {
    await directory.add(companies, ticking);
    book.success("sec", { now: clock.now(), asOf: new Date(clock.now()).toISOString() });
  };
  const { sources: switched, loadCompanies } = openSwitched(settings, {
    directory,
    onCompanies,
    isLoopback,
    ...replace,
  });
  const built = openBuilt(settings);
  if (built !== undefined)
    await directory.add(new Map(built.pack.companies.map((company) => [company.symbol, company])), new SystemClock());
  const byName = new Map<string, MarketSource>(
    switched.flatMap(({ entry, source }) => (source ? [[entry.name, source]] : [])),
  );
  if (built !== undefined) byName.set(PACK_SOURCE, packSource(built.pack, built.manifest));
  if (settings.mode !== "live") byName.set(SNAPSHOT_SOURCE, snapshotSource(pack));
  const chains: Partial<Record<Capability, readonly MarketSource[]>> = {};
  for (const capability of CAPABILITIES) chains[capability] = toChain(capability, byName);
  const americans = new Set(
    switched.filter(({ entry: { markets = ["US"] } }) => !isForeign(markets)).map(({ entry }) => entry.name),
  );
  const today = (of: Capability = "bars"): Day => {
    const now = clock.now();
    const isLive = ({ name }: MarketSource) => americans.has(name) && book.resting(name, now) === undefined;
    return settings.mode === "live" || (chains[of] ?? []).some(isLive) ? newYorkDay(now) : PACK_DAY;
  };
  const mode = toMode(settings, switched, built?.manifest.built_at);
  const dataLine = (now: number) => toDataLine(situationOf({ settings, chains, pack, switched, book }, now), now);
  const rules = toRules(settings, { switched, book });
  const market = toMarketData({ directory, mode, today, dataLine, chains, rules });
  const report = { mode: settings.mode, chains, switched, book, today, dataLine, ...toPackState(settings, built) };
  return {
    ...market,
    sources: () => toSourceReport(report, clock.now()),
    requestsOf: (source) => book.requestsOf(source),
    prepare: (scope) => (loadCompanies === undefined ? Promise.resolve() : tryToLoad(loadCompanies, scope)),
  };
}

/** A source of other markets says nothing about the day of prices. */
const isForeign = (markets: readonly string[]): boolean => markets.every((market) => market === "VN");

const isStored = (name: string): boolean => name === SNAPSHOT_SOURCE || name === PACK_SOURCE;

function toChain(capability: Capability, byName: ReadonlyMap<string, MarketSource>): readonly MarketSource[] {
  return CHAIN_TABLE[capability].flatMap((name) => {
    const source = byName.get(name);
    return source?.[capability] === undefined ? [] : [source];
  });
}

type Opened = Readonly<{ switched: readonly SwitchedSource[]; book: SourceBook }>;
type Situated = Opened & Readonly<{ settings: MarketSettings; chains: Chains; pack: Pack }>;

function situationOf({ settings, chains, pack, switched, book }: Situated, now: number): DataSituation {
  const entries = new Map(switched.map(({ entry }) => [entry.name, entry]));
  const sourcesOf: DataSituation["sourcesOf"] = (capability, market) =>
    (chains[capability] ?? []).flatMap(({ name }) => {
      const entry = entries.get(name);
      const covers = market === undefined || (entry?.markets ?? [market]).includes(market);
      return entry !== undefined && covers
        ? [{ title: entry.title, isDown: book.resting(name, now) !== undefined }]
        : [];
    });
  return {
    mode: settings.mode,
    pack,
    sourcesOf,
    isStored: (capability) => (chains[capability] ?? []).some(({ name }) => isStored(name)),
  };
}

/** A part of every cache key: answers of other sources are not used again. */
function toMode({ mode }: MarketSettings, switched: readonly SwitchedSource[], builtAt: string | undefined): string {
  const names = switched.filter(({ isOn }) => isOn).map(({ entry }) => entry.name);
  const all = names.length === 0 ? mode : `${mode} ${names.join("+")}`;
  return builtAt === undefined ? all : `${all}, pack of ${builtAt}`;
}

type BuiltPack = Readonly<{ pack: Pack; manifest: PackManifest }>;

/** The pack beside the snapshot, if the settings name one. */
function openBuilt({ dataPack, dataFolder }: MarketSettings): BuiltPack | undefined {
  return dataPack === undefined || dataPack === SNAPSHOT_SOURCE ? undefined : openBuiltPack(dataFolder, dataPack);
}

function toPackState({ dataPack = "" }: MarketSettings, built: BuiltPack | undefined) {
  if (built === undefined) return {};
  return { pack: { isOn: true, why: `--data-pack ${dataPack}`, builtAt: built.manifest.built_at } };
}

function toRules({ mode }: MarketSettings, { switched, book }: Opened): ChainRules {
  const entries = new Map(switched.map((each) => [each.entry.name, each]));
  const patience = {
    totalMs: PATIENCE_MS,
    isStored: ({ name }: MarketSource) => isStored(name),
    isLarge: ({ name }: MarketSource) => entries.get(name)?.entry.isLarge === true,
    isAlive: ({ name }: MarketSource, now: number) => book.hasAnswered(name, now),
  };
  return {
    covers: ({ name }, query) => {
      const listing = listingOf(query);
      const { markets } = entries.get(name)?.entry ?? {};
      return listing === undefined || markets === undefined || markets.includes(marketOf(listing));
    },
    advise: (capability, query) => adviceOf(switched, capability, query),
    remark: (answered) => (mode === "offline" ? undefined : ageOf(answered)),
    onAnswer: ({ source: { name }, provenance: { as_of: asOf }, now }) => book.success(name, { now, asOf }),
    onFailure: ({ source, error, now }) => book.failure(source, { now, error }),
    ...(mode === "auto" && { patience, resting: ({ name }, now) => book.resting(name, now) }),
  };
}

/** Beside live data, stored data says how old it is. */
function ageOf({ source: { name }, provenance: { kind, as_of }, now }: ChainAnswer): string | undefined {
  const day = as_of.slice(0, 10);
  const age = ageInWords(day, newYorkDay(now));
  return isStored(name) && kind === "snapshot" && age !== "today" ? `of ${toWrittenDay(day)}, ${age}` : undefined;
}

const GROUPS = ["open", "unofficial", "keyed"] as const;

/** The switch of the first source that is off and may have it: those without a key first. */
function adviceOf(switched: readonly SwitchedSource[], capability: Capability, query: unknown): string | undefined {
  const listing = listingOf(query);
  const market = listing === undefined ? undefined : marketOf(listing);
  const places = CHAIN_TABLE[capability];
  const possible = switched
    .filter(({ isOn, enable, entry: { name, markets } }) => {
      const covers = market === undefined || (markets ?? [market]).includes(market);
      return !isOn && enable !== undefined && places.includes(name) && covers;
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

/** Without the list, all that is stored is found; it comes with the first answer of the SEC. */
async function tryToLoad(load: (scope: Scope) => Promise<void>, parent: Scope): Promise<void> {
  await using scope = parent.child({ name: "companies", timeoutMs: PATIENCE_MS });
  try {
    await scope.race(() => load(scope));
  } catch (error) {
    if (!parent.live || (!(error instanceof MarketError) && scope.live)) throw error;
  }
}
