/**
 * Data line: states which data a market has and lacks, from its chains and its pack.
 */
import { ageInWords } from "@baton/assistant";
import { toDay } from "../pack/days.ts";
import { PACK_DAY, type Pack } from "../pack/pack.ts";
import { type DataLine, type DataMode, toWrittenDay } from "../port/data-line.ts";
import type { Capability, Day } from "../port/market-data.ts";
import type { Market } from "../sources/hosts.ts";

/** Parts of a market that the line is about. */
export interface DataSituation {
  readonly mode: DataMode;
  readonly pack: Pack;
  /** The sources that are asked for a capability over the network; only those for a market if one is given. */
  readonly sourcesOf: (capability: Capability, market?: Market) => readonly LiveState[];
  /** Whether stored data answers a capability. */
  readonly isStored: (capability: Capability) => boolean;
}

/** A source, and whether it failed a moment ago. */
export type LiveState = Readonly<{ title: string; isDown: boolean }>;

interface Topic {
  readonly capability: Capability;
  readonly market?: Market;
  readonly phrase: string;
}

/** Topics that a question may be about beside American prices and statements. */
const TOPICS: readonly Topic[] = [
  { capability: "quote", market: "VN", phrase: "Vietnamese stocks" },
  { capability: "coinPrice", phrase: "prices of coins" },
  { capability: "intraday", phrase: "intraday prices" },
  { capability: "news", phrase: "news" },
  { capability: "earnings", phrase: "earnings" },
  { capability: "dividends", phrase: "dates of dividends" },
  { capability: "filings", phrase: "filings" },
  { capability: "calendar", phrase: "economic calendar" },
  { capability: "rates", phrase: "interest rates" },
  { capability: "series", phrase: "economic series" },
  { capability: "fx", phrase: "exchange rates" },
];

/** Symbols of which there are daily bars of the past. */
const HISTORY_SYMBOLS = ["AAPL", "MSFT", "GE", "^GSPC"] as const;

/** The line at a moment in milliseconds since 1970. */
export function toDataLine({ mode, pack, sourcesOf, isStored }: DataSituation, nowMs: number): DataLine {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const live = (capability: Capability, market?: Market) =>
    sourcesOf(capability, market).flatMap(({ title, isDown }) => (isDown ? [] : [title]));
  const prices = live("quote", "US");
  const stored = mode === "live" ? [] : toStored(pack, today);
  const topics = TOPICS.map((topic) => ({ ...topic, from: live(topic.capability, topic.market) }));
  const online = [
    ...(prices.length > 0 ? [`live prices of US stocks, some delayed 15 minutes (${prices.join(", ")})`] : []),
    ...toLine("statements", live("statements", "US")),
    ...topics.flatMap(({ phrase, from }) => toLine(phrase, from)),
  ];
  const lacking = topics.filter(
    ({ capability, market, from }) => from.length === 0 && (market !== undefined || !isStored(capability)),
  );
  return {
    mode,
    ...toPrices({ mode, today, isDown: sourcesOf("quote", "US").length > 0, isLive: prices.length > 0 }),
    has: [...online, ...(online.length > 0 ? stored.map((phrase) => `stored: ${phrase}`) : stored)],
    lacks: [
      ...(prices.length > 0 || stored.length > 0 ? [] : ["prices of US stocks"]),
      ...lacking.map(({ phrase }) => phrase),
    ],
  };
}

type PriceState = Readonly<{ mode: DataMode; today: Day; isDown: boolean; isLive: boolean }>;

function toPrices({ mode, today, isDown, isLive }: PriceState) {
  const delay = "some delayed 15 minutes";
  if (isLive) return { asOf: today, age: `live, ${delay}`, headline: `Live prices, ${delay}` };
  const unreachable = isDown ? "Live prices cannot be reached" : "Live prices are off";
  if (mode === "live") return { asOf: today, age: "none", headline: unreachable };
  const age = ageInWords(PACK_DAY, today);
  const offline = `snapshot of ${toWrittenDay(PACK_DAY)}: ${age}`;
  return {
    asOf: PACK_DAY,
    age,
    headline: mode === "offline" ? `Offline ${offline}` : `${unreachable}; ${offline}`,
  };
}

const toLine = (phrase: string, from: readonly string[]): readonly string[] =>
  from.length === 0 ? [] : [`${phrase} (${from.join(", ")})`];

function toStored(pack: Pack, today: string): readonly string[] {
  const history = HISTORY_SYMBOLS.flatMap((symbol) => {
    const last = pack.series(symbol, "1day")?.bars.t.at(-1);
    return last === undefined ? [] : [`${symbol} to ${toDay(Math.floor(last / 86_400)).slice(0, 4)}`];
  });
  return [
    `prices, P/E, EPS and dividend yields of US-listed stocks of ${toWrittenDay(PACK_DAY)} (${ageInWords(PACK_DAY, today)})`,
    "statements FY2012 to FY2016 of 394 US companies",
    `daily history of ${history.join(", ")}`,
    "monthly S&P 500, its earnings and CAPE, US consumer prices and long interest rate to June 2023",
    "Bitcoin to April 2016",
  ];
}
