/**
 * Fake BLS: monthly series on loopback with averages of years among them, a month that was never measured, success for
 * a series that does not exist, and 25 requests in all.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { chance } from "./fake-prices.ts";

/** Settings of the fake bureau. */
export interface FakeBlsOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** The number of requests it answers; 25 if not given. The count is never reset. */
  readonly allowed?: number;
}

export type FakeBls = FakeServer;

const FILE = /^\/publicAPI\/v1\/timeseries\/data\/([A-Z0-9]{1,40})$/;
const MONTHLY: ReadonlySet<string> = new Set(["CUUR0000SA0", "CUUR0000SA0L1E", "LNS14000000", "CES0000000001"]);
const QUARTERLY = "CIU1010000000000A";
/** In that month of the lapse in appropriations nothing was collected. */
const LAPSE = "2025-10";
const YEARS = 3;
const MONTHS = ["January", "February", "March", "April", "May", "June", "July"].concat([
  "August",
  "September",
  "October",
  "November",
  "December",
]);

/** Starts one: `await using bls = await FakeBls.start()`. */
export const FakeBls = {
  start: ({ now = () => Date.now(), allowed = 25 }: FakeBlsOptions = {}): Promise<FakeBls> => {
    let asked = 0;
    return FakeServer.start((seen) => {
      asked++;
      return asked > allowed ? toLimit() : toReply(seen, now());
    });
  },
  /** The value of a series in a month, counted from 1. */
  valueOf,
};

const toBody = (status: string, message: readonly string[], Results: unknown): Reply => ({
  body: JSON.stringify({ status, responseTime: 150, message, Results }),
});

const toLimit = (): Reply =>
  toBody(
    "REQUEST_NOT_PROCESSED",
    [
      "Request could not be serviced, as the daily threshold for total number of requests allocated to the user has been reached.",
    ],
    {},
  );

function toReply({ path, query }: Seen, now: number): Reply {
  const seriesID = FILE.exec(path)?.[1];
  if (seriesID === undefined) return { status: 404, body: "{}" };
  if (!MONTHLY.has(seriesID) && seriesID !== QUARTERLY) {
    const message = [`Series does not exist for Series ${seriesID}`];
    return toBody("REQUEST_SUCCEEDED", message, { series: [{ seriesID, data: [] }] });
  }
  const today = new Date(now);
  const end = Number(query.get("endyear") ?? today.getUTCFullYear());
  const start = Number(query.get("startyear") ?? end - YEARS + 1);
  const years = Array.from({ length: end - start + 1 }, (_, index) => end - index);
  const data = years.flatMap((year) => (seriesID === QUARTERLY ? toQuarters(year) : toMonths(seriesID, year, today)));
  return toBody("REQUEST_SUCCEEDED", [], { series: [{ seriesID, data }] });
}

/** Newest first, up to the month before; a whole year has its average in front. */
function toMonths(seriesID: string, year: number, today: Date) {
  const isPast = year < today.getUTCFullYear();
  const count = isPast ? 12 : today.getUTCMonth();
  const months = Array.from({ length: count }, (_, index) => count - index).map((month) => ({
    year: `${year}`,
    period: `M${String(month).padStart(2, "0")}`,
    periodName: MONTHS[month - 1] ?? "",
    value: `${year}-${String(month).padStart(2, "0")}` === LAPSE ? "-" : valueOf(seriesID, year, month).toFixed(3),
    footnotes: [{}],
  }));
  const average = { year: `${year}`, period: "M13", periodName: "Annual", value: "999.999", footnotes: [{}] };
  return isPast ? [average, ...months] : months;
}

const toQuarters = (year: number) =>
  [4, 3, 2, 1].map((quarter) => ({
    year: `${year}`,
    period: `Q0${quarter}`,
    periodName: `${quarter}th Quarter`,
    value: `${year - 1_900}.${quarter}`,
    footnotes: [{}],
  }));

function valueOf(seriesID: string, year: number, month: number): number {
  return Math.round((300 + (year - 2020) * 8 + month / 2 + chance(`${seriesID}${year}${month}`)) * 1_000) / 1_000;
}
