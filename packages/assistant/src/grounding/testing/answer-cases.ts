/**
 * Answer cases: facts of three companies, right sentences about them in both languages, and the same sentences with one
 * thing made wrong.
 */
import type { Fact } from "../../facts/fact.ts";
import { type AnswerLanguage, formatFact } from "../fact-format.ts";
import type { AnswerText, GroundingEvidence } from "../grounding.ts";
import { ReferenceStream } from "../reference-stream.ts";

const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["AAPL", ["Apple", "Apple Inc."]],
  ["MSFT", ["Microsoft", "Microsoft Corporation"]],
  ["KO", ["Coca-Cola"]],
  ["^GSPC", ["S&P 500"]],
]);

/** Names of metrics: in English, and in Vietnamese. */
const WORDS: ReadonlyMap<string, readonly [en: string, vi: string]> = new Map([
  ["price", ["price", "giá"]],
  ["market cap", ["market cap", "vốn hóa"]],
  ["revenue", ["revenue", "doanh thu"]],
  ["RSI(14)", ["RSI", "chỉ số RSI"]],
  ["P/E", ["P/E", "hệ số P/E"]],
  ["dividend yield", ["dividend yield", "lợi suất cổ tức"]],
  ["net margin", ["net margin", "biên lợi nhuận ròng"]],
  ["SMA(20)", ["SMA(20)", "SMA(20)"]],
  ["SMA(50)", ["SMA(50)", "SMA(50)"]],
  ["change 1M", ["one-month change", "thay đổi 1 tháng"]],
  ["change 1Y", ["one-year change", "thay đổi 1 năm"]],
]);

type Row = readonly [metric: string, value: number, unit: Fact["unit"], year?: number];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  AAPL: [
    ["price", 229.87, "money/share"],
    ["market cap", 3_476_093_000_000, "money"],
    ["revenue", 233_715_000_000, "money", 2015],
    ["revenue", 215_639_000_000, "money", 2016],
    ["RSI(14)", 58.34, "points"],
    ["P/E", 37.81, "ratio"],
    ["dividend yield", 0.44, "percent"],
    ["net margin", 21.19, "percent", 2016],
    ["SMA(20)", 226.41, "money/share"],
    ["SMA(50)", 222.08, "money/share"],
    ["change 1M", -2.51, "percent"],
    ["change 1Y", 19.37, "percent"],
  ],
  MSFT: [
    ["price", 417.26, "money/share"],
    ["market cap", 3_102_500_000_000, "money"],
    ["revenue", 93_580_000_000, "money", 2015],
    ["revenue", 85_320_000_000, "money", 2016],
    ["RSI(14)", 47.92, "points"],
    ["P/E", 34.42, "ratio"],
    ["dividend yield", 0.79, "percent"],
    ["net margin", 19.69, "percent", 2016],
    ["SMA(20)", 419.03, "money/share"],
    ["SMA(50)", 421.77, "money/share"],
    ["change 1M", -3.92, "percent"],
    ["change 1Y", 10.84, "percent"],
  ],
  KO: [
    ["price", 63.92, "money/share"],
    ["market cap", 275_360_000_000, "money"],
    ["revenue", 44_294_000_000, "money", 2015],
    ["revenue", 41_863_000_000, "money", 2016],
    ["RSI(14)", 41.07, "points"],
    ["P/E", 26.35, "ratio"],
    ["dividend yield", 3.04, "percent"],
    ["net margin", 15.59, "percent", 2016],
    ["SMA(20)", 64.87, "money/share"],
    ["SMA(50)", 67.15, "money/share"],
    ["change 1M", -8.12, "percent"],
    ["change 1Y", 9.46, "percent"],
  ],
};

/** Every fact. */
export const FACTS: readonly Fact[] = Object.entries(ROWS).flatMap(([symbol, rows], at) =>
  rows.map(([metric, value, unit, year], n) => ({
    id: `f2.1.${at + 1}.${n + 1}`,
    call: `2.1.${at + 1}`,
    path: `data.rows[${n}]`,
    value,
    unit,
    ...(unit.startsWith("money") ? { currency: "USD" } : {}),
    symbol,
    metric,
    ...(year === undefined ? {} : { period: { start: `${year}-01-01`, end: `${year}-12-31`, label: `FY${year}` } }),
    as_of: year === undefined ? "2024-11-22T16:00:00-05:00" : `${year}-12-31T00:00:00-05:00`,
    kind: year === undefined ? "snapshot" : "history",
    source: "test",
  })),
);

/** The evidence for answers in a language. */
export function evidenceIn(language: AnswerLanguage, said: readonly string[] = []): GroundingEvidence {
  return {
    facts: FACTS,
    said,
    language,
    names: NAMES,
    wordsOf: (metric) => WORDS.get(metric) ?? [],
    thresholds: new Map([["RSI", [30, 70]]]),
  };
}

/** A text with references as it is shown. */
export function toAnswer(text: string, language: AnswerLanguage): AnswerText {
  const byId = new Map(FACTS.map((fact) => [fact.id, fact]));
  const stream = new ReferenceStream(({ id }) => {
    const fact = byId.get(id);
    return fact && formatFact(fact, language);
  }, "(unknown)");
  const shown = stream.push(text) + stream.end();
  return { text: shown, spans: stream.spans, missing: stream.missing };
}

/** A text, its language, and what is wrong with it. */
export type AnswerCase = Readonly<{ text: string; language: AnswerLanguage; what: string }>;

const LANGUAGES: readonly AnswerLanguage[] = ["en", "vi"];

/** A sentence that says of a symbol's metric that it is this. */
interface Said {
  readonly symbol: string;
  readonly metric: string;
  readonly year: number | undefined;
  readonly value: string;
}

function say({ symbol, metric, year, value }: Said, language: AnswerLanguage): string {
  const [name = symbol] = NAMES.get(symbol) ?? [];
  const [en = metric, vi = metric] = WORDS.get(metric) ?? [];
  if (language === "en") return `The ${en} of ${name}${year === undefined ? "" : ` in ${year}`} was ${value}.`;
  return `${vi} của ${name}${year === undefined ? "" : ` năm ${year}`} là ${value}.`;
}

const yearOf = ({ period }: Fact): number | undefined =>
  period === undefined ? undefined : Number(period.end.slice(0, 4));

const sayFact = (fact: Fact, language: AnswerLanguage, change: Partial<Said> = {}): string =>
  say({ symbol: fact.symbol, metric: fact.metric, year: yearOf(fact), value: `{${fact.id}}`, ...change }, language);

/** Right answers: each fact by reference and written out, lists, tables, and several names in a sentence. */
export function rightAnswers(): readonly AnswerCase[] {
  return LANGUAGES.flatMap((language) => {
    const single = FACTS.flatMap((fact) => [
      { text: sayFact(fact, language), language, what: "by reference" },
      { text: sayFact(fact, language, { value: formatFact(fact, language) }), language, what: "written out" },
    ]);
    return [...single, ...together(language)];
  });
}

const idOf = (symbol: string, metric: string): string =>
  FACTS.find((fact) => fact.symbol === symbol && fact.metric === metric)?.id ?? "";

/** Texts about several companies; `of` gives the symbol whose facts stand beside a name. */
function textsOf(language: AnswerLanguage, of: (symbol: string) => string): readonly string[] {
  const [price, rsi] = WORDS_OF(language);
  const all = ["AAPL", "MSFT", "KO"];
  const ref = (symbol: string, metric: string): string => `{${idOf(of(symbol), metric)}}`;
  const rows = all.map((symbol) => `| ${symbol} | ${ref(symbol, "price")} | ${ref(symbol, "RSI(14)")} |`);
  const table = [`| | ${price} | ${rsi} |`, "|---|---:|---:|", ...rows].join("\n");
  const columns = [
    `| | Apple | Coca-Cola |`,
    "|---|---:|---:|",
    `| ${price} | ${ref("AAPL", "price")} | ${ref("KO", "price")} |`,
  ].join("\n");
  const list = all.map((symbol, n) => `${n + 1}. ${symbol}: ${price} ${ref(symbol, "price")}`).join("\n");
  const [and, trade] = language === "en" ? ["and", "trade at"] : ["và", "có giá"];
  const both = `Apple ${and} Microsoft ${trade} ${ref("AAPL", "price")} ${and} ${ref("MSFT", "price")}.`;
  const beside = `Apple (${ref("AAPL", "price")}), Microsoft (${ref("MSFT", "price")}), Coca-Cola (${ref("KO", "price")})`;
  const [of_, is] = language === "en" ? ["for", "Prices:"] : ["cho", "Có giá"];
  const after = `${is} ${ref("AAPL", "price")} ${of_} Apple ${and} ${ref("MSFT", "price")} ${of_} Microsoft.`;
  const section = `## Apple\n\n${price}: ${ref("AAPL", "price")}\n\n## Coca-Cola\n\n${price}: ${ref("KO", "price")}`;
  const bold = `**Apple** — ${rsi} ${ref("AAPL", "RSI(14)")}\n**Microsoft** — ${rsi} ${ref("MSFT", "RSI(14)")}`;
  return [table, columns, list, both, beside, after, section, bold];
}

/** Two years of revenue, newest first; `years` are what the text says they are. */
function yearsText(language: AnswerLanguage, [one, two]: readonly [number, number]): string {
  const refs = [2016, 2015].map((year) => FACTS.find((fact) => fact.symbol === "KO" && yearOf(fact) === year)?.id);
  const [newer, older] = refs.map((id) => `{${id}}`);
  return language === "en"
    ? `Coca-Cola's revenue was ${newer} in ${one} and ${older} in ${two}.`
    : `Doanh thu của Coca-Cola là ${newer} trong năm ${one} và ${older} trong năm ${two}.`;
}

function together(language: AnswerLanguage): readonly AnswerCase[] {
  const rsi = `{${idOf("AAPL", "RSI(14)")}}`;
  const threshold =
    language === "en"
      ? `Apple's RSI(14) ${rsi} is below 70 on 2024-11-22.`
      : `RSI(14) của Apple là ${rsi}, dưới 70 vào ngày 22/11/2024.`;
  const fell =
    language === "en"
      ? `Apple fell 2.51% in one month: its one-month change is {${idOf("AAPL", "change 1M")}}.`
      : `Apple giảm 2,51%: thay đổi 1 tháng là {${idOf("AAPL", "change 1M")}}.`;
  return [...textsOf(language, (symbol) => symbol), threshold, fell, yearsText(language, [2016, 2015])].map((text) => ({
    text,
    language,
    what: "several",
  }));
}

const WORDS_OF = (language: AnswerLanguage): readonly [string, string] =>
  language === "en" ? ["Price", "RSI"] : ["Giá", "Chỉ số RSI"];

type Mutation = (fact: Fact, language: AnswerLanguage) => string | undefined;

const other = (symbol: string): string => (symbol === "AAPL" ? "MSFT" : symbol === "MSFT" ? "KO" : "AAPL");
const SIBLINGS: ReadonlyMap<string, string> = new Map([
  ["P/E", "RSI(14)"],
  ["SMA(20)", "SMA(50)"],
  ["SMA(50)", "SMA(20)"],
  ["change 1M", "change 1Y"],
  ["change 1Y", "change 1M"],
]);
const otherMetric = (metric: string): string => SIBLINGS.get(metric) ?? "P/E";
const shifted = (fact: Fact, by: number, language: AnswerLanguage): string =>
  formatFact({ ...fact, value: fact.value * by }, language);

/** Each makes one thing wrong; undefined if it does not apply. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "an invented value": (fact, language) => sayFact(fact, language, { value: shifted(fact, 1.17, language) }),
  "a thousand times too much": (fact, language) =>
    fact.unit === "money" ? sayFact(fact, language, { value: shifted(fact, 0.001, language) }) : undefined,
  "a percentage as a fraction": (fact, language) =>
    fact.unit === "percent" ? sayFact(fact, language, { value: shifted(fact, 0.01, language) }) : undefined,
  "a percent sign too many": (fact, language) =>
    fact.unit === "ratio" || fact.unit === "points"
      ? sayFact(fact, language, { value: `${formatFact(fact, language)}%` })
      : undefined,
  "another currency": (fact, language) => {
    const text = formatFact({ ...fact, currency: "EUR" }, language);
    return fact.currency === undefined ? undefined : sayFact(fact, language, { value: text });
  },
  "rounded wrongly": (fact, language) => {
    const whole = Math.trunc(fact.value);
    const isNear = fact.unit === "money" || Math.abs(fact.value - whole) < 0.05;
    const wrong = fact.value - whole > 0.5 ? whole : whole + 1;
    return isNear ? undefined : sayFact(fact, language, { value: unitText(fact, String(wrong)) });
  },
  "another company's fact": (fact, language) => sayFact(fact, language, { symbol: other(fact.symbol) }),
  "another company's number": (fact, language) =>
    sayFact(fact, language, { symbol: other(fact.symbol), value: formatFact(fact, language) }),
  "another metric's fact": (fact, language) => sayFact(fact, language, { metric: otherMetric(fact.metric) }),
  "another metric's number": (fact, language) =>
    sayFact(fact, language, { metric: otherMetric(fact.metric), value: formatFact(fact, language) }),
  "another year's fact": (fact, language) => {
    const year = yearOf(fact);
    return year === undefined ? undefined : sayFact(fact, language, { year: year === 2015 ? 2016 : 2015 });
  },
  "a fact that does not exist": (fact, language) => sayFact(fact, language, { value: `{${fact.id}9}` }),
};

function unitText({ unit }: Fact, number: string): string {
  if (unit === "percent") return `${number}%`;
  return unit.startsWith("money") ? `${number} USD` : number;
}

/** Wrong answers: every mutation of every fact that it applies to, and texts with the facts of companies swapped. */
export function wrongAnswers(): readonly AnswerCase[] {
  const swapped = LANGUAGES.flatMap((language) =>
    [...textsOf(language, other), yearsText(language, [2015, 2016])].map((text) => ({
      text,
      language,
      what: "swapped",
    })),
  );
  const mutated = LANGUAGES.flatMap((language) =>
    FACTS.flatMap((fact) =>
      Object.entries(MUTATIONS).flatMap(([what, mutate]) => {
        const text = mutate(fact, language);
        return text === undefined ? [] : [{ text, language, what }];
      }),
    ),
  );
  return [...mutated, ...swapped];
}
