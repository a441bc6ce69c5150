/**
 * Market settings: what the environment allows, read once and checked. A setting that is blank is not set; one that
 * cannot be meant is an error that names it.
 */
import { SOURCES } from "../sources/sources.ts";
import { toContact } from "../sources/sec/contact.ts";
import { DATA_MODES, type DataMode } from "../port/data-line.ts";
import { MarketError } from "../port/market-error.ts";

/** Variables by name, such as `process.env`. */
export type MarketEnvironment = Readonly<Record<string, string | undefined>>;

/** The data mode, and the sources with their keys, addresses and limits. */
export interface MarketSettings {
  readonly mode: DataMode;
  /** Sources that are turned off. */
  readonly without: readonly string[];
  readonly keys: ReadonlyMap<string, string>;
  /** The e-mail address that the SEC asks for. */
  readonly contact: string | undefined;
  readonly baseUrls: ReadonlyMap<string, string>;
  /** The time limit of one request, for every source. */
  readonly timeoutMs: number | undefined;
  /** The name or path of the pack beside the snapshot. */
  readonly dataPack: string | undefined;
  readonly dataFolder: string;
}

export const DATA = "BATON_FINANCE_DATA";
const WITHOUT = "BATON_FINANCE_WITHOUT";
export const SEC_CONTACT = "SEC_CONTACT";
const TIMEOUT = "BATON_FINANCE_TIMEOUT_SECONDS";
const DATA_PACK = "BATON_FINANCE_DATA_PACK";
const DATA_FOLDER = ".baton";
const KEYS = ["FMP_API_KEY", "TAVILY_API_KEY"] as const;
const MAX_TIMEOUT_S = 600;

/** Settings that are gone, and what is used instead. */
const GONE: readonly (readonly [name: string, instead: string])[] = [
  ["BATON_FINANCE_LIVE", `set ${DATA} to auto (the default), offline or live`],
  ["BATON_FINANCE_SOURCES", `all sources are on; turn single ones off with ${WITHOUT}`],
];

/** Reads the settings; throws `not_configured` with the setting that is wrong. */
export function readMarketSettings(env: MarketEnvironment): MarketSettings {
  for (const [name, instead] of GONE) {
    if (setting(env, name) !== undefined) throw new MarketError("not_configured", `${name} is gone: ${instead}`);
  }
  const keys = KEYS.flatMap((name) => {
    const key = keyOf(env, name);
    return key === undefined ? [] : [[name, key] as const];
  });
  const urls = SOURCES.flatMap(({ baseUrlSettings }) => baseUrlSettings).flatMap((name) => {
    const url = setting(env, name);
    return url === undefined ? [] : [[name, url] as const];
  });
  return {
    mode: modeOf(env),
    without: toWithout(setting(env, WITHOUT)),
    keys: new Map(keys),
    contact: contactOf(env),
    baseUrls: new Map(urls),
    timeoutMs: timeoutOf(env),
    dataPack: setting(env, DATA_PACK),
    dataFolder: setting(env, "BATON_DATA") ?? DATA_FOLDER,
  };
}

function modeOf(env: MarketEnvironment): DataMode {
  const text = setting(env, DATA)?.toLowerCase() ?? "auto";
  const mode = DATA_MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw refuse(DATA, `is "${text.slice(0, 40)}": set it to auto, offline or live`);
}

/** The contact for the SEC; undefined if it is not set. */
function contactOf(env: MarketEnvironment): string | undefined {
  const text = setting(env, SEC_CONTACT);
  if (text === undefined) return undefined;
  const contact = toContact(text);
  if (contact === undefined) {
    throw refuse(SEC_CONTACT, "is not an e-mail address; the SEC asks for one at which you can be reached");
  }
  return contact;
}

const refuse = (name: string, why: string): MarketError =>
  new MarketError("not_configured", `${name} ${why}`, { enable: name });

function setting(env: MarketEnvironment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** A key goes into a header, which takes no spaces or line breaks; it is not shown. */
function keyOf(env: MarketEnvironment, name: string): string | undefined {
  const key = setting(env, name);
  if (key === undefined || /^[!-~]+$/.test(key)) return key;
  throw refuse(name, "holds a space, a line break or another character that no key has");
}

const toNames = (text: string): readonly string[] => text.split(",").map((name) => name.trim().toLowerCase());

function toWithout(text: string | undefined): readonly string[] {
  const known = SOURCES.map(({ name }) => name);
  const named = text === undefined ? [] : toNames(text).filter(Boolean);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return known.filter((name) => named.includes(name));
  throw refuse(WITHOUT, `has "${unknown.slice(0, 40)}", which is not a source; the known ones are ${known.join(", ")}`);
}

function timeoutOf(env: MarketEnvironment): number | undefined {
  const text = setting(env, TIMEOUT);
  if (text === undefined) return undefined;
  const seconds = /^\d{1,3}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_TIMEOUT_S) return seconds * 1_000;
  throw refuse(TIMEOUT, `is "${text.slice(0, 20)}": set it to seconds, such as 8`);
}
