/**
 * Portfolio topics: what is asked about the user's own holdings: what they are, how risky, what is due, and what if.
 */
import type { Listing } from "../../market/port/listing.ts";
import { readAmounts } from "../numbers/amounts.ts";
import { detectLanguage } from "../language.ts";
import { PORTFOLIO_EVENTS, PORTFOLIO_RISK } from "../lexicon/beyond-topics.ts";
import type { Topic } from "../lexicon/topics.ts";
import type { Reading, QuestionToken } from "../reading.ts";
import { namesPortfolio } from "../wishes/holding-wishes.ts";

/** Topics that take the place of a question about the portfolio if something else is named. */
const OWN_RISK: readonly Topic[] = ["var", "sharpe", "volatility", "correlation", "sectors", "compare"];

/** Decides which question about the portfolio is meant, if one is. */
export function adjustToPortfolio(topics: Set<Topic>, reading: Reading, listings: readonly Listing[]): void {
  if (isShock(topics, reading)) return become(topics, "shock");
  if (!topics.has("portfolio")) return;
  const { tokens } = reading;
  const isNamed = listings.some(({ type }) => type !== "index");
  const isOwn = reading.cues.has("own") || tokens.some(({ key }) => key === "i");
  if (isNamed && !(namesPortfolio(tokens) && isOwn && !OWN_RISK.some((topic) => topics.has(topic)))) {
    topics.delete("portfolio");
    if (isOwned(tokens)) topics.add("holdings");
    else if (topics.size === 0) topics.add("price");
    return;
  }
  if (topics.has("institutions") || topics.has("backtest") || (topics.has("var") && !isOwn && isNamed))
    topics.delete("portfolio");
  else become(topics, kindOf(topics, tokens));
}

/** "Do I own NVDA". */
function isOwned(tokens: readonly QuestionToken[]): boolean {
  return tokens.some(
    ({ key }, at) =>
      key === "do" && tokens[at + 1]?.key === "i" && ["own", "hold", "have"].includes(tokens[at + 2]?.key ?? ""),
  );
}

function become(topics: Set<Topic>, topic: Topic): void {
  for (const other of topics) topics.delete(other);
  topics.add(topic);
}

const ANALYSED: readonly Topic[] = [
  "var",
  "sharpe",
  "volatility",
  "correlation",
  "sectors",
  "change",
  "doing",
  "analysis",
  "report",
  "income",
];

function kindOf(topics: ReadonlySet<Topic>, tokens: readonly QuestionToken[]): Topic {
  const isPair = (at: number, one: string, other: string): boolean =>
    tokens[at]?.key === one && tokens[at + 1]?.key === other;
  const isReport = tokens.some(({ key }, at) => PORTFOLIO_EVENTS.has(key) || isPair(at, "bao", "cao"));
  const isDue = topics.has("earnings") || topics.has("dividends") || topics.has("calendar") || isReport;
  if (isDue && !topics.has("report")) return "events";
  const isAnalysed = ANALYSED.some((topic) => topics.has(topic)) || tokens.some(({ key }) => PORTFOLIO_RISK.has(key));
  return isAnalysed ? "portfolio" : "holdings";
}

const SUPPOSED: readonly (readonly string[])[] = [
  "what if",
  "if",
  "neu",
  "gia su",
  "suppose",
  "supposing",
  "assume",
  "assuming",
  "what happens",
  "imagine",
  "lo",
].map((text) => text.split(" "));
const DOWN: ReadonlySet<string> = new Set(
  "falls fall falling fell drops drop dropped loses lose crashes crash declines decline tanks plunges plunge plunged crashed crashing tumble tumbles tumbled slump slumps slumped collapses collapse sank down slides sinks dips dip drop correction giam mat rot sut lao thung bay".split(
    " ",
  ),
);
const UP: ReadonlySet<string> = new Set(
  "rises rise rising gains gain climbs climb jumps jump rallies rally up increases increase goes grows tang len".split(
    " ",
  ),
);
const TARGETS: ReadonlySet<string> = new Set(["@", "market", "markets", "truong", "everything", "stocks"]);
const MAX_SHOCK = 1_000;

/** One move that is supposed. */
export type Supposed = Readonly<{ percent: number; start: number }>;

/** The moves that a question supposes: "NVDA falls 20 %" is -20. */
export function readSupposed({ text, tokens }: Pick<Reading, "text" | "tokens">): readonly Supposed[] {
  const percents = readAmounts(text, detectLanguage(text)).filter(
    ({ isPercent, value }) => isPercent && value > 0 && value <= MAX_SHOCK,
  );
  return percents.flatMap(({ value, start, end }) => {
    const sign = text.charAt(start - 1);
    const near = tokens.filter((token) => token.end <= start).toReversed();
    const word =
      near.find(({ key }) => DOWN.has(key) || UP.has(key)) ??
      tokens.find((token) => token.start >= end && (DOWN.has(token.key) || UP.has(token.key)));
    if (sign === "-" || sign === "−") return [{ percent: -value, start }];
    if (word === undefined) return [];
    return [{ percent: DOWN.has(word.key) ? -value : value, start }];
  });
}

/** "What if NVDA falls 20 %", "nếu VN-Index giảm 10%". */
function isShock(topics: ReadonlySet<Topic>, reading: Reading): boolean {
  if (topics.has("backtest") || topics.has("screener")) return false;
  const { tokens } = reading;
  const isSupposed = tokens.some((_, at) =>
    SUPPOSED.some((words) => words.every((word, next) => tokens[at + next]?.key === word)),
  );
  const isAimed = tokens.some(({ key }) => TARGETS.has(key));
  return (isSupposed || topics.has("portfolio")) && isAimed && readSupposed(reading).length > 0;
}
