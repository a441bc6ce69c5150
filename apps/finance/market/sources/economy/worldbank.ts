/**
 * World Bank: series of a country by year: output, prices, unemployment, population, trade. An error is a list of one.
 */
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { EconomicSeries, SeriesPoint, SeriesQuery } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import type { ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { DayText, Num, parseAnswer, Text } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { judgeStatus, type OpenSourceOptions, refuse } from "../open-source.ts";
import { type Frequency, overlaps, toMidnight, toPeriod, utcDay } from "./periods.ts";
import { findSeries, type KnownSeries, readSeriesTable, toSeriesKey } from "./series-names.ts";

const MAX_ROWS = 20_000;
const COUNTRY = /^[A-Z]{2,3}$/;
const INDICATOR = /^[A-Z0-9]{2,12}(?:\.[A-Z0-9]{1,12}){1,6}$/;
const DATE = /^(\d{4})(?:([QM])(\d{1,2}))?$/;
/** Codes of complaints about a value, such as an indicator that does not exist. */
const NOT_FOUND: ReadonlySet<string> = new Set(["120", "175"]);

const SERIES = readSeriesTable("series-worldbank");

const Row = z.looseObject({
  indicator: z.looseObject({ id: Text, value: Text }),
  country: z.looseObject({ id: Text, value: Text }),
  countryiso3code: Text,
  date: Text,
  value: Num,
});
const SeriesBody = z
  .tuple([z.looseObject({ pages: Num, lastupdated: DayText }), z.array(Row).nullable()])
  .rest(z.unknown());
const ErrorBody = z
  .tuple([z.looseObject({ message: z.array(z.looseObject({ id: Text, key: Text, value: Text })) })])
  .rest(z.unknown());

/** The source of these series; any indicator of the bank works too. */
export function worldBankSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("worldbank", options, {
    limits: { totalMs: 30_000 },
    judge: (answer, _request, now) => judge(answer, now),
  });
  return {
    name: "worldbank",
    stats: (now) => http.stats(now),
    series: async (query, scope) => {
      const country = toCountry(query.country);
      const known = toKnown(query.series);
      const path = `/v2/country/${country}/indicator/${known.id}`;
      const answer = await http.ask(
        { path, query: { format: "json", per_page: MAX_ROWS, date: toDates(query, scope.clock.now()) } },
        scope,
      );
      const data = readSeries(answer.text, { country, known, query });
      const asOf = toMidnight(data.points.at(-1)?.end ?? utcDay(answer.fetchedAt));
      return toSourced(data, answer, { source: "worldbank", kind: "live", asOf });
    },
  };
}

function toCountry(country: string): string {
  const code = country.trim().toUpperCase();
  if (COUNTRY.test(code)) return code;
  const message = `${JSON.stringify(country.slice(0, 60))} is not a country code of two or three letters`;
  throw new MarketError("no_data", message, { available: "codes such as US, VN, DEU" });
}

function toKnown(series: string): KnownSeries {
  const id = series.trim().toUpperCase();
  if (!SERIES.has(toSeriesKey(series)) && INDICATOR.test(id)) {
    return { id, title: `World Bank indicator ${id}`, unit: "as the source has it" };
  }
  return findSeries({ source: "the World Bank", table: SERIES, series });
}

const toDates = ({ from, to }: SeriesQuery, now: number): string | undefined =>
  from === undefined ? undefined : `${from.slice(0, 4)}:${(to ?? utcDay(now)).slice(0, 4)}`;

type Asked = Readonly<{ country: string; known: KnownSeries; query: SeriesQuery }>;

function readSeries(text: string, { country, known, query }: Asked): EconomicSeries {
  const [, rows] = parseAnswer("The World Bank", SeriesBody, text);
  const found = (rows ?? []).flatMap((row) => {
    const isAsked = row.indicator.id?.toUpperCase() === known.id && isOf(row, country);
    if (!isAsked) throw new MarketError("upstream", "The World Bank answered for another series or country");
    return toDated(row);
  });
  const points = found
    .filter((point) => overlaps(point, query))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
  const frequency = frequencyOf(rows?.[0]?.date ?? "");
  if (points.length === 0)
    throw new MarketError("no_data", `the World Bank has no ${known.id} of ${country} for this time`);
  const title = rows?.[0]?.indicator.value;
  const isKnown = SERIES.has(toSeriesKey(known.id));
  return { ...known, title: isKnown ? known.title : (title ?? known.title), frequency, country, points };
}

const isOf = ({ country, countryiso3code }: z.infer<typeof Row>, asked: string): boolean =>
  asked.length === 2 ? country.id?.toUpperCase() === asked : (countryiso3code ?? country.id)?.toUpperCase() === asked;

/** Null values are years without one. */
function toDated({ date = "", value }: z.infer<typeof Row>): readonly SeriesPoint[] {
  const [, year = "", , nth = "1"] = DATE.exec(date) ?? [];
  const period = toPeriod(year, frequencyOf(date), Number(nth));
  return period === undefined || value === undefined ? [] : [{ ...period, value }];
}

function frequencyOf(date: string): Exclude<Frequency, "day"> {
  const letter = DATE.exec(date)?.[2];
  if (letter === "Q") return "quarter";
  return letter === "M" ? "month" : "year";
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  const complaint = ErrorBody.safeParse(parseJson(answer.text)).data?.[0].message[0];
  if (complaint === undefined) return judgeStatus("The World Bank", answer, now);
  const said = toExcerpt([complaint.key, complaint.value].filter(Boolean).join(": "));
  const kind = NOT_FOUND.has(complaint.id ?? "") ? "no_data" : "upstream";
  return refuse(new MarketError(kind, `the World Bank does not have it: ${said}`));
}
