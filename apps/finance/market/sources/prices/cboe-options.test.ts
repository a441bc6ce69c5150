import assert from "node:assert/strict";
import { test } from "node:test";
import { parseChain } from "./cboe-options.ts";

const row = {
  option: "AAPL241220C00230000",
  bid: 4.5,
  ask: 4.7,
  iv: 0.2512,
  open_interest: 10,
  volume: 3,
  delta: 0.51,
};
const bodyOf = (options: readonly object[]) =>
  JSON.stringify({ timestamp: "2024-11-22 16:00:00", data: { symbol: "AAPL", current_price: 229.87, options } });

test("a contract is read from its symbol; volatility is percent, and 0 is none", () => {
  const { chain, symbol } = parseChain(
    bodyOf([row, { ...row, option: "AAPL241220P00227500", iv: 0 }, { option: "odd" }]),
  );
  assert.deepEqual([symbol, chain.price, chain.contracts.length], ["AAPL", 229.87, 2]);
  assert.deepEqual(chain.contracts[0], {
    expiry: "2024-12-20",
    kind: "call",
    strike: 230,
    bid: 4.5,
    ask: 4.7,
    impliedVolatilityPercent: 25.12,
    openInterest: 10,
    volume: 3,
    delta: 0.51,
  });
  const [, put] = chain.contracts;
  assert.deepEqual([put?.kind, put?.strike, put?.impliedVolatilityPercent], ["put", 227.5, undefined]);
});

test("a chain without contracts is no data, and another shape is a fault of the source", () => {
  assert.throws(() => parseChain(bodyOf([])), { kind: "no_data" });
  assert.throws(() => parseChain("<html>"), { kind: "upstream" });
  assert.throws(() => parseChain("{}"), { kind: "upstream" });
});
