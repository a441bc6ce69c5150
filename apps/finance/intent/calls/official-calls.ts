/**
 * Official calls: filings and their sections, insiders, large holders, rates, economic series, currencies and sources.
 */
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import { readConversion } from "../numbers/conversion.ts";
import { countryOf } from "../lexicon/places.ts";
import type { Topic } from "../lexicon/topics.ts";
import { readLimit } from "../numbers/parameters.ts";
import { type Lexicon, toPhraseIndex } from "../topics/phrase-index.ts";
import { startOfSpan } from "../numbers/periods.ts";
import { type Reading, toSearched } from "../reading.ts";
import { calendarCalls } from "./market-calls.ts";
import { each } from "./price-calls.ts";

const FORMS: Lexicon<string> = [
  ["10-K", "10 k, annual report, annual reports, 10 ks, báo cáo thường niên, báo cáo năm"],
  ["10-Q", "10 q, 10 qs, quarterly report, quarterly filing, báo cáo quý"],
  ["8-K", "8 k, 8 ks, current report, current reports"],
  ["20-F", "20 f"],
  ["6-K", "6 k"],
  ["DEF 14A", "proxy, proxy statement, def 14 a"],
  ["S-1", "s 1, prospectus, bản cáo bạch"],
];
const FORM_INDEX = toPhraseIndex(FORMS);

/** The forms that a question names. */
function formsOf({ tokens, text }: Reading): readonly string[] {
  return [...new Set(FORM_INDEX.find(toSearched(tokens, text)).map(({ name }) => name))];
}

/** Filings; without a tool for them, the statements in them. */
export function filingCalls(ask: Ask): readonly ChosenCall[] {
  if (!ask.has("getFilings")) return each(ask, ({ symbol }) => [call("getIncomeStatement", { symbol })]);
  const forms = formsOf(ask.base);
  const limit = readLimit(ask);
  return each(ask, ({ symbol }) => [
    call("getFilings", {
      symbol,
      forms: forms.length === 0 ? undefined : [...forms],
      ...windowOf(ask),
      limit: unless(10, limit === undefined ? undefined : Math.min(50, limit)),
    }),
  ]);
}

/** Days from and to, if a question names a time before today. */
function windowOf({
  periods: { window, rolling, spans },
  today,
  reading,
}: Ask): Readonly<{ from?: string; to?: string }> {
  if (window !== undefined) return window;
  const span = rolling ?? (reading.cues.has("past") ? spans[0] : undefined);
  return span === undefined ? {} : { from: startOfSpan(span, today) };
}

const SECTIONS: Lexicon<string> = [
  [
    "1A",
    "risk factors, risk factor, risk factor section, item 1 a, yếu tố rủi ro, các yếu tố rủi ro, nhân tố rủi ro, rủi ro trong báo cáo thường niên, mục 1 a",
  ],
  ["1", "business section, business description, business overview, item 1, mô tả kinh doanh, phần kinh doanh, mục 1"],
  ["1C", "cybersecurity section, item 1 c"],
  ["3", "legal proceedings, item 3, tranh chấp pháp lý"],
  [
    "7",
    "md&a, management discussion, management discussion and analysis, managements discussion, item 7, thảo luận của ban giám đốc, phân tích của ban lãnh đạo, mục 7",
  ],
  ["7A", "market risk disclosures, market risk section, item 7 a, mục 7 a"],
  ["8", "notes to the financial statements, financial statements section, item 8, mục 8"],
  ["1B", "item 1 b"],
  ["2", "item 2"],
  ["5", "item 5"],
  ["9A", "item 9 a"],
];
const SECTION_INDEX = toPhraseIndex(SECTIONS);

/** The section of a filing that a question names. */
export function sectionOf({ tokens, text }: Reading): string {
  return SECTION_INDEX.find(toSearched(tokens, text))[0]?.name ?? "1A";
}

/** A section needs its filing first: the newest of the form that is named, or of annual reports. */
export function sectionCalls(ask: Ask): readonly ChosenCall[] {
  if (!ask.has("getFilings")) return filingCalls(ask);
  const forms = formsOf(ask.base);
  return each(ask, ({ symbol }) => [
    call("getFilings", { symbol, forms: forms.length === 0 ? ["10-K"] : [...forms], ...windowOf(ask) }),
  ]);
}

const SEARCHING: ReadonlySet<string> = new Set(
  "search find show list look for the sec filings filing edgar in that mention mentions mentioning mentioned about which who what full text please me all companies tim trong ho so nhac den de cap nao giup toi ve cac bao cao co tu khoa".split(
    " ",
  ),
);

/** Words that filings have: what is quoted, else what is left of the question. */
export function filingSearchCalls(ask: Ask): readonly ChosenCall[] {
  const { text, tokens } = ask.base;
  const [, quoted] = /["“]([^"“”]{2,200})["”]/.exec(text) ?? [];
  const left = tokens.filter(({ key }) => !SEARCHING.has(key) && key !== "@").map(({ raw }) => raw);
  const query = quoted ?? left.join(" ");
  const forms = formsOf(ask.base);
  const symbols = ask.listings.map(({ symbol }) => symbol);
  if (query === "") return filingCalls(ask);
  return [
    call("searchFilings", {
      query: query.slice(0, 200),
      forms: forms.length === 0 ? undefined : [...forms],
      symbols: symbols.length === 0 ? undefined : symbols,
      ...windowOf(ask),
    }),
  ];
}

/** Who of a company bought and sold; without a tool, as filings. */
export function insiderCalls(ask: Ask): readonly ChosenCall[] {
  if (!ask.has("getInsiderTrades")) return filingCalls(ask);
  const limit = readLimit(ask);
  return each(ask, ({ symbol }) => [
    call("getInsiderTrades", { symbol, limit: unless(20, limit === undefined ? undefined : Math.min(100, limit)) }),
  ]);
}

const HOLDING: ReadonlySet<string> = new Set(
  `what does do did is are the in of by for its his her 13 f fs form holdings holding holds hold portfolio own owns buy bought sell sold according to latest newest show me please which stocks shares has have at on
   quarter institutional filing filings report q danh muc cua bao cao quy nam giu gi nhung co phieu nao giup toi xem moi nhat la`.split(
    /\s+/,
  ),
);
const PEOPLE: ReadonlyMap<string, string> = new Map([
  ["buffett", "Berkshire Hathaway"],
  ["buffet", "Berkshire Hathaway"],
  ["dalio", "Bridgewater Associates"],
  ["burry", "Scion Asset Management"],
  ["ackman", "Pershing Square"],
  ["simons", "Renaissance Technologies"],
]);

/** What a manager holds: the words that are left are its name. */
export function institutionCalls({ base }: Ask): readonly ChosenCall[] {
  const { text, tokens } = base;
  const quarter = quarterOf(text);
  const person = tokens.flatMap(({ key }) => PEOPLE.get(key) ?? [])[0];
  const left = tokens
    .filter(({ key, raw }) => !HOLDING.has(key) && !/^\d/.test(raw) && /\p{L}/u.test(raw))
    .map(({ start, end }) => text.slice(start, end));
  const manager = person ?? left.join(" ").slice(0, 100);
  return manager === "" ? [] : [call("getInstitutionalHoldings", { manager, quarter })];
}

/** `2024Q3`, `Q3 2024`, `quý 3 năm 2024`. */
function quarterOf(text: string): string | undefined {
  const [, year, number] = /\b(20\d\d)\s?-?Q([1-4])\b/i.exec(text) ?? [];
  if (year !== undefined && number !== undefined) return `${year}Q${number}`;
  const [, first, second] = /(?:\bQ|quý |quy |quarter )([1-4])(?: of| năm| nam|\/|,)? ?(20\d\d)\b/i.exec(text) ?? [];
  return first === undefined || second === undefined ? undefined : `${second}Q${first}`;
}

/** Rates of the government and of banks. */
export function rateCalls(ask: Ask): readonly ChosenCall[] {
  const keys = new Set(ask.base.tokens.map(({ key }) => key));
  const has = (...words: readonly string[]): boolean => words.some((word) => keys.has(word));
  const isReal = (has("real") || has("tips") || (has("thuc") && has("suat"))) && !has("estate");
  const series =
    has("sofr") || (has("secured") && has("overnight"))
      ? "sofr"
      : has("effr", "funds", "fed", "federal", "bang") || has("overnight")
        ? "effr"
        : isReal
          ? "real_curve"
          : undefined;
  return [call("getRates", { series, ...windowOf(ask) })];
}

const SERIES: Lexicon<string> = [
  ["inflation", "inflation, inflation rate, lạm phát, tỷ lệ lạm phát, tỉ lệ lạm phát"],
  ["CPI", "cpi, consumer price index, consumer prices, chỉ số giá tiêu dùng"],
  ["PPI", "ppi, producer price index, producer prices"],
  ["unemployment", "unemployment, unemployment rate, jobless rate, thất nghiệp, tỷ lệ thất nghiệp, tỉ lệ thất nghiệp"],
  ["GDP per capita", "gdp per capita, gdp bình quân đầu người"],
  ["GDP growth", "gdp growth, economic growth, tăng trưởng gdp, tăng trưởng kinh tế"],
  ["GDP", "gdp, gross domestic product, tổng sản phẩm quốc nội"],
  ["payrolls", "payrolls, nonfarm payrolls, employment level, việc làm phi nông nghiệp"],
  ["average hourly earnings", "average hourly earnings, hourly earnings"],
  ["government debt", "government debt, national debt, public debt, nợ công"],
  ["population", "population, population growth"],
  ["trade balance", "trade balance, current account, cán cân thương mại"],
  ["participation rate", "labor force, labour force, participation rate"],
];
const SERIES_INDEX = toPhraseIndex(SERIES);

/** Figures of a country's economy; without a tool, when they are announced. */
export function seriesCalls(ask: Ask): readonly ChosenCall[] {
  if (!ask.has("getEconomicSeries")) return calendarCalls(ask);
  const found = [...new Set(SERIES_INDEX.find(toSearched(ask.base.tokens, ask.base.text)).map(({ name }) => name))];
  const country = unless("US", countryOf(ask.reading) ?? countryOf(ask.base));
  const isVague = ask.base.tokens.some(({ key }) => VAGUE.has(key));
  return found.map((series) => call("getEconomicSeries", { series, country, ...(isVague ? {} : windowOf(ask)) }));
}

/** "The past few years": what the tool gives anyway. */
const VAGUE: ReadonlySet<string> = new Set(["few", "several", "recent", "may", "vai", "lately", "recently"]);

/** An amount in another currency, on a day if one is named. */
export function conversionCalls(ask: Ask): readonly ChosenCall[] {
  const found = readConversion(ask.base, { language: ask.language, by: "rate" });
  const { window } = ask.periods;
  const date = window?.to !== undefined && window.from === window.to ? window.from : undefined;
  return found === undefined
    ? []
    : [call("convertCurrency", { amount: found.amount, from: found.from, to: found.to, date })];
}

/** A figure as each source has it. */
export function sourceCalls(ask: Ask, topic: Topic): readonly ChosenCall[] {
  const keys = new Set(ask.base.tokens.map(({ key }) => key));
  const isIncome =
    (keys.has("net") && keys.has("income")) || keys.has("profit") || (keys.has("loi") && keys.has("nhuan"));
  const isRevenue = keys.has("revenue") || keys.has("sales") || (keys.has("doanh") && keys.has("thu"));
  const what = isIncome ? "net_income" : isRevenue ? "revenue" : undefined;
  if (!ask.has("compareSources")) return each(ask, ({ symbol }) => [call("getStockPrice", { symbol })]);
  return topic === "sources" ? each(ask, ({ symbol }) => [call("compareSources", { symbol, what })]) : [];
}
