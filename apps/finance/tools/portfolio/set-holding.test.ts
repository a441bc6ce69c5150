import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "@baton/core";
import { refusedPaths } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { setHoldingTool } from "./set-holding.ts";
import { investorOn } from "./testing/portfolio-kit.ts";
import { sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const market = stubMarket({ quote: async () => sourced({ price: 20 }) });
const DataSchema = z.object({ data: z.looseObject({ quantity: z.number(), done: z.string() }) });
const PortfolioSchema = z.object({
  data: z.looseObject({
    holdings: z.array(z.looseObject({ symbol: z.string(), quantity: z.number(), average_cost: z.number().optional() })),
  }),
});

const done = (output: unknown) => {
  const { data } = DataSchema.parse(output);
  return [data.done, data.quantity];
};

test("a holding is added to, set, reduced from its oldest lots, and removed", async () => {
  const { call } = investorOn(market);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 10, cost: 100 })), ["added", 10]);
  const bought = { symbol: "Acme Inc.", quantity: 5, cost: 130, bought_on: "2024-01-02", action: "add" };
  const { data } = z
    .object({ data: z.looseObject({ average_cost: z.number() }) })
    .parse(await call("setHolding", bought));
  assert.equal(data.average_cost, 110);
  const sold = await call("setHolding", { symbol: "ACME", quantity: 7, action: "remove" });
  const { lots } = z.object({ data: z.object({ lots: z.json() }) }).parse(sold).data;
  assert.deepEqual(lots, [{ quantity: 8, cost: 100, currency: "USD" }]);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 3 })), ["changed", 3]);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 0 })), ["removed", 0]);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", action: "remove" })), ["not_held", 0]);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 1, action: "add" })), ["added", 1]);
});

test("decimal fractions that are added and taken away leave nothing behind", async () => {
  const { call } = investorOn(market);
  for (const quantity of [0.1, 0.2]) await call("setHolding", { symbol: "BTCUSD", quantity, action: "add" });
  assert.deepEqual(done(await call("setHolding", { symbol: "BTCUSD", quantity: 0.3, action: "remove" })), [
    "removed",
    0,
  ]);
});

test("a call that is made again with its key changes nothing, a removal included", async () => {
  const { call } = investorOn(market);
  const add = { symbol: "ACME", quantity: 10, action: "add" };
  const first = await call("setHolding", add, "k1");
  assert.deepEqual(await call("setHolding", add, "k1"), first);
  assert.deepEqual(done(await call("setHolding", add, "k2")), ["changed", 20]);
  await call("setHolding", { symbol: "ACME", action: "remove" }, "k3");
  await call("setHolding", add, "k4");
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", action: "remove" }, "k3")), ["changed", 10]);
});

test("writes at the same time all count", async () => {
  const { call } = investorOn(market);
  const many = Array.from({ length: 20 }, () => call("setHolding", { symbol: "ACME", quantity: 1, action: "add" }));
  await Promise.all(many);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 1, action: "add" })), ["changed", 21]);
});

test("an account is replaced and removed by itself", async () => {
  const { call } = investorOn(market);
  await call("setHolding", { symbol: "ACME", quantity: 1, account: "A", action: "add" });
  await call("setHolding", { symbol: "ACME", quantity: 2, account: "B", action: "add" });
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", quantity: 5, account: "B" })), ["changed", 6]);
  assert.deepEqual(done(await call("setHolding", { symbol: "ACME", action: "remove", account: "A" })), ["changed", 5]);
});

test("two users of one store see nothing of each other", async () => {
  const database = openMemory();
  const [lan, minh] = ["lan", "minh"].map((user) => investorOn(market, { database, user, session: "same" }));
  assert.ok(lan && minh);
  await lan.call("setHolding", { symbol: "ACME", quantity: 10 }, "same-key");
  await minh.call("setHolding", { symbol: "ACME", quantity: 1 }, "same-key");
  const own = async (who: typeof lan) => PortfolioSchema.parse(await who.call("getPortfolio", {})).data.holdings;
  assert.deepEqual(
    (await own(lan)).map(({ quantity }) => quantity),
    [10],
  );
  assert.deepEqual(
    (await own(minh)).map(({ quantity }) => quantity),
    [1],
  );
  await minh.call("setHolding", { symbol: "ACME", action: "remove" });
  assert.equal((await own(lan)).length, 1);
  for (const name of ["getPortfolio", "analyzePortfolio"]) {
    const output = z.looseObject({ no_data: z.boolean(), message: z.string() }).parse(await minh.call(name, {}));
    assert.match(output.message, /the portfolio is empty: .*paste the CSV/);
  }
  assert.deepEqual(await minh.call("loadPortfolio", {}), { text: "" });
});

test("what cannot be held is refused with a reason", async () => {
  const { call } = investorOn(market);
  const tool = toolOn(market, setHoldingTool);
  const prepared = await tool.prepare({ symbol: "ACME", quantity: -5 });
  assert.ok(!prepared.ok);
  assert.match(JSON.stringify(prepared.issues), /short positions are not kept/);
  assert.deepEqual(await refusedPaths(tool, { symbol: "ACME" }), ["quantity"]);
  for (const args of [
    { quantity: 1, cost: -1 },
    { quantity: 1, currency: "dollars" },
    { quantity: 1, account: " " },
  ]) {
    assert.equal((await refusedPaths(tool, { symbol: "ACME", ...args })).length, 1);
  }
  await assert.rejects(call("setHolding", { symbol: "^GSPC", quantity: 1 }), ToolError);
  await assert.rejects(call("setHolding", { symbol: "ACME", quantity: 1, bought_on: "2999-01-01" }), /in the future/);
});

test("of listings that share a ticker, the one that is held or was paid for in its currency is meant", async () => {
  const { call } = investorOn(market);
  assert.equal(
    z.looseObject({ ambiguous: z.boolean() }).safeParse(await call("setHolding", { symbol: "VNM", quantity: 1 }))
      .success,
    true,
  );
  const bought = { symbol: "VNM", quantity: 100, cost: 65.5, currency: "VND" };
  const output = z.object({ data: z.looseObject({ symbol: z.string(), warnings: z.array(z.string()) }) });
  const { data } = output.parse(await call("setHolding", bought));
  assert.equal(data.symbol, "VNM.VN");
  assert.match(data.warnings.join(), /thousand VND/);
  assert.deepEqual(done(await call("setHolding", { symbol: "VNM", action: "remove" })), ["removed", 0]);
});

test("a cost in pence is kept in pounds", async () => {
  const { call } = investorOn(market);
  const output = await call("setHolding", { symbol: "ACME", quantity: 2, cost: 1_234.5, currency: "GBX" });
  const { data } = z
    .object({ data: z.looseObject({ average_cost: z.number(), cost_currency: z.string() }) })
    .parse(output);
  assert.deepEqual([data.average_cost, data.cost_currency], [12.345, "GBP"]);
});
