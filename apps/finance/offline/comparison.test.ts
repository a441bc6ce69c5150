import assert from "node:assert/strict";
import { before, test } from "node:test";
import { answer, type Answered, type Asked, openTools } from "./testing/answer.ts";

let market: Awaited<ReturnType<typeof openTools>>;
before(async () => {
  market = await openTools();
});

/** The cells of a column of the first table that has it, by the first cell of their rows. */
function column({ text }: Answered, head: string): ReadonlyMap<string, string> {
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const first = rows.findIndex((cells) => cells.includes(head));
  const at = rows[first]?.indexOf(head) ?? -1;
  const width = rows[first]?.length;
  return new Map(
    rows.slice(first + 2).flatMap((cells) => (cells.length === width ? [[cells[1] ?? "", cells[at] ?? ""]] : [])),
  );
}

test("two companies have the figures that each has alone, whatever the order of the calls", async () => {
  const tools = ["getStockQuote", "getTechnicalIndicators", "getVolatilityAnalysis"];
  for (const tool of tools) {
    const ask = (symbol: string): Asked => [tool, { symbol }];
    const alone = new Map<string, ReadonlyMap<string, string>>();
    for (const symbol of ["AAPL", "MSFT"]) {
      alone.set(symbol, column(await answer(market, { language: "en", calls: [ask(symbol)] }), symbol));
    }
    for (const order of [
      ["AAPL", "MSFT"],
      ["MSFT", "AAPL"],
    ]) {
      const both = await answer(market, { language: "en", calls: order.map(ask) });
      for (const symbol of order) assert.deepEqual(column(both, symbol), alone.get(symbol), `${tool} ${symbol}`);
    }
    assert.notDeepEqual(alone.get("AAPL"), alone.get("MSFT"));
  }
});

test("statements of two companies stand side by side, each in its newest year", async () => {
  const calls: readonly Asked[] = [
    ["getIncomeStatement", { symbol: "MSFT" }],
    ["getIncomeStatement", { symbol: "AAPL" }],
  ];
  const answered = await answer(market, { language: "vi", calls, intent: { validated_symbols: ["AAPL", "MSFT"] } });
  assert.match(answered.text, /\| Chỉ tiêu \| AAPL FY2016 \| MSFT FY2016 \|/);
  assert.equal(column(answered, "AAPL FY2016").get("Doanh thu"), "215,6 tỷ USD");
  assert.equal(column(answered, "MSFT FY2016").get("Doanh thu"), "85,32 tỷ USD");
});

test("a comparison says which is higher and of which period each row is", async () => {
  const calls: readonly Asked[] = [
    ["compareMetrics", { symbols: ["MSFT", "AAPL"], metrics: ["gross_margin", "market_cap"] }],
  ];
  const { text } = await answer(market, { language: "en", calls, intent: { validated_symbols: ["AAPL", "MSFT"] } });
  assert.match(text, /^AAPL and MSFT side by side: gross margin MSFT 61\.58% is above AAPL 39\.08%\./);
  assert.match(text, /\| Gross margin \| 39\.08% \| 61\.58% \| FY2016 \|/);
  assert.match(text, /\| Market cap \| \$3\.47T \| \$3\.10T \| 2024-11-22 \|/);
});

test("a report has a heading for each company, with only its own figures below", async () => {
  const calls: readonly Asked[] = ["AAPL", "MSFT"].flatMap((symbol): readonly Asked[] => [
    ["getStockQuote", { symbol }],
    ["getVolatilityAnalysis", { symbol }],
  ]);
  const intent = { validated_symbols: ["MSFT", "AAPL"], complexity: "plan" as const };
  const { text } = await answer(market, { language: "en", calls, intent });
  const [, msft = "", aapl = ""] = text.split("\n## ");
  assert.match(msft, /^Microsoft Corporation \(MSFT\)/);
  assert.match(aapl, /^Apple Inc\. \(AAPL\)/);
  assert.doesNotMatch(msft, /AAPL|229\.87/);
  assert.doesNotMatch(aapl, /MSFT|417\.00/);
});

test("a question for advice gets facts, risks and no instruction", async () => {
  const calls: readonly Asked[] = [["getStockQuote", { symbol: "AAPL" }]];
  const asked = await answer(market, { language: "en", calls, question: "Should I buy AAPL?" });
  assert.match(asked.text, /not an instruction to buy or sell/);
  const vietnamese = await answer(market, { language: "vi", calls, question: "AAPL có nên mua không?" });
  assert.match(vietnamese.text, /không phải khuyến nghị mua hay bán/);
  const plain = await answer(market, { language: "en", calls, question: "AAPL price" });
  assert.doesNotMatch(plain.text, /instruction/);
});
