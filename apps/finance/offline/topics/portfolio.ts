/**
 * Portfolio: value, risk, sectors and concentration of what the user holds, what a move would change, and what is due.
 */
import { z } from "zod";
import { toPlainText, toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { dataOf, factsAt, hasRef, headOf, ref, told } from "../results.ts";
import { sectorName } from "../words/sector-names.ts";
import { toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";
import { wordsOf } from "../words/words.ts";
import { LEFT_OUT, toLeftOut, toTotals } from "./holdings.ts";

const TEXT = {
  en: {
    title: "Portfolio",
    changes: (effect: string, after: string) =>
      `your portfolio changes by ${effect}, and your portfolio is then ${after}`,
    falls: (name: string) => `if ${name} falls as you suppose`,
    rises: (name: string) => `if ${name} rises as you suppose`,
    together: "with all moves together",
    risk: "Risk",
    sectors: "Sectors",
    largest: "Largest holdings",
    classes: {
      conservative: "conservative",
      moderate: "moderate",
      aggressive: "aggressive",
      speculative: "speculative",
    },
    score: (score: string, name: string) => `${score} is ${name} by the usual classes`,
    noRisk: "there is no figure for the risk: too little history",
    none: (name: string) => `${name} is not held and is no index, so nothing follows for the portfolio`,
    byBeta: "An index moves holdings by their betas: an estimate, not a forecast.",
    events: "Events",
    due: (start: string, end: string) => `in your portfolio this is due from ${start} to ${end}`,
    nothing: (start: string, end: string) => `there are no dates of your holdings from ${start} to ${end}`,
    kinds: { earnings: "Earnings report", ex_dividend: "Ex-dividend day" },
    head: ["Date", "Event", "Dividend per share", "Income"],
    unknown: "No source has the dates of",
    measure: "Measure",
    portfolio: "Portfolio",
  },
  vi: {
    title: "Danh mục",
    changes: (effect: string, after: string) =>
      `danh mục của bạn thay đổi ${effect}, khi đó danh mục của bạn còn ${after}`,
    falls: (name: string) => `nếu ${name} giảm như bạn nêu`,
    rises: (name: string) => `nếu ${name} tăng như bạn nêu`,
    together: "với tất cả cùng lúc",
    risk: "Rủi ro",
    sectors: "Ngành",
    largest: "Khoản lớn nhất",
    classes: { conservative: "thận trọng", moderate: "vừa phải", aggressive: "mạnh", speculative: "đầu cơ" },
    score: (score: string, name: string) => `${score} thuộc mức ${name} theo các mức thông dụng`,
    noRisk: "không có số liệu rủi ro: lịch sử giá quá ngắn",
    none: (name: string) => `${name} không có trong danh mục và không phải chỉ số nên không ảnh hưởng`,
    byBeta: "Chỉ số tác động lên từng mã theo hệ số beta: đây là ước tính, không phải dự báo.",
    events: "Sự kiện",
    due: (start: string, end: string) => `các sự kiện của danh mục từ ${start} đến ${end}`,
    nothing: (start: string, end: string) => `không có sự kiện nào của danh mục từ ${start} đến ${end}`,
    kinds: { earnings: "Công bố kết quả kinh doanh", ex_dividend: "Ngày không hưởng quyền cổ tức" },
    head: ["Ngày", "Sự kiện", "Cổ tức mỗi cổ phiếu", "Thu nhập"],
    unknown: "Chưa có nguồn nào có lịch của",
    measure: "Chỉ tiêu",
    portfolio: "Danh mục",
  },
} as const;

const ANALYSIS = z.looseObject({
  holdings: z.array(z.looseObject({ symbol: z.string() })),
  sectors: z.array(z.looseObject({ sector: z.string() })),
  risk: z.looseObject({ risk_class: z.enum(["conservative", "moderate", "aggressive", "speculative"]) }).optional(),
  shocks: z.array(z.looseObject({ symbol: z.string(), percent: z.number(), method: z.string() })).optional(),
  left_out: z.array(LEFT_OUT).optional(),
});
type Analysis = z.output<typeof ANALYSIS>;
const MAX_ROWS = 12;

/** Value, risk, sectors; a move first if one was supposed. */
export const analysed: Topic = (view, calls) => {
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, ANALYSIS);
  if (call === undefined || data === undefined) return undefined;
  const words = TEXT[view.language];
  const shocks = toShocks(view, call, data);
  const score = told(call, "data.risk.risk_score", view.language);
  const risk = data.risk === undefined ? words.noRisk : words.score(score, words.classes[data.risk.risk_class]);
  const [first, ...rest] = shocks;
  const lead = first ?? `${toTotals(view, call)}; ${risk}`;
  const body = [
    ...rest.map((line) => `${toTitle(line)}.`),
    ...(hasRef(call, "data.all_shocks.change")
      ? [`${toTitle(toEffect(call, { place: "data.all_shocks", why: words.together, language: view.language }))}.`]
      : []),
    ...(data.shocks?.some(({ method }) => method === "beta") ? [words.byBeta] : []),
    ...(first === undefined ? toMeasures(view, call) : []),
    ...toSectors(view, call, data),
    ...toLargest(view, call, data),
    ...toLeftOut(view, data.left_out ?? []),
  ];
  return { title: words.title, lead: `${lead}.`, body, facts: factsAt(call, () => true).slice(0, 200) };
};

function toShocks(view: View, call: SeenCall, { shocks = [] }: Analysis): readonly string[] {
  const words = TEXT[view.language];
  return shocks.map(({ symbol, percent, method }, at) => {
    const name = toName(view, symbol);
    if (method === "none") return words.none(name);
    const why = words[percent < 0 ? "falls" : "rises"](name);
    return toEffect(call, { place: `data.shocks[${at}]`, why, language: view.language });
  });
}

type Move = Readonly<{ place: string; why: string; language: View["language"] }>;

/** What a move changes, and what is left. */
function toEffect(call: SeenCall, { place, why, language }: Move): string {
  const at = (name: string): string => ref(call, `${place}.${name}`);
  return TEXT[language].changes(`${at("change")} · ${at("change_percent")} ${why}`, at("value"));
}

const MEASURES = [
  "risk.annual_volatility_percent",
  "risk.var.percent",
  "risk.var.amount",
  "risk.max_drawdown_percent",
  "risk.beta",
  "risk.sharpe",
  "risk.sortino",
  "concentration.effective_holdings",
  "concentration.top_3_percent",
  "concentration.hhi",
  "correlation.average",
];

function toMeasures({ language }: View, call: SeenCall): readonly string[] {
  const words = TEXT[language];
  const rows = MEASURES.flatMap((name) => {
    const fact = call.facts.find(({ path }) => path === `data.${name}`);
    return fact === undefined ? [] : [[toTitle(metricName(fact.metric, language)), `{${fact.id}}`]];
  });
  return rows.length === 0 ? [] : [toTable([words.measure, words.portfolio], rows)];
}

function toSectors({ language }: View, call: SeenCall, { sectors }: Analysis): readonly string[] {
  const names = ["weight_percent", "value"];
  const rows = sectors
    .slice(0, MAX_ROWS)
    .map(({ sector }, at) => [
      toPlainText(sectorName(sector, language)),
      ...names.map((name) => ref(call, `data.sectors[${at}].${name}`)),
    ]);
  const heads = names.map((name) =>
    headOf(call, (path) => path.startsWith("data.sectors[") && path.endsWith(`].${name}`), language),
  );
  return rows.length === 0 ? [] : [toTable([TEXT[language].sectors, ...heads], rows)];
}

function toLargest({ language }: View, call: SeenCall, { holdings }: Analysis): readonly string[] {
  const names = ["weight_percent", "value", "risk_contribution_percent"];
  const rows = holdings
    .slice(0, MAX_ROWS)
    .map(({ symbol }, at) => [symbol, ...names.map((name) => ref(call, `data.holdings[${at}].${name}`))]);
  const heads = names.map((name) =>
    headOf(call, (path) => path.startsWith("data.holdings[") && path.endsWith(`].${name}`), language),
  );
  return rows.length === 0 ? [] : [toTable([wordsOf(language).symbol, ...heads], rows)];
}

const EVENTS = z.looseObject({
  window: z.object({ start: z.string(), end: z.string() }),
  events: z.array(z.looseObject({ symbol: z.string(), kind: z.enum(["earnings", "ex_dividend"]), day: z.string() })),
  missing: z.array(z.looseObject({ symbol: z.string() })).default([]),
});

/** Reports and ex-dividend days of what is held. */
export const portfolioEvents: Topic = (view, calls) => {
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, EVENTS);
  if (call === undefined || data === undefined) return undefined;
  const words = TEXT[view.language];
  const { start, end } = data.window;
  const rows = data.events
    .slice(0, MAX_ROWS * 2)
    .map(({ symbol, kind, day }, at) => [
      day,
      symbol,
      words.kinds[kind],
      ref(call, `data.events[${at}].amount`),
      ref(call, `data.events[${at}].income`),
    ]);
  const [day, event, amount, income] = words.head;
  const unknown = [...new Set(data.missing.map(({ symbol }) => symbol))].slice(0, MAX_ROWS);
  const body = [
    ...(rows.length === 0 ? [] : [toTable([day, wordsOf(view.language).symbol, event, amount, income], rows)]),
    ...(unknown.length === 0 ? [] : [`${words.unknown} ${unknown.join(", ")}.`]),
  ];
  return {
    title: words.events,
    lead: `${rows.length === 0 ? words.nothing(start, end) : words.due(start, end)}${rows.length === 0 ? "." : ":"}`,
    body,
    facts: call.facts,
  };
};
