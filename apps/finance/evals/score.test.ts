import assert from "node:assert/strict";
import { test } from "node:test";
import type { ArgumentKit } from "./match-calls.ts";
import { type EvalMetrics, toMetrics } from "./metrics.ts";
import type { EvaluatedRun, ObservedCall } from "./observed.ts";
import { parseQuestions } from "./question-lines.ts";
import { markOf } from "./score.ts";

const kit: ArgumentKit = {
  canonical: (symbol) => (symbol.toLowerCase() === "nvidia" ? "NVDA" : symbol.toUpperCase()),
  defaultsOf: (tool) => new Map(tool === "getRSI" ? [["period", 14]] : []),
  today: "2024-11-22",
};

const LINE = "x | RSI and price of Nvidia | technical | getRSI NVDA; getStockPrice NVDA";

const CALLS: readonly ObservedCall[] = [
  { tool: "getStockPrice", args: { symbol: "NVDA" }, status: "ok" },
  { tool: "getRSI", args: { symbol: "Nvidia", period: 14 }, status: "ok" },
];

const PERFECT: EvaluatedRun = {
  outcome: "done",
  intent: {
    query_type: "technical",
    validated_symbols: ["NVDA"],
    complexity: "tool_required",
    response_language: "en",
    route: "analyst",
    by: "rules",
  },
  calls: CALLS,
  charts: ["showStockChart", "showStockPrice"],
  figures: { figures: 2, referenced: 2, matched: 0, unverified: [] },
  text: "The RSI of Nvidia is 61.2 and the price is $141.95.",
  warnings: [],
  restarts: 0,
  modelCalls: 0,
  tokens: 0,
  doneMs: 1,
};

function measure(change: Partial<EvaluatedRun>, line = LINE): EvalMetrics {
  const [question] = parseQuestions(line);
  assert.ok(question !== undefined);
  return toMetrics([markOf(question, { ...PERFECT, ...change }, kit)]);
}

const BEST = measure({});

/** The names of the metrics that a change made worse, and of those it made better. */
function changed(metrics: EvalMetrics): readonly string[] {
  const entries = new Map<string, number>(Object.entries(metrics));
  return Object.entries(BEST).flatMap(([name, value]) => (entries.get(name) === value ? [] : [name]));
}

test("a perfect answer scores 1 everywhere, with no waste and nothing unverified", () => {
  const { questions, waste, unverified, ...shares } = BEST;
  assert.deepEqual([questions, waste, unverified], [1, 0, 0]);
  assert.deepEqual(
    Object.values(shares).filter((share) => share !== 1),
    [],
  );
});

const intent = PERFECT.intent ?? assert.fail();
const [price, rsi] = CALLS;
assert.ok(price !== undefined && rsi !== undefined);

const MISTAKES: readonly (readonly [what: string, change: Partial<EvaluatedRun>, worse: readonly string[]])[] = [
  ["another type", { intent: { ...intent, query_type: "news" } }, ["type"]],
  ["a symbol too many", { intent: { ...intent, validated_symbols: ["NVDA", "AMD"] } }, ["symbols"]],
  ["no symbol", { intent: { ...intent, validated_symbols: [] } }, ["symbols"]],
  ["a tool that is missing", { calls: [price] }, ["tools"]],
  ["wrong arguments", { calls: [price, { ...rsi, args: { symbol: "NVDA", period: 7 } }] }, ["args"]],
  ["another symbol in a call", { calls: [price, { ...rsi, args: { symbol: "AMD" } }] }, ["args"]],
  ["a call twice", { calls: [price, rsi, { ...rsi }] }, ["waste"]],
  ["a chart that is missing", { charts: ["showStockChart"] }, ["charts"]],
  ["charts in another order", { charts: ["showStockPrice", "showStockChart"] }, ["charts"]],
  ["the wrong language said", { intent: { ...intent, response_language: "vi" } }, ["language"]],
  ["the wrong language written", { text: "Chỉ số RSI của Nvidia là 61,2 và giá là 141,95 USD." }, ["language"]],
  ["a number by itself", { figures: { figures: 2, referenced: 1, matched: 1, unverified: [] } }, ["referenced"]],
  ["a run that failed", { outcome: "failed" }, ["done"]],
];

for (const [what, change, worse] of MISTAKES) {
  test(`${what} lowers exactly its metric`, () => {
    assert.deepEqual(changed(measure(change)), worse);
  });
}

test("a number that no fact backs is counted, and is not referenced", () => {
  const figures = { figures: 2, referenced: 1, matched: 0, unverified: [{ text: "9", why: "no fact has this value" }] };
  assert.deepEqual(changed(measure({ figures })), ["referenced", "unverified"]);
});

test("a tool that is not needed lowers the tools and is waste", () => {
  const news: ObservedCall = { tool: "getStockNews", args: { symbol: "NVDA" }, status: "no_data" };
  assert.deepEqual(changed(measure({ calls: [...CALLS, news] })), ["tools", "waste"]);
});

test("a tool that is allowed is neither needed nor waste, and its chart is expected", () => {
  const line = "x | RSI of NVDA | technical | getRSI NVDA | allow=getStockPrice";
  assert.deepEqual(changed(measure({}, line)), []);
  assert.deepEqual(changed(measure({ charts: ["showStockChart"] }, line)), ["charts"]);
});

test("the best of several ways counts", () => {
  const line = "x | RSI of NVDA | technical | getTechnicalIndicators NVDA || getRSI NVDA; getStockPrice NVDA";
  assert.deepEqual(changed(measure({}, line)), []);
});

test("a tool called for one symbol instead of two has wrong arguments", () => {
  const line = "x | RSI | technical | getRSI NVDA; getRSI AMD; getStockPrice NVDA | symbols=NVDA";
  const metrics = measure({}, line);
  assert.equal(metrics.tools, 1);
  assert.equal(metrics.args, 2 / 3);
});

test("an answer without data is honest if it says so and has no figures", () => {
  const calls = CALLS.map((call) => ({ ...call, status: "no_data" as const }));
  const backed = { figures: 1, referenced: 1, matched: 0, unverified: [] };
  const missing = { calls, charts: [], figures: { figures: 0, referenced: 0, matched: 0, unverified: [] } };
  assert.equal(measure({ ...missing, text: "The embedded data has nothing about Nvidia." }).honesty, 1);
  assert.equal(measure({ ...missing, text: "Không có dữ liệu về Nvidia." }).honesty, 1);
  assert.equal(measure({ ...missing, text: "Nvidia is doing well.\nOffline rules, no language model" }).honesty, 0);
  assert.equal(measure({ ...missing, figures: backed, text: "There is no data: 61.2." }).honesty, 0);
  assert.deepEqual(measure({ ...missing, text: "There is no data." }).charts, 1);
});

test("routes and complexity count if the question names them", () => {
  const line = "x | hello | greeting | - | symbols= route=direct";
  const greeting = {
    intent: { ...intent, query_type: "greeting" as const, validated_symbols: [] },
    calls: [],
    charts: [],
  };
  assert.equal(measure(greeting, line).routes, 0);
  assert.equal(measure({ ...greeting, intent: { ...greeting.intent, route: "direct" } }, line).routes, 1);
});
