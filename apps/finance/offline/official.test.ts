/** Answers from live sources: filings, insiders, large holders, rates, series, currencies and sources side by side. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPack } from "../market/pack/pack.ts";
import { openLiveWorld } from "../tools/testing/live-world.ts";
import { answer, type Asked, assertSound, type Harness, harnessOn } from "./testing/answer.ts";

const NOW = Date.UTC(2026, 2, 6, 15);
const world = openLiveWorld({ pack: openPack(), clock: { now: () => NOW } });
let harness: Harness;
before(async () => {
  harness = harnessOn((await world).market);
});
after(async () => (await world)[Symbol.asyncDispose]());

const LANGUAGES = ["en", "vi"] as const;

/** What each call is answered with, in both languages. */
const CASES: readonly (readonly [asked: Asked, english: RegExp, vietnamese: RegExp])[] = [
  [
    ["getFilings", { symbol: "AAPL" }],
    /^Apple Inc\. \(AAPL\): the newest filings[\s\S]*\| 10-Q \|/,
    /các hồ sơ mới nhất/,
  ],
  [["searchFilings", { query: "supply chain" }], /^Filings that have “supply chain”:/, /^Các hồ sơ có/],
  [
    ["getInsiderTrades", { symbol: "AAPL" }],
    /what insiders traded, insiders' open-market sales [\d,.]+/,
    /giao dịch của người nội bộ/,
  ],
  [
    ["getInstitutionalHoldings", { manager: "Berkshire" }],
    /^BERKSHIRE HATHAWAY INC reported these holdings for Q4 2025/,
    /công bố các khoản nắm giữ của Q4 2025/,
  ],
  [
    ["getRates", {}],
    /^The US Treasury yield curve on 2026-03-06:[\s\S]*\| 10-year Treasury yield \| \d/,
    /\| Lợi suất 10 năm \|/,
  ],
  [["getRates", { series: "sofr" }], /New York Fed on 2026-03-05: SOFR 4\.39%/, /SOFR 4,39%/],
  [["getEconomicSeries", { series: "inflation" }], /^United States: inflation \d/, /lạm phát/],
  [["getEconomicSeries", { series: "GDP", country: "VN" }], /^Vietnam: GDP \$/, /GDP/],
  [
    ["convertCurrency", { amount: 100, from: "USD", to: "VND" }],
    /^USD\/VND: amount in VND ₫?2\.64M.*\n\nUSD\/VND: 1 USD in VND/,
    /số tiền bằng VND/,
  ],
  [
    ["compareSources", { symbol: "AAPL", what: "revenue" }],
    /revenue as each source has it:[\s\S]*\| sec \|/,
    /theo từng nguồn/,
  ],
];

test("official data is told with its figures and days, in both languages", async () => {
  for (const [asked, english, vietnamese] of CASES) {
    for (const language of LANGUAGES) {
      const situation = { language, calls: [asked], question: "?" };
      const answered = await answer(harness, situation);
      assertSound(answered, situation);
      assert.match(answered.text, language === "en" ? english : vietnamese);
    }
  }
});

test("a section of a filing is quoted as data: its numbers are left out, and no markup of it stays", async () => {
  const filings = await answer(harness, {
    language: "en",
    calls: [["getFilings", { symbol: "AAPL", forms: ["10-K"] }]],
  });
  const [, accession = ""] = /`(\d{10}-\d{2}-\d{6})`/.exec(filings.text) ?? [];
  for (const language of LANGUAGES) {
    const calls: readonly Asked[] = [["readFilingSection", { accession, section: "1A" }]];
    const answered = await answer(harness, { language, calls });
    assertSound(answered, { language, calls });
    assert.match(answered.text, /\n> /);
    assert.match(answered.text, language === "en" ? /quoted as data:/ : /trích nguyên văn:/);
    assert.doesNotMatch(answered.text, /https?:/);
  }
});
