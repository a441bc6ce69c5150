import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import type { Listing } from "../../port/listing.ts";
import { FakeSec, type FakeSecOptions } from "../../testing/sec/fake-sec.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import { TokenBucket } from "../http/token-bucket.ts";
import { fetchConcept, fetchFrame } from "./statements/company-facts.ts";
import { SEC_RATE, SecClient } from "./sec-client.ts";
import { secSource } from "./sec.ts";

const CONTACT = "Jane Doe jane@company.org";
const newScope = () => Scope.root({ clock: new SkipShortWaitsClock() });
const stock = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
});
const income = (symbol: string) =>
  ({ listing: stock(symbol), statement: "income", period: "annual", limit: 3 }) as const;
const over = (sec: FakeSec, contact: string | undefined = CONTACT) =>
  secSource({ contact, baseUrls: FakeSec.baseUrls(sec) });
const start = (options: FakeSecOptions = {}) => FakeSec.start(options);

test("every request says who asks, and takes compressed answers", async () => {
  await using scope = newScope();
  await using sec = await start();
  await over(sec).statements?.(income("AAPL"), scope);
  assert.ok(sec.requests.length >= 3);
  for (const { headers } of sec.requests) {
    assert.equal(headers["user-agent"], `Baton finance ${CONTACT}`);
    assert.match(headers["accept-encoding"] ?? "", /gzip/);
  }
});

test("without a usable contact nothing is asked, and the error names SEC_CONTACT", async () => {
  await using scope = newScope();
  await using sec = await start();
  for (const contact of ["", "  ", "me", "me@", "@host.org", "a@b", "a@b.org\r\nX: y", "é@host.org"]) {
    const source = over(sec, contact);
    const error = { name: "MarketError", kind: "not_configured", details: { enable: "SEC_CONTACT" } };
    await assert.rejects(async () => source.statements?.(income("AAPL"), scope), error);
    await assert.rejects(async () => source.holdings?.({ manager: "1067983", limit: 1 }, scope), error);
  }
  const unset = secSource({ contact: undefined, baseUrls: FakeSec.baseUrls(sec) });
  await assert.rejects(async () => unset.statements?.(income("AAPL"), scope), { kind: "not_configured" });
  assert.equal(sec.requests.length, 0);
});

for (const [symbol, kind, message] of [
  ["ZZ403", "not_configured", /SEC_CONTACT/],
  ["ZZ403RATE", "throttled", /too many requests/],
  ["ZZ429", "throttled", /too many requests/],
  ["ZZ404", "no_data", /the SEC has no facts of CIK/],
  ["ZZ500", "upstream", /500/],
  ["ZZHTML", "upstream", /HTML page/],
  ["ZZHTMLJSON", "upstream", /HTML page/],
  ["ZZCUT", "upstream", /ended too early/],
  ["ZZBOMB", "upstream", /larger than 32 MB/],
  ["ZZTYPE", "upstream", /content type/],
  ["ZZJSON", "upstream", /broken JSON/],
  ["ZZSHAPE", "upstream", /unexpected shape/],
  ["ZZOTHER", "upstream", /another company/],
  ["ZZREDIR", "upstream", /not a public address/],
  ["ZZREDIRFILE", "upstream", /only http and https/],
  ["ZZNOFACTS", "no_data", /report no statements as data/],
  ["ZZUNKNOWN", "no_data", /not in the SEC's list/],
] as const) {
  test(`the SEC's ${symbol} is ${kind}`, async () => {
    await using scope = newScope();
    await using sec = await start();
    await assert.rejects(async () => over(sec).statements?.(income(symbol), scope), {
      name: "MarketError",
      kind,
      message,
    });
  });
}

test("a filing list larger than its limit is an upstream error", async () => {
  await using scope = newScope();
  await using sec = await start();
  const ask = async () => over(sec).filings?.({ listing: stock("ZZBIG"), forms: [], limit: 1 }, scope);
  await assert.rejects(ask, { kind: "upstream", message: /larger than 8 MB/ });
});

test("a server that never answers is an upstream error after its time limit", async () => {
  await using scope = Scope.root({ clock: new SystemClock() });
  await using sec = await start();
  const source = secSource({ contact: CONTACT, baseUrls: FakeSec.baseUrls(sec), limits: { totalMs: 300 } });
  await assert.rejects(async () => source.statements?.(income("ZZSLOW"), scope), {
    kind: "upstream",
    message: /longer than 300 ms/,
  });
});

test("the contact goes to no other host that an answer redirects to", async () => {
  await using scope = newScope();
  await using other = await FakeServer.start(() => ({ body: "{}" }));
  await using sec = await start({ elsewhere: other.url });
  await assert.rejects(async () => over(sec).statements?.(income("ZZREDIRHOST"), scope), { kind: "upstream" });
  assert.equal(other.requests.length, 1);
  assert.doesNotMatch(JSON.stringify(other.requests), /company\.org/);
});

test("every fault of the whole server is a typed error without the contact", async () => {
  await using scope = newScope();
  await using sec = await start();
  for (const [fault, kind] of [
    ["down", "upstream"],
    ["error", "upstream"],
    ["throttled", "throttled"],
    ["html", "upstream"],
    ["json", "upstream"],
  ] as const) {
    sec.fault = fault;
    const source = over(sec);
    const asks = [
      async () => source.statements?.(income("AAPL"), scope),
      async () => source.filingSearch?.({ query: "x", forms: [], listings: [], limit: 1 }, scope),
      async () => source.holdings?.({ manager: "1067983", limit: 1 }, scope),
    ];
    for (const ask of asks) await assert.rejects(ask, { name: "MarketError", kind });
    assert.doesNotMatch(JSON.stringify(source.stats(0)), /company\.org/);
  }
});

test("one host that throttles stops all of them for ten minutes", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using sec = await start();
  const source = over(sec);
  await assert.rejects(async () => source.statements?.(income("ZZ429"), scope), { kind: "throttled" });
  const before = sec.requests.length;
  const retryAt = clock.now() + 600_000;
  const search = async () => source.filingSearch?.({ query: "x", forms: [], listings: [], limit: 1 }, scope);
  await assert.rejects(search, { kind: "throttled", details: { retryAt } });
  assert.equal(sec.requests.length, before);
  await clock.advance(600_000);
  assert.ok(await search());
});

test("all hosts together get at most ten requests in any second", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  const bucket = new TokenBucket(SEC_RATE);
  const times: number[] = [];
  const take = async () => {
    await bucket.take(1, scope);
    times.push(clock.monotonic());
  };
  await scope.all([...Array.from({ length: 35 }, () => take), () => clock.advance(60_000)]);
  assert.equal(times.length, 35);
  times.forEach((time) => {
    const within = times.filter((other) => other >= time && other < time + 1_000);
    assert.ok(within.length <= 10, `${within.length} in a second`);
  });
});

test("the hosts share one rate", async () => {
  const clock = new SkipShortWaitsClock();
  await using scope = Scope.root({ clock });
  await using sec = await start();
  const client = new SecClient({ contact: CONTACT, baseUrls: FakeSec.baseUrls(sec) });
  for (const host of ["www", "data", "search", "www", "data", "search"] as const) {
    const path = "/files/company_tickers.json";
    await client.ask({ host, path, query: { x: clock.now() }, what: "x" }, scope);
  }
  // Two come at once, the other four one by one at eight a second.
  assert.equal(clock.monotonic(), 500);
});

test("an answer that did not change is not sent again", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using sec = await start();
  const source = over(sec);
  const ask = async () => (await source.filings?.({ listing: stock("AAPL"), forms: ["10-K"], limit: 2 }, scope))?.data;
  const first = await ask();
  await clock.advance(120_000);
  assert.deepEqual(await ask(), first);
  const asked = sec.requests.filter(({ path }) => path.startsWith("/submissions/"));
  assert.deepEqual(
    asked.map(({ headers }) => headers["if-none-match"] !== undefined),
    [false, true],
  );
  assert.equal(sec.count("/files/company_tickers.json"), 1);
});

test("the list of companies and a company's facts are fetched once for several questions", async () => {
  await using scope = newScope();
  await using sec = await start();
  const source = over(sec);
  await source.statements?.(income("AAPL"), scope);
  await source.statements?.({ ...income("AAPL"), statement: "balance", period: "quarter" }, scope);
  await source.metrics?.({ listing: stock("AAPL"), set: "ratios", period: "ttm", limit: 1 }, scope);
  assert.deepEqual(
    sec.requests.map(({ path }) => path),
    ["/files/company_tickers.json", "/api/xbrl/companyfacts/CIK0000320193.json", "/submissions/CIK0000320193.json"],
  );
});

test("statistics are those of all hosts", async () => {
  await using scope = newScope();
  await using sec = await start();
  const source = over(sec);
  await source.statements?.(income("AAPL"), scope);
  await assert.rejects(async () => source.statements?.(income("ZZHTML"), scope));
  const { name, requestsToday, breaker, lastError, lastSuccessAt } = source.stats(new SkipShortWaitsClock().now());
  assert.deepEqual([name, requestsToday, breaker, lastError?.kind], ["sec", 4, "closed", "upstream"]);
  assert.ok(lastSuccessAt !== undefined);
});

test("a concept and a frame are read, whether the CIK is a number or text with zeros", async () => {
  await using scope = newScope();
  await using sec = await start();
  const client = new SecClient({ contact: CONTACT, baseUrls: FakeSec.baseUrls(sec) });
  const assets = await fetchConcept({ client, concept: "us-gaap:Assets" }, "0000320193", scope);
  assert.ok((assets.concepts.get("us-gaap:Assets")?.get("USD")?.length ?? 0) > 10);
  const query = { concept: "us-gaap:Assets", unit: "USD", frame: "CY2024Q4I" };
  const { rows } = await fetchFrame(client, query, scope);
  assert.deepEqual(
    rows.map(({ cik }) => cik),
    ["0000320193", "0000019617", "0001652044", "0000909832"],
  );
  assert.equal(sec.requests.at(-1)?.path, "/api/xbrl/frames/us-gaap/Assets/USD/CY2024Q4I.json");
  await assert.rejects(fetchFrame(client, { ...query, frame: "CY1990" }, scope), { kind: "no_data" });
});
