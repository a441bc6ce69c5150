/**
 * Alert condition: what an alert waits for, as the words of one segment say it: a price, a move, an RSI, a filing or a
 * report.
 */
import type { Json } from "@baton/core";
import type { SpokenAmount } from "../numbers/amounts.ts";
import type { QuestionToken } from "../reading.ts";

/** The arguments of an alert but for its symbol; `level` is a price of which the side is not said. */
export type Condition =
  | Readonly<{ kind: string; args: { readonly [name: string]: Json } }>
  | Readonly<{ kind: "level" | "price_above" | "price_below"; amount: SpokenAmount }>;

const ABOVE: ReadonlySet<string> = new Set(
  "above over exceeds exceed exceeding passes pass tops breaks break breakout rises rise rising climbs climb jumps gains up higher more greater surpasses beyond vuot tren tang len cao hon qua lon".split(
    " ",
  ),
);
const BELOW: ReadonlySet<string> = new Set(
  "below under falls fall falling drops drop dropping dips dip loses down lower less sinks slides beneath plunges crashes duoi giam xuong rot thung thap mat ve thoai".split(
    " ",
  ),
);
const FILED: ReadonlySet<string> = new Set(
  "files file filed filing filings form hoso insider insiders submits publishes".split(" "),
);
const REPORTED: ReadonlySet<string> = new Set("earnings reports report reporting results kqkd".split(" "));
const OVERBOUGHT = 70;
const OVERSOLD = 30;

/** Words of an alert; amounts count from the start of the message, `text` begins at `start`. */
type Segment = Readonly<{
  tokens: readonly QuestionToken[];
  amounts: readonly SpokenAmount[];
  text: string;
  start: number;
}>;

/** What a segment waits for; undefined if it names nothing to wait for. */
export function readCondition(segment: Segment): Condition | undefined {
  return rsiOf(segment) ?? filingOf(segment) ?? earningsOf(segment) ?? moveOf(segment) ?? priceOf(segment);
}

function sideOf({ tokens }: Segment, upTo = Infinity): "above" | "below" | undefined {
  const sides = tokens
    .filter(({ start }) => start < upTo)
    .flatMap(({ key }) => (ABOVE.has(key) ? ["above" as const] : BELOW.has(key) ? ["below" as const] : []));
  // "Drops below", "giảm xuống dưới": the last word is the nearest to the number.
  return sides.at(-1);
}

function rsiOf(segment: Segment): Condition | undefined {
  const keys = segment.tokens.map(({ key }) => key);
  const isPair = (one: string, other: string): boolean => keys.some((key, at) => key === one && keys[at + 1] === other);
  const bought = keys.includes("overbought") || isPair("qua", "mua");
  const sold = keys.includes("oversold") || isPair("qua", "ban");
  if (!keys.includes("rsi") && !bought && !sold) return undefined;
  const level = segment.amounts.findLast(({ value, isMoney }) => !isMoney && value > 0 && value < 100);
  const side = sold
    ? "below"
    : bought
      ? "above"
      : (sideOf(segment, level?.start) ?? ((level?.value ?? OVERBOUGHT) < 50 ? "below" : "above"));
  return { kind: `rsi_${side}`, args: { value: level?.value ?? (side === "below" ? OVERSOLD : OVERBOUGHT) } };
}

const FORMS = ["10-K", "10-Q", "8-K", "20-F", "6-K", "13D", "13G", "DEF 14A", "S-1"] as const;

/** "a new 8-K", "an insider sells", "nộp 10-Q", "Form 4". */
function filingOf({ tokens, text }: Segment): Condition | undefined {
  const keys = tokens.map(({ key }) => key);
  const compact = text.toUpperCase().replaceAll(/\s*-\s*|\s+/g, "");
  const named = FORMS.filter((form) => compact.includes(form.replaceAll(/[-\s]/g, "")) && isForm(tokens, form));
  const isInsider = keys.some(
    (key, at) =>
      key === "insider" ||
      key === "insiders" ||
      (key === "noi" && keys[at + 1] === "bo") ||
      (key === "form" && keys[at + 1] === "4"),
  );
  const forms = [...named, ...(isInsider ? ["4"] : [])];
  const isFiling = keys.some(
    (key, at) => (FILED.has(key) && key !== "form") || (key === "ho" && keys[at + 1] === "so"),
  );
  if (forms.length === 0 && !isFiling) return undefined;
  return { kind: "filing", args: forms.length === 0 ? {} : { forms } };
}

/** A number and a letter that stand side by side. */
function isForm(tokens: readonly QuestionToken[], form: string): boolean {
  const parts = form.toLowerCase().split(/[-\s]|(?<=\d)(?=[a-z])/);
  return tokens.some((_, at) => parts.every((part, next) => tokens[at + next]?.key === part));
}

/** "before earnings", "khi FPT ra báo cáo"; with how many days before. */
function earningsOf({ tokens, amounts, text, start }: Segment): Condition | undefined {
  const keys = tokens.map(({ key }) => key);
  const isVietnamese = keys.some(
    (key, at) =>
      (key === "ket" && keys[at + 1] === "qua") ||
      (key === "bao" && keys[at + 1] === "cao") ||
      (key === "cong" && keys[at + 1] === "bo"),
  );
  if (!isVietnamese && !keys.some((key) => REPORTED.has(key))) return undefined;
  const days = amounts.find(
    ({ end, value, isPercent, isMoney }) =>
      !isPercent &&
      !isMoney &&
      Number.isInteger(value) &&
      value <= 30 &&
      /^\s*-?\s*(?:days?|ngày|ngay)/i.test(text.slice(end - start, end - start + 8)),
  );
  const isDayBefore =
    keys.some((key, at) => key === "day" && keys[at + 1] === "before") ||
    keys.some((key, at) => key === "mot" && keys[at + 1] === "ngay");
  const before = days?.value ?? (isDayBefore ? 1 : undefined);
  return { kind: "earnings", args: before === undefined ? {} : { days_before: before } };
}

function moveOf(segment: Segment): Condition | undefined {
  const move = segment.amounts.find(({ isPercent, value }) => isPercent && value > 0);
  if (move === undefined) return undefined;
  const words = segment.tokens.filter(({ key }) => !COMPARING.has(key));
  const side = sideOf({ ...segment, tokens: words });
  const direction = side === undefined ? {} : { direction: side === "above" ? "up" : "down" };
  return { kind: "percent_move", args: { value: move.value, ...direction } };
}

/** "More than 5 %", "hơn 5 %": how far, not where to. */
const COMPARING: ReadonlySet<string> = new Set("more over above than hon tren qua greater less".split(" "));

function priceOf(segment: Segment): Condition | undefined {
  const amount = segment.amounts.findLast(({ isPercent, value }) => !isPercent && value > 0);
  if (amount === undefined) return undefined;
  const side = sideOf(segment, amount.start) ?? sideOf(segment);
  const kind = side === undefined ? "level" : side === "above" ? "price_above" : "price_below";
  return { kind, amount };
}
