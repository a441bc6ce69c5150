import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Capabilities } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { sourced, stubMarket } from "../testing/stub-market.ts";
import { investorOn } from "./testing/portfolio-kit.ts";

const EventsSchema = z.object({
  data: z.object({
    window: z.object({ start: z.string(), end: z.string() }),
    asked: z.number(),
    events: z.array(
      z.looseObject({ symbol: z.string(), kind: z.string(), day: z.string(), income: z.number().optional() }),
    ),
    entered: z.looseObject({ source: z.literal("portfolio") }),
    missing: z.array(z.object({ symbol: z.string(), what: z.string(), reason: z.string() })).default([]),
  }),
});
const NoData = z.object({ no_data: z.literal(true), message: z.string(), enable: z.string().optional() });

const none = async (): Promise<never> => {
  throw new MarketError("no_data", "nothing is known of it", { enable: "FMP_API_KEY" });
};
const earnings: Capabilities["earnings"] = async ({ listing }) =>
  listing.symbol === "BOLT"
    ? none()
    : sourced([
        { day: "2024-11-28", epsEstimated: 1.2, currency: "USD" },
        { day: "2024-11-29", currency: "USD" },
        { day: "2024-08-01", epsActual: 1, currency: "USD" },
      ]);
const dividends: Capabilities["dividends"] = async ({ listing }) =>
  sourced(
    listing.symbol === "BOLT" ? [{ day: "2024-11-22", amount: 0.25, currency: "USD", paymentDay: "2024-12-05" }] : [],
  );

async function holding(capabilities: Partial<Capabilities>, ...symbols: readonly string[]) {
  const investor = investorOn(stubMarket(capabilities));
  for (const symbol of symbols) await investor.call("setHolding", { symbol, quantity: 10 });
  return investor;
}

test("reports and ex-dividend days of a week are listed by day, and a source that cannot tell is named", async () => {
  const investor = await holding({ earnings, dividends }, "ACME", "BOLT");
  const output = parseJson(JSON.stringify(await investor.call("getPortfolioEvents", {}))) ?? null;
  const { data } = EventsSchema.parse(output);
  assert.deepEqual(data.window, { start: "2024-11-22", end: "2024-11-28" });
  assert.deepEqual(
    data.events.map(({ symbol, kind, day, income }) => [symbol, kind, day, income]),
    [
      ["BOLT", "ex_dividend", "2024-11-22", 2.5],
      ["ACME", "earnings", "2024-11-28", undefined],
    ],
  );
  assert.deepEqual(data.missing, [{ symbol: "BOLT", what: "earnings", reason: "nothing is known of it" }]);
  assert.match(investor.digest("getPortfolioEvents", output), /dividend of the holding 2\.50 USD/);
});

test("a window is as it is asked for", async () => {
  const { call } = await holding({ earnings, dividends }, "ACME");
  const { data } = EventsSchema.parse(await call("getPortfolioEvents", { from: "2024-11-29", to: "2024-11-29" }));
  assert.deepEqual(
    data.events.map(({ day }) => day),
    ["2024-11-29"],
  );
  const quiet = EventsSchema.parse(await call("getPortfolioEvents", { from: "2025-01-01" })).data;
  assert.deepEqual([quiet.window.end, quiet.events], ["2025-01-07", []]);
});

test("funds report no earnings, coins have no events, and no source at all is no data with the switch", async () => {
  const fund = await holding({ earnings, dividends }, "Vietnam ETF");
  assert.deepEqual(EventsSchema.parse(await fund.call("getPortfolioEvents", {})).data.events, []);
  const coin = await holding({ earnings, dividends }, "BTCUSD");
  assert.match(NoData.parse(await coin.call("getPortfolioEvents", {})).message, /only coins/);
  const nobody = await holding({ earnings: none, dividends: none }, "ACME", "BOLT");
  const { message, enable } = NoData.parse(await nobody.call("getPortfolioEvents", {}));
  assert.match(message, /of ACME, BOLT: nothing is known/);
  assert.equal(enable, "FMP_API_KEY");
});
