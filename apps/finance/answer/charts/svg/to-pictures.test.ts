import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { z } from "zod";
import { toPictures } from "./to-pictures.ts";

const provenance = { kind: "delayed", source: "Yahoo Finance", as_of: "2026-11-17T21:00:00Z" };
const common = { symbols: ["FPT"], primary: true, metadata: { source_tool: "getQuote" } };
const bars = Array.from({ length: 90 }, (_, index) => {
  const c = 100 + Math.sin(index / 7) * 10;
  return { t: 1_790_000_000 + index * 86_400, o: c - 1, h: c + 2, l: c - 2, c, v: 1_000 + index };
});
const points = bars.map(({ t, c }) => [t, c]);
const price = {
  symbol: "FPT",
  name: "Công ty Cổ phần <FPT> & con",
  currency: "VND",
  price: 123_500,
  change: 1,
  change_percent: -1.25,
  day: [120_000, 125_000],
  year: [null, null],
  volume: null,
  market_cap: 180_000_000_000_000,
  spark: points,
  provenance,
};
const barData = { symbol: "FPT", name: "FPT", currency: "VND", interval: "1day", bars, provenance };
const panes = [
  { name: "price", series: [{ name: "SMA 20", kind: "line", points }] },
  { name: "MACD", series: [{ name: "hist", kind: "histogram", points: points.map(([t]) => [t, null]) }] },
];
const index = { symbol: "VNI", name: "VN-Index", price: 1_650.2, change_percent: null, spark: [] };
const CHARTS: Readonly<Record<string, object>> = {
  showStockChart: { ...barData, panes, markers: [{ t: bars[9]?.t, label: "buy", side: "buy" }] },
  cryptoChart: { ...barData, bars: bars.slice(0, 1), panes: [] },
  showStockPrice: price,
  showStockFinancials: {
    symbol: "FPT",
    currency: "VND",
    periods: ["2024", "2025"],
    lines: [{ name: "Revenue", unit: "VND", values: [62e12, null] }],
    provenance,
  },
  showStockNews: {
    items: [{ title: "T".repeat(300), source: "VnExpress", url: null, published_at: 1_794_000_000, symbols: [] }],
    provenance,
  },
  showMarketOverview: { indices: [index], breadth: { up: 0, down: 0, flat: 0 }, provenance },
  showTrendingStocks: {
    title: "Top",
    rows: [{ symbol: "A", name: "B", price: 1, change_percent: null, volume: null, market_cap: null }],
    provenance,
  },
  showStockHeatmap: {
    groups: [
      { name: "Ngân hàng", weight: 0, change_percent: 1 },
      { name: "Thép", weight: 3, change_percent: -9, items: [{ symbol: "HPG", weight: 3, change_percent: -9 }] },
    ],
    provenance,
  },
};

const toChart = (type: string): Json => z.json().parse({ type, ...common, data: CHARTS[type] });

for (const type of Object.keys(CHARTS))
  test(`${type} is a picture of 1,200 × 675 with source and date, in both languages`, () => {
    for (const [language, origin] of [
      ["en", "FPT · Source: Yahoo Finance · Nov 17, 2026 · delayed"],
      ["vi", "FPT · Nguồn: Yahoo Finance · 17 thg 11, 2026 · bị trễ"],
    ] as const) {
      const [picture] = toPictures([toChart(type)], language);
      assert.equal(picture?.caption, origin);
      assert.match(picture.svg, /^<svg [^>]*viewBox="0 0 1200 675"/);
      assert.ok(!/NaN|Infinity|undefined/.test(picture.svg));
      assert.ok(picture.svg.includes("Yahoo Finance"));
    }
  });

test("texts cannot leave their place in the picture", () => {
  const [picture] = toPictures([toChart("showStockPrice")], "vi");
  assert.ok(picture?.svg.includes("Công ty Cổ phần &lt;FPT&gt; &amp; con"));
});

test("the main charts come first, three at most, and what is not a chart is left out", () => {
  const other = { type: "showStockNews", ...common, primary: false, data: CHARTS["showStockNews"] };
  const charts = [
    z.json().parse(other),
    { type: "none" },
    ...["cryptoChart", "showStockPrice", "showStockChart"].map(toChart),
  ];
  const pictures = toPictures(charts, "en");
  assert.equal(pictures.length, 3);
  assert.ok(pictures.every(({ svg }) => !svg.includes("VnExpress")));
});
