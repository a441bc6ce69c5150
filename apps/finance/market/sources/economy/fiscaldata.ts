/**
 * FiscalData: the debt of the United States to the penny, by day. All values are strings, and a missing one is "null".
 */
import { z } from "zod";
import type { SeriesPoint } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { HttpSource } from "../http/http-source.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { DayText, Num, parseAnswer } from "../rows.ts";
import { joinNotes, judgeStatus, type OpenSourceOptions } from "../open-source.ts";
import { toMidnight } from "./periods.ts";
import { findSeries, parseSeriesTable, requireUnitedStates } from "./series-names.ts";

const BASE_URL = "https://api.fiscaldata.treasury.gov";
const PATH = "/services/api/fiscal_service/v2/accounting/od/debt_to_penny";
const FIELD = "tot_pub_debt_out_amt";
const MAX_ROWS = 10_000;
/** Without a window: about a year of business days. */
const RECENT_ROWS = 250;

const SERIES = parseSeriesTable(
  "debt/public debt/national debt/us debt/government debt/federal debt|debt_to_penny|Total public debt outstanding|USD",
);

const Missing = z.preprocess((value) => (value === "null" ? undefined : value), Num);
const DebtBody = z.looseObject({
  data: z.array(z.looseObject({ record_date: DayText, [FIELD]: Missing })),
  meta: z.looseObject({ "total-pages": Num }).optional(),
});

/** The source of the debt. */
export function fiscalDataSource({ baseUrl = BASE_URL, limits = {} }: OpenSourceOptions = {}): LiveSource {
  const http = new HttpSource({
    name: "fiscaldata",
    baseUrl,
    baseUrlSetting: "FISCALDATA_BASE_URL",
    rate: { burst: 5, perSecond: 1 },
    limits,
    judge: (answer, _request, now) => judgeStatus("FiscalData", answer, now),
  });
  return {
    name: "fiscaldata",
    stats: (now) => http.stats(now),
    series: async ({ series, country, from, to }, scope) => {
      requireUnitedStates("FiscalData", country);
      const known = findSeries({ source: "FiscalData", table: SERIES, series });
      const bounds = [from === undefined ? [] : [`gte:${from}`], to === undefined ? [] : [`lte:${to}`]].flat();
      const filter = bounds.map((bound) => `record_date:${bound}`).join(",");
      const query = {
        format: "json",
        fields: `record_date,${FIELD}`,
        sort: "-record_date",
        filter: filter === "" ? undefined : filter,
        "page[size]": from === undefined ? RECENT_ROWS : MAX_ROWS,
      };
      const answer = await http.ask({ path: PATH, query }, scope);
      const { data, meta } = parseAnswer("FiscalData", DebtBody, answer.text);
      const points = data
        .flatMap(({ record_date: day, [FIELD]: value }): readonly SeriesPoint[] =>
          day === undefined || value === undefined ? [] : [{ label: day, start: day, end: day, value }],
        )
        .toSorted((one, other) => (one.end < other.end ? -1 : 1));
      const last = points.at(-1);
      if (last === undefined) throw new MarketError("no_data", "FiscalData has no debt for these days");
      const isCut = from !== undefined && (meta?.["total-pages"] ?? 1) > 1;
      const missing = data.length - points.length;
      const note = joinNotes(
        isCut ? `the newest ${MAX_ROWS} days of the window` : undefined,
        missing === 0 ? undefined : `${missing} days have no value at the source`,
      );
      return toSourced({ ...known, frequency: "day" as const, country: "US", points }, answer, {
        source: "fiscaldata",
        kind: "live",
        asOf: toMidnight(last.end),
        note,
      });
    },
  };
}
