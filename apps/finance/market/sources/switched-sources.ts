/**
 * Switched sources: every live source with whether the settings turn it on, why, and what would; those that are on are
 * opened. Opening asks nothing of the network.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory } from "../port/listing.ts";
import { DATA, type MarketSettings, SEC_CONTACT } from "../chain/market-settings.ts";
import type { MarketSource } from "../port/market-data.ts";
import type { SourceGroup } from "./hosts.ts";
import { SOURCES, type SourceEntry } from "./sources.ts";
import { secSource, type SecSource, type SecSourceOptions } from "./sec/sec.ts";
import type { SourceStats } from "./http/source-stats.ts";

/** A source, which may tell how its host fares. */
export type OpenedSource = MarketSource & Readonly<{ stats?: (now: number) => SourceStats }>;

/** A source and its switch. */
export interface SwitchedSource {
  readonly entry: SourceEntry;
  /** As it is used: Tavily with a key is keyed. */
  readonly group: SourceGroup;
  readonly isOn: boolean;
  /** Why it is on or off, in a few words. */
  readonly why: string;
  /** Settings that turn it on: `BATON_FINANCE_DATA=auto and SEC_CONTACT`. */
  readonly enable?: string;
  readonly source?: OpenedSource;
}

/** Parts that sources are opened with, beside the settings. */
export interface SourceContext {
  readonly directory: Directory;
  readonly onCompanies?: SecSourceOptions["onCompanies"];
  /** Whether only this machine can reach the server; unofficial sources are off otherwise. */
  readonly isLoopback?: boolean;
  /** In place of the real ones, by name. */
  readonly replace?: ReadonlyMap<string, (options: SourceOptions) => OpenedSource>;
}

/** Connection to one source. */
export interface SourceOptions {
  readonly baseUrl?: string;
  readonly key?: string;
  readonly contact?: string;
  readonly directory: Directory;
  readonly limits: Readonly<{ totalMs: number; headersMs: number }>;
}

/** All sources of the table. */
export interface Switched {
  readonly sources: readonly SwitchedSource[];
  /** Fetches the SEC's list of companies, if the SEC is on. */
  readonly loadCompanies?: SecSource["loadCompanies"];
}

/** The longest wait for the first byte of a source without a key, if stored data may answer instead. */
const REACH_MS = 2_000;
const TAVILY_KEY = "TAVILY_API_KEY";
const ONLINE = `${DATA}=auto`;

/** Opens what the settings turn on. */
export function openSwitched(settings: MarketSettings, context: SourceContext): Switched {
  let loadCompanies: SecSource["loadCompanies"] | undefined;
  const sources = SOURCES.map((entry): SwitchedSource => {
    const state = toState(entry, settings, context);
    if (!state.isOn) return { entry, ...state };
    const options = toOptions(entry, settings, context.directory);
    const replaced = context.replace?.get(entry.name)?.(options);
    if (replaced !== undefined) return { entry, ...state, source: replaced };
    if (entry.open !== undefined) return { entry, ...state, source: entry.open(options) };
    const sec = openSec(settings, options, context);
    loadCompanies = sec.loadCompanies;
    return { entry, ...state, source: sec };
  });
  return { sources, ...omitUndefined({ loadCompanies }) };
}

type State = Pick<SwitchedSource, "group" | "isOn" | "why" | "enable">;

/** Decides whether a source is on. `enable` names everything that must change, and is absent if nothing would help. */
function toState(entry: SourceEntry, settings: MarketSettings, { isLoopback = true }: SourceContext): State {
  const { name, needs } = entry;
  const isKeyed = name === "tavily" && settings.keys.has(TAVILY_KEY);
  const group = isKeyed ? "keyed" : entry.group;
  const lacks = needs !== undefined && !isGiven(needs, settings) ? needs : undefined;
  const isOffline = settings.mode === "offline";
  const enable = [...(isOffline ? [ONLINE] : []), ...(lacks === undefined ? [] : [lacks])].join(" and ");
  if (settings.without.includes(name)) return { group, isOn: false, why: "turned off by --without" };
  if (group === "unofficial" && !isLoopback) {
    return { group, isOn: false, why: "for personal use: the server does not listen on loopback alone" };
  }
  if (enable === "") return { group, isOn: true, why: isKeyed ? `${TAVILY_KEY} is set` : toReason(settings, needs) };
  return { group, isOn: false, why: isOffline ? "the data mode is offline" : `${lacks ?? ""} is not set`, enable };
}

const isGiven = (name: string, { keys, contact }: MarketSettings): boolean =>
  name === SEC_CONTACT ? contact !== undefined : keys.has(name);

const toReason = ({ mode }: MarketSettings, needs: string | undefined): string =>
  needs === undefined ? `the data mode is ${mode}` : `${needs} is set`;

function toOptions(entry: SourceEntry, settings: MarketSettings, directory: Directory): SourceOptions {
  const { keys, contact, baseUrls, timeoutMs } = settings;
  const [urlSetting = ""] = entry.baseUrlSettings;
  const key = entry.name === "tavily" ? keys.get(TAVILY_KEY) : keys.get(entry.needs ?? "");
  const totalMs = timeoutMs ?? entry.timeoutMs;
  const isKeyed = key !== undefined;
  return {
    directory,
    limits: { totalMs, headersMs: settings.mode === "auto" && !isKeyed ? Math.min(REACH_MS, totalMs) : totalMs },
    ...omitUndefined({ baseUrl: baseUrls.get(urlSetting), key, contact }),
  };
}

function openSec(settings: MarketSettings, { contact, directory, limits }: SourceOptions, context: SourceContext) {
  const { baseUrls: urls } = settings;
  const baseUrls = omitUndefined({
    www: urls.get("SEC_WWW_BASE_URL"),
    data: urls.get("SEC_DATA_BASE_URL"),
    search: urls.get("SEC_SEARCH_BASE_URL"),
  });
  return secSource({ contact, directory, limits, baseUrls, ...omitUndefined({ onCompanies: context.onCompanies }) });
}
