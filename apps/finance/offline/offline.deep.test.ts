import assert from "node:assert/strict";
import { before, test } from "node:test";
import { parsePlan } from "@baton/assistant";
import { z } from "zod";
import { QUERY_TYPES } from "../intent/intent.ts";
import { GLOSSARY } from "./words/glossary.ts";
import { clarifyProgram } from "./offline.ts";
import { answer, assertSound, openTools } from "./testing/answer.ts";

let market: Awaited<ReturnType<typeof openTools>>;
before(async () => {
  market = await openTools();
});

const NVDA = {
  symbol: "NVDA",
  name: "NVIDIA Corporation",
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
} as const;
const ABOUT_NVDA = { validated_symbols: ["NVDA"], listings: [NVDA], raw_symbols: ["NVDA"] };

test("the analyst calls what the rules choose, all at once, then stops and keeps the failures", async () => {
  const asked = {
    language: "en",
    agent: "analyst",
    question: "RSI of NVDA",
    intent: { ...ABOUT_NVDA, query_type: "technical" },
  } as const;
  const first = await answer(market, asked);
  assert.deepEqual(first.calls, [{ tool: "getRSI", args: '{"symbol":"NVDA"}' }]);
  const args = { symbol: "NVDA" };
  const error = { code: "tool", kind: "timeout", message: "took 20 s" } as const;
  const results = [
    { call: "1.1.1", tool: "getRSI", args, error },
    { call: "1.1.2", tool: "getStockQuote", args, output: { no_data: true, message: "nothing" } },
  ];
  const second = await answer(market, { ...asked, results });
  assert.deepEqual(second.calls, []);
  assert.deepEqual(second.set["failures"], [{ tool: "getRSI", args, kind: "timeout", message: "took 20 s" }]);
  assert.match(second.text, /^Looked up: the quote\. Not found out: RSI\.$/);
});

test("the intent model's stand-in says what the rules guessed", async () => {
  const intent = { ...ABOUT_NVDA, query_type: "technical", complexity: "plan" } as const;
  const { output } = await answer(market, { language: "en", agent: "intent_model", intent });
  const Output = z.object({ query_type: z.enum(QUERY_TYPES), symbols: z.array(z.string()), needs_plan: z.boolean() });
  assert.deepEqual(Output.parse(output), { query_type: "technical", symbols: ["NVDA"], needs_plan: true });
  const guessed = await answer(market, { language: "en", agent: "intent_model", question: "RSI of NVDA" });
  assert.deepEqual(Output.parse(guessed.output), { query_type: "technical", symbols: ["NVDA"], needs_plan: false });
});

test("a report is planned with tools that exist, for at most fifteen tasks", async () => {
  const tools = new Set(market.tools.map(({ name }) => name));
  const other = { ...NVDA, symbol: "AAPL", name: "Apple Inc." };
  const coin = { ...NVDA, symbol: "BTCUSD", name: "Bitcoin", exchange: "CRYPTO", type: "crypto" } as const;
  for (const listings of [[NVDA], [NVDA, other], [NVDA, other, coin]]) {
    const validated_symbols = listings.map(({ symbol }) => symbol);
    const intent = { listings, validated_symbols, complexity: "plan" } as const;
    const question = `Full report on ${validated_symbols.join(", ")}`;
    const { output, set } = await answer(market, { language: "vi", agent: "planner", question, intent });
    assert.deepEqual(set["plan_draft"], output);
    const parsed = parsePlan(output, tools);
    assert.ok(parsed.ok, JSON.stringify(parsed));
    for (const symbol of validated_symbols) {
      assert.ok(
        parsed.plan.tasks.some(({ args }) => args["symbol"] === symbol),
        symbol,
      );
    }
  }
});

test("the summary of a long conversation names the task and the symbols", async () => {
  const { text } = await answer(market, {
    language: "en",
    agent: "compactor",
    question: "And what about Apple and MSFT?",
  });
  assert.match(text, /^Task: And what about Apple and MSFT\?/);
  assert.match(text, /Symbols: AAPL, MSFT$/);
});

test("an answer without data has no figure, in both languages", async () => {
  const cases = [
    ["greeting", "hello", /Hello|Xin chào/],
    ["help", "what can you do", /NVDA/],
    ["chitchat", "thanks a lot", /welcome|vui/],
    ["memory_recall", "what did I ask last week", /nothing that I remember|chưa ghi nhớ gì/],
    ["general", "write me a poem about the sea", /outside|phạm vi/],
    ["general", "what is RSI", /overbought|quá mua/],
  ] as const;
  for (const [query_type, question, expected] of cases) {
    for (const language of ["en", "vi"] as const) {
      const answered = await answer(market, { language, agent: "direct", question, intent: { query_type } });
      assertSound(answered, { language });
      assert.match(answered.text, expected);
      assert.equal(answered.figures, 0, answered.text);
      assert.doesNotMatch(answered.text, /\d/);
    }
  }
});

test("without tools a data question is told what it would need", async () => {
  const values = { options: { enable_tools: false } };
  const intent = { ...ABOUT_NVDA, query_type: "technical" } as const;
  const asked = { agent: "direct", question: "RSI of NVDA", intent, values };
  const english = await answer(market, { ...asked, language: "en" });
  assert.match(english.text, /NVIDIA Corporation \(NVDA\).*\n.*\n?.*technical indicators.*`enable_tools`/s);
  const vietnamese = await answer(market, { ...asked, language: "vi" });
  assert.match(vietnamese.text, /chỉ báo kỹ thuật.*`enable_tools`/s);
  assert.equal(english.figures + vietnamese.figures, 0);
});

test("every term of the glossary is found by each of its keys and has no digit", async () => {
  for (const { keys, en, vi } of GLOSSARY) {
    assert.doesNotMatch(en + vi, /\d/);
    for (const key of keys) {
      const answered = await answer(market, {
        language: "vi",
        agent: "direct",
        question: `${key.toUpperCase()} là gì?`,
        intent: { query_type: "general" },
      });
      assert.ok(answered.text.includes(vi), `${key}: ${answered.text}`);
    }
  }
});

test("text comes in pieces, the first of them at once", async () => {
  const calls = [["getTechnicalIndicators", { symbol: "NVDA" }]] as const;
  const { pieces } = await answer(market, { language: "en", calls });
  assert.ok(pieces.length >= 3);
  assert.match(pieces[0] ?? "", /^On simulated data, NVIDIA Corporation \(NVDA\)/);
});

test("an unclear question is asked back with the candidates, and the run ends", async () => {
  const candidates = [
    { symbol: "VNM.VN", name: "Vietnam Dairy Products (Vinamilk)", exchange: "HOSE", type: "stock", currency: "VND" },
    { symbol: "VNM", name: "VanEck Vietnam ETF", exchange: "CBOE", type: "etf", currency: "USD" },
  ] as const;
  const program = { ...market, program: clarifyProgram() };
  const ambiguous = [{ text: "VNM", candidates: [...candidates] }];
  const several = await answer(program, { language: "vi", agent: "clarify", intent: { ambiguous } });
  assert.match(several.text, /- VNM\.VN: Vietnam Dairy Products \(Vinamilk\), HOSE\n- VNM: VanEck Vietnam ETF, CBOE/);
  const none = await answer(program, { language: "en", agent: "clarify", intent: {} });
  assert.match(none.text, /^Which company, coin or index do you mean\?/);
  const unknown = await answer(program, { language: "en", agent: "clarify", intent: { raw_symbols: ["Foo|Bar"] } });
  assert.match(unknown.text, /"Foo\\\|Bar"/);
});
