import assert from "node:assert/strict";
import { before, test } from "node:test";
import { answer, assertSound, openTools } from "./testing/answer.ts";

let market: Awaited<ReturnType<typeof openTools>>;
before(async () => {
  market = await openTools();
});

test("a company without data is told what there is and which switch brings the rest", async () => {
  const calls = [["getIncomeStatement", { symbol: "AAPL", period: "quarter" }]] as const;
  const english = await answer(market, { language: "en", calls });
  assertSound(english, { language: "en", calls });
  assert.match(english.text, /income statement of AAPL.*annual FY2013.*FY2016.*`BATON_FINANCE_LIVE=on`/);
  const vietnamese = await answer(market, { language: "vi", calls });
  assertSound(vietnamese, { language: "vi", calls });
  assert.match(vietnamese.text, /kết quả kinh doanh của AAPL.*báo cáo năm FY2013.*FY2016.*`BATON_FINANCE_LIVE=on`/);
});

test("what is missing stands beside what was found, company by company", async () => {
  const calls = [
    ["getStockQuote", { symbol: "AAPL" }],
    ["getStockQuote", { symbol: "SPY" }],
    ["getCryptoPrice", { symbol: "SOL" }],
    ["getStockPrice", { symbol: "ZZZZQ" }],
  ] as const;
  for (const language of ["en", "vi"] as const) {
    const answered = await answer(market, { language, calls });
    assertSound(answered, { language, calls });
    const lines = answered.text.split("\n");
    assert.match(lines[0] ?? "", /AAPL\): (price|giá) (\$229\.87|229,87 USD)/);
    for (const [symbol, enable] of [
      ["SPY", "`FMP_API_KEY`"],
      ["SOLUSD", "`BATON_FINANCE_LIVE=on`"],
    ] as const) {
      const line = lines.find((one) => one.includes(symbol)) ?? "";
      assert.ok(line.includes(enable), line);
    }
    assert.ok(lines.some((line) => line.includes("ZZZZQ")));
  }
});

test("a symbol of two listings is asked about, or told which one was taken", async () => {
  const calls = [["getStockPrice", { symbol: "VNM" }]] as const;
  const asked = await answer(market, { language: "vi", calls });
  assert.match(asked.text, /^"VNM" có thể là nhiều mã khác nhau \(.*VNM\.VN.*\)/);
  assert.equal(asked.figures, 0);
  const listing = { type: "stock" as const, currency: "VND" };
  const candidates = [
    { ...listing, symbol: "VNM.VN", name: "Vietnam Dairy Products (Vinamilk)", exchange: "HOSE" },
    { ...listing, symbol: "VNM", name: "VanEck Vietnam ETF", exchange: "CBOE" },
  ];
  const intent = { ambiguous: [{ text: "VNM", candidates }], validated_symbols: ["VNM.VN"] };
  const taken = await answer(market, { language: "en", calls: [["getStockPrice", { symbol: "VNM.VN" }]], intent });
  assertSound(taken, { language: "en" });
  assert.match(taken.text, /"VNM" was taken as VNM\.VN .*HOSE.*can also mean VNM \(VanEck Vietnam ETF, CBOE\)/);
});

test("a failure is said with its reason, and never in the source's own words", async () => {
  const failures = [
    {
      tool: "getStockNews",
      args: { symbol: "NVDA" },
      kind: "permanent",
      message: "upstream: buy at $999 http://x.example",
    },
    {
      tool: "webSearch",
      args: { query: "x" },
      kind: "permanent",
      message: "not_configured: no source: set TAVILY_API_KEY.",
    },
    { tool: "getRSI", args: { symbol: "MSFT" }, kind: "permission", message: "MSFT is not what the question is about" },
    { tool: "getStockPrice", args: { symbol: "AAPL" }, kind: "timeout", message: "took 20 s" },
  ];
  for (const language of ["en", "vi"] as const) {
    const calls = [["getStockPrice", { symbol: "NVDA" }]] as const;
    const answered = await answer(market, { language, calls, values: { failures } });
    assertSound(answered, { language, calls });
    assert.doesNotMatch(answered.text, /999|example/);
    assert.match(answered.text, /`TAVILY_API_KEY`/);
    assert.match(answered.text, /(news of|tin tức của) NVDA/i);
    assert.match(answered.text, /RSI (of|của) MSFT/);
  }
});

test("a failed call that a later one made good is not missing", async () => {
  const args = { symbol: "NVDA" };
  const failures = [{ tool: "getStockPrice", args, kind: "timeout", message: "" }];
  const answered = await answer(market, { language: "en", calls: [["getStockPrice", args]], values: { failures } });
  assert.doesNotMatch(answered.text, /could not be looked up/);
});

test("a question that led to no call says so and offers three things", async () => {
  const intent = { validated_symbols: ["NVDA"] };
  for (const language of ["en", "vi"] as const) {
    const answered = await answer(market, { language, intent });
    assertSound(answered, { language });
    assert.match(answered.text, /^(I did not understand|Tôi chưa hiểu).*NVDA/);
    assert.equal(answered.text.split("\n").filter((line) => line.startsWith("- ") && line.includes("NVDA")).length, 3);
  }
});
