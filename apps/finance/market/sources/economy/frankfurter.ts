/**
 * Frankfurter: daily reference rates of currencies, blended from central banks. They are fixes, not quotes.
 */
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { FxRate } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import type { HttpRequest, ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { DayText, parseAnswer } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { RequiredPrice } from "../figures.ts";
import { judgeStatus, type OpenSourceOptions, refuse } from "../open-source.ts";
import { addDays, toMidnight } from "./periods.ts";

const CODE = /^[A-Z]{3}$/;
/** More days than any row of holidays. */
const LOOK_BACK_DAYS = 14;

const RateRow = z.looseObject({ date: DayText, base: z.string(), quote: z.string(), rate: RequiredPrice });
const Message = z.looseObject({ message: z.string() });

/** The source of exchange rates. */
export function frankfurterSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("frankfurter", options, { judge: (answer, _request, now) => judge(answer, now) });
  return {
    name: "frankfurter",
    stats: (now) => http.stats(now),
    fx: async ({ from, to, day }, scope) => {
      const pair = { base: toCode(from), quote: toCode(to) };
      if (pair.base === pair.quote) {
        throw new MarketError("no_data", `${pair.base} and ${pair.quote} are the same currency: nothing is converted`);
      }
      const answer = await http.ask(toRequest(pair, day), scope);
      const rows =
        day === undefined
          ? [parseAnswer("Frankfurter", RateRow, answer.text)]
          : parseAnswer("Frankfurter", z.array(RateRow), answer.text);
      const rate = toRate(rows, pair, day);
      const note = "a daily reference rate blended from central banks, not a quote to trade at";
      const kind = day === undefined ? "live" : "history";
      return toSourced(rate, answer, { source: "frankfurter", kind, asOf: toMidnight(rate.day), note });
    },
  };
}

type Pair = Readonly<{ base: string; quote: string }>;

function toCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (CODE.test(code)) return code;
  throw new MarketError("no_data", `${JSON.stringify(text.slice(0, 20))} is not a currency code of three letters`);
}

/** A day without a fix, such as a Sunday, has that of the last day before. */
function toRequest({ base, quote }: Pair, day: string | undefined): HttpRequest {
  if (day === undefined) return { path: `/v2/rate/${base}/${quote}` };
  return { path: "/v2/rates", query: { base, quotes: quote, from: addDays(day, -LOOK_BACK_DAYS), to: day } };
}

function toRate(rows: readonly z.infer<typeof RateRow>[], { base, quote }: Pair, day: string | undefined): FxRate {
  const isAsked = (row: (typeof rows)[number]) => row.base === base && row.quote === quote;
  if (!rows.every(isAsked)) throw new MarketError("upstream", "Frankfurter answered for another pair");
  const dated = rows.flatMap(({ date, rate }) =>
    date === undefined || (day !== undefined && date > day) ? [] : [{ date, rate }],
  );
  const [newest] = dated.toSorted((one, other) => (one.date > other.date ? -1 : 1));
  if (newest === undefined) {
    throw new MarketError(
      "no_data",
      `Frankfurter has no rate from ${base} to ${quote}${day === undefined ? "" : ` for ${day}`}`,
    );
  }
  return { day: newest.date, from: base, to: quote, rate: newest.rate };
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  if (answer.status !== 422 && answer.status !== 404) return judgeStatus("Frankfurter", answer, now);
  const said = toExcerpt(Message.safeParse(parseJson(answer.text)).data?.message ?? "");
  return refuse(new MarketError("no_data", `Frankfurter does not have this rate${said === "" ? "" : `: ${said}`}`));
}
