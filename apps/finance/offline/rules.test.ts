import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Fact } from "@baton/assistant";
import { z } from "zod";
import { answer, assertSound, openTools } from "./testing/answer.ts";

let market: Awaited<ReturnType<typeof openTools>>;
before(async () => {
  market = await openTools();
});

type Row = readonly [metric: string, value: number, unit: Fact["unit"], day?: string];

/** The state after a call that found these figures of ACME. */
function toState(tool: string, rows: readonly Row[]) {
  const facts = rows.map(([metric, value, unit, day = "2024-11-22"], index): Fact => ({
    id: `f1.1.1.${index + 1}`,
    call: "1.1.1",
    path: "",
    symbol: "ACME",
    metric,
    value,
    unit,
    ...(unit.startsWith("money") ? { currency: "USD" } : {}),
    period: { end: day },
    as_of: `${day}T16:00:00-05:00`,
    kind: "live",
    source: "test",
  }));
  const record = { call: "1.1.1", tool, args: { symbol: "ACME" }, status: "ok", symbols: ["ACME"] };
  return { "facts/1.1.1": z.json().parse(facts), "calls/1.1.1": record };
}

async function say(language: "en" | "vi", tool: string, rows: readonly Row[]): Promise<string> {
  const answered = await answer(market, { language, values: toState(tool, rows) });
  assertSound(answered, { language });
  return answered.text;
}

test("an oscillator is read by its usual thresholds, which belong to neither side", async () => {
  const cases = [
    [71.3, "RSI(14) 71.3 is above 70: overbought", "RSI(14) 71,3 cao hơn 70: quá mua"],
    [28, "RSI(14) 28.0 is below 30: oversold", "RSI(14) 28,0 thấp hơn 30: quá bán"],
    [70, "RSI(14) 70.0 is between 30 and 70: neutral", "RSI(14) 70,0 nằm giữa 30 và 70: trung tính"],
    [30, "RSI(14) 30.0 is between 30 and 70: neutral", "RSI(14) 30,0 nằm giữa 30 và 70: trung tính"],
  ] as const;
  for (const [value, english, vietnamese] of cases) {
    assert.ok((await say("en", "getRSI", [["RSI(14)", value, "points"]])).startsWith(`ACME, 2024-11-22: ${english}`));
    assert.ok(
      (await say("vi", "getRSI", [["RSI(14)", value, "points"]])).startsWith(`ACME, 2024-11-22: ${vietnamese}`),
    );
  }
});

test("lines and averages are read by which side they are on; equal says nothing", async () => {
  const macd = (line: number): readonly Row[] => [
    ["MACD(12,26,9) line", line, "money/share"],
    ["MACD(12,26,9) signal", 1, "money/share"],
  ];
  assert.match(await say("en", "getMACD", macd(2)), /above its signal line \$1\.00: upward momentum by the usual rule/);
  assert.match(await say("vi", "getMACD", macd(0.5)), /nằm dưới đường tín hiệu 1,00 USD: động lượng giảm/);
  assert.doesNotMatch(await say("en", "getMACD", macd(1)), /momentum/);
  const sma = (close: number): readonly Row[] => [
    ["SMA(50)", 100, "money/share"],
    ["close", close, "money/share"],
  ];
  assert.match(await say("en", "getSMA", sma(101)), /the close is above SMA\(50\) \$100\.00: upward by the usual rule/);
  assert.match(await say("vi", "getSMA", sma(99)), /đóng cửa dưới SMA\(50\) 100,00 USD: xu hướng giảm/);
  const bands = (close: number): readonly Row[] => [
    ["BB(20,2) upper band", 110, "money/share"],
    ["BB(20,2) lower band", 90, "money/share"],
    ["close", close, "money/share"],
  ];
  assert.match(await say("en", "getBands", bands(111)), /upper band \$110\.00: the close is above it/);
  assert.match(await say("en", "getBands", bands(89)), /lower band \$90\.00: the close is below it/);
  assert.match(await say("vi", "getBands", bands(100)), /nằm trong các dải/);
  const adx = (value: number, plus: number): readonly Row[] => [
    ["ADX(14)", value, "points"],
    ["ADX(14) +DI", plus, "points"],
    ["ADX(14) -DI", 20, "points"],
  ];
  assert.match(await say("en", "getTechnicalIndicators", adx(26, 21)), /above 25 and \+DI is the larger: uptrend/);
  assert.match(await say("vi", "getTechnicalIndicators", adx(26, 19)), /cao hơn 25 và -DI lớn hơn: xu hướng giảm/);
  assert.match(await say("en", "getTechnicalIndicators", adx(25, 21)), /not above 25: no clear trend/);
});

test("the risk score's classes begin at their bounds, and ratios are read by theirs", async () => {
  const classes = [
    [24.9, "conservative", "thận trọng"],
    [25, "moderate", "vừa phải"],
    [50, "aggressive", "mạo hiểm"],
    [75, "speculative", "đầu cơ"],
  ] as const;
  for (const [value, english, vietnamese] of classes) {
    const rows: readonly Row[] = [["risk score", value, "points"]];
    assert.match(await say("en", "getVolatilityAnalysis", rows), new RegExp(`: ${english} by the scale`));
    assert.match(await say("vi", "getVolatilityAnalysis", rows), new RegExp(`: mức ${vietnamese} theo thang`));
  }
  const sharpe = (value: number) => say("en", "getSharpeRatio", [["Sharpe ratio", value, "ratio"]]);
  assert.match(await sharpe(1.2), /is above 1: much return/);
  assert.match(await sharpe(0.4), /is between 0 and 1/);
  assert.match(await sharpe(-0.4), /is below 0/);
});

test("the last line has the newest day of the facts that are shown", async () => {
  const rows: readonly Row[] = [
    ["price", 10, "money/share", "2024-11-21"],
    ["volume", 5, "shares", "2024-11-22"],
    ["change", 1, "percent", "2024-11-20"],
  ];
  assert.match(await say("en", "getStockPrice", rows), /no language model · data of 2024-11-22$/);
});
