/**
 * Load market: today's date, the market's state, and which data is in use and how far it goes, as prompts show it.
 */
import { defineTool, type Tool } from "@baton/core";
import { z } from "zod";
import type { MarketData } from "../market/port/market-data.ts";
import { newYorkDay, tradingDays, usMarketState } from "../market/port/market-hours.ts";

const DAY_MS = 86_400_000;
/** Days back that surely have a session. */
const LOOK_BACK = 10;

/** The tool `loadMarket`, which the program `context` calls. */
export function defineLoadMarket(openMarket: () => Promise<Pick<MarketData, "dataLine">>): Tool {
  return defineTool({
    name: "loadMarket",
    description: "Today's date, the state of American markets, and which data is in use.",
    effect: "read",
    input: z.strictObject({}),
    run: async (_, { scope }) => {
      const now = scope.clock.now();
      const { headline, has, lacks } = (await openMarket()).dataLine(now);
      return { text: [toDateLine(now), toDataLine(headline, has, lacks)].join("\n") };
    },
  });
}

// A formatter takes a third of a millisecond to make.
const FULL_DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const NEW_YORK_HOUR = new Intl.DateTimeFormat("en-US", {
  hour: "2-digit",
  hourCycle: "h23",
  timeZone: "America/New_York",
});

/** `Today is Wednesday 18 November 2026, 00:36 UTC. US market: closed, last session 17 November.` */
function toDateLine(now: number): string {
  const day = FULL_DAY.format(now).replace(",", "");
  const time = new Date(now).toISOString().slice(11, 16);
  const state = usMarketState(now);
  const last = tradingDays(newYorkDay(now - LOOK_BACK * DAY_MS), newYorkDay(now)).at(
    state === "open" ? -1 : lastIndex(now),
  );
  const session = last === undefined ? "" : SHORT_DAY.format(Date.parse(last));
  return `Today is ${day}, ${time} UTC. US market: ${state}${session === "" ? "" : `, last session ${session}`}.`;
}

/** Before the opening of a trading day, the last session is the day before. */
const lastIndex = (now: number): number => {
  const today = newYorkDay(now);
  const isTrading = tradingDays(today, today).length > 0;
  return isTrading && usMarketState(now) !== "post" && isBeforeClose(now) ? -2 : -1;
};

const isBeforeClose = (now: number): boolean => Number(NEW_YORK_HOUR.format(now)) < 16;

function toDataLine(headline: string, has: readonly string[], lacks: readonly string[]): string {
  const parts = [`${headline.replace(/\.$/, "")}.`, ...(has.length === 0 ? [] : [`It has ${has.join("; ")}.`])];
  return `Data: ${[...parts, ...(lacks.length === 0 ? [] : [`It does not have ${lacks.join(", ")}.`])].join(" ")}`;
}
