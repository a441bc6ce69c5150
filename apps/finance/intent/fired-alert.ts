/**
 * Fired alert: a run that an alert started: it is about the alert's symbol, whatever the alert's words are.
 */
import { languageOf } from "./hearing.ts";
import type { Topic } from "./lexicon/topics.ts";
import { type Reading, readQuestion } from "./reading.ts";
import type { FiredAlert, Situation } from "./situation.ts";
import type { Understood } from "./understood.ts";

/** Topics of what an alert waited for, beside the price. */
const FIRED: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ["rsi_above", "rsi"],
  ["rsi_below", "rsi"],
  ["filing", "filings"],
  ["earnings", "earnings"],
]);

/** What the run of an alert looks up: the price, and what the alert waited for. */
export function readFired(question: string, situation: Situation, { symbol, kind, language }: FiredAlert): Understood {
  const whole = readQuestion(situation.directory, question);
  // Its words decide nothing: they are what the alert was called.
  const reading: Reading = { ...readQuestion(situation.directory, ""), text: whole.text };
  const listing = situation.directory.get(symbol);
  const topic = FIRED.get(kind);
  const topics = new Set<Topic>(topic === undefined ? ["price"] : ["price", topic]);
  const named = { listings: [], raw: [symbol], unknown: [], ambiguous: [], undecided: [], located: [] };
  return {
    reading,
    language: language ?? languageOf(whole, situation.history ?? []),
    named,
    listings: listing === undefined ? [] : [listing],
    own: topics,
    topics,
    isFollowUp: false,
    referral: "none",
    previous: undefined,
    wishes: [],
  };
}
