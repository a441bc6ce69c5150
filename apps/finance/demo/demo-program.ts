/**
 * Demo: what stands in for the models `intent`, `analyst` and `direct` if there is none. A small written grammar: it answers
 * a question only if it accounts for every word of it, and else says what it understands and how to connect a model.
 */
import type { Fact, RunFacts } from "@baton/assistant";
import { BatonError, type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import { runState } from "../crew/run-state.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { createFindName } from "./find-name.ts";
import { type DemoLanguage, type Form, type Grammar, readGrammar } from "./form.ts";
import { type FindName, type QuestionMatch, matchQuestion, type QuestionReading, toHoldings } from "./match.ts";
import { findTable } from "./pasted-table.ts";
import { renderAnswer } from "./render.ts";
import { toKeys } from "./token.ts";

/** Dependencies of the demo. */
export interface DemoOptions {
  readonly openMarket: () => Promise<Readonly<{ directory: IndexedDirectory }>>;
  readonly factsOf: RunFacts;
}

/** The program that plays every model of the crew. */
export function demoProgram({ openMarket, factsOf }: DemoOptions): Model {
  const grammar = readGrammar();
  return defineProgram(async (prompt) => {
    const question = runState.get(prompt, "question");
    const { directory } = await openMarket();
    const language = languageOf(question, grammar);
    const match = read(question, grammar, (text) =>
      createFindName(directory, text, { language, activeTab: tabOf(prompt) }),
    );
    switch (prompt.agent) {
      case "intent":
        return understand(match, language, question);
      case "analyst":
        return answer(prompt, match, { language, facts: await factsOf(prompt) });
      case "direct":
        return { say: sayDirectly(prompt, match, { language, grammar }) };
      default:
        throw new BatonError("model", "there is no language model for this");
    }
  });
}

const TAB = z.enum(["stock", "crypto", "none"]).catch("none");

const tabOf = (prompt: Prompt) => TAB.parse(lookInto(runState.get(prompt, "options"), "ui_context.active_tab"));

/** A pasted table is a portfolio to import; everything else is read by the grammar. */
function read(question: string, grammar: Grammar, openNames: (question: string) => FindName): QuestionMatch {
  // What an alert that fired says is told as it is.
  if (FIRED.test(question))
    return { reading: toReading({ ...IMPORT, id: "fired", say: { en: question, vi: question } }) };
  const table = findTable(question);
  if (table === undefined) return matchQuestion(question, grammar, openNames(question));
  const isAllowed = toKeys(table.rest).every((word) => TABLE_WORDS.has(word));
  if (!isAllowed) return { near: [] };
  const form: Form = {
    ...IMPORT,
    want: "import_holdings",
    call: { tool: "importHoldings", args: { csv: table.csv, dry_run: false } },
  };
  return { reading: toReading(form) };
}

const FIRED = /^(?:Alert|Cảnh báo): /;

const toReading = (form: Form): QuestionReading => ({
  form,
  names: [],
  numbers: [],
  currencies: [],
  choices: new Map(),
  text: "",
  weight: 1,
});

const TABLE_WORDS: ReadonlySet<string> = new Set(
  toKeys("import my portfolio this these holdings here is are the please csv nhập danh mục của tôi này đây là"),
);

const IMPORT: Form = {
  id: "import",
  type: "portfolio",
  keys: [],
  words: [],
  choices: [],
  begins: [],
  names: [0, 0],
  numbers: [0, 0],
  currencies: 0,
  hasPairs: false,
  hasYears: false,
  lead: {},
  say: {},
  help: {},
};

const VIETNAMESE_LETTERS = /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu;

/** Vietnamese if it has a letter that only Vietnamese has, or more of its words than English ones. */
function languageOf(question: string, { words }: Grammar): DemoLanguage {
  if (VIETNAMESE_LETTERS.test(question)) return "vi";
  const keys = toKeys(question);
  const count = (language: DemoLanguage): number => keys.filter((word) => words[language].has(word)).length;
  return count("vi") > count("en") ? "vi" : "en";
}

/** The reply of the agent `intent`. */
function understand({ reading }: QuestionMatch, language: DemoLanguage, question: string): Decision {
  const { form } = reading ?? {};
  const isLookedUp = form?.call !== undefined && reading?.names.every(({ isUnclear }) => !isUnclear) === true;
  const said = (reading?.names ?? []).map(({ said: words, listings: [first] }) => ({
    said: words,
    ticker: first?.symbol ?? null,
  }));
  const output = {
    intent_summary: question.slice(0, 160),
    query_type: form?.type ?? "clarification",
    complexity: isLookedUp ? "tool_required" : "direct",
    parts: [],
    raw_symbols: said,
    wants: form?.want === undefined || !isLookedUp ? [] : [form.want],
    response_language: language,
    confidence: reading === undefined ? 0 : 1,
  };
  return { output, set: { understood: { ...output, by: "demo" } } };
}

type Found = Readonly<{ language: DemoLanguage; facts: readonly Fact[] }>;

/** The reply of the agent `analyst`: the calls first, then the answer. */
function answer(prompt: Prompt, { reading }: QuestionMatch, { language, facts }: Found): Decision {
  if (reading?.form.call === undefined) throw new BatonError("model", "the demo does not understand this question");
  const { tool, args } = reading.form.call;
  if (prompt.results.length === 0) return { call: [{ tool, args: fillArgs(args, reading) }] };
  const profile = runState.get(prompt, "profile");
  return { say: renderAnswer({ reading, language, results: prompt.results, facts, profile }) };
}

/** Arguments with their `$` words replaced; a list that would be empty is left out. */
function fillArgs(args: Json, reading: QuestionReading): Json {
  if (typeof args === "string") return args.startsWith("$") ? (valueOf(args, reading) ?? null) : args;
  if (typeof args !== "object" || args === null) return args;
  if (Array.isArray(args)) return args.map((item: Json) => fillArgs(item, reading));
  const filled = Object.entries(args).map(([name, value]) => [name, fillArgs(value, reading)] as const);
  return Object.fromEntries(
    filled.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}

function valueOf(word: string, reading: QuestionReading): Json | undefined {
  const { names, numbers, currencies, choices, text, years } = reading;
  const symbols = [...new Set(names.flatMap(({ listings: [first] }) => first?.symbol ?? []))];
  switch (word) {
    case "$symbols":
      return symbols;
    case "$symbol":
      return symbols[0];
    case "$n1":
      return numbers[0]?.value;
    case "$c1":
      return currencies[0];
    case "$c2":
      return currencies[1];
    case "$from":
      return years !== undefined && "from" in years ? `${years.from}-01-01` : undefined;
    case "$to":
      return years !== undefined && "to" in years ? `${years.to}-12-31` : undefined;
    case "$statement":
      return toStatement(choices.get("statement") ?? []);
    case "$text":
      return text;
    case "$expression":
      return toExpression(text);
    case "$holdings":
      return (toHoldings(names, numbers) ?? []).map(({ name, quantity, cost }) => ({
        symbol: name.listings[0]?.symbol ?? name.said,
        quantity,
        ...(cost === undefined ? {} : { cost }),
      }));
    default: {
      const isList = word.endsWith("*");
      const chosen = choices.get(word.slice(1, isList ? -1 : undefined)) ?? [];
      return isList ? chosen : chosen[0];
    }
  }
}

/** The statement of the lines that were asked for; all if they are of several. */
function toStatement(chosen: readonly string[]): string | undefined {
  const [first, ...others] = [...new Set(chosen.map((value) => value.split("/", 1)[0]))];
  return others.length > 0 ? "all" : first;
}

/** `15% of 230` is `15 / 100 * 230`. */
const toExpression = (text: string): string =>
  text
    .replaceAll(/[?=]\s*$/g, "")
    .replaceAll(/\s(?:of|của|cua)\s/giu, " * ")
    .replaceAll(/(\d)\s?%/g, "$1 / 100")
    .replaceAll(/[x×]/g, "*")
    .replaceAll("÷", "/")
    .replaceAll(/(\d),(\d{3})(?!\d)/g, "$1$2")
    .trim();

type Speech = Readonly<{ language: DemoLanguage; grammar: Grammar }>;

function sayDirectly(prompt: Prompt, match: QuestionMatch, { language, grammar }: Speech): string {
  const { reading } = match;
  if (reading?.form.shows !== "profile") return toText(match, language, grammar);
  return renderAnswer({ reading, language, results: [], facts: [], profile: runState.get(prompt, "profile") });
}

/** The text of the agent `direct`: a greeting, the list of forms, or that the question is not understood. */
function toText({ reading, ...match }: QuestionMatch, language: DemoLanguage, grammar: Grammar): string {
  const { form } = reading ?? {};
  const said = form?.say[language];
  if (said !== undefined) return said;
  const { intro, all, near, connect, which } = TEXTS[language];
  const unclear = reading?.names.find(({ isUnclear }) => isUnclear);
  if (unclear !== undefined) {
    const meant = unclear.listings.map(({ symbol, name, exchange }) => `- ${symbol}: ${name} (${exchange})`);
    return [`${which} “${unclear.said}”?`, meant.join("\n")].join("\n\n");
  }
  const examples = grammar.forms.flatMap(({ help }) => help[language] ?? []);
  if (form?.shows === "forms") return [all, examples.map((one) => `- ${one}`).join("\n"), connect].join("\n\n");
  const close = "near" in match ? match.near.flatMap((one) => toExample(one, language)) : [];
  const nearest = close.length === 0 ? [] : [`${near}\n${close.map((example) => `- ${example}`).join("\n")}`];
  return [`${intro} ${examples.join(" · ")}`, ...nearest, connect].join("\n\n");
}

/** The example of a form with the user's own symbol in it. */
function toExample({ form, names }: QuestionReading, language: DemoLanguage): readonly string[] {
  const example = form.help[language];
  const symbol = names[0]?.listings[0]?.symbol;
  if (example === undefined) return [];
  return [symbol === undefined ? example : example.replace(/\b(?:AAPL|MSFT|GE)\b/, symbol)];
}

const TEXTS: Readonly<Record<DemoLanguage, Readonly<Record<"intro" | "all" | "near" | "connect" | "which", string>>>> =
  {
    en: {
      intro: "Without a language model I understand only these:",
      all: "Without a language model I understand these forms, with any company:",
      near: "The nearest to your question:",
      which: "Which one do you mean by",
      connect:
        "To ask in your own words, connect a model: set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY` and start again,\nor start Ollama (`ollama pull qwen3`) on this machine.",
    },
    vi: {
      intro: "Khi không có mô hình ngôn ngữ, tôi chỉ hiểu những câu sau:",
      all: "Khi không có mô hình ngôn ngữ, tôi hiểu các dạng câu sau, với bất kỳ công ty nào:",
      near: "Gần nhất với câu hỏi của bạn:",
      which: "Bạn muốn nói đến công ty nào với",
      connect:
        "Để hỏi theo cách của bạn, hãy kết nối một mô hình: đặt `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` hoặc `GOOGLE_GENERATIVE_AI_API_KEY` rồi khởi động lại,\nhoặc chạy Ollama (`ollama pull qwen3`) trên máy này.",
    },
  };
