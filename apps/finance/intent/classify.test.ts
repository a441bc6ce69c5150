import assert from "node:assert/strict";
import { test } from "node:test";
import { classify } from "./classify.ts";
import { after, SITUATION } from "./testing/directory.ts";
import { chooseTools, type ChosenCall } from "./calls/tool-choice.ts";

const toText = ({ tool, args }: ChosenCall): string =>
  Object.keys(args).length === 0 ? tool : `${tool}${JSON.stringify(args).replaceAll('"', "")}`;

/** Type, symbols and calls of a question after others. */
const read = (question: string, situation = SITUATION): string => {
  const intent = classify(question, situation);
  const calls = chooseTools(intent, question, situation).map(toText).join("; ");
  return `${intent.query_type} | ${intent.validated_symbols.join(" ")} | ${calls}`.trimEnd();
};

test("a follow-up takes the symbols, and without a topic the topic, of the question before", () => {
  const price = after("price of AAPL", "Apple Inc. (AAPL) is at 229.87 USD.");
  assert.equal(read("what about its balance sheet?", price), "fundamental | AAPL | getBalanceSheet{symbol:AAPL}");
  assert.equal(read("and MSFT?", price), "follow_up | MSFT | getStockPrice{symbol:MSFT}");
  assert.equal(
    read("còn năm ngoái thì sao?", price),
    "follow_up | AAPL | getHistoricalPrice{symbol:AAPL,from:2023-01-01,to:2023-12-31}",
  );
  assert.match(read("so với Microsoft thì sao", price), /^comparison \| AAPL MSFT \| compareMetrics/);
  const revenue = after("doanh thu của Apple", "…");
  assert.equal(read("theo quý?", revenue), "follow_up | AAPL | getIncomeStatement{symbol:AAPL,period:quarter}");
  assert.equal(read("in the last 5 years?", revenue), "follow_up | AAPL | getIncomeStatement{symbol:AAPL,limit:5}");
  assert.equal(read("and TSLA?", after("RSI 21 of AAPL", "…")), "follow_up | TSLA | getRSI{symbol:TSLA,period:21}");
  assert.equal(read("with 9 days?", after("RSI of AAPL", "…")), "follow_up | AAPL | getRSI{symbol:AAPL,period:9}");
  assert.equal(read("còn Ford?", after("tin tức Tesla", "…")), "follow_up | F | getStockNews{symbol:F}");
});

test("a follow-up reaches back over thanks", () => {
  const situation = after("giá NVDA", "…", "cảm ơn", "Không có gì.");
  assert.equal(read("RSI của nó?", situation), "technical | NVDA | getRSI{symbol:NVDA}");
});

test("a pronoun means what the last answer names, but not more than three", () => {
  const one = after("which company makes the iPhone?", "That is Apple Inc. (AAPL).");
  assert.equal(read("what is its P/E?", one), "fundamental | AAPL | getRatios{symbol:AAPL}");
  const many = after("top gainers", "AAPL, MSFT, NVDA, AMD and TSLA rose most.");
  assert.equal(classify("what is its RSI?", many).route, "clarify");
  const three = after("compare AAPL, MSFT and GOOGL", "…");
  assert.equal(classify("what are their dividends?", three).validated_symbols.length, 3);
});

test("a pronoun without anything to refer to is a clarification, in both languages", () => {
  for (const question of ["what is its price?", "should I buy it?", "nó thế nào?", "công ty này có lãi không", "RSI"]) {
    const { query_type, route } = classify(question, SITUATION);
    assert.deepEqual([query_type, route], ["clarification", "clarify"], question);
  }
});

test("the tab decides between a coin and a stock unless the words do", () => {
  const on = (active_tab: string) => ({ ...SITUATION, options: { ui_context: { active_tab } } });
  assert.equal(read("SOL", on("stock")), "stock_price | SOL | getStockPrice{symbol:SOL}");
  assert.equal(read("SOL", on("crypto")), "crypto | SOLUSD | getCryptoPrice{symbol:SOLUSD}");
  assert.equal(read("SOL", on("none")), "crypto | SOLUSD | getCryptoPrice{symbol:SOLUSD}");
  assert.equal(read("SOL coin price", on("stock")), "crypto | SOLUSD | getCryptoPrice{symbol:SOLUSD}");
  assert.equal(read("giá cổ phiếu SOL", on("crypto")), "stock_price | SOL | getStockPrice{symbol:SOL}");
});

test("a ticker of two markets is the question's own, and both are named", () => {
  const vietnamese = classify("giá VNM", SITUATION);
  assert.deepEqual(vietnamese.validated_symbols, ["VNM.VN"]);
  assert.deepEqual(
    vietnamese.ambiguous.map(({ text, candidates }) => [text, ...candidates.map(({ symbol }) => symbol)]),
    [["VNM", "VNM.VN", "VNM"]],
  );
  assert.deepEqual(classify("VNM price", SITUATION).validated_symbols, ["VNM"]);
  assert.deepEqual(classify("giá $VNM", SITUATION).ambiguous, []);
  assert.deepEqual(classify("price of VNM on HOSE in Vietnam", SITUATION).validated_symbols, ["VNM.VN"]);
});

test("what nobody knows stays as it is written and is asked about, never another company", () => {
  for (const question of ["price of ZZZQ", "giá cổ phiếu QZZX", "$ZZZQ"]) {
    const intent = classify(question, SITUATION);
    assert.equal(intent.validated_symbols.length, 0, question);
    assert.equal(intent.route, "clarify", question);
    assert.equal(intent.raw_symbols.length, 1, question);
  }
});

test("plans are for reports and deep research; normal mode never plans", () => {
  const routeOf = (question: string, mode?: string) => classify(question, { ...SITUATION, options: { mode } }).route;
  assert.equal(routeOf("full report on NVDA"), "planner");
  assert.equal(routeOf("báo cáo đầy đủ về FPT"), "planner");
  assert.equal(routeOf("phân tích toàn diện VCB"), "planner");
  assert.equal(routeOf("full report on NVDA", "normal"), "analyst");
  assert.equal(routeOf("price of NVDA", "deep_research"), "planner");
  assert.equal(routeOf("hello", "deep_research"), "direct");
  assert.equal(routeOf("price of NVDA"), "analyst");
});

test("without tools a data question goes straight to an answer and calls nothing", () => {
  const situation = { ...SITUATION, options: { enable_tools: false } };
  const intent = classify("price of NVDA", situation);
  assert.deepEqual([intent.route, intent.complexity, intent.requires_tools], ["direct", "direct", true]);
  assert.deepEqual(chooseTools(intent, "price of NVDA", situation), []);
});

test("the web is searched only if that is allowed", () => {
  const question = "search the web for the antitrust case";
  assert.equal(classify(question, SITUATION).requires_tools, false);
  const situation = { ...SITUATION, options: { enable_web_search: true } };
  assert.equal(chooseTools(classify(question, situation), question, situation)[0]?.tool, "webSearch");
});

test("a text that the rules do not understand is unsure, and only such a text", () => {
  assert.equal(classify("lorem ipsum dolor sit", SITUATION).route, "unsure");
  for (const question of ["", "   ", "?!", "🙂"])
    assert.equal(classify(question, SITUATION).route, "clarify", question);
});

test("what a model says is asked is looked up for its symbols", () => {
  const guess = classify("tell me what matters for NVDA holders this quarter", SITUATION);
  const intent = { ...guess, query_type: "news", by: "model", requires_tools: true } as const;
  const tools = chooseTools(intent, "what matters for NVDA holders", SITUATION).map(({ tool }) => tool);
  assert.deepEqual(tools, ["getStockNews"]);
});
