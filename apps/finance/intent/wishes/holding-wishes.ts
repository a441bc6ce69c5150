/**
 * Holding wishes: what the user owns, bought or sold, with its cost: one call of setHolding for each name.
 *
 * "I own 40 KO at 58.20 and 15 JNJ at 160", "thêm 20 cổ phiếu AMZN vào danh mục", "remove Tesla from my portfolio". A
 * statement beside a question about something else is only what the question is asked with.
 */
import type { Json } from "@baton/core";
import { type SpokenAmount, readAmounts } from "../numbers/amounts.ts";
import { call, type ChosenCall } from "../calls/chosen-call.ts";
import { findDates } from "../numbers/dates.ts";
import { currencyAround } from "../lexicon/currencies.ts";
import type { QuestionToken } from "../reading.ts";
import { areAsking, type Opening, type Utterance } from "./utterance.ts";
import { type Heard, type Located, locatedIn, type ChangeWish } from "./wish.ts";

type Action = "set" | "add" | "remove";

/** What holdings are kept in, folded. */
const PORTFOLIO: readonly (readonly string[])[] = [
  "portfolio",
  "holding",
  "holdings",
  "position",
  "positions",
  "danh muc",
  "tai khoan",
  "khoan dau tu",
  "account",
].map((words) => words.split(" "));
const WATCHLIST: readonly (readonly string[])[] = [["watchlist"], ["watchlists"], ["watch", "list"], ["theo", "doi"]];

/** Whether one of these phrases is among the tokens. */
export function hasPhrase(tokens: readonly QuestionToken[], phrases: readonly (readonly string[])[]): boolean {
  return tokens.some((_, at) => phrases.some((words) => words.every((word, next) => tokens[at + next]?.key === word)));
}

/** Whether words speak of the user's portfolio. */
export const namesPortfolio = (tokens: readonly QuestionToken[]): boolean =>
  hasPhrase(tokens, PORTFOLIO) && !namesWatchlist(tokens);
/** Whether words speak of the list of what is watched. */
export const namesWatchlist = (tokens: readonly QuestionToken[]): boolean => hasPhrase(tokens, WATCHLIST);

/** What is to be kept as holdings. */
export function holdingWishes(heard: Heard): readonly ChangeWish[] {
  const { openings } = heard.utterance;
  const wishes = openings.flatMap((opening) => toWish(heard, opening));
  const done = wishes.filter(({ calls }) => calls.length > 0);
  if (done.length === 0) return wishes.slice(0, 1);
  return wishes.map(({ start, end, effect, calls, listings }) => ({ start, end, effect, calls, listings }));
}

function toWish(heard: Heard, opening: Opening): readonly ChangeWish[] {
  const { utterance } = heard;
  const action = actionOf(opening, utterance);
  if (action === undefined) return [];
  const part = { start: utterance.tokens[opening.from]?.start ?? 0, end: utterance.tokens[opening.to - 1]?.end ?? 0 };
  const account = accountOf(utterance, part);
  const named = locatedIn(heard.located, part).filter(({ start }) => start !== account?.start);
  const calls = toCalls(heard, { named, action, part, account: account?.raw });
  const listings = named.map(({ listing }) => listing);
  if (calls.length > 0) return [{ ...part, effect: "portfolio", calls, listings }];
  return opening.name === "put" || opening.name === "take"
    ? [{ ...part, effect: "portfolio", calls: [], listings, lacks: named.length === 0 ? "symbol" : "quantity" }]
    : [];
}

const SETTING: ReadonlySet<string> = new Set("update set change correct cap sua dat".split(" "));

/** What is done with holdings; undefined if this is not about them. */
function actionOf(opening: Opening, utterance: Utterance): Action | undefined {
  const { tokens } = utterance;
  const said = tokens.slice(opening.from, opening.to);
  if (opening.name === "put" || opening.name === "take") {
    if (!namesPortfolio(said) || isHow(opening)) return undefined;
    if (opening.name === "take") return "remove";
    return SETTING.has(tokens[opening.first]?.key ?? "") ? "set" : "add";
  }
  if (opening.name !== "own" && opening.name !== "bought" && opening.name !== "sold") return undefined;
  if (isAskedWith(utterance)) return undefined;
  return opening.name === "own" ? "set" : opening.name === "bought" ? "add" : "remove";
}

/** "Add NVDA to my portfolio?" asks whether. */
const isHow = ({ sentence, isPolite }: Opening): boolean => sentence.isQuestion && !isPolite;

const SHOULD: ReadonlySet<string> = new Set(["should", "worth"]);

/** Whether the message asks something that is not about the portfolio. */
function isAskedWith({ tokens, sentences, text }: Utterance): boolean {
  const isAsked =
    sentences.some(({ isQuestion }) => isQuestion) ||
    tokens.some(({ key }) => SHOULD.has(key)) ||
    areAsking(tokens, text);
  return isAsked && !namesPortfolio(tokens);
}

interface Region {
  readonly named: readonly Located[];
  readonly action: Action;
  readonly part: Readonly<{ start: number; end: number }>;
  readonly account: string | undefined;
}

function toCalls(heard: Heard, { named, action, part, account }: Region): readonly ChosenCall[] {
  const { utterance, language } = heard;
  const amounts = readAmounts(utterance.own, language)
    .filter(({ start }) => start >= part.start && start < part.end)
    .map((amount) => withoutName(amount, named));
  const quantities = named.map((one, at) =>
    quantityOf(utterance, amounts, { one, before: named[at - 1], after: named[at + 1] }),
  );
  return named.flatMap((one, at) => {
    const quantity = quantities[at];
    const all = action === "remove" && (quantity === undefined || isAll(utterance, part));
    if (quantity === undefined && !all) return [];
    const until = nextStart(named[at + 1], quantities[at + 1], part.end);
    const cost = amounts.find(
      (amount) => amount !== quantity && amount.start >= one.start && amount.start < until && isCost(utterance, amount),
    );
    return [toCall(heard, { one, action, quantity: all ? undefined : quantity?.value, cost, part, account })];
  });
}

/** `5 T at 20`: a ticker behind a number is not its scale. */
function withoutName(amount: SpokenAmount, named: readonly Located[]): SpokenAmount {
  const inside = named.find(({ start }) => start > amount.start && start < amount.end);
  if (inside === undefined) return amount;
  return {
    ...amount,
    value: amount.value / amount.factor,
    end: inside.start,
    factor: 1,
    isScaled: false,
    isMoney: false,
  };
}

function nextStart(next: Located | undefined, quantity: SpokenAmount | undefined, end: number): number {
  if (next === undefined) return end;
  return quantity !== undefined && quantity.start < next.start ? quantity.start : next.start;
}

interface Between {
  readonly one: Located;
  readonly before: Located | undefined;
  readonly after: Located | undefined;
}

/** Words between a number of shares and a name. */
const UNITS: ReadonlySet<string> = new Set(
  "share shares of stock stocks unit units co phieu cp phan the lots lot ma coin coins token tokens dong x more ccq chung chi quy my in".split(
    " ",
  ),
);
/** Words between a name and the number of its shares. */
const TO: ReadonlySet<string> = new Set(
  "to x shares share with co so luong sl kl cp la thanh holding position in my the".split(" "),
);

/** How many: the number before a name, else one behind it that is counted in shares. */
function quantityOf(
  { own, tokens }: Utterance,
  amounts: readonly SpokenAmount[],
  { one, before, after }: Between,
): SpokenAmount | undefined {
  const countable = amounts.filter(({ isPercent, isMoney, value }) => !isPercent && !isMoney && value > 0);
  const leading = countable.findLast(
    ({ start, end }) =>
      end <= one.start &&
      start >= (before?.end ?? 0) &&
      areAll(wordsBetween(tokens, end, one.start), UNITS) &&
      own.charAt(start - 1) !== "$",
  );
  if (leading !== undefined) return leading;
  const limit = after?.start ?? Infinity;
  return countable.find(({ start, end }) => {
    if (start < one.end || start >= limit) return false;
    const isCounted =
      UNITS.has(tokens.find((token) => token.start >= end)?.key ?? "") &&
      tokens.find((token) => token.start >= end)?.key !== "in";
    return (
      areAll(wordsBetween(tokens, one.end, start), TO) &&
      (isCounted || wordsBetween(tokens, one.end, start).length > 0 || /[:=x*]/.test(own.slice(one.end, start)))
    );
  });
}

const wordsBetween = (tokens: readonly QuestionToken[], from: number, to: number): readonly string[] =>
  tokens.filter(({ start, end }) => start >= from && end <= to).map(({ key }) => key);

const areAll = (words: readonly string[], known: ReadonlySet<string>): boolean =>
  words.length <= 5 && words.every((word) => known.has(word));

const COST: ReadonlySet<string> = new Set(
  "at for price cost costs costing average avg basis paid paying gia von muc voi each per bought mua entry".split(" "),
);
const REACH = 4;

/** Whether an amount is what one share cost. */
function isCost({ own, tokens }: Utterance, { start, isPercent, isMoney }: SpokenAmount): boolean {
  if (isPercent) return false;
  if (isMoney || own.slice(Math.max(0, start - 3), start).includes("@")) return true;
  const before = tokens.filter(({ end }) => end <= start).slice(-REACH);
  const at = before.findLastIndex(({ key }) => COST.has(key));
  return at !== -1 && !before.slice(at + 1).some(({ key }) => /^\d/.test(key) || key === "@");
}

const ALL: ReadonlySet<string> = new Set(["all", "everything", "het", "toan", "entire", "whole", "sach"]);

const isAll = ({ tokens }: Utterance, { start, end }: Region["part"]): boolean =>
  tokens.some((token) => token.start >= start && token.end <= end && ALL.has(token.key));

interface Held {
  readonly one: Located;
  readonly action: Action;
  /** All of it if there is none. */
  readonly quantity: number | undefined;
  readonly cost: SpokenAmount | undefined;
  readonly part: Region["part"];
  readonly account: string | undefined;
}

/** Prices of Vietnamese stocks are said in thousands: `FPT giá 95`. */
const THOUSANDS_BELOW = 1_000;

/** An amount of money in the unit of a listing's prices. */
export function toPrice(
  currency: string,
  { value, isScaled }: Pick<SpokenAmount, "value" | "isScaled">,
  said: string | undefined,
): number {
  const isThousands = currency === "VND" && said === undefined && !isScaled && value < THOUSANDS_BELOW;
  return isThousands ? value * 1_000 : value;
}

function toCall({ utterance, language }: Heard, { one, action, quantity, cost, part, account }: Held): ChosenCall {
  const { listing } = one;
  const currency = cost === undefined ? undefined : currencyAround(utterance.text, literalOf(utterance.text, cost));
  const args: { readonly [name: string]: Json | undefined } = {
    symbol: listing.symbol,
    quantity,
    cost: cost === undefined || action === "remove" ? undefined : toPrice(listing.currency, cost, currency),
    currency: action === "remove" ? undefined : currency,
    account,
    bought_on: action === "remove" ? undefined : dayOf(utterance, part, language),
    action: action === "set" ? undefined : action,
  };
  return call("setHolding", args);
}

/** The digits of an amount, without its unit. */
function literalOf(text: string, { start }: SpokenAmount): Readonly<{ start: number; end: number }> {
  const [digits = ""] = /^[\d.,]*\d/.exec(text.slice(start, start + 40)) ?? [];
  return { start, end: start + digits.length };
}

function dayOf(
  { own, tokens }: Utterance,
  { start, end }: Region["part"],
  language: Heard["language"],
): string | undefined {
  const inside = tokens.filter((token) => token.start >= start && token.end <= end);
  const [day] = findDates(own, inside, language).filter(({ from, to }) => from === to);
  return day?.from;
}

const NO_ACCOUNT: ReadonlySet<string> = new Set(
  "my the a an in to into of brokerage trading cua toi minh nay vao".split(" "),
);

/** "in my IRA account", "tài khoản SSI". */
function accountOf({ tokens }: Utterance, { start, end }: Region["part"]): QuestionToken | undefined {
  const inside = tokens.filter((token) => token.start >= start && token.end <= end);
  const at = inside.findIndex(({ key }) => key === "account");
  const vietnamese = inside.findIndex(({ key }, index) => key === "tai" && inside[index + 1]?.key === "khoan");
  const word = at > 0 ? inside[at - 1] : vietnamese === -1 ? undefined : inside[vietnamese + 2];
  return word === undefined || NO_ACCOUNT.has(word.key) ? undefined : word;
}
