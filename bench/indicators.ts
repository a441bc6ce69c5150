/**
 * Indicators: how long all ten of apps/finance take over 10,000 bars, beside one plain pass over the same bars.
 *
 * `node bench/indicators.ts [--json]`. The pass adds up the five columns; it is the least that reading them costs. What
 * the figures mean is in this folder's README.
 */
import { parseArgs } from "node:util";
import type { Bars } from "@baton/finance/market/port/bars.ts";
import { adx } from "@baton/finance/math/indicators/adx.ts";
import { atr } from "@baton/finance/math/indicators/atr.ts";
import { bollinger } from "@baton/finance/math/indicators/bollinger.ts";
import { ema } from "@baton/finance/math/indicators/ema.ts";
import { macd } from "@baton/finance/math/indicators/macd.ts";
import { obv } from "@baton/finance/math/indicators/obv.ts";
import { rsi } from "@baton/finance/math/indicators/rsi.ts";
import { sma } from "@baton/finance/math/indicators/sma.ts";
import { stochastic } from "@baton/finance/math/indicators/stochastic.ts";
import { vwap } from "@baton/finance/math/indicators/vwap.ts";
import { compare, type Comparison } from "./measure.ts";

const COUNT = 10_000;
const TARGET_MS = 5;

type Compute = (bars: Bars) => unknown;

const INDICATORS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ["SMA(20)", ({ c }) => sma(c)],
  ["EMA(20)", ({ c }) => ema(c)],
  ["RSI(14)", ({ c }) => rsi(c)],
  ["MACD(12, 26, 9)", ({ c }) => macd(c)],
  ["Bollinger(20, 2)", ({ c }) => bollinger(c)],
  ["ATR(14)", (bars) => atr(bars)],
  ["Stochastic(5, 3, 3)", (bars) => stochastic(bars)],
  ["ADX(14)", (bars) => adx(bars)],
  ["VWAP(20)", (bars) => vwap(bars)],
  ["OBV", (bars) => obv(bars)],
]);

const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });
const bars = toBars();
checkValues();

const all: Compute = (of) => [...INDICATORS.values()].map((compute) => compute(of));
const rows: (Comparison & { readonly name: string })[] = [{ name: "all ten", ...(await measure(all)) }];
for (const [name, compute] of INDICATORS) rows.push({ name, ...(await measure(compute)) });
if (options.json === true) console.log(JSON.stringify({ node: process.version, bars: COUNT, rows }, null, 2));
else print();

/** CPU microseconds: of the plain pass as `floorUs`, of the indicators as `batonUs`. */
function measure(compute: Compute): Promise<Comparison> {
  return compare(
    async () => pass(bars),
    async () => compute(bars),
  );
}

function pass({ o, h, l, c, v }: Bars): number {
  let sum = 0;
  for (const column of [o, h, l, c, v]) for (let index = 0; index < COUNT; index++) sum += column[index] ?? 0;
  return sum;
}

/** A seeded path of prices. */
function toBars(): Bars {
  const blank = () => new Float64Array(COUNT);
  const made = { t: blank(), o: blank(), h: blank(), l: blank(), c: blank(), v: blank() };
  let [state, close] = [20_241_122, 100];
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let index = 0; index < COUNT; index++) {
    const open = close;
    close *= 1 + (random() - 0.5) * 0.03;
    made.t[index] = index * 86_400;
    made.o[index] = open;
    made.h[index] = Math.max(open, close) * (1 + random() * 0.01);
    made.l[index] = Math.min(open, close) * (1 - random() * 0.01);
    made.c[index] = close;
    made.v[index] = Math.floor(random() * 1e6);
  }
  return made;
}

/** What computes nothing would look fast. */
function checkValues(): void {
  const last = [sma(bars.c), ema(bars.c), rsi(bars.c), macd(bars.c).histogram, bollinger(bars.c).upper, atr(bars)];
  const others = [stochastic(bars).d, adx(bars).adx, vwap(bars), obv(bars)];
  for (const column of [...last, ...others])
    if (column.length !== COUNT || !Number.isFinite(column.at(-1))) throw new Error("an indicator has no last value");
}

function print(): void {
  console.log(`${`${COUNT.toLocaleString("en")} bars`.padEnd(24)}  CPU µs    × plain pass`);
  for (const { name, batonUs, ratio } of rows)
    console.log(name.padEnd(24) + batonUs.toFixed(0).padStart(8) + `${ratio.toFixed(1)}×`.padStart(16));
  const [together] = rows;
  const ms = (together?.batonUs ?? 0) / 1_000;
  console.log(
    `all ten take ${ms.toFixed(2)} ms, the target is ${TARGET_MS} ms; a plain pass ${together?.floorUs.toFixed(0)} µs`,
  );
}
