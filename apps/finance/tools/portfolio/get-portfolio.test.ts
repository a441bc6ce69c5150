import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateTokens, parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Capabilities } from "../../market/port/market-data.ts";
import { sourced, STUB_DIRECTORY, stubMarket } from "../testing/stub-market.ts";
import { investorOn } from "./testing/portfolio-kit.ts";
import { CSV, imported, LISTINGS, marketWith } from "./testing/twenty-companies.ts";
import { numbersOf } from "../testing/numbers-of.ts";

const TextSchema = z.strictObject({ text: z.string() });

test("the portfolio is shown with prices, values, profit and weights, every number a fact", async () => {
  const market = stubMarket({
    quote: async () => sourced({ price: 30, changePercent: 50, sector: "Electronic technology" }),
  });
  const { call, facts, digest } = investorOn(market);
  await call("setHolding", { symbol: "ACME", quantity: 2, cost: 10, account: "A", action: "add" });
  await call("setHolding", { symbol: "ACME", quantity: 2, cost: 20, action: "add" });
  await call("setHolding", { symbol: "BOLT", quantity: 4 });
  const output = parseJson(JSON.stringify(await call("getPortfolio", {}))) ?? null;
  const { data } = z
    .object({ data: z.looseObject({ totals: z.json(), holdings: z.array(z.looseObject({})) }) })
    .parse(output);
  assert.deepEqual(data.totals, {
    valued: 2,
    value: 240,
    costed: 1,
    cost: 60,
    profit: 60,
    profit_percent: 100,
    day_change: 80,
    day_change_percent: 50,
  });
  const [acme] = data.holdings;
  assert.deepEqual(
    [acme?.["quantity"], acme?.["average_cost"], acme?.["weight_percent"], acme?.["profit_percent"], acme?.["sector"]],
    [4, 15, 50, 100, "Technology"],
  );
  const found = z
    .array(z.looseObject({ path: z.string(), period: z.looseObject({ end: z.iso.date() }) }))
    .parse(await facts("getPortfolio", output));
  const cited = new Set(found.map(({ path }) => path));
  const uncited = numbersOf(output).filter(({ path }) => !cited.has(path));
  assert.deepEqual(
    uncited.filter(({ path }) => !/holdings_count|valued|costed|version|lots\[0\]/.test(path)),
    [],
  );
  assert.match(digest("getPortfolio", output), /\nf1\.1\.1\.1 value 240\.00 USD/);
});

test("a coin that is priced in a stablecoin is converted by that coin's own price, and left out without one", async () => {
  const stable = { symbol: "USDTUSD", name: "Tether", exchange: "CRYPTO", type: "crypto", currency: "USD" } as const;
  const directory = {
    ...STUB_DIRECTORY,
    get: (symbol: string) => (symbol === "USDTUSD" ? stable : STUB_DIRECTORY.get(symbol)),
  };
  const coinQuote: Capabilities["coinQuote"] = async () => sourced({ price: 100, quoteCurrency: "USDT" });
  const coinPrice: Capabilities["coinPrice"] = async () => sourced({ price: 0.98, quoteCurrency: "USD" });
  const valueOn = async (capabilities: Partial<Capabilities>) => {
    const { call } = investorOn(stubMarket(capabilities, { directory }));
    await call("setHolding", { symbol: "BTCUSD", quantity: 2, cost: 50 });
    const { data } = z
      .object({
        data: z.looseObject({ totals: z.looseObject({ value: z.number().optional() }), rates: z.json().optional() }),
      })
      .parse(await call("getPortfolio", {}));
    return data.totals.value;
  };
  assert.equal(await valueOn({ coinQuote, coinPrice }), 196);
  assert.equal(await valueOn({ coinQuote }), undefined);
});

test("the text for prompts has the largest first, fits 600 tokens, and counts the rest", async () => {
  const few = await imported(marketWith(), "TA,1,10\nTB,5,100\nTC,2");
  const { text } = TextSchema.parse(await few.call("loadPortfolio", {}));
  assert.deepEqual(text.split("\n").slice(1), [
    "- TB (Company 1): 5 shares, average cost 100 USD, account imported",
    "- TA (Company 0): 1 shares, average cost 10 USD, account imported",
    "- TC (Company 2): 2 shares, account imported",
  ]);
  const long = await imported(marketWith(), CSV);
  for (const listing of LISTINGS.slice(0, 20)) {
    for (const account of ["x", "y"]) {
      const bought = { symbol: listing.symbol, quantity: 1, account: account.repeat(60), action: "add" };
      await long.call("setHolding", bought);
    }
  }
  const many = TextSchema.parse(await long.call("loadPortfolio", {})).text;
  assert.ok(estimateTokens({ role: "user", content: many }) <= 600);
  assert.match(many, /\nand \d+ more$/);
});
