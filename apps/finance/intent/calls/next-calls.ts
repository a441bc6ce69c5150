/**
 * Next calls: what follows from the results of the first calls: the section of the filing that was found, the alert whose
 * side the price decides, prices of what is watched, and the portfolio after it was changed.
 */
import type { Json } from "@baton/core";
import { z } from "zod";
import { call, type ChosenCall } from "./chosen-call.ts";
import { sectionOf } from "./official-calls.ts";
import type { Topic } from "../lexicon/topics.ts";
import type { Reading } from "../reading.ts";
import type { OpenLevel } from "../wishes/wish.ts";
import type { Understood } from "../understood.ts";

/** A call that was made, and what came back. */
export type MadeCall = Readonly<{ tool: string; args: Json; output?: Json }>;

/** The calls that follow from what was found; those of the portfolio are chosen with the first. */
export function followingCalls(understood: Understood, made: readonly MadeCall[]): readonly ChosenCall[] {
  const { topics, wishes, reading, own, previous } = understood;
  const base = own.size === 0 && previous !== undefined ? previous.reading : reading;
  return [
    ...(topics.has("section") ? sectionCalls(base, made) : []),
    ...wishes.flatMap(({ levels = [] }) => levels.flatMap((level) => alertCalls(level, made))),
    ...(topics.has("watch") && isBrief(reading) ? watchedCalls(made) : []),
  ];
}

const PORTFOLIO: ReadonlySet<Topic> = new Set(["portfolio", "holdings", "events", "shock"]);

/** Whether the portfolio is asked about in the message that changes it: then it is read afterwards. */
export function readsChanged({ wishes, topics }: Understood): boolean {
  return (
    wishes.some(({ effect, calls }) => effect === "portfolio" && calls.length > 0) &&
    [...topics].some((topic) => PORTFOLIO.has(topic))
  );
}

const FILINGS = z.object({ data: z.object({ filings: z.array(z.looseObject({ accession: z.string() })) }) });

function sectionCalls(reading: Reading, made: readonly MadeCall[]): readonly ChosenCall[] {
  return made.flatMap(({ tool, output }) => {
    const [newest] = tool === "getFilings" ? (FILINGS.safeParse(output).data?.data.filings ?? []) : [];
    return newest === undefined
      ? []
      : [call("readFilingSection", { accession: newest.accession, section: sectionOf(reading) })];
  });
}

const PRICE = z.object({ data: z.looseObject({ symbol: z.string(), price: z.number() }) });

/** Above the level or below it: where the price is not. */
function alertCalls({ symbol, value }: OpenLevel, made: readonly MadeCall[]): readonly ChosenCall[] {
  const found = made
    .flatMap(({ output }) => PRICE.safeParse(output).data?.data ?? [])
    .find((data) => data.symbol === symbol);
  const kind = found !== undefined && found.price > value ? "price_below" : "price_above";
  return [call("setAlert", { symbol, kind, value })];
}

const BRIEF: ReadonlySet<string> = new Set(
  "brief briefing summary summarize summarise recap doing price prices how update review performance tom gia sao cap diem thay".split(
    " ",
  ),
);

/** Whether the list is asked how it does, not what is on it. */
function isBrief({ tokens }: Reading): boolean {
  return tokens.some(({ key }, at) => BRIEF.has(key) && !(key === "how" && tokens[at + 1]?.key === "many"));
}

const WATCHED = z.object({
  data: z.object({ watchlist: z.array(z.looseObject({ symbol: z.string(), type: z.string() })) }),
});
const MAX_WATCHED = 12;

function watchedCalls(made: readonly MadeCall[]): readonly ChosenCall[] {
  const listed = made.flatMap(({ tool, output }) =>
    tool === "listAlerts" ? (WATCHED.safeParse(output).data?.data.watchlist ?? []) : [],
  );
  return listed
    .slice(0, MAX_WATCHED)
    .map(({ symbol, type }) => call(type === "crypto" ? "getCryptoPrice" : "getStockPrice", { symbol }));
}
