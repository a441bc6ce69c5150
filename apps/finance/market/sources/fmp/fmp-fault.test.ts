import assert from "node:assert/strict";
import { test } from "node:test";
import { stock } from "../testing/listings.ts";
import { askFake, type Question } from "../testing/ask-fake.ts";
import { SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { fmpSource } from "./fmp.ts";

const HOUR_MS = 3_600_000;
const askQuote =
  (symbol: string): Question<unknown> =>
  (source, scope) =>
    source.quote?.({ listing: stock(symbol) }, scope);
const askPrice =
  (symbol: string): Question<unknown> =>
  (source, scope) =>
    source.quote?.({ listing: stock(symbol), detail: "price" }, scope);
const income = (symbol: string, limit = 8) =>
  ({ listing: stock(symbol), statement: "income", period: "annual", limit }) as const;

test("a server that never answers is an upstream error after its time limit", async () => {
  await using fmp = await askFake("fmp", { clock: new SystemClock() });
  const source = fmpSource({ key: "k", baseUrl: fmp.server.url, limits: { totalMs: 300 } });
  await fmp.fails((_, scope) => source.quote?.({ listing: stock("ZZSLOW") }, scope), {
    kind: "upstream",
    message: /longer than 300 ms/,
  });
  assert.equal(fmp.requests.length, 1);
});

test("every error names the symbol and none has the key, though the server echoes it", async () => {
  const key = "sup3r/secret";
  await using server = await askFake("fmp", {
    key,
    answer: () => ({
      status: 400,
      body: JSON.stringify({ "Error Message": `bad key ${key} or ${encodeURIComponent(key)}` }),
    }),
  });
  const error: unknown = await server.ask(askQuote("AAPL")).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Error && "details" in error);
  assert.match(error.message, /bad key \[key\]/);
  assert.doesNotMatch(JSON.stringify([error.message, error.stack, error.details, server.source.stats(0)]), /sup3r/);
});

test("a refused number of rows is asked for with five, remembered, and told", async () => {
  const clock = new SimulatedClock(1);
  await using fmp = await askFake("fmp", { clock });
  const limits = () => fmp.requests.map(({ query }) => query.get("limit"));
  const first = await fmp.ask((source, scope) => source.statements?.(income("ZZ402LIM"), scope));
  assert.deepEqual([first.data.length, limits()], [5, ["8", "5"]]);
  assert.match(first.provenance.note ?? "", /allows 5 rows/);
  await fmp.ask((source, scope) => source.statements?.(income("ZZ402LIM"), scope));
  assert.deepEqual(limits(), ["8", "5", "5"]);
  await fmp.ask((source, scope) => source.statements?.(income("ZZ402LIM", 4), scope));
  assert.deepEqual(limits(), ["8", "5", "5", "4"]);
  await clock.advance(24 * HOUR_MS);
  await fmp.ask((source, scope) => source.statements?.(income("ZZ402LIM"), scope));
  assert.deepEqual(limits().slice(4), ["8", "5"]);
});

test("a refused symbol is not asked for again for a day, others are", async () => {
  const clock = new SimulatedClock(1);
  await using fmp = await askFake("fmp", { clock });
  await fmp.fails(askPrice("ZZ402"), { kind: "plan", details: { cause: "plan_symbol", symbol: "ZZ402" } });
  await clock.advance(23 * HOUR_MS);
  await fmp.fails(askPrice("ZZ402"), { kind: "plan" });
  await fmp.ask(askPrice("AAPL"));
  assert.equal(fmp.requests.length, 2);
  await clock.advance(HOUR_MS);
  await fmp.fails(askPrice("ZZ402"), { kind: "plan" });
  assert.equal(fmp.requests.length, 3);
});

test("a refused endpoint is not asked for any symbol for a day, other endpoints are", async () => {
  const clock = new SimulatedClock(1);
  await using fmp = await askFake("fmp", { clock });
  await fmp.fails((source, scope) => source.statements?.(income("ZZ402END"), scope), { kind: "plan" });
  await fmp.fails((source, scope) => source.statements?.(income("AAPL"), scope), { kind: "plan" });
  await fmp.ask((source, scope) => source.quote?.({ listing: stock("AAPL"), detail: "price" }, scope));
  assert.deepEqual(
    fmp.requests.map(({ path }) => path),
    ["/income-statement", "/quote"],
  );
});

test("a used up quota stops the whole account: a probe after a minute, then hourly", async () => {
  const clock = new SimulatedClock(1);
  await using fmp = await askFake("fmp", { clock, allowed: 0 });
  await fmp.fails(askPrice("AAPL"), { kind: "throttled", details: { retryAt: clock.now() + 60_000, symbol: "AAPL" } });
  await fmp.fails(askPrice("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 1);
  await clock.advance(60_000);
  await fmp.fails(askPrice("MSFT"), { kind: "throttled", details: { retryAt: clock.now() + HOUR_MS, symbol: "MSFT" } });
  await clock.advance(HOUR_MS - 1);
  await fmp.fails(askPrice("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 2);
  await clock.advance(1);
  await fmp.fails(askPrice("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 3);
});

for (const [fault, kind] of [
  ["down", "upstream"],
  ["error", "upstream"],
  ["throttled", "throttled"],
  ["html", "upstream"],
  ["json", "upstream"],
] as const) {
  test(`with the whole server ${fault}, the error is typed`, async () => {
    await using fmp = await askFake("fmp");
    fmp.server.fault = fault;
    await fmp.fails(askQuote("AAPL"), { kind });
  });
}
