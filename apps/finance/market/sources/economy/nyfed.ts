/**
 * New York Fed: SOFR and the effective federal funds rate, as published each business day for the day before.
 */
import { z } from "zod";
import type { Rate } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { easternDay } from "../eastern.ts";
import type { HttpRequest } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { DayText, Num, parseAnswer, Text } from "../rows.ts";
import type { OpenSourceOptions } from "../open-source.ts";
import { addDays, toMidnight, type DayWindow } from "./periods.ts";

/** More days than any row of holidays. */
const LOOK_BACK_DAYS = 14;

const PATHS: ReadonlyMap<string, string> = new Map([
  ["sofr", "/api/rates/secured/sofr"],
  ["effr", "/api/rates/unsecured/effr"],
]);

const RatesBody = z.looseObject({
  refRates: z.array(z.looseObject({ effectiveDate: DayText, type: Text, percentRate: Num })),
});

/** The source of the two rates. */
export function nyFedSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("nyfed", options);
  return {
    name: "nyfed",
    stats: (now) => http.stats(now),
    rates: async ({ series, from, to }, scope) => {
      const path = PATHS.get(series);
      if (path === undefined) {
        const available = [...PATHS.keys()].join(", ");
        throw new MarketError(
          "no_data",
          `the New York Fed has no rates called ${JSON.stringify(series.slice(0, 60))}`,
          {
            available,
            isOutside: true,
          },
        );
      }
      const answer = await http.ask(toRequest(path, { from, to }, easternDay(scope.clock.now())), scope);
      const { refRates } = parseAnswer("The New York Fed", RatesBody, answer.text);
      const rates = refRates
        .flatMap(({ effectiveDate: day, type, percentRate: percent }): readonly Rate[] => {
          const isAsked = type?.toLowerCase() === series && day !== undefined && percent !== undefined;
          return isAsked ? [{ day, name: series.toUpperCase(), percent }] : [];
        })
        .filter(({ day }) => (from === undefined || day >= from) && (to === undefined || day <= to))
        .toSorted((one, other) => (one.day < other.day ? -1 : 1));
      const newest = rates.at(-1);
      if (newest === undefined) throw new MarketError("no_data", `the New York Fed has no ${series} for these days`);
      const data = from === undefined ? [newest] : rates;
      const note = "in percent, of the business day it is dated by";
      return toSourced(data, answer, { source: "nyfed", kind: "live", asOf: toMidnight(newest.day), note });
    },
  };
}

function toRequest(path: string, { from, to }: DayWindow, today: string): HttpRequest {
  if (from === undefined && to === undefined) return { path: `${path}/last/1.json` };
  const endDate = to ?? today;
  return { path: `${path}/search.json`, query: { startDate: from ?? addDays(endDate, -LOOK_BACK_DAYS), endDate } };
}
