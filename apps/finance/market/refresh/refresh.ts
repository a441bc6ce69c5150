/**
 * Refresh: builds a current pack from frames of the SEC, rates of the Treasury and the New York Fed, and reference rates
 * of currencies.
 *
 * It asks within the allowed rate, keeps what it has fetched until the pack is whole, and replaces the old pack only
 * then: one that fails or is interrupted leaves it as it was, and the next continues.
 */
import { dirname, join } from "node:path";
import type { Scope } from "@baton/core/ports";
import { easternDay } from "../sources/eastern.ts";
import { frankfurterSource } from "../sources/economy/frankfurter.ts";
import { nyFedSource } from "../sources/economy/nyfed.ts";
import { treasurySource } from "../sources/economy/treasury.ts";
import { Companies } from "../sources/sec/companies.ts";
import { fetchFrame } from "../sources/sec/statements/company-facts.ts";
import { SecClient } from "../sources/sec/sec-client.ts";
import { MarketError } from "../port/market-error.ts";
import type { MarketSettings } from "../chain/market-settings.ts";
import type { PackFx } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { buildCurrentPack } from "./current-pack.ts";
import { toFrames, type WantedFrame } from "./frame-concepts.ts";
import { type KeptFrame, KeptFrames } from "./kept-frames.ts";
import { type PackManifest, type PackStory, toManifestPath, writeBuiltPack } from "./pack-folder.ts";
import { type FetchedFrame, toStatementYears } from "./statement-years.ts";

/** The sources' settings, the name of the pack, and the callback for progress. */
export interface RefreshOptions {
  readonly settings: MarketSettings;
  /** Of the pack. */
  readonly name: string;
  readonly onProgress?: (done: number, all: number) => void;
}

type Told = PackStory["sources"][number];

const YEARS = 6;
const AT_ONCE = 4;
const FRAME_MS = 60_000;
const RATE_SERIES = ["treasury_curve", "real_curve"] as const;
const OVERNIGHT = ["sofr", "effr"] as const;
const CURRENCIES = "EUR GBP JPY CHF CNY AUD CAD HKD SGD KRW INR TWD THB VND BRL MXN SEK NOK".split(" ");

/** Builds the pack and puts it in its place. */
export async function refreshPack(options: RefreshOptions, scope: Scope): Promise<PackManifest> {
  const { settings, name, onProgress } = options;
  const manifestPath = toManifestPath(settings.dataFolder, name);
  const kept = new KeptFrames(join(dirname(manifestPath), `${name}.refresh`));
  const now = scope.clock.now();
  const years = toYears(now);
  const client = toClient(settings);
  const companies = await listCompanies(client, scope);
  const wanted = toFrames(years);
  const frames: FetchedFrame[] = [];
  const sources: Told[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const part = wanted.slice(at, at + AT_ONCE);
    const fetched = await scope.all(part.map((frame) => (own: Scope) => fetchKept({ client, kept, frame }, own)));
    for (const { frame, found } of fetched) {
      frames.push({ concept: frame.concept, rows: found.rows });
      if (found.url !== "") sources.push(toTold("sec", `${frame.concept.concept} ${frame.frame}`, found));
    }
    onProgress?.(Math.min(at + AT_ONCE, wanted.length), wanted.length);
  }
  const rates = await fetchRates(settings, years, scope);
  const fx = await fetchFx(settings, scope);
  const { packed, counts } = buildCurrentPack({
    companies,
    years: toStatementYears(frames),
    rates: rates.map(({ series, answer }) => ({ series, rates: answer.data })),
    fx: fx.map(({ answer: { data } }): PackFx => ({ currency: data.to, day: data.day, rate: data.rate })),
  });
  if (counts.statement_years === 0) throw new MarketError("no_data", "the SEC's frames have no statements");
  const told = [...rates, ...fx].map(({ what, answer }) => toToldAnswer(what, answer));
  const story = { built_at: new Date(now).toISOString(), years, counts, sources: [...sources, ...told] };
  const manifest = await writeBuiltPack(manifestPath, { packed, story });
  await kept.clear();
  return manifest;
}

/** Six whole years, and what there is of this one. */
function toYears(now: number): number[] {
  const year = Number(easternDay(now).slice(0, 4));
  return Array.from({ length: YEARS + 1 }, (_, index) => year - YEARS + index);
}

function toClient({ contact, baseUrls }: MarketSettings): SecClient {
  const www = baseUrls.get("SEC_WWW_BASE_URL");
  const data = baseUrls.get("SEC_DATA_BASE_URL");
  return new SecClient({
    contact,
    limits: { totalMs: FRAME_MS },
    baseUrls: { ...(www === undefined ? {} : { www }), ...(data === undefined ? {} : { data }) },
  });
}

async function listCompanies(client: SecClient, scope: Scope) {
  const found: { symbol: string; name: string; cik: string }[] = [];
  const companies = new Companies(client, {
    onCompanies: async (bySymbol) => {
      for (const [symbol, { name, cik }] of bySymbol) found.push({ symbol, name, cik });
    },
  });
  await companies.load(scope);
  return found;
}

type Fetching = Readonly<{ client: SecClient; kept: KeptFrames; frame: WantedFrame }>;

/** Returns a frame from the cache, or fetches it; a frame without reports is empty. */
async function fetchKept({ client, kept, frame }: Fetching, scope: Scope) {
  const { concept, unit } = frame.concept;
  const name = `${concept} ${frame.frame}`;
  const known = await kept.get(name, scope.clock.now());
  if (known !== undefined) return { frame, found: known };
  const found = await fetchOne(client, { concept, unit, frame: frame.frame }, scope);
  await kept.put(name, found);
  return { frame, found };
}

type Query = Readonly<{ concept: string; unit: string; frame: string }>;

async function fetchOne(client: SecClient, query: Query, scope: Scope): Promise<KeptFrame> {
  try {
    const { rows, url, fetchedAt } = await fetchFrame(client, query, scope);
    return { rows: [...rows], url, fetchedAt };
  } catch (error) {
    if (!(error instanceof MarketError) || error.kind !== "no_data") throw error;
    return { rows: [], url: "", fetchedAt: scope.clock.now() };
  }
}

async function fetchRates({ baseUrls }: MarketSettings, years: readonly number[], scope: Scope) {
  const treasury = treasurySource(toPlace(baseUrls, "TREASURY_BASE_URL"));
  const fed = nyFedSource(toPlace(baseUrls, "NYFED_BASE_URL"));
  const from = `${years[0] ?? 0}-01-01`;
  const found: Readonly<{ series: string; what: string; answer: Sourced<readonly Rated[]> }>[] = [];
  for (const series of [...RATE_SERIES, ...OVERNIGHT]) {
    const source = OVERNIGHT.some((name) => name === series) ? fed : treasury;
    const answer = await source.rates?.({ series, from }, scope);
    if (answer !== undefined) found.push({ series, what: series, answer });
  }
  return found;
}

type Rated = Readonly<{ day: string; name: string; percent: number }>;

async function fetchFx({ baseUrls }: MarketSettings, scope: Scope) {
  const source = frankfurterSource(toPlace(baseUrls, "FRANKFURTER_BASE_URL"));
  const found: Readonly<{ what: string; answer: Sourced<Readonly<{ day: string; to: string; rate: number }>> }>[] = [];
  for (const to of CURRENCIES) {
    const answer = await orNone(source.fx?.({ from: "USD", to }, scope));
    if (answer !== undefined) found.push({ what: `USD to ${to}`, answer });
  }
  return found;
}

/** A currency that the source does not have is left out. */
async function orNone<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof MarketError && error.kind === "no_data") return undefined;
    throw error;
  }
}

function toPlace(baseUrls: MarketSettings["baseUrls"], setting: string): { readonly baseUrl?: string } {
  const baseUrl = baseUrls.get(setting);
  return baseUrl === undefined ? {} : { baseUrl };
}

const toTold = (source: string, what: string, { url, fetchedAt, rows }: KeptFrame): Told => {
  return { source, what, url, fetched_at: new Date(fetchedAt).toISOString(), rows: rows.length };
};

function toToldAnswer(what: string, { data, provenance }: Sourced<unknown>): Told {
  const { source, url = "", fetched_at = provenance.as_of } = provenance;
  return { source, what, url, fetched_at, rows: Array.isArray(data) ? data.length : 1 };
}
