import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { at } from "./column.ts";
import { ema } from "./ema.ts";
import { macd } from "./macd.ts";
import { obv } from "./obv.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";
import { stochastic } from "./stochastic.ts";
import { vwap } from "./vwap.ts";

const Columns = z.record(
  z.string(),
  z.array(z.nullable(z.number())).transform((values) => Float64Array.from(values, (value) => value ?? Number.NaN)),
);
const text = readFileSync(join(import.meta.dirname, "fixtures", "golden.json"), "utf8");
const { bars: columns, values } = z.object({ bars: Columns, values: Columns }).parse(JSON.parse(text));
const column = (name: string) => columns[name] ?? new Float64Array();
const bars = { h: column("h"), l: column("l"), c: column("c"), v: column("v") };

/** By the names of golden.json. */
const COMPUTED: Readonly<Record<string, Float64Array | Readonly<Record<string, Float64Array>>>> = {
  sma_20: sma(bars.c),
  sma_5: sma(bars.c, 5),
  ema_20: ema(bars.c),
  ema_9: ema(bars.c, 9),
  rsi_14: rsi(bars.c),
  rsi_7: rsi(bars.c, 7),
  atr_14: atr(bars),
  atr_5: atr(bars, 5),
  vwap_20: vwap(bars),
  vwap_7: vwap(bars, 7),
  obv: obv(bars),
  macd_12_26_9: macd(bars.c),
  macd_5_13_4: macd(bars.c, { fast: 5, slow: 13, signal: 4 }),
  bollinger_20_2: bollinger(bars.c),
  "bollinger_10_1.5": bollinger(bars.c, { period: 10, deviations: 1.5 }),
  stochastic_5_3_3: stochastic(bars),
  stochastic_14_3_5: stochastic(bars, { fastK: 14, slowK: 3, slowD: 5 }),
  adx_14: adx(bars),
  adx_7: adx(bars, 7),
};

const OUTPUTS = Object.entries(COMPUTED).flatMap(([name, found]) =>
  found instanceof Float64Array
    ? [{ name, found }]
    : Object.entries(found).map(([output, one]) => ({ name: `${name}.${output}`, found: one })),
);

test("every golden column is computed here, and every computed one is golden", () => {
  assert.deepEqual(OUTPUTS.map(({ name }) => name).toSorted(), Object.keys(values).toSorted());
});

for (const { name, found } of OUTPUTS) {
  test(`${name} has the values that TTR computes, and no others`, () => {
    const golden = values[name] ?? new Float64Array();
    assert.equal(found.length, 250);
    assert.equal(golden.length, 250);
    found.forEach((value, index) => {
      const wanted = at(golden, index);
      if (Number.isNaN(wanted)) assert.ok(Number.isNaN(value), `bar ${index} has ${value}, but should have none`);
      // golden.json has 13 digits
      else
        assert.ok(
          Math.abs(value - wanted) <= 1e-10 * Math.max(1, Math.abs(wanted)),
          `bar ${index}: ${value}, not ${wanted}`,
        );
    });
  });
}

test("the golden bars hold what is hard: unchanged closes and days without volume", () => {
  assert.ok(bars.c.some((close, index) => close === at(bars.c, index - 1)));
  assert.ok(bars.v.includes(0));
});
