/**
 * Ask: all that the choice of tools looks at: what is asked, about what, when, and with which numbers.
 */
import type { Listing } from "../market/port/listing.ts";
import { type SpokenAmount, readAmounts } from "./numbers/amounts.ts";
import type { Intent } from "./intent.ts";
import type { Topic } from "./lexicon/topics.ts";
import { type Periods, readPeriods } from "./numbers/periods.ts";
import type { Reading } from "./reading.ts";
import { hasTool } from "./calls/tool-names.ts";
import type { Situation } from "./situation.ts";
import type { Understood } from "./understood.ts";

export { call, type ChosenCall, unless } from "./calls/chosen-call.ts";

/** What the choice of tools looks at. */
export interface Ask {
  readonly question: string;
  readonly reading: Reading;
  /** The question that a follow-up takes its topics from; its numbers hold if the follow-up has none. */
  readonly base: Reading;
  readonly topics: ReadonlySet<Topic>;
  readonly listings: readonly Pick<Listing, "symbol" | "type" | "exchange" | "name">[];
  readonly language: Intent["response_language"];
  readonly today: string;
  readonly periods: Periods;
  readonly amounts: readonly SpokenAmount[];
  readonly has: (tool: string) => boolean;
}

/** Puts together what is asked. */
export function toAsk(understood: Understood, listings: Ask["listings"], situation: Situation): Ask {
  const { reading, language, topics, own, previous } = understood;
  const base = own.size === 0 && previous !== undefined ? baseOf(previous) : reading;
  const { today } = situation;
  const periods = readPeriods(reading, { language, today });
  const isTimeless = periods.window === undefined && periods.rolling === undefined && periods.spans.length === 0;
  return {
    question: reading.text,
    reading,
    base,
    topics,
    listings,
    language,
    today,
    periods: isTimeless && base !== reading ? readPeriods(base, { language, today }) : periods,
    amounts: readAmounts(base.text, language),
    has: (tool) => hasTool(situation, tool),
  };
}

/** The question whose own words have the topics. */
function baseOf(understood: Understood): Reading {
  const { own, previous, reading } = understood;
  return own.size === 0 && previous !== undefined ? baseOf(previous) : reading;
}
