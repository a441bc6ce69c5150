import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { type ChainRules, type Chains, toMarketData } from "./chain.ts";
import { openDirectory } from "../directory/directory.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, Quote, MarketSource } from "../port/market-data.ts";
import { MarketError, type MarketErrorDetails, type MarketErrorKind } from "../port/market-error.ts";

type QuoteSource = MarketSource & Pick<Capabilities, "quote">;

const directory = openDirectory([]);
const listing: Listing = { symbol: "AAPL", name: "Apple Inc.", exchange: "NASDAQ", type: "stock", currency: "USD" };

const market = (chains: Chains, rules: ChainRules = {}) =>
  toMarketData({ directory, mode: "test", today: () => "2024-11-22", chains, rules });
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
  const answer = await quote(answering("fmp", 1), answering("snapshot", 2));
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
  await assert.rejects(quote(failing("fmp", "ambiguous"), answering("snapshot", 2)), { kind: "ambiguous" });
  const broken: QuoteSource = { name: "broken", quote: async () => Promise.reject(new RangeError("a defect")) };
  await assert.rejects(quote(broken, answering("snapshot", 2)), { name: "RangeError" });
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

test("a switch is advised if no source that was asked covers the question, and only then", async () => {
  const rules = { advise: () => "SEC_CONTACT" };
  const ask = async (...sources: readonly QuoteSource[]) => {
    await using scope = open();
    return (await rejection(market({ quote: sources }, rules).quote({ listing }, scope))).details;
  };
  const stored = failing("snapshot", "no_data", { available: "one day", isOutside: true });
  assert.deepEqual(await ask(stored).then(({ available, enable }) => [available, enable]), ["one day", "SEC_CONTACT"]);
  assert.equal((await ask(failing("fmp", "no_data"), stored)).enable, undefined);
  assert.equal((await ask(failing("cboe", "upstream"), stored)).enable, undefined);
});

test("a source that has nothing of the kind is neither a fallback nor a reason", async () => {
  const outside = failing("cboe", "no_data", { isOutside: true });
  const answer = await quote(outside, answering("vndirect", 2));
  assert.equal(answer.provenance.note, undefined);
  const error = await rejection(quote(outside, failing("vndirect", "upstream")));
  assert.equal(error.message, "vndirect says upstream");
});

test("a capability without sources is no data, with the switch that brings it if there is one", async () => {
  await using scope = open();
  const advised = await rejection(market({}, { advise: () => "FMP_API_KEY" }).quote({ listing }, scope));
  assert.deepEqual([advised.kind, advised.details.enable], ["no_data", "FMP_API_KEY"]);
  const unadvised = await rejection(market({}).quote({ listing }, scope));
  assert.deepEqual([unadvised.kind, unadvised.details.enable], ["no_data", undefined]);
});

const hanging = (name: string): QuoteSource => ({ name, quote: (_query, scope) => scope.wait(() => () => undefined) });

const PATIENCE = { totalMs: 2_000, isStored: isSnapshot, isLarge: () => false, isAlive: () => false };

function isSnapshot({ name }: MarketSource): boolean {
  return name === "snapshot";
}

test("sources that do not answer have two seconds together before stored data answers", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  const sources = [hanging("cboe"), hanging("yahoo"), answering("snapshot", 2)];
  const started = clock.now();
  const asked = market({ quote: sources }, { patience: PATIENCE }).quote({ listing }, scope);
  const { data, provenance } = await clock.run(asked);
  assert.deepEqual([data.price, provenance.note], [2, "cboe: upstream; yahoo: upstream; from snapshot"]);
  assert.equal(clock.now() - started, 2_000);
  const none = market({ quote: [hanging("a"), hanging("b"), hanging("c")] }, { patience: PATIENCE });
  await clock.run(assert.rejects(none.quote({ listing }, scope), { kind: "upstream" }));
  assert.equal(clock.now() - started, 2_000 + 2_400, "with nothing stored each has at least 600 ms");
});

test("a source that answers other questions meanwhile is waited for", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  const slow: QuoteSource = {
    name: "cboe",
    quote: async (query, own) => {
      await own.sleep(3_000);
      return answering("cboe", 1).quote(query, own);
    },
  };
  const chains = { quote: [slow, answering("snapshot", 2)] };
  const patience = { ...PATIENCE, isAlive: () => true };
  const { data } = await clock.run(market(chains, { patience }).quote({ listing }, scope));
  assert.equal(data.price, 1);
});

test("a source that has been left alone is not asked, and the answer says why it does not come from it", async () => {
  await using scope = open();
  let isAsked = false;
  const down: QuoteSource = { name: "cboe", quote: () => Promise.reject(((isAsked = true), new Error("asked"))) };
  const resting = ({ name }: MarketSource) => (name === "cboe" ? new MarketError("upstream", "is down") : undefined);
  const market_ = market({ quote: [down, answering("snapshot", 2)] }, { resting });
  const { provenance } = await market_.quote({ listing }, scope);
  assert.deepEqual([isAsked, provenance.note], [false, "cboe: upstream; from snapshot"]);
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
