import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../listing.ts";
import { openDirectory } from "./directory.ts";

const stock = (symbol: string, name: string, exchange = "NASDAQ"): Listing => ({
  symbol,
  name,
  exchange,
  type: "stock",
  currency: "USD",
});

const directory = openDirectory([
  stock("AAPL", "Apple Inc."),
  stock("GOOG", "Alphabet Inc."),
  stock("GOOGL", "Alphabet Inc."),
  stock("BRK.A", "Berkshire Hathaway Inc.", "NYSE"),
  stock("BRK.B", "Berkshire Hathaway Inc. New", "NYSE"),
  stock("ACB", "Aurora Cannabis Inc."),
]);

test("a symbol is found in all its spellings", () => {
  for (const spelling of ["BRK-B", "brk.b", "BRK/B", "brk b", "BRKB", "$BRK.B", "NYSE:BRK.B", "BRK.B.US"]) {
    assert.equal(directory.get(spelling)?.symbol, "BRK-B", spelling);
  }
  for (const spelling of ["BTCUSD", "BTCUSDT", "BTC-USD", "btc/usdt", "BINANCE:BTCUSDT"]) {
    assert.equal(directory.get(spelling)?.symbol, "BTCUSD", spelling);
  }
  for (const spelling of ["VNM.VN", "vnm.vn", "HOSE:VNM"]) assert.equal(directory.get(spelling)?.symbol, "VNM.VN");
});

test("a bare ticker of two markets is ambiguous until it is narrowed", () => {
  assert.equal(directory.get("ACB"), undefined);
  assert.equal(directory.resolve("ACB").kind, "ambiguous");
  assert.equal(resolved("ACB", { market: "VN" }), "ACB.VN");
  assert.equal(resolved("ACB", { market: "US" }), "ACB");
  assert.equal(resolved("$ACB"), "ACB");
  assert.equal(resolved("BTC", { type: "crypto" }), "BTCUSD");
});

function resolved(query: string, narrowing = {}): string | undefined {
  const found = directory.resolve(query, narrowing);
  return found.kind === "one" ? found.listing.symbol : undefined;
}
