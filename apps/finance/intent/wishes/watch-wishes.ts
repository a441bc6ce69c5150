/**
 * Watch wishes: alerts to set and to remove, the list of what is watched, and questions that are to be asked at times.
 *
 * "Alert me when NVDA or AMD moves 5 %" is an alert for each; a level of which the side is not said waits for the price.
 */
import { type SpokenAmount, readAmounts } from "../numbers/amounts.ts";
import { call, type ChosenCall } from "../calls/chosen-call.ts";
import { currencyAround } from "../lexicon/currencies.ts";
import type { Listing } from "../../market/port/listing.ts";
import type { QuestionToken } from "../reading.ts";
import { type Condition, readCondition } from "./alert-condition.ts";
import { hasPhrase, namesPortfolio, namesWatchlist, toPrice } from "./holding-wishes.ts";
import type { Part } from "./own-words.ts";
import type { Opening, Utterance } from "./utterance.ts";
import { type Heard, locatedIn, type OpenLevel, type ChangeWish } from "./wish.ts";

/** What is to be watched. */
export function watchWishes(heard: Heard): readonly ChangeWish[] {
  return heard.utterance.openings.flatMap((opening) => {
    if (opening.sentence.isQuestion && !opening.isPolite) return [];
    const { name } = opening;
    if (name === "alert" || name === "tell") return alertWish(heard, opening);
    if (name === "put" || name === "take" || name === "watch")
      return removal(heard, opening) ?? listWish(heard, opening);
    return [];
  });
}

const CONDITIONAL: ReadonlySet<string> = new Set("if when once khi neu whenever luc as".split(" "));

/** The part of a message that an alert is said in: with "if X, alert me" the whole sentence. */
function partOf({ tokens, own }: Utterance, opening: Opening): Part {
  const { sentence } = opening;
  const isBefore = CONDITIONAL.has(tokens[sentence.first]?.key ?? "");
  const first = isBefore ? sentence.first : opening.from;
  const start = tokens[first]?.start ?? 0;
  const end = tokens[opening.to - 1]?.end ?? own.length;
  return { start, end };
}

function alertWish(heard: Heard, opening: Opening): readonly ChangeWish[] {
  const { utterance } = heard;
  const part = partOf(utterance, opening);
  const cue = { start: utterance.tokens[opening.first]?.start ?? 0, end: utterance.tokens[opening.last - 1]?.end ?? 0 };
  const segments = toSegments(heard, part, cue);
  const made = fromSegments(heard, segments);
  const isFound = made.calls.length + made.levels.length > 0;
  if (
    opening.name === "tell" &&
    !segments.some(
      ({ condition }) => condition !== undefined && condition.kind !== "earnings" && condition.kind !== "filing",
    )
  )
    return [];
  const listings = [...new Map(made.listings.map((listing) => [listing.symbol, listing])).values()];
  const wish = { ...part, effect: "watch", calls: made.calls, listings } as const;
  if (isFound) return [{ ...wish, ...(made.levels.length === 0 ? {} : { levels: made.levels }) }];
  return [{ ...wish, lacks: listings.length === 0 ? "symbol" : "condition" }];
}

interface Segment extends Part {
  readonly listings: readonly Listing[];
  readonly condition: Condition | undefined;
}

const SPLITS: ReadonlySet<string> = new Set("and or va hoac hay also cung".split(" "));

/** The alert's words between commas and "and", without the words that ask for it. */
function toSegments({ utterance, located, language }: Heard, part: Part, cue: Part): readonly Segment[] {
  const inside = utterance.tokens.filter(
    ({ start, end }) => start >= part.start && end <= part.end && !(start >= cue.start && end <= cue.end),
  );
  const groups: QuestionToken[][] = [[]];
  for (const token of inside) {
    const last = groups.at(-1)?.at(-1);
    const gap = last === undefined ? "" : utterance.own.slice(last.end, token.start);
    if (SPLITS.has(token.key) || /[,;](?!\d)/.test(gap)) groups.push([]);
    if (!SPLITS.has(token.key)) groups.at(-1)?.push(token);
  }
  const amounts = readAmounts(utterance.own, language);
  return groups.flatMap((tokens) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first === undefined || last === undefined) return [];
    const range = { start: first.start, end: last.end };
    const own = amounts.filter(({ start }) => start >= range.start && start < range.end);
    const listings = locatedIn(located, range).map(({ listing }) => listing);
    return [
      {
        ...range,
        listings,
        condition: readCondition({
          tokens,
          amounts: own,
          text: utterance.own.slice(range.start, range.end),
          start: range.start,
        }),
      },
    ];
  });
}

interface Made {
  readonly calls: readonly ChosenCall[];
  readonly levels: readonly OpenLevel[];
  readonly listings: readonly Listing[];
}

/** Names without a condition wait for the next; a condition without a name is for those before. */
function fromSegments(heard: Heard, segments: readonly Segment[]): Made {
  const calls: ChosenCall[] = [];
  const levels: OpenLevel[] = [];
  const all: Listing[] = segments.flatMap(({ listings }) => listings);
  let waiting: readonly Listing[] = [];
  let latest: readonly Listing[] = [];
  for (const { listings, condition } of segments) {
    waiting = [...waiting, ...listings];
    if (condition === undefined) continue;
    const named =
      waiting.length > 0 ? waiting : latest.length > 0 ? latest : all.length > 0 ? all : heard.referred().slice(0, 3);
    for (const listing of named) {
      const one = toAlert(heard, listing, condition);
      if ("tool" in one) calls.push(one);
      else levels.push(one);
    }
    latest = named;
    waiting = [];
  }
  return { calls, levels, listings: all.length > 0 ? all : latest };
}

function toAlert({ utterance }: Heard, listing: Listing, condition: Condition): ChosenCall | OpenLevel {
  const { symbol, type } = listing;
  if ("args" in condition) return call("setAlert", { symbol, kind: condition.kind, ...condition.args });
  const value = levelOf(utterance, listing, condition.amount);
  return condition.kind === "level"
    ? { symbol, type, value }
    : call("setAlert", { symbol, kind: condition.kind, value });
}

function levelOf({ text }: Utterance, { currency, type }: Listing, amount: SpokenAmount): number {
  const [digits = ""] = /^[\d.,]*\d/.exec(text.slice(amount.start, amount.start + 40)) ?? [];
  const said = currencyAround(text, { start: amount.start, end: amount.start + digits.length });
  return type === "index" ? amount.value : toPrice(currency, amount, said);
}

const ALERTS: readonly (readonly string[])[] = [
  ["alert"],
  ["alerts"],
  ["reminder"],
  ["reminders"],
  ["notification"],
  ["notifications"],
  ["canh", "bao"],
  ["nhac", "nho"],
  ["schedule"],
  ["schedules"],
  ["briefing"],
  ["lich"],
];
const ALL: ReadonlySet<string> = new Set("all every everything het toan tat cac sach alerts".split(" "));

/** "Delete my alert on Tesla", "xoá hết cảnh báo". */
function removal({ utterance, located, referred }: Heard, opening: Opening): readonly ChangeWish[] | undefined {
  const tokens = utterance.tokens.slice(opening.from, opening.to);
  if (opening.name !== "take" || !hasPhrase(tokens, ALERTS)) return undefined;
  const part = partOf(utterance, opening);
  const id = idIn(utterance.text.slice(part.start, part.end));
  const named = locatedIn(located, part).map(({ listing }) => listing);
  const isReferring = tokens.some(
    ({ key }) => key === "it" || key === "that" || key === "this" || key === "nay" || key === "do",
  );
  const listings = named.length > 0 ? named : isReferring ? referred().slice(0, 1) : [];
  const wish = { ...part, effect: "watch", listings } as const;
  if (id !== undefined) return [{ ...wish, calls: [call("removeAlert", { id })] }];
  if (listings.length > 0) return [{ ...wish, calls: listings.map(({ symbol }) => call("removeAlert", { symbol })) }];
  if (tokens.some(({ key }) => ALL.has(key))) return [{ ...wish, calls: [call("removeAlert", { all: true })] }];
  return [{ ...wish, calls: [], lacks: "symbol" }];
}

/** The id of an alert as the list shows it. */
function idIn(text: string): string | undefined {
  return /\b(?:alert|schedule|canh_bao)[_:-][\w:.-]{1,80}/.exec(text)?.[0];
}

const CLEARING: ReadonlySet<string> = new Set("clear empty reset trong".split(" "));
const REPLACING: ReadonlySet<string> = new Set("set change replace".split(" "));
const UNWATCHING: ReadonlySet<string> = new Set("stop unwatch unfollow bo ngung thoi".split(" "));

/** "Add NVDA to my watchlist", "theo dõi FPT", "clear my watchlist". */
function listWish({ utterance, located, referred }: Heard, opening: Opening): readonly ChangeWish[] {
  const tokens = utterance.tokens.slice(opening.from, opening.to);
  const isListed = namesWatchlist(tokens);
  if (opening.name !== "watch" && (!isListed || namesPortfolio(tokens))) return [];
  const part = partOf(utterance, opening);
  const named = locatedIn(located, part).map(({ listing }) => listing);
  const isReferring = tokens.some(
    ({ key }) => key === "it" || key === "them" || key === "this" || key === "nay" || key === "no",
  );
  const listings = named.length > 0 ? named : isReferring ? referred().slice(0, 3) : [];
  if (opening.name === "watch" && listings.length === 0) return [];
  const action = listAction(opening, tokens, listings);
  const wish = { ...part, effect: "watch", listings } as const;
  if (listings.length === 0 && action !== "clear") return [{ ...wish, calls: [], lacks: "symbol" }];
  const symbols = [...new Set(listings.map(({ symbol }) => symbol))];
  return [{ ...wish, calls: [call("setWatchlist", { symbols, action: action === "add" ? undefined : action })] }];
}

function listAction(
  { name }: Opening,
  tokens: readonly QuestionToken[],
  listings: readonly Listing[],
): "add" | "remove" | "replace" | "clear" {
  const has = (words: ReadonlySet<string>): boolean => tokens.some(({ key }) => words.has(key));
  if (name === "watch") return has(UNWATCHING) ? "remove" : "add";
  if (name === "put") return has(REPLACING) && !tokens.some(({ key }) => key === "add") ? "replace" : "add";
  const isAll = has(CLEARING) || has(ALL);
  return listings.length === 0 && isAll ? "clear" : listings.length === 0 ? "clear" : "remove";
}
