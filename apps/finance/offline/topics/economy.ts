/**
 * Economy: rates, series of a country, amounts in other currencies, and one figure as several sources have it.
 */
import { z } from "zod";
import { toPlainText, toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { dataOf, factsAt, hasRef, ref, told } from "../results.ts";
import { toName, type Topic } from "../section.ts";

const TEXT = {
  en: {
    rates: "Rates",
    curves: {
      treasury_curve: "the US Treasury yield curve",
      real_curve: "the US Treasury real yield curve",
      sofr: "the overnight rate of the New York Fed",
      effr: "the overnight rate of the New York Fed",
    },
    on: (what: string, day: string) => `${what} on ${day}`,
    term: "Term",
    rate: "Rate",
    spread: "Spread",
    inverted: "Long yields are below short ones: the curve is inverted.",
    series: "Economy",
    period: "Period",
    value: "Value",
    derived: "The figures are computed from another series of the source.",
    conversion: "Currency",
    sources: "Sources",
    each: (name: string, what: string) => `${name}: ${what} as each source has it`,
    source: "Source",
    number: "Figure",
    asOf: "As of",
    difference: "Difference",
    apart: "They share no period, so they are not held against each other.",
    one: "Only one source that is turned on has this figure, so there is nothing to hold it against.",
    missing: "Not answered",
    what: { price: "the price", revenue: "revenue", net_income: "net income" },
  },
  vi: {
    rates: "Lãi suất",
    curves: {
      treasury_curve: "đường cong lợi suất trái phiếu chính phủ Mỹ",
      real_curve: "đường cong lợi suất thực của Mỹ",
      sofr: "lãi suất qua đêm của Fed New York",
      effr: "lãi suất qua đêm của Fed New York",
    },
    on: (what: string, day: string) => `${what} ngày ${day}`,
    term: "Kỳ hạn",
    rate: "Lãi suất",
    spread: "Chênh lệch",
    inverted: "Lợi suất dài hạn thấp hơn ngắn hạn: đường cong đảo ngược.",
    series: "Kinh tế",
    period: "Kỳ",
    value: "Giá trị",
    derived: "Số liệu được tính từ một chuỗi khác của nguồn.",
    conversion: "Ngoại tệ",
    sources: "Nguồn",
    each: (name: string, what: string) => `${name}: ${what} theo từng nguồn`,
    source: "Nguồn",
    number: "Số liệu",
    asOf: "Thời điểm",
    difference: "Chênh lệch",
    apart: "Các nguồn không có kỳ chung nên không đối chiếu được.",
    one: "Chỉ một nguồn đang bật có số liệu này nên không có gì để đối chiếu.",
    missing: "Không trả lời",
    what: { price: "giá", revenue: "doanh thu", net_income: "lợi nhuận ròng" },
  },
} as const;

const RATES = z.looseObject({
  series: z.enum(["treasury_curve", "real_curve", "sofr", "effr"]),
  day: z.string(),
  rates: z.array(z.looseObject({ name: z.string(), percent: z.number() })),
  spreads: z.array(z.looseObject({ name: z.string(), percent: z.number() })).default([]),
});

/** Yields and rates; an inverted curve is named by the usual rule. */
export const rates: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, RATES);
  if (call === undefined || data === undefined) return undefined;
  const [only] = data.rates;
  const isSingle = data.rates.length === 1 && only !== undefined;
  const lead = words.on(words.curves[data.series], data.day);
  const row = (place: string): readonly string[] => {
    const fact = call.facts.find(({ path }) => path === place);
    return fact === undefined ? [] : [toTitle(metricName(fact.metric, view.language)), `{${fact.id}}`];
  };
  const rows = data.rates.map((_, at) => row(`data.rates[${at}].percent`)).filter((cells) => cells.length > 0);
  const spreads = data.spreads.map((_, at) => row(`data.spreads[${at}].percent`)).filter((cells) => cells.length > 0);
  const body = [
    ...(isSingle ? [] : [toTable([words.term, words.rate], rows)]),
    ...(spreads.length === 0 ? [] : [toTable([words.spread, words.rate], spreads)]),
    ...(data.spreads.some(({ percent }) => percent < 0) ? [words.inverted] : []),
  ];
  const facts = factsAt(call, (path) => path.startsWith("data.rates") || path.startsWith("data.spreads"));
  return {
    title: words.rates,
    lead: isSingle ? `${lead}: ${told(call, "data.rates[0].percent", view.language)}.` : `${lead}:`,
    body,
    facts,
  };
};

const SERIES = z.looseObject({
  series: z.string(),
  country_name: z.string(),
  derived: z.string().optional(),
  points: z.array(z.looseObject({ label: z.string() })),
});
const MAX_POINTS = 24;

/** The newest figure of each series, and its path. */
export const economicSeries: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const found = calls.flatMap((call) => {
    const data = dataOf(call, SERIES);
    return data === undefined || data.points.length === 0 ? [] : [{ call, data }];
  });
  if (found.length === 0) return undefined;
  const lead = found
    .map(({ call, data }) => {
      const newest = `${toPlainText(data.country_name)}: ${told(call, "data.points[0].value", view.language)} (${toPlainText(data.points[0]?.label ?? "")})`;
      const isCompared = hasRef(call, "data.change_on_year.value");
      return isCompared ? `${newest}, ${told(call, "data.change_on_year.value", view.language)}` : newest;
    })
    .join("; ");
  const tables = found.flatMap(({ call, data }) => {
    const rows = data.points
      .slice(0, MAX_POINTS)
      .map(({ label }, at) => [toPlainText(label), ref(call, `data.points[${at}].value`)]);
    return rows.length < 2 ? [] : [toTable([words.period, words.number], rows)];
  });
  const isDerived = found.some(({ data }) => data.derived !== undefined);
  const facts = found.flatMap(({ call }) =>
    factsAt(call, (path) => path.startsWith("data.points") || path.startsWith("data.change")),
  );
  return { title: words.series, lead: `${lead}.`, body: [...tables, ...(isDerived ? [words.derived] : [])], facts };
};

const CONVERTED = z.looseObject({ from: z.string(), to: z.string(), rate_day: z.string() });

/** An amount in another currency, with its rate. */
export const conversion: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const found = calls.flatMap((call) => {
    const data = dataOf(call, CONVERTED);
    return data === undefined ? [] : [{ call, data }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const lead = found
    .map(
      ({ call, data }) =>
        `${toPlainText(data.from)}/${toPlainText(data.to)}: ${told(call, "data.converted", view.language)} (${data.rate_day})`,
    )
    .join("; ");
  const body = found.map(
    ({ call, data }) => `${toPlainText(data.from)}/${toPlainText(data.to)}: ${told(call, "data.rate", view.language)}.`,
  );
  return { title: words.conversion, lead: `${lead}.`, body, facts: found.flatMap(({ call }) => call.facts) };
};

const COMPARED = z.looseObject({
  symbol: z.string(),
  what: z.enum(["price", "revenue", "net_income"]),
  values: z.array(z.looseObject({ source: z.string(), as_of: z.string(), label: z.string().optional() })),
  differences: z.array(z.looseObject({ of: z.string(), to: z.string() })),
  missing: z.array(z.looseObject({ source: z.string() })).default([]),
});

/** One figure as each source has it, and how far they differ. */
export const sourcesCompared: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, COMPARED);
  if (call === undefined || data === undefined) return undefined;
  const rows = data.values.map(({ source, as_of, label }, at) => [
    toPlainText(source),
    ref(call, `data.values[${at}].value`),
    toPlainText(label ?? as_of.slice(0, 10)),
  ]);
  const differences = data.differences.map(({ of, to }, at) => [
    `${toPlainText(of)} − ${toPlainText(to)}`,
    ref(call, `data.differences[${at}].difference`),
    ref(call, `data.differences[${at}].difference_percent`),
  ]);
  const body = [
    toTable([words.source, words.number, words.asOf], rows),
    ...(differences.length === 0
      ? [words[rows.length > 1 ? "apart" : "one"]]
      : [toTable([words.difference, words.number, "%"], differences)]),
    ...(data.missing.length === 0
      ? []
      : [`${words.missing}: ${data.missing.map(({ source }) => toPlainText(source)).join(", ")}.`]),
  ];
  return {
    title: words.sources,
    lead: `${words.each(toName(view, data.symbol), words.what[data.what])}:`,
    body,
    facts: call.facts,
  };
};
