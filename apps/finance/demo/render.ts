/**
 * Render: the demo's answer to a question that it has read: a sentence, a table if there is more than one figure, and the
 * source with its age. Figures are references to facts, which are filled in with their values.
 */
import { ageInDays, ageInWords, type Fact } from "@baton/assistant";
import type { Json } from "@baton/core";
import type { PastCall } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { metricLabel } from "../answer/figures/metric-words.ts";
import { readTable } from "../market/tables.ts";
import { PORTFOLIO } from "../tools/portfolio/valuation/valued-portfolio.ts";
import type { DemoLanguage } from "./form.ts";
import { type QuestionReading, toHoldings } from "./match.ts";

/** The parts of an answer. */
export interface Found {
  readonly reading: QuestionReading;
  readonly language: DemoLanguage;
  readonly results: readonly PastCall[];
  readonly facts: readonly Fact[];
  /** The profile of the user, as it is shown. */
  readonly profile: string;
}

const MAX_ROWS = 20;
const MAX_COLUMNS = 7;
/** A price that is older is the last known one. */
const LAST_KNOWN_DAYS = 30;

/** The answer. */
export function renderAnswer(found: Found): string {
  const { reading, results, language } = found;
  const failed = results.flatMap((result) => toProblem(result, found));
  const own = found.facts.filter(({ call }) => results.some((result) => result.call === call));
  const facts = pickAsked(own, reading);
  if (reading.form.shows === "profile") return toProfile(found);
  const isPicked = own.length > 0 && facts.length === 0;
  const lead = isPicked ? toNotThere(found, own) : (toMessage(found) ?? toLead(found, facts));
  const { lines: list } = reading.form;
  const lines = list === undefined ? [] : results.flatMap((result) => toLines(result, list));
  const isSaid = isSingle(facts, lead) || (reading.form.want !== undefined && lead !== "");
  const table = isSaid || list !== undefined ? "" : toTables(facts, language);
  const isOwn = list !== undefined || reading.form.want !== undefined;
  const source = facts.length === 0 || isOwn ? "" : toSource(found, facts);
  const isEmpty = list !== undefined && lines.length === 0 && failed.length === 0;
  const parts = [lead, isEmpty ? wordOf(language, "none") : lines.join("\n"), table, source, ...failed];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? wordOf(language, "done") : text;
}

const WORDS: ReadonlyMap<string, Readonly<Record<DemoLanguage, string>>> = new Map(
  readTable("texts/demo-texts").map(([key = "", en = "", vi = ""]) => [key, { en, vi }]),
);

const wordOf = (language: DemoLanguage, key: string): string => WORDS.get(key)?.[language] ?? key;

/** A tool that changes something may say what it did, and what keeps it from working. */
function toMessage({ reading, results }: Found): string | undefined {
  const said =
    reading.form.want === undefined ? [] : results.map(({ output }) => lookInto(output ?? null, "data.message"));
  const [first] = said.filter((text) => typeof text === "string");
  return first;
}

/** One sentence a listing, or one for all; a listing without a figure that the sentence needs has none. */
function toLead({ reading, language, results }: Found, facts: readonly Fact[]): string {
  const template = reading.form.lead[language] ?? reading.form.lead.en;
  const hasFailed = results.some(
    ({ error, output }) => error !== undefined || lookInto(output ?? null, "no_data") === true,
  );
  if (template === undefined)
    return reading.form.lines === undefined ? toSentences(facts, { reading, language, results }) : "";
  const [first] = facts;
  if (!/\{(?:name|symbol)\}/.test(template)) {
    return hasFailed || (template.includes("{value}") && first === undefined) ? "" : fill(template, { reading, first });
  }
  const listings = [
    ...new Map(reading.names.map(({ listings: [likeliest] }) => [likeliest?.symbol, likeliest])).values(),
  ];
  const needsFacts = /\{(?:price|change %)\}/.test(template);
  return listings
    .flatMap((listing) => {
      if (listing === undefined || (hasFailed && !needsFacts)) return [];
      const own = facts.filter(({ symbol }) => symbol === listing.symbol);
      const price = own.find(({ metric }) => metric === "price");
      const change = own.find(({ metric, unit }) => metric.startsWith("change") && unit === "percent");
      if (needsFacts && price === undefined) return [];
      const sentence = fill(template, { reading, listing, price, change });
      return [needsFacts && isOld(results, price) ? `${sentence} ${toAge(price, { results, language })}` : sentence];
    })
    .join("\n");
}

const MAX_SENTENCES = 4;

/** The most telling figures as sentences: two of one company or period, one of each of several, the first of a list. */
function toSentences(
  facts: readonly Fact[],
  { reading: { names }, language, results }: Pick<Found, "reading" | "language" | "results">,
): string {
  const groups = [...Map.groupBy(facts, ({ symbol }) => symbol)];
  const whole = groups.filter(([symbol]) => symbol === PORTFOLIO);
  const bySymbol = whole.length > 0 ? whole : groups;
  const named = new Map(names.flatMap(({ listings: [first] }) => (first === undefined ? [] : [[first.symbol, first]])));
  const isList = bySymbol.length > MAX_SENTENCES;
  return bySymbol
    .slice(0, isList ? 1 : MAX_SENTENCES)
    .map(([symbol, own]) => {
      const name = named.get(symbol)?.name;
      const [first] = own;
      const told = own
        .filter(({ period }) => period?.label === first?.period?.label)
        .slice(0, bySymbol.length === 1 || isList ? 2 : 1)
        .map((fact) => `${metricLabel(fact.metric, language)} {${fact.id}}`);
      const when = first === undefined ? "" : toWhen(first, todayOf(results), language);
      return `${name === undefined ? symbol : `${name} (${symbol})`}: ${told.join(", ")}${when}.`;
    })
    .join("\n");
}

const WEEK_DAYS = 7;

/** `(FY2016, ten years old)`, `(11 May 2018, eight years old)`; nothing of a day of this week. */
function toWhen({ period, as_of }: Fact, today: string, language: DemoLanguage): string {
  const day = (period?.end ?? as_of).slice(0, 10);
  const isOldDay = ageInDays(day, today) > WEEK_DAYS;
  const name = period?.label ?? (isOldDay ? toDate(day, language) : undefined);
  if (name === undefined) return "";
  return ` (${name}${isOldDay ? `, ${toAgeText(day, today, language)}` : ""})`;
}

/** Of a statement only the lines and years that were asked for. */
function pickAsked(facts: readonly Fact[], { choices, years }: QuestionReading): readonly Fact[] {
  const lines = (choices.get("statement") ?? []).flatMap((value) => value.split("/").slice(1));
  const wanted = new Set(lines);
  const picked = lines.length === 0 ? facts : facts.filter(({ metric }) => wanted.has(metric));
  if (years === undefined || !choices.has("statement")) return picked;
  const labels = [...new Set(facts.flatMap(({ period }) => period?.label ?? []))];
  const isAsked = (label: string): boolean => {
    if ("last" in years) return labels.indexOf(label) < years.last;
    const year = Number(/\d{4}/.exec(label)?.[0]);
    return year >= years.from && year <= (years.to ?? Infinity);
  };
  return picked.filter(({ period }) => period?.label !== undefined && isAsked(period.label));
}

/** `No data: there is FY2016, FY2015.` */
function toNotThere({ language }: Found, facts: readonly Fact[]): string {
  const labels = [...new Set(facts.flatMap(({ period }) => period?.label ?? []))];
  return `${wordOf(language, "noData")}: ${wordOf(language, "thereIs")} ${labels.join(", ")}.`;
}

type Filling = Readonly<{
  reading: QuestionReading;
  listing?: Readonly<{ symbol: string; name: string }>;
  price?: Fact | undefined;
  change?: Fact | undefined;
  first?: Fact | undefined;
}>;

/** `This is the last known price, of 22 November 2024, two years old.` */
function toAge(price: Fact | undefined, { results, language }: Pick<Found, "results" | "language">): string {
  const day = price?.as_of.slice(0, 10) ?? "";
  const [date, age] = [toDate(day, language), toAgeText(day, todayOf(results), language)];
  return `${wordOf(language, "last")} ${date}, ${age}.`;
}

function fill(template: string, { reading, listing, price, change, first }: Filling): string {
  const cut = change === undefined ? template.replace(/,[^,]*\{change %\}[^.]*/, "") : template;
  const named = reading.names.flatMap(({ listings: [likeliest] }) => likeliest?.symbol ?? []);
  const values: Readonly<Record<string, string>> = {
    name: listing?.name ?? "",
    symbol: listing?.symbol ?? "",
    price: price === undefined ? "" : `{${price.id}}`,
    value: first === undefined ? "" : `{${first.id}}`,
    "change %": change === undefined ? "" : `{${change.id}}`,
    names: [...new Set(named)].join(", "),
    n1: reading.numbers[0]?.text ?? "",
    text: reading.text.replace(/[.\s]+$/, ""),
    holdings: (toHoldings(reading.names, reading.numbers) ?? [])
      .map(
        ({ name, quantity, cost }) =>
          `${quantity} ${name.listings[0]?.symbol ?? ""}${cost === undefined ? "" : ` @ ${cost}`}`,
      )
      .join(", "),
  };
  return cut.replaceAll(/\{([\w %]+)\}/g, (_, name: string) => values[name] ?? "");
}

const isOld = (results: readonly PastCall[], price: Fact | undefined): boolean =>
  price !== undefined && ageInDays(price.as_of.slice(0, 10), todayOf(results)) > LAST_KNOWN_DAYS;

/** The day on which the tools were asked. */
function todayOf(results: readonly PastCall[]): string {
  const days = results.map(({ output }) => lookInto(output ?? null, "asked_on"));
  const day = days.find((one) => typeof one === "string");
  return typeof day === "string" ? day : "";
}

/** The sentence says all that there is. */
const isSingle = (facts: readonly Fact[], lead: string): boolean => facts.length <= 1 && lead !== "";

/** A table of the whole portfolio, if there are figures of it, and one of all companies. */
function toTables(facts: readonly Fact[], language: DemoLanguage): string {
  const whole = facts.filter(({ symbol }) => symbol === PORTFOLIO);
  const parts = facts.filter(({ symbol }) => symbol !== PORTFOLIO);
  if (whole.length === 0) return toTable(parts, language);
  // Holdings and sectors have different columns: a table each.
  const tables = [...Map.groupBy(parts, ({ path }) => path.replaceAll(/\[.*/g, "")).values()].map((own) =>
    grid({
      rows: [...new Set(own.map(({ symbol }) => symbol))],
      columns: [...new Set(own.map(toMetricKey))],
      facts: own,
      language,
      by: "symbol",
    }),
  );
  return [toTable(whole, language), ...tables].filter((text) => text !== "").join("\n\n");
}

/** Rows of metrics with a column a company or period; rows of companies if there are many. */
function toTable(facts: readonly Fact[], language: DemoLanguage): string {
  if (facts.length === 0) return "";
  const symbols = [...new Set(facts.map(({ symbol }) => symbol))];
  const periods = [...new Set(facts.flatMap(({ period }) => period?.label ?? []))];
  const metrics = [...new Set(facts.map(toMetricKey))];
  if (symbols.length > MAX_COLUMNS) return grid({ rows: symbols, columns: metrics, facts, language, by: "symbol" });
  if (periods.length > 1 && symbols.length === 1)
    return grid({ rows: metrics, columns: periods, facts, language, by: "period" });
  return grid({ rows: metrics, columns: symbols, facts, language, by: "metric" });
}

/** A change in money and one in percent are two rows. */
const toMetricKey = ({ metric, unit }: Fact): string =>
  unit === "percent" && !metric.includes("%") ? `${metric} %` : metric;

interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly facts: readonly Fact[];
  readonly language: DemoLanguage;
  readonly by: "symbol" | "period" | "metric";
}

function grid({ rows, columns, facts, language, by }: Grid): string {
  const shownColumns = columns.slice(0, MAX_COLUMNS);
  const keysOf = (fact: Fact): readonly [row: string, column: string] =>
    by === "symbol"
      ? [fact.symbol, toMetricKey(fact)]
      : [toMetricKey(fact), by === "period" ? (fact.period?.label ?? "") : fact.symbol];
  const cells = new Map<string, string>();
  for (const fact of facts) {
    const key = JSON.stringify(keysOf(fact));
    if (!cells.has(key)) cells.set(key, `{${fact.id}}`);
  }
  const bare = (text: string): string => text.replace(/ %$/, "");
  const all = new Set([...rows, ...columns]);
  // The sign is only needed if there is one in money too.
  const label = (text: string): string =>
    metricLabel(bare(text), language) + (text.endsWith(" %") && all.has(bare(text)) ? " %" : "");
  const rowName = (row: string): string => (by === "symbol" ? row : label(row)) || "–";
  const head = [
    by === "symbol" ? wordOf(language, "company") : wordOf(language, "figure"),
    ...shownColumns.map((column) => (by === "symbol" ? label(column) : column) || "–"),
  ];
  const lines = rows
    .slice(0, MAX_ROWS)
    .map((row) => [rowName(row), ...shownColumns.map((column) => cells.get(JSON.stringify([row, column])) ?? "–")]);
  const table = [head, head.map(() => "---"), ...lines].map((cellsOf) => `| ${cellsOf.join(" | ")} |`).join("\n");
  const more = rows.length - MAX_ROWS;
  return more > 0 ? `${table}\n\n${more} ${wordOf(language, "more")}.` : table;
}

/** `Source: embedded, 22 November 2024, two years old.` */
function toSource({ results, language }: Found, facts: readonly Fact[]): string {
  const today = todayOf(results);
  const told = facts.map(({ source, as_of, period }) => {
    const asOf = as_of.slice(0, 10);
    const day = period !== undefined && period.end < asOf ? period.end : asOf;
    const age = toAgeText(day, today, language);
    return `${source}, ${toDate(day, language)}${age === "" ? "" : ` (${age})`}`;
  });
  const notes = results.flatMap(({ output }) => {
    const note = lookInto(output ?? null, "provenance.note");
    return typeof note === "string" ? [note] : [];
  });
  return `${wordOf(language, "asOf")}: ${[...new Set([...told, ...notes])].slice(0, 3).join("; ")}.`;
}

const toDate = (day: string, language: DemoLanguage): string =>
  new Intl.DateTimeFormat(language === "vi" ? "vi-VN" : "en-GB", { dateStyle: "long", timeZone: "UTC" }).format(
    Date.parse(day),
  );

function toAgeText(day: string, today: string, language: DemoLanguage): string {
  if (today === "") return "";
  return language === "vi" ? ageInVietnamese(day, today) : ageInWords(day, today);
}

function ageInVietnamese(day: string, today: string): string {
  const words = ageInWords(day, today);
  if (words === "today") return "hôm nay";
  const days = ageInDays(day, today);
  const [count, unit] = words.includes("year")
    ? [Math.floor((days + 7) / 365.25), "năm"]
    : words.includes("month")
      ? [Math.floor(days / 30.4), "tháng"]
      : words.includes("week")
        ? [Math.floor(days / 7), "tuần"]
        : [days, "ngày"];
  return `${count} ${unit} trước`;
}

/** Words of results that are lists of what the user keeps. */
function toLines({ output }: PastCall, name: string): readonly string[] {
  const data = lookInto(output ?? null, "data");
  const list = data === undefined ? undefined : lookInto(data, name);
  const items: readonly Json[] = Array.isArray(list) ? list : [];
  return items.flatMap((item) => {
    const text = lookInto(item, "text") ?? lookInto(item, "symbol") ?? item;
    return typeof text === "string" ? [`- ${text}`] : [];
  });
}

/** Kinds of failures of sources, which the message of a tool begins with; the rest of it is advice for a model. */
const SOURCE_FAILURES = ["upstream", "throttled", "plan"] as const;

function toProblem({ error, output }: PastCall, { reading, language }: Found): readonly string[] {
  if (error !== undefined) {
    const failure = SOURCE_FAILURES.find((kind) => error.message.startsWith(`${kind}: `));
    if (failure === undefined) return [`${wordOf(language, "failed")}: ${error.message}`];
    const symbols = reading.names.flatMap(({ listings: [likeliest] }) => likeliest?.symbol ?? []);
    const named = symbols.length === 0 ? "" : ` (${symbols.join(", ")})`;
    return [`${wordOf(language, "noData")}${named}: ${wordOf(language, failure)}.`];
  }
  const [isMissing, message, enable] = ["no_data", "message", "enable"].map((name) => lookInto(output ?? null, name));
  if (isMissing !== true || typeof message !== "string") return [];
  const how = typeof enable === "string" ? ` ${toAdvice(enable, language)}` : "";
  const names = reading.names.map(({ said }) => said).join(", ");
  // The reason is written in English.
  const why = language === "en" ? `: ${message}` : names === "" ? "" : ` về ${names}`;
  return [`${wordOf(language, "noData")}${why}.${how}`];
}

/** Advice on how to get the data: a setting, or without `--offline`. */
function toAdvice(setting: string, language: DemoLanguage): string {
  const [online, set] = [wordOf(language, "online"), wordOf(language, "set")];
  return setting === "BATON_FINANCE_DATA=auto" ? online : `${set} \`${setting}\`.`;
}

function toProfile({ profile, language }: Found): string {
  const lines = profile.replaceAll(/<\/?USER_PROFILE>\n?/g, "").trim();
  return lines === "" ? wordOf(language, "nothing") : `${wordOf(language, "known")}\n\n${lines}`;
}
