/**
 * Question lines: `id | earlier >> question | type,type | calls | more`. Calls: `getRSI NVDA period=21; getMACD NVDA`, `a/b`
 * is either tool, `||` divides two ways, `-` means no call; an argument is `=` exact (or one of `a,b`), `~` a day near it, `*=`
 * a list or text that includes it, `_` is a blank, `\\n` a line break. More: `vi`, `symbols=A,B?` (`?`: may be found), `charts=`, `allow=`,
 * `route=`, `complexity=`, options such as `tab=crypto` or `web`, and `#tags`.
 */
import type { Json } from "@baton/core";
import { z } from "zod";
import { COMPLEXITIES, type Intent, QUERY_TYPES } from "../intent/intent.ts";
import type { ArgumentRule, ExpectedCall, Question } from "./question.ts";

/** Reads questions; throws if a line is not one. */
export function parseQuestions(text: string): readonly Question[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .map((line) => parseLine(line));
}

function parseLine(line: string): Question {
  const [id = "", asked = "", types = "", calls = "", more = "", ...rest] = line
    .split(" | ")
    .map((part) => part.trim());
  if (calls === "" || rest.length > 0) throw new Error(`not a question: ${line}`);
  const turns = asked.split(">>").map((turn) => turn.trim().replaceAll("\\n", "\n"));
  const { options, fields, tags, language } = parseMore(more, id);
  const ways = calls === "-" ? [] : calls.split("||").map((way) => parseWay(way));
  const named = fields.get("symbols")?.split(",") ?? symbolsOf(ways);
  const charts = fields.get("charts");
  return {
    id,
    earlier: turns.slice(0, -1),
    text: turns.at(-1) ?? "",
    options,
    tags,
    expect: {
      types: types.split(",").map((type) => z.enum(QUERY_TYPES).parse(type)),
      language,
      symbols: named.filter((symbol) => symbol !== "" && !symbol.endsWith("?")),
      optionalSymbols: named.filter((symbol) => symbol.endsWith("?")).map((symbol) => symbol.slice(0, -1)),
      ways,
      allowed: fields.get("allow")?.split(",").flatMap(toTools) ?? [],
      ...(charts === undefined ? {} : { charts: charts === "none" ? [] : charts.split(",") }),
      ...complexityOf(fields),
      ...routeOf(fields),
    },
  };
}

const ROUTES: readonly Intent["route"][] = ["direct", "analyst", "planner", "clarify"];

function routeOf(fields: ReadonlyMap<string, string>): { readonly route?: Intent["route"] } {
  const route = ROUTES.find((one) => one === fields.get("route"));
  return route === undefined ? {} : { route };
}

function complexityOf(fields: ReadonlyMap<string, string>): { readonly complexity?: Intent["complexity"] } {
  const complexity = COMPLEXITIES.find((one) => one === fields.get("complexity"));
  return complexity === undefined ? {} : { complexity };
}

/** Groups of tools that broad questions may use beside what they need. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["PRICE", ["getStockPrice", "getStockQuote", "getPriceChange", "getHistoricalPrice"]],
  ["TECHNICAL", ["getTechnicalIndicators", "getRSI", "getMACD", "getSMA", "getEMA", "getBands"]],
  ["STATEMENTS", ["getIncomeStatement", "getBalanceSheet", "getCashFlow"]],
  ["METRICS", ["getKeyMetrics", "getRatios", "getFinancialGrowth"]],
  ["RISK", ["getVolatilityAnalysis", "calculateVaR", "getSharpeRatio"]],
  ["EVENTS", ["getStockNews", "getEarnings", "getDividends"]],
  ["COIN", ["getCryptoPrice", "getCryptoQuote", "getCryptoHistorical", "getCryptoNews"]],
]);

const toTools = (name: string): readonly string[] => GROUPS.get(name) ?? [name];

interface More {
  readonly language: "en" | "vi";
  readonly options: { readonly [name: string]: Json };
  readonly fields: ReadonlyMap<string, string>;
  readonly tags: readonly string[];
}

const SWITCHES: ReadonlyMap<string, { readonly [name: string]: Json }> = new Map([
  ["web", { enable_web_search: true }],
  ["search", { tool_search_mode: true }],
  ["notools", { enable_tools: false }],
  ["deep", { mode: "deep_research" }],
  ["normal", { mode: "normal" }],
  ["tab=crypto", { ui_context: { active_tab: "crypto" } }],
  ["tab=stock", { ui_context: { active_tab: "stock" } }],
  ["tab=none", { ui_context: { active_tab: "none" } }],
]);

const FIELDS: ReadonlySet<string> = new Set(["symbols", "charts", "allow", "route", "complexity"]);

function parseMore(more: string, id: string): More {
  const fields = new Map<string, string>();
  const tags: string[] = [];
  let options: { readonly [name: string]: Json } = {};
  let language: More["language"] = "en";
  for (const word of more.split(" ").filter((part) => part !== "")) {
    const [name, value] = splitAt(word, "=");
    const chosen = SWITCHES.get(word);
    if (word === "vi") language = "vi";
    else if (word.startsWith("#")) tags.push(word.slice(1));
    else if (chosen !== undefined) options = { ...options, ...chosen };
    else if (FIELDS.has(name) && value !== undefined) fields.set(name, value);
    else throw new Error(`${id}: "${word}" is not known`);
  }
  return { language, options, fields, tags };
}

function splitAt(text: string, sign: string): readonly [string, string | undefined] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + sign.length)];
}

function parseWay(way: string): readonly ExpectedCall[] {
  return way.split(";").map((call) => {
    const [name = "", ...words] = call.trim().split(" ");
    return { tools: name.split("/"), args: new Map(words.filter((word) => word !== "").map(parseArgument)) };
  });
}

/** A word without a sign is the symbol, or several joined by `+`. */
function parseArgument(word: string): readonly [string, ArgumentRule] {
  for (const sign of ["*=", "~", "="]) {
    const [name, value] = splitAt(word, sign);
    if (value !== undefined) return [name, toRule(sign, value)];
  }
  if (!word.includes("+")) return ["symbol", { kind: "is", value: word }];
  return ["symbols", { kind: "is", value: word.split("+") }];
}

function toRule(sign: string, value: string): ArgumentRule {
  if (sign === "~") return { kind: "near", day: value };
  if (sign === "*=") return { kind: "includes", parts: value.split(",").map(unblank) };
  const isList = value.startsWith("[");
  if (!isList && value.includes(",")) return { kind: "one_of", values: value.split(",").map(toValue) };
  return { kind: "is", value: toValue(value) };
}

function toValue(text: string): Json {
  if (text.startsWith("[")) return text.slice(1, -1).split(",").map(unblank);
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : unblank(text);
}

const unblank = (text: string): string => text.replaceAll("_", " ");

function symbolsOf(ways: readonly (readonly ExpectedCall[])[]): readonly string[] {
  const rules = (ways[0] ?? []).flatMap(({ args }) => [args.get("symbol"), args.get("symbols")]);
  const found = rules.flatMap((rule) => (rule?.kind === "is" ? [rule.value].flat() : []));
  return [...new Set(found.filter((symbol) => typeof symbol === "string"))];
}
