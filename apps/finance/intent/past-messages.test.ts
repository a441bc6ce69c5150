import assert from "node:assert/strict";
import { test } from "node:test";
import { classify } from "./classify.ts";
import { namedInAnswer, toSpoken } from "./past-messages.ts";
import { after, SITUATION } from "./testing/directory.ts";
import { chooseTools } from "./calls/tool-choice.ts";

const named = (answer: string) => namedInAnswer(SITUATION.directory, answer).map(({ symbol }) => symbol);

test("an answer names what it writes with its symbol in parentheses or as a table's head", () => {
  assert.deepEqual(named("Apple Inc. (AAPL) rose while Microsoft (MSFT) fell."), ["AAPL", "MSFT"]);
  assert.deepEqual(named("| | NVDA | VNM.VN |\n|---|---:|---:|\n| RSI | 60 | 40 |"), ["NVDA", "VNM.VN"]);
});

test("tickers among the other words of an answer are not named by it", () => {
  assert.deepEqual(
    named("The relative strength index (RSI) is 60, %B is 0.7. Set `FMP_API_KEY`. Better than A or IT."),
    [],
  );
  assert.deepEqual(named("| %B | RSI | EMA | Low |\n|---|---|---|---|\n| B | KEY | A | ALL |"), []);
});

test("replies of agents are answers, or are left out if they were for the crew", () => {
  const spoken = toSpoken([
    { role: "user", content: "price of NVDA" },
    { role: "user", content: "[analyst] getStockPrice says 1" },
    { role: "user", content: "[writer] NVIDIA (NVDA) is at 1." },
    { role: "tool", content: "{}" },
  ]);
  assert.deepEqual(spoken, [
    { role: "user", content: "price of NVDA" },
    { role: "assistant", content: "NVIDIA (NVDA) is at 1." },
  ]);
});

test("a follow-up is about what the user named last, whatever the answers hold", () => {
  const symbols = (question: string, ...said: readonly string[]) =>
    classify(question, after(...said)).validated_symbols;
  const table = "| Band | %B | KEY |\n|---|---|---|\n| B | 0.7 | A |\nBetter than Intel (INTC).";
  assert.deepEqual(symbols("what about its balance sheet?", "technical analysis of NVDA", table), ["NVDA"]);
  assert.deepEqual(symbols("and its RSI?", "price of NVDA", table, "how is the market today?", "It rose."), ["NVDA"]);
  assert.deepEqual(symbols("its price?", "who makes the most chips?", "Intel Corp (INTC) does."), ["INTC"]);
  assert.deepEqual(symbols("its price?", "price of NVDA", "1", "price of ZZZQ", "There is no ZZZQ."), []);
});

test("a follow-up changes a bound, a period or what is asked about, and keeps the rest", () => {
  const calls = (question: string, ...said: readonly string[]) => {
    const situation = after(...said);
    return chooseTools(classify(question, situation), question, situation);
  };
  assert.deepEqual(calls("below 15", "energy stocks under 40 dollars", "…"), [
    { tool: "getScreener", args: { price_lower_than: 15, sector: "Energy" } },
  ]);
  assert.deepEqual(calls("chuyển sang Intel", "EMA 30 của Microsoft", "…"), [
    { tool: "getEMA", args: { symbol: "INTC", period: 30 } },
  ]);
});
