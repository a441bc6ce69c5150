/**
 * Schedule wishes: something that is to be asked again and again, at times that a sentence says.
 *
 * "Every weekday 08:30 brief my watchlist" is one; "revenue every quarter" and "a bar every 15 minutes" are not.
 */
import { parseSpokenTime, type SpokenTime } from "../../tools/watch/times/spoken-time.ts";
import { call } from "../calls/chosen-call.ts";
import type { QuestionToken } from "../reading.ts";
import type { Sentence } from "./utterance.ts";
import { type Heard, locatedIn, type ChangeWish } from "./wish.ts";

/** Words that ask for something to be done, folded. */
const DOING: ReadonlySet<string> = new Set(
  `send brief remind tell give show email message alert notify report summarize summarise update analyze analyse check run review recap text ping let warn
   gui bao nhac tom cap phan diem kiem xem thong diembao nhan`.split(/\s+/),
);
/** Words that ask for a notification. */
const SENDING: ReadonlySet<string> = new Set(
  "send remind notify alert ping email message tell brief text let warn gui nhac thong".split(" "),
);
const ASKING: ReadonlySet<string> = new Set("how what why which who when where do does did is are was were".split(" "));
const REFUSING: ReadonlySet<string> = new Set("dont not never stop no".split(" "));
const TELLING: ReadonlySet<string> = new Set("says said told wrote claims opens closes opened closed".split(" "));
const REPEATING: ReadonlySet<string> = new Set("every each daily weekly monthly on moi hang cu".split(" "));
const MAX_ASK = 500;

/** What is to be asked at times. */
export function scheduleWishes(heard: Heard): readonly ChangeWish[] {
  return heard.utterance.sentences.flatMap((sentence) => toWish(heard, sentence) ?? []);
}

function toWish({ utterance, language, located }: Heard, sentence: Sentence): ChangeWish | undefined {
  const tokens = utterance.tokens.slice(sentence.first, sentence.last);
  if (!isRequest(tokens, sentence)) return undefined;
  const spoken = parseSpokenTime(utterance.own.slice(sentence.start, sentence.end), language);
  if (spoken === undefined) return undefined;
  const ask = spoken.rest.slice(0, MAX_ASK).trim();
  if (ask === "" || !isAskedAgain(tokens, spoken)) return undefined;
  const listings = locatedIn(located, sentence).map(({ listing }) => listing);
  const args = { cron: spoken.cron, time_zone: spoken.timeZone, ask };
  return { start: sentence.start, end: sentence.end, effect: "watch", listings, calls: [call("setSchedule", args)] };
}

/** Whether the time is when to ask, not what is asked about: a clock time, or a word such as "send". */
function isAskedAgain(tokens: readonly QuestionToken[], { cron, isTimeSaid }: SpokenTime): boolean {
  const has = (words: ReadonlySet<string>): boolean => tokens.some(({ key }) => words.has(key));
  const isFirst = REPEATING.has(tokens[0]?.key ?? "");
  if (isShort(cron)) return has(SENDING);
  if (isTimeSaid) return has(DOING) || isFirst;
  return isDaily(cron) && (has(SENDING) || (isFirst && has(DOING)));
}

/** Neither a question, a refusal nor a report; "could you …?" is a request. */
function isRequest(tokens: readonly QuestionToken[], { isQuestion }: Sentence): boolean {
  const [first, second] = tokens;
  if (ASKING.has(first?.key ?? "") || (first?.key === "can" && second?.key === "i")) return false;
  if (tokens.some(({ key, raw }) => REFUSING.has(key) || TELLING.has(key) || raw.toLowerCase() === "đừng"))
    return false;
  const isPolite = ["can", "could", "would", "will", "please"].includes(first?.key ?? "");
  return !isQuestion || isPolite || tokens.some(({ key }) => key === "duoc" || key === "giup");
}

/** Every minute, or every hour. */
const isShort = (cron: string): boolean => cron.split(" ", 2).some((field) => field.startsWith("*"));
/** Days, or days of the week: what people mean by a rhythm without a time. */
const isDaily = (cron: string): boolean =>
  cron
    .split(" ")
    .slice(2, 4)
    .every((field) => field === "*");
