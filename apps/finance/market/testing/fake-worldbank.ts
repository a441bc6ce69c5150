/**
 * Fake World Bank: annual series of a few countries on loopback, newest first, the newest not known yet; a complaint is
 * a list of one.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { chance } from "./fake-prices.ts";

export type FakeWorldBank = FakeServer;

const FILE = /^\/v2\/country\/([A-Za-z]{2,3})\/indicator\/([A-Za-z0-9.]{1,60})$/;
const COUNTRIES = [
  ["VN", "VNM", "Viet Nam"],
  ["US", "USA", "United States"],
  ["DE", "DEU", "Germany"],
  ["JP", "JPN", "Japan"],
] as const;
const INDICATORS: ReadonlyMap<string, string> = new Map([
  ["NY.GDP.MKTP.CD", "GDP (current US$)"],
  ["NY.GDP.MKTP.KD.ZG", "GDP growth (annual %)"],
  ["FP.CPI.TOTL.ZG", "Inflation, consumer prices (annual %)"],
  ["FP.CPI.TOTL", "Consumer price index (2010 = 100)"],
  ["SL.UEM.TOTL.ZS", "Unemployment, total (% of total labor force)"],
  ["SP.POP.TOTL", "Population, total"],
  ["AG.LND.FRST.ZS", "Forest area (% of land area)"],
]);
/** An indicator that the bank knows but has no values for. */
const EMPTY = "SI.POV.GINI";
const FIRST = 1960;
const LAST = 2024;

/** Starts one: `await using bank = await FakeWorldBank.start()`. */
export const FakeWorldBank = {
  start: (): Promise<FakeWorldBank> => FakeServer.start(toReply),
  /** The value of an indicator of a country (three letters) in a year. */
  valueOf,
};

function toReply({ path, query }: Seen): Reply {
  const [, code = "", id = ""] = FILE.exec(path) ?? [];
  const country = COUNTRIES.find((codes) => codes.slice(0, 2).some((known) => known === code.toUpperCase()));
  const indicator = INDICATORS.get(id);
  if (query.get("format") !== "json")
    return { body: '<?xml version="1.0"?><wb:error/>', headers: { "content-type": "text/xml" } };
  if (id === EMPTY) return toBody([{ page: 0, pages: 0, per_page: 0, total: 0 }, null]);
  if (country === undefined || indicator === undefined) {
    return toBody([
      { message: [{ id: "120", key: "Invalid value", value: "The provided parameter value is not valid" }] },
    ]);
  }
  const [from = FIRST, to = LAST] = (query.get("date") ?? `${FIRST}:${LAST}`).split(":").map(Number);
  const rows = Array.from({ length: LAST - FIRST + 1 }, (_, index) => LAST - index)
    .filter((year) => year >= from && year <= to)
    .map((year) => ({
      indicator: { id, value: indicator },
      country: { id: country[0], value: country[2] },
      countryiso3code: country[1],
      date: `${year}`,
      value: year === LAST ? null : valueOf(id, country[1], year),
      unit: "",
      obs_status: "",
      decimal: 0,
    }));
  const head = { page: 1, pages: 1, per_page: 20_000, total: rows.length, sourceid: "2", lastupdated: "2026-07-01" };
  return toBody([head, rows]);
}

const toBody = (body: unknown): Reply => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json;charset=utf-8" },
});

function valueOf(id: string, country: string, year: number): number {
  return Math.round((year - 1_950) * 1e9 * (1 + chance(`${id}${country}${year}`)));
}
