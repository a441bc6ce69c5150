import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { type Chains, SWITCHES, toMarketData } from "./chain.ts";
import { openDirectory } from "../directory/directory.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, Quote, MarketSource } from "../port/market-data.ts";
import { MarketError, type MarketErrorDetails, type MarketErrorKind } from "../port/market-error.ts";

type QuoteSource = MarketSource & Pick<Capabilities, "quote">;

const directory = openDirectory([]);
const listing: Listing = { symbol: "AAPL", name: "Apple Inc.", exchange: "NASDAQ", type: "stock", currency: "USD" };

const market = (chains: Chains) => toMarketData({ directory, mode: "test", today: () => "2024-11-22", chains });
const open = () => Scope.root({ clock: new SimulatedClock(1) });

const answering = (name: string, price: number, note?: string): QuoteSource => ({
  name,
  quote: async () => ({
    data: { price },
    provenance: { kind: "live", source: name, as_of: "2024-11-22T16:00:00-05:00", ...(note && { note }) },
  }),
});

const failing = (name: string, kind: MarketErrorKind, details: MarketErrorDetails = {}): QuoteSource => ({
  name,
  quote: async () => {
    throw new MarketError(kind, `${name} says ${kind}`, details);
  },
});

const quote = async (...sources: readonly QuoteSource[]) => {
  await using scope = open();
  return await market({ quote: sources }).quote({ listing }, scope);
};

test("the first source answers, and its answer is left as it is", async () => {
  const answer = await quote(answering("fmp", 1), answering("embedded", 2));
  assert.deepEqual(answer.data, { price: 1 } satisfies Quote);
  assert.equal(answer.provenance.note, undefined);
});

test("each kind of failure that another source may not have lets the next be asked, and the note says so", async () => {
  for (const kind of ["no_data", "upstream", "plan", "not_configured"] as const) {
    const answer = await quote(failing("fmp", kind), answering("binance", 2));
    assert.equal(answer.data.price, 2);
    assert.equal(answer.provenance.note, `fmp: ${kind}; from binance`);
  }
  const retryAt = Date.parse("2026-01-02T03:04:05Z");
  const throttled = await quote(failing("fmp", "throttled", { retryAt }), answering("binance", 2, "its own words"));
  assert.equal(throttled.provenance.note, "its own words; fmp: throttled until 2026-01-02T03:04:05.000Z; from binance");
});

test("an ambiguous symbol and a defect of a source are thrown at once", async () => {
  await assert.rejects(quote(failing("fmp", "ambiguous"), answering("embedded", 2)), { kind: "ambiguous" });
  const broken: QuoteSource = { name: "broken", quote: async () => Promise.reject(new RangeError("a defect")) };
  await assert.rejects(quote(broken, answering("embedded", 2)), { name: "RangeError" });
});

test("if all fail, the error that tells most is thrown and names the others", async () => {
  const retryAt = 1_700_000_000_000;
  const error = await rejection(
    quote(failing("a", "no_data"), failing("b", "throttled", { retryAt }), failing("c", "upstream")),
  );
  assert.equal(error.kind, "throttled");
  assert.equal(error.details.retryAt, retryAt);
  assert.equal(error.message, "b says throttled (also asked: a: no_data; c: upstream)");
  const other = await rejection(quote(failing("a", "no_data"), failing("b", "no_data", { available: "2012–2016" })));
  assert.equal(other.details.available, "2012–2016");
  const only = await rejection(quote(failing("a", "plan")));
  assert.equal(only.message, "a says plan");
});

test("a switch whose source was asked is not advised, another is", async () => {
  const enable = "FMP_API_KEY";
  const asked = await rejection(
    quote(failing("fmp", "no_data"), failing("embedded", "no_data", { available: "one day", enable })),
  );
  assert.deepEqual([asked.details.available, asked.details.enable], ["one day", undefined]);
  const other = await rejection(
    quote(failing("sec", "no_data"), failing("embedded", "no_data", { available: "one day", enable })),
  );
  assert.equal(other.details.enable, enable);
});

test("no data names what a source of the chain lacks before any other switch", async () => {
  const lacking = failing("sec", "not_configured", { enable: "SEC_CONTACT" });
  const error = await rejection(quote(lacking, failing("embedded", "no_data", { enable: "FMP_API_KEY" })));
  assert.deepEqual([error.kind, error.details.enable], ["no_data", "SEC_CONTACT"]);
  assert.match(error.message, /also asked: sec: not_configured, set SEC_CONTACT/);
});

test("a source that has nothing of the kind is neither a fallback nor a reason", async () => {
  const outside = failing("cboe", "no_data", { isOutside: true });
  const answer = await quote(outside, answering("vndirect", 2));
  assert.equal(answer.provenance.note, undefined);
  const error = await rejection(quote(outside, failing("vndirect", "upstream")));
  assert.equal(error.message, "vndirect says upstream");
});

test("a capability without sources names the switch that brings it", async () => {
  await using scope = open();
  const none = market({});
  const cases = [
    [none.quote({ listing }, scope), "FMP_API_KEY"],
    [none.search({ query: "x", maxResults: 1, useFinanceDomains: false }, scope), "TAVILY_API_KEY"],
    [none.coinPrice({ listing }, scope), "BATON_FINANCE_LIVE=on"],
  ] as const;
  for (const [asked, enable] of cases) {
    const error = await rejection(asked);
    assert.deepEqual([error.kind, error.details.enable], ["not_configured", enable]);
  }
  assert.equal(Object.keys(SWITCHES).length, 29);
});

test("a cancelled request is passed on; no other source is asked", async () => {
  const scope = open();
  let asked = 0;
  const slow: QuoteSource = {
    name: "slow",
    quote: async () => {
      await scope.cancel(new BatonError("cancelled", "the caller is gone"));
      throw new MarketError("upstream", "the connection was closed");
    },
  };
  const next: QuoteSource = {
    name: "next",
    quote: async (query, inner) => {
      asked++;
      return answering("next", 1).quote(query, inner);
    },
  };
  await assert.rejects(market({ quote: [slow, next] }).quote({ listing }, scope), { name: "BatonError" });
  assert.equal(asked, 0);
});

async function rejection(promise: Promise<unknown>): Promise<MarketError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof MarketError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
