/**
 * Watching: alerts and schedules that were set, are there or were removed, and the list of what is watched.
 */
import { z } from "zod";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { describeCron } from "../../tools/watch/times/cron-text.ts";
import { toList, toPlainText, toTable } from "../words/markdown.ts";
import { dataOf, factsAt, hasRef, told } from "../results.ts";
import { toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";
import { wordsOf } from "../words/words.ts";
import { toForm } from "./filings.ts";

const KIND = z.enum(["price_above", "price_below", "percent_move", "rsi_above", "rsi_below", "filing", "earnings"]);
type Kind = z.output<typeof KIND>;

const TEXT = {
  en: {
    alerts: "Alerts",
    watchlist: "Watchlist",
    schedules: "Schedules",
    when: {
      price_above: (level: string) => `it rises above the ${level}`,
      price_below: (level: string) => `it falls below the ${level}`,
      percent_move: (level: string) => `it moves by the ${level}`,
      rsi_above: (level: string) => `it rises above the ${level}`,
      rsi_below: (level: string) => `it falls below the ${level}`,
      filing: (forms: string) => `it files ${forms}`,
      earnings: () => "its next report is near",
    },
    aDocument: "a document with the SEC",
    set: (name: string, condition: string) => `${name}: I will tell you here when ${condition}`,
    same: (name: string, condition: string) => `${name}: this alert was there already; you are told when ${condition}`,
    now: (price: string) => `now ${price}`,
    passed: "The condition holds already; you are told when it is met anew.",
    removeAlert: (symbol: string) => `To remove it, say “delete my alert on ${symbol}”.`,
    removed: "removed",
    list: "these are your alerts, your watchlist and your schedules",
    none: "there are no alerts, no schedules and no symbols on the watchlist yet",
    condition: "Tells you when",
    id: "Id",
    watching: (symbols: string) => `your watchlist is now ${symbols}`,
    empty: "your watchlist is empty now",
    unknown: (symbols: string) => `Not known: ${symbols}.`,
    scheduled: (time: string, ask: string) => `${time} I will answer “${ask}” in this conversation`,
    next: (day: string, clock: string, zone: string) => `The first time is ${day} at ${clock} (${zone}).`,
    assumed: "You named no time zone, so this one was taken; say another to change it.",
    ask: "Question",
    time: "Time",
  },
  vi: {
    alerts: "Cảnh báo",
    watchlist: "Danh sách theo dõi",
    schedules: "Lịch hẹn",
    when: {
      price_above: (level: string) => `lên trên ${level}`,
      price_below: (level: string) => `xuống dưới ${level}`,
      percent_move: (level: string) => `biến động bằng ${level}`,
      rsi_above: (level: string) => `lên trên ${level}`,
      rsi_below: (level: string) => `xuống dưới ${level}`,
      filing: (forms: string) => `có hồ sơ ${forms}`,
      earnings: () => "sắp đến ngày công bố kết quả",
    },
    aDocument: "mới nộp SEC",
    set: (name: string, condition: string) => `${name}: tôi sẽ báo ở đây khi ${condition}`,
    same: (name: string, condition: string) => `${name}: đã có cảnh báo này, bạn được báo khi ${condition}`,
    now: (price: string) => `hiện tại ${price}`,
    passed: "Điều kiện đang đúng sẵn; bạn sẽ được báo khi nó xảy ra lần nữa.",
    removeAlert: (symbol: string) => `Để xoá, hãy nói “xoá cảnh báo ${symbol}”.`,
    removed: "đã xoá",
    list: "đây là cảnh báo, danh sách theo dõi và lịch hẹn của bạn",
    none: "chưa có cảnh báo, lịch hẹn hay mã theo dõi nào",
    condition: "Báo khi",
    id: "Mã số",
    watching: (symbols: string) => `danh sách theo dõi hiện gồm ${symbols}`,
    empty: "danh sách theo dõi hiện trống",
    unknown: (symbols: string) => `Không rõ: ${symbols}.`,
    scheduled: (time: string, ask: string) => `${time} tôi sẽ trả lời “${ask}” trong cuộc trò chuyện này`,
    next: (day: string, clock: string, zone: string) => `Lần đầu là ngày ${day} lúc ${clock} (${zone}).`,
    assumed: "Bạn chưa nêu múi giờ nên múi giờ này được dùng; hãy nói múi giờ khác để đổi.",
    ask: "Câu hỏi",
    time: "Thời gian",
  },
} as const;

const ALERT = z.looseObject({ id: z.string(), symbol: z.string(), kind: KIND, forms: z.array(z.string()).optional() });
const SET = ALERT.extend({ is_new: z.boolean(), passed: z.boolean() });

function toCondition(
  language: QuestionLanguage,
  call: SeenCall,
  { kind, forms, path }: Readonly<{ kind: Kind; forms?: readonly string[] | undefined; path: string }>,
): string {
  const words = TEXT[language];
  if (kind === "filing")
    return words.when.filing(
      forms === undefined || forms.length === 0 ? words.aDocument : forms.map(toForm).join(", "),
    );
  if (kind === "earnings") return words.when.earnings();
  return words.when[kind](told(call, `${path}.value`, language));
}

/** Alerts that were set. */
export const alertSet: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const set = calls.flatMap((call) => {
    const data = dataOf(call, SET);
    return data === undefined ? [] : [{ call, data }];
  });
  const said = set.map(({ call, data }) => {
    const condition = toCondition(view.language, call, { kind: data.kind, forms: data.forms, path: "data" });
    const now = ["price", "rsi"].map((name) => `data.${name}`).find((path) => hasRef(call, path));
    const current = now === undefined ? "" : `; ${words.now(told(call, now, view.language))}`;
    return `${words[data.is_new ? "set" : "same"](toName(view, data.symbol), condition)}${current}`;
  });
  const [first, ...rest] = said;
  if (first === undefined) return undefined;
  const body = [
    ...(rest.length === 0 ? [] : [toList(rest)]),
    ...(set.some(({ data }) => data.passed) ? [words.passed] : []),
    words.removeAlert(set[0]?.data.symbol ?? ""),
  ];
  return { title: words.alerts, lead: `${first}.`, body, facts: calls.flatMap(({ facts }) => facts) };
};

const LISTED = z.looseObject({
  alerts: z.array(ALERT),
  watchlist: z.array(z.looseObject({ symbol: z.string(), name: z.string() })),
  schedules: z.array(z.looseObject({ id: z.string(), cron: z.string(), time_zone: z.string(), ask: z.string() })),
});

/** All that is watched. */
export const alertList: Topic = (view, calls) => {
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, LISTED);
  if (call === undefined || data === undefined) return undefined;
  const words = TEXT[view.language];
  const { symbol, name } = wordsOf(view.language);
  const alerts = data.alerts.map(({ symbol: of, kind, forms }, at) => [
    of,
    toCondition(view.language, call, { kind, forms, path: `data.alerts[${at}]` }),
  ]);
  const watched = data.watchlist.map((one) => [one.symbol, toPlainText(one.name)]);
  const schedules = data.schedules.map(({ cron, time_zone, ask }) => [
    toTime(cron, time_zone, view.language),
    toPlainText(ask),
  ]);
  const body = [
    ...(alerts.length === 0 ? [] : [toTable([words.alerts, words.condition], alerts)]),
    ...(watched.length === 0 ? [] : [toTable([`${words.watchlist}: ${symbol}`, name], watched)]),
    ...(schedules.length === 0 ? [] : [toTable([words.time, words.ask], schedules)]),
  ];
  return {
    title: words.alerts,
    lead: body.length === 0 ? `${words.none}.` : `${words.list}:`,
    body,
    facts: factsAt(call, (path) => path.endsWith(".value")),
  };
};

/** The time in words, in code: it is the user's own. */
const toTime = (cron: string, timeZone: string, language: QuestionLanguage): string =>
  `\`${describeCron(cron, { language, timeZone }).replaceAll("`", "")}\``;

const REMOVED = z.looseObject({ removed: z.array(z.looseObject({ symbol: z.string().optional(), text: z.string() })) });

/** What is no longer watched. */
export const alertRemoved: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const gone = calls.flatMap((call) => dataOf(call, REMOVED)?.removed ?? []);
  if (gone.length === 0) return undefined;
  const said = gone.map(({ symbol, text }) =>
    symbol === undefined ? `“${toPlainText(text)}”` : `${symbol}: “${toPlainText(text)}”`,
  );
  const [first = "", ...rest] = said;
  return {
    title: words.alerts,
    lead: `${words.removed}: ${first}.`,
    body: rest.length === 0 ? [] : [toList(rest)],
    facts: [],
  };
};

const LIST = z.looseObject({
  watchlist: z.array(z.looseObject({ symbol: z.string() })),
  unknown: z.array(z.looseObject({ symbol: z.string() })).default([]),
});

/** The list of what is watched, after a change. */
export const watchlistSet: Topic = (view: View, calls) => {
  const call = calls.at(-1);
  const data = call === undefined ? undefined : dataOf(call, LIST);
  if (data === undefined) return undefined;
  const words = TEXT[view.language];
  const symbols = data.watchlist.map(({ symbol }) => symbol);
  const unknown = data.unknown.map(({ symbol }) => toPlainText(symbol));
  const lead = symbols.length === 0 ? words.empty : words.watching(symbols.slice(0, 30).join(", "));
  return {
    title: words.watchlist,
    lead: `${lead}.`,
    body: unknown.length === 0 ? [] : [words.unknown(unknown.join(", "))],
    facts: [],
  };
};

const SCHEDULED = z.looseObject({
  cron: z.string(),
  time_zone: z.string(),
  ask: z.string(),
  next_at: z.string(),
  is_zone_assumed: z.boolean(),
});

/** A question that is asked at times. */
export const scheduleSet: Topic = (view, calls) => {
  const call = calls.at(-1);
  const data = call === undefined ? undefined : dataOf(call, SCHEDULED);
  if (data === undefined) return undefined;
  const words = TEXT[view.language];
  const zone = toPlainText(data.time_zone);
  const body = [
    words.next(data.next_at.slice(0, 10), data.next_at.slice(11, 16), zone),
    ...(data.is_zone_assumed ? [words.assumed] : []),
  ];
  const time = `\`${describeCron(data.cron, { language: view.language }).replaceAll("`", "")}\``;
  return { title: words.schedules, lead: `${words.scheduled(time, toPlainText(data.ask))}.`, body, facts: [] };
};
