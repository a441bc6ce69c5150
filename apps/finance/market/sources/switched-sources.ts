/**
 * Switched sources: every live source with whether the settings turn it on, why, and what would; those that are on are
 * opened. One that lacks only a contact is opened too: it asks nothing, and says what it lacks.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory } from "../port/listing.ts";
import { LIVE, type MarketSettings, SEC_CONTACT } from "../chain/market-settings.ts";
import type { MarketSource } from "../port/market-data.ts";
import { fmpSource } from "./fmp/fmp.ts";
import { SOURCES, type SourceEntry, type SourceGroup } from "./sources.ts";
import { secSource, type SecSource, type SecSourceOptions } from "./sec/sec.ts";
import type { SourceStats } from "./http/source-stats.ts";
import { tavilySource } from "./news/tavily.ts";

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
  /** Setting that turns it on. */
  readonly enable: string;
  readonly source?: OpenedSource;
}

/** Parts that sources are opened with, beside the settings. */
export interface SourceContext {
  readonly directory: Directory;
  readonly onCompanies?: SecSourceOptions["onCompanies"];
  /** In place of the real ones, by name. */
  readonly replace?: ReadonlyMap<string, (options: SourceOptions) => OpenedSource>;
}

/** Connection to one source. */
export interface SourceOptions {
  readonly baseUrl?: string;
  readonly key?: string;
  readonly contact?: string;
  readonly directory: Directory;
  readonly limits: Readonly<{ totalMs: number }>;
}

/** All sources of the table. */
export interface Switched {
  readonly sources: readonly SwitchedSource[];
  /** Fetches the SEC's list of companies, if the SEC is on. */
  readonly loadCompanies?: SecSource["loadCompanies"];
}

const TAVILY_KEY = "TAVILY_API_KEY";

/** Opens what the settings turn on. */
export function openSwitched(settings: MarketSettings, context: SourceContext): Switched {
  let loadCompanies: SecSource["loadCompanies"] | undefined;
  const sources = SOURCES.map((entry): SwitchedSource => {
    const state = toState(entry, settings);
    if (!state.isOn && entry.name !== "sec") return { entry, ...state };
    if (!state.isOn && !settings.isLive) return { entry, ...state };
    const options = toOptions(entry, settings, context.directory);
    const replaced = context.replace?.get(entry.name)?.(options);
    if (replaced !== undefined) return { entry, ...state, source: replaced };
    if (entry.name !== "sec") return { entry, ...state, source: openOne(entry, options) };
    const sec = openSec(settings, options, context);
    if (state.isOn) loadCompanies = sec.loadCompanies;
    return { entry, ...state, source: sec };
  });
  return { sources, ...omitUndefined({ loadCompanies }) };
}

type State = Pick<SwitchedSource, "group" | "isOn" | "why" | "enable">;

function toState({ name, group, needs }: SourceEntry, settings: MarketSettings): State {
  const live = `${LIVE}=on`;
  if (name === "tavily" && settings.keys.has(TAVILY_KEY)) {
    return { group: "keyed", isOn: true, why: `${TAVILY_KEY} is set`, enable: TAVILY_KEY };
  }
  if (group === "unofficial") {
    const isOn = settings.named.includes(name);
    return { group, isOn, why: isOn ? "named by --sources" : "not named", enable: `--sources ${name}` };
  }
  if (group === "keyed") {
    const enable = needs ?? "";
    const isOn = settings.keys.has(enable);
    return { group, isOn, why: `${enable} is ${isOn ? "set" : "not set"}`, enable };
  }
  if (!settings.isLive) return { group, isOn: false, why: "--live is off", enable: live };
  const lacks = needs === SEC_CONTACT && settings.contact === undefined;
  if (lacks) return { group, isOn: false, why: `${SEC_CONTACT} is not set`, enable: SEC_CONTACT };
  return { group, isOn: true, why: "--live is on", enable: live };
}

function toOptions(entry: SourceEntry, settings: MarketSettings, directory: Directory): SourceOptions {
  const { keys, contact, baseUrls, timeoutMs } = settings;
  const [urlSetting = ""] = entry.baseUrlSettings;
  const key = entry.name === "tavily" ? keys.get(TAVILY_KEY) : keys.get(entry.needs ?? "");
  return {
    directory,
    limits: { totalMs: timeoutMs ?? entry.timeoutMs },
    ...omitUndefined({ baseUrl: baseUrls.get(urlSetting), key, contact }),
  };
}

function openOne(entry: SourceEntry, { key, baseUrl, directory, limits }: SourceOptions): OpenedSource {
  const place = { directory, limits, ...omitUndefined({ baseUrl }) };
  if (entry.name === "fmp") return fmpSource({ ...place, key: key ?? "" });
  if (entry.name === "tavily" && key !== undefined) return tavilySource({ ...place, key });
  return entry.open?.(place) ?? { name: entry.name };
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
