/**
 * BLS: consumer prices, unemployment, jobs and wages of the United States, by the Bureau of Labor Statistics.
 *
 * Without a key it allows 25 requests a day. It calls an unknown series a success without data, writes "-" for a value
 * that is not available, and mixes averages of the year (M13) into the months.
 */
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { EconomicSeries, SeriesPoint, SeriesQuery } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import type { ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { Num, parseAnswer, Text } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { joinNotes, judgeStatus, type OpenSourceOptions, refuse } from "../open-source.ts";
import { type Frequency, overlaps, toMidnight, toPeriod, utcDay, type DayWindow } from "./periods.ts";
import { findSeries, type KnownSeries, readSeriesTable, requireUnitedStates, toSeriesKey } from "./series-names.ts";

const PATH = "/publicAPI/v1/timeseries/data";
const MAX_YEARS = 10;
const DAY_MS = 86_400_000;
/** At most 25 in any 24 hours, retries included: 20 at once and 5 more in the course of a day. */
const RATE = { burst: 20, perSecond: 5 / 86_400, maxWaitMs: 0 };
/** Two letters of the survey, then at least one digit among letters. */
const SERIES_ID = /^[A-Z]{2}[A-Z]{0,10}\d[A-Z0-9]{4,28}$/;
const PERIOD = /^([MQSA])(\d{2})$/;

const SERIES = readSeriesTable("series-bls");

const FREQUENCIES: ReadonlyMap<string, Exclude<Frequency, "day">> = new Map([
  ["M", "month"],
  ["Q", "quarter"],
  ["S", "half_year"],
  ["A", "year"],
]);

const Row = z.looseObject({ year: Text, period: Text, value: z.preprocess(toValue, Num) });
const SeriesBody = z.looseObject({
  status: z.string(),
  message: z.array(z.string()).default([]),
  Results: z
    .looseObject({ series: z.array(z.looseObject({ seriesID: Text, data: z.array(Row).default([]) })).default([]) })
    .optional(),
});
const Complaint = z.looseObject({ status: z.string(), message: z.array(z.string()).default([]) });

/** The source of these series; any id of the bureau works too. */
export function blsSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("bls", options, { rate: RATE, judge: (answer, _request, now) => judge(answer, now) });
  return {
    name: "bls",
    stats: (now) => http.stats(now),
    series: async (query, scope) => {
      requireUnitedStates("BLS", query.country);
      const known = toKnown(query.series);
      const answer = await http.ask({ path: `${PATH}/${known.id}`, query: toYears(query, scope.clock.now()) }, scope);
      const { data, note } = readSeries(answer.text, known, query);
      const asOf = toMidnight(data.points.at(-1)?.end ?? utcDay(answer.fetchedAt));
      return toSourced(data, answer, { source: "bls", kind: "live", asOf, note });
    },
  };
}

function toKnown(series: string): KnownSeries {
  const id = series.trim().toUpperCase();
  if (!SERIES.has(toSeriesKey(series)) && SERIES_ID.test(id)) {
    return { id, title: `BLS series ${id}`, unit: "as the source has it" };
  }
  return findSeries({ source: "BLS", table: SERIES, series });
}

/** Without years the service gives about three. */
function toYears({ from, to }: SeriesQuery, now: number) {
  if (from === undefined) return {};
  const endyear = Number((to ?? utcDay(now)).slice(0, 4));
  return { startyear: Math.max(Number(from.slice(0, 4)), endyear - MAX_YEARS + 1), endyear };
}

function readSeries(text: string, known: KnownSeries, window: DayWindow) {
  const { message, Results } = parseAnswer("BLS", SeriesBody, text);
  const rows = Results?.series.find(({ seriesID }) => seriesID === known.id)?.data ?? [];
  const said = toExcerpt(message.join(" "));
  if (rows.length === 0) {
    throw new MarketError("no_data", `BLS has no data for ${known.id}${said === "" ? "" : `: ${said}`}`);
  }
  const { frequency, periods } = toPeriods(rows);
  const within = periods.filter((period) => overlaps(period, window));
  const points = within.flatMap(({ value, ...period }): readonly SeriesPoint[] =>
    value === undefined ? [] : [{ ...period, value }],
  );
  if (frequency === undefined || points.length === 0) {
    const first = periods[0]?.label ?? "";
    const available = periods.length === 0 ? {} : { available: `${first} to ${periods.at(-1)?.label ?? first}` };
    throw new MarketError("no_data", `BLS has no values of ${known.id} for this time`, available);
  }
  const data: EconomicSeries = { ...known, frequency, country: "US", points };
  return { data, note: toNote({ within, first: periods[0], window }) };
}

type Valued = Omit<SeriesPoint, "value"> & Readonly<{ value: number | undefined }>;

/** Oldest first, of the finest frequency that there is: an average of a year is never a month. */
function toPeriods(rows: readonly z.infer<typeof Row>[]) {
  const found = rows.flatMap((row) => {
    const [, letter = "", nth = ""] = PERIOD.exec(row.period ?? "") ?? [];
    const kind = FREQUENCIES.get(letter);
    const period = kind === undefined ? undefined : toPeriod(row.year ?? "", kind, Number(nth));
    return period === undefined ? [] : [{ kind, period: { ...period, value: row.value } }];
  });
  const frequency = [...FREQUENCIES.values()].find((kind) => found.some((row) => row.kind === kind));
  const periods: readonly Valued[] = found
    .flatMap(({ kind, period }) => (kind === frequency ? [period] : []))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
  return { frequency, periods };
}

type Seen = Readonly<{ within: readonly Valued[]; first: Valued | undefined; window: DayWindow }>;

function toNote({ within, first, window: { from } }: Seen): string | undefined {
  const missing = within.filter(({ value }) => value === undefined).map(({ label }) => label);
  const isShort = from !== undefined && first !== undefined && first.start > from;
  return joinNotes(
    missing.length === 0 ? undefined : `not available at the source: ${missing.join(", ")}`,
    isShort ? `the source gives values from ${first.label} on` : undefined,
  );
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  const verdict = judgeStatus("BLS", answer, now);
  if (verdict.kind !== "ok") return verdict;
  const { status = "", message = [] } = Complaint.safeParse(parseJson(answer.text)).data ?? {};
  if (status === "" || status === "REQUEST_SUCCEEDED") return verdict;
  const said = toExcerpt(message.join(" "));
  const isLimit = ["threshold", "exceeded", "limit"].some((word) => said.toLowerCase().includes(word));
  if (isLimit) {
    const retryAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    return { kind: "throttled", message: `BLS allows 25 requests a day without a key: ${said}`, retryAt };
  }
  if (said.includes("does not exist")) return refuse(new MarketError("no_data", `BLS has no such series: ${said}`));
  return refuse(new MarketError("upstream", `BLS did not process the request${said === "" ? "" : `: ${said}`}`));
}

function toValue(value: unknown): unknown {
  return value === "-" || value === "." ? undefined : value;
}
