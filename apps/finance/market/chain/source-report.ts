/**
 * Source report: every source with its switch, its places in the chains, and how it has fared; for people and programs.
 */
import { omitUndefined } from "@baton/core/util";
import { CAPABILITIES, CHAIN_TABLE, PACK_SOURCE } from "./chain-table.ts";
import type { Chains } from "./chain.ts";
import type { DataLine, DataMode } from "../port/data-line.ts";
import { PACK_DAY } from "../pack/pack.ts";
import { closeOf, SNAPSHOT_SOURCE } from "../snapshot/stored.ts";
import type { SwitchedSource } from "../sources/switched-sources.ts";
import type { Capability, Day } from "../port/market-data.ts";
import type { SourceBook } from "./source-book.ts";

/** A capability and the place in its chain, 1 if the source is asked first; 0 while it is off. */
export type ChainPlace = Readonly<{ capability: Capability; place: number; of: number }>;

/** One source. Times are RFC 3339. */
export interface SourceState {
  readonly name: string;
  readonly title: string;
  readonly group: "open" | "unofficial" | "keyed" | "stored";
  readonly on: boolean;
  readonly why: string;
  readonly enable?: string;
  readonly markets?: readonly string[];
  readonly hosts: readonly string[];
  readonly base_url_settings: readonly string[];
  readonly capabilities: readonly ChainPlace[];
  readonly last_success_at?: string;
  readonly last_error?: Readonly<{ at: string; kind: string; message: string }>;
  readonly requests_today: number;
  readonly breaker: "closed" | "open" | "half_open";
  /** Not asked before that. */
  readonly retry_at?: string;
  /** The time that its newest data is of. */
  readonly data_as_of?: string;
}

/** All sources, and who is asked for what. */
export interface SourceReport {
  readonly mode: DataMode;
  /** The data in use: `as_of` is the day of the newest prices. */
  readonly data: Omit<DataLine, "asOf"> & Readonly<{ as_of: string }>;
  /** The day that "today" means for prices. */
  readonly today: Day;
  readonly sources: readonly SourceState[];
  /** The sources of each capability that are on, the first to be asked first. */
  readonly chains: Readonly<Record<string, readonly string[]>>;
}

/** Parts of a market that the report covers. */
export interface Reported {
  readonly mode: DataMode;
  readonly dataLine: (nowMs: number) => DataLine;
  readonly chains: Chains;
  readonly switched: readonly SwitchedSource[];
  readonly book: SourceBook;
  readonly today: () => Day;
  /** The pack that is in use beside the snapshot, or why there is none. */
  readonly pack?: Readonly<{ isOn: boolean; why: string; builtAt?: string }>;
}

/** The report at a time in ms since 1970. */
export function toSourceReport(reported: Reported, now: number): SourceReport {
  const { mode, chains, switched, today } = reported;
  return {
    mode,
    data: toData(reported.dataLine(now)),
    today: today(),
    sources: [...switched.map((each) => toState(each, reported, now)), ...toLocal(reported)],
    chains: Object.fromEntries(CAPABILITIES.map((capability) => [capability, namesOf(chains, capability)])),
  };
}

const toData = ({ asOf: as_of, ...line }: DataLine): SourceReport["data"] => ({ ...line, as_of });

const namesOf = (chains: Chains, capability: Capability): readonly string[] =>
  (chains[capability] ?? []).map(({ name }) => name);

/**
 * Lists the capabilities of a source with its place in each chain; the default chains decide for a source that is off.
 */
function placesOf(name: string, { chains }: Reported): readonly ChainPlace[] {
  return CAPABILITIES.flatMap((capability): readonly ChainPlace[] => {
    const asked = namesOf(chains, capability);
    if (!asked.includes(name) && !CHAIN_TABLE[capability].includes(name)) return [];
    return [{ capability, place: asked.indexOf(name) + 1, of: asked.length }];
  });
}

function toState({ entry, group, isOn, why, enable, source }: SwitchedSource, reported: Reported, now: number) {
  const { name, title, markets, hosts, baseUrlSettings } = entry;
  const stats = source?.stats?.(now);
  const record = reported.book.of(name);
  const state: SourceState = {
    name,
    title: name === "tavily" && group === "keyed" ? "Tavily" : title,
    group,
    on: isOn,
    why,
    hosts: stats === undefined ? hosts : [...new Set(stats.host.split(", "))],
    base_url_settings: baseUrlSettings,
    capabilities: placesOf(name, reported),
    requests_today: stats?.requestsToday ?? 0,
    breaker: stats?.breaker ?? "closed",
    ...omitUndefined({
      enable,
      markets,
      last_success_at: record.lastSuccessAt,
      last_error: toError(record.lastErrorAt, record.lastError) ?? toError(stats?.lastErrorAt, stats?.lastError),
      retry_at: stats?.retryAt ?? toTime(record.restsUntil, now),
      data_as_of: record.dataAsOf,
    }),
  };
  return state;
}

const toTime = (ms: number | undefined, now: number): string | undefined =>
  ms === undefined || ms <= now ? undefined : new Date(ms).toISOString();

function toError(at: string | undefined, error: Readonly<{ kind: string; message: string }> | undefined) {
  return at === undefined || error === undefined ? undefined : { at, kind: error.kind, message: error.message };
}

const LOCAL = { hosts: [], base_url_settings: [], requests_today: 0, breaker: "closed" } as const;

/** Returns the states of the sources on this machine: the packs. */
function toLocal(reported: Reported): readonly SourceState[] {
  const { mode, pack, book } = reported;
  const { lastSuccessAt, lastErrorAt, lastError } = book.of(PACK_SOURCE);
  const current: SourceState = {
    ...LOCAL,
    name: PACK_SOURCE,
    title: "Pack of baton-finance data refresh",
    group: "stored",
    on: pack?.isOn === true,
    why: pack?.why ?? "--data-pack is not given",
    enable: "--data-pack current",
    capabilities: placesOf(PACK_SOURCE, reported),
    ...omitUndefined({
      last_success_at: lastSuccessAt,
      last_error: toError(lastErrorAt, lastError),
      data_as_of: pack?.builtAt,
    }),
  };
  const snapshot: SourceState = {
    ...LOCAL,
    name: SNAPSHOT_SOURCE,
    title: "Stored snapshot",
    group: "stored",
    on: mode !== "live",
    why: `the data mode is ${mode}`,
    ...(mode === "live" && { enable: "BATON_FINANCE_DATA=auto" }),
    capabilities: placesOf(SNAPSHOT_SOURCE, reported),
    data_as_of: closeOf(PACK_DAY),
    ...omitUndefined({ last_success_at: book.of(SNAPSHOT_SOURCE).lastSuccessAt }),
  };
  return [current, snapshot];
}
