import assert from "node:assert/strict";
import { test } from "node:test";
import { toSources } from "./sources.ts";

const provenance = { source: "embedded", as_of: "2024-11-22T21:00:00Z", kind: "history", note: "simulated" };
const call = "2.1.1";

const titleOf = (tool: string, data: { readonly [name: string]: string | number | readonly { symbol: string }[] }) =>
  toSources({ call, tool, output: { data, provenance } })[0]?.title;

test("a result has one source: what was looked up, of which symbol, from where and of when", () => {
  assert.deepEqual(
    toSources({ call, tool: "getTechnicalIndicators", output: { data: { symbol: "NVDA", rsi: 61 }, provenance } }),
    [
      {
        title: "Technical indicators: NVDA",
        source: "embedded",
        as_of: "2024-11-22T21:00:00Z",
        kind: "history",
      },
    ],
  );
  assert.equal(titleOf("getRSI", { symbol: "BRK-B" }), "RSI: BRK-B");
  assert.equal(titleOf("getMarketOverview", { count: 3 }), "Market overview");
  const companies = [{ symbol: "AAPL" }, { symbol: "MSFT" }];
  assert.equal(titleOf("compareMetrics", { companies }), "Compare metrics: AAPL, MSFT");
});

test("articles are sources of their own, of when they were published", () => {
  const live = { ...provenance, source: "fmp", kind: "live" };
  const items = [
    { title: "Up", source: "Wire", url: "https://example.org/a", published_at: "2024-11-21T10:00:00Z", symbols: [] },
    { title: "Down", source: "Post", published_at: "2024-11-20T10:00:00Z", symbols: [] },
  ];
  assert.deepEqual(toSources({ call, tool: "getStockNews", output: { data: { page: 0, items }, provenance: live } }), [
    { title: "Up", source: "Wire", url: "https://example.org/a", as_of: "2024-11-21T10:00:00Z", kind: "live" },
    { title: "Down", source: "Post", as_of: "2024-11-20T10:00:00Z", kind: "live" },
  ]);
  const results = [{ title: "A page", url: "https://news.example.org/b?c", content: "words" }];
  const found = toSources({ call, tool: "webSearch", output: { data: { query: "q", results }, provenance: live } });
  assert.deepEqual(found, [
    {
      title: "A page",
      source: "news.example.org",
      url: "https://news.example.org/b?c",
      as_of: live.as_of,
      kind: "live",
    },
  ]);
});

test("a result without data, or of something else, has no source", () => {
  for (const output of [{ no_data: true, message: "nothing" }, "text", { data: {} }, { value: 3 }]) {
    assert.deepEqual(toSources({ call, tool: "getStockPrice", output }), []);
  }
});
