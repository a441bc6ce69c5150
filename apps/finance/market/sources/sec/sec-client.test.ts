import assert from "node:assert/strict";
import { test } from "node:test";
import { stock } from "../testing/listings.ts";
import { askFake, type Question } from "../testing/ask-fake.ts";
import { Scope, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { FakeServer } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import { TokenBucket } from "../http/token-bucket.ts";
import { fetchConcept, fetchFrame } from "./statements/company-facts.ts";
import { SEC_RATE, SecClient } from "./sec-client.ts";
import { secSource } from "./sec.ts";

const CONTACT = "Jane Doe jane@company.org";
const baseUrls = ({ url }: FakeServer) => ({ www: url, data: url, search: url });
const search: Question<unknown> = (source, scope) =>
  source.filingSearch?.({ query: "x", forms: [], listings: [], limit: 1 }, scope);
const askIncome =
  (symbol: string): Question<unknown> =>
  (source, scope) =>
    source.statements?.(income(symbol), scope);
const income = (symbol: string) =>
  ({ listing: stock(symbol), statement: "income", period: "annual", limit: 3 }) as const;

test("every request says who asks, and takes compressed answers", async () => {
  await using sec = await askFake("sec", { key: CONTACT });
  await sec.ask(askIncome("AAPL"));
  assert.ok(sec.requests.length >= 3);
  for (const { headers } of sec.requests) {
    assert.equal(headers["user-agent"], `Baton finance ${CONTACT}`);
    assert.match(headers["accept-encoding"] ?? "", /gzip/);
  }
});

test("without a usable contact nothing is asked, and the error names SEC_CONTACT", async () => {
  for (const key of ["", "  ", "me", "me@", "@host.org", "a@b", "a@b.org\r\nX: y", "é@host.org"]) {
    await using sec = await askFake("sec", { key });
    const error = { kind: "not_configured", details: { enable: "SEC_CONTACT" } } as const;
    await sec.fails(askIncome("AAPL"), error);
    await sec.fails((source, scope) => source.holdings?.({ manager: "1067983", limit: 1 }, scope), error);
    assert.equal(sec.requests.length, 0);
  }
  const unset = secSource({ contact: undefined });
  await using scope = Scope.root({ clock: new SkipShortWaitsClock() });
  await assert.rejects(async () => unset.statements?.(income("AAPL"), scope), { kind: "not_configured" });
});

test("a server that never answers is an upstream error after its time limit", async () => {
  await using sec = await askFake("sec", { clock: new SystemClock() });
  const source = secSource({ contact: CONTACT, baseUrls: baseUrls(sec.server), limits: { totalMs: 300 } });
  await sec.fails((_, scope) => source.statements?.(income("ZZSLOW"), scope), {
    kind: "upstream",
    message: /longer than 300 ms/,
  });
});

test("the contact goes to no other host that an answer redirects to", async () => {
  await using other = await FakeServer.start(() => ({ body: "{}" }));
  await using sec = await askFake("sec", { key: CONTACT, elsewhere: other.url });
  await sec.fails((source, scope) => source.statements?.(income("ZZREDIRHOST"), scope), { kind: "upstream" });
  assert.equal(other.requests.length, 1);
  assert.doesNotMatch(JSON.stringify(other.requests), /company\.org/);
});

for (const [fault, kind] of [
  ["down", "upstream"],
  ["error", "upstream"],
  ["throttled", "throttled"],
  ["html", "upstream"],
  ["json", "upstream"],
] as const) {
  test(`with the whole server ${fault}, every error is typed and without the contact`, async () => {
    await using sec = await askFake("sec", { key: CONTACT });
    sec.server.fault = fault;
    await sec.fails(askIncome("AAPL"), { kind });
    await sec.fails(search, { kind });
    await sec.fails((source, scope) => source.holdings?.({ manager: "1067983", limit: 1 }, scope), { kind });
    assert.doesNotMatch(JSON.stringify(sec.source.stats(0)), /company\.org/);
  });
}

test("one host that throttles stops all of them for ten minutes", async () => {
  const clock = new SimulatedClock(1);
  await using sec = await askFake("sec", { clock });
  await sec.fails((source, scope) => source.statements?.(income("ZZ429"), scope), { kind: "throttled" });
  const before = sec.requests.length;
  const retryAt = clock.now() + 600_000;
  await sec.fails(search, { kind: "throttled", details: { retryAt } });
  assert.equal(sec.requests.length, before);
  await clock.advance(600_000);
  assert.ok(await sec.ask(search));
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
  await using sec = await askFake("sec");
  const client = new SecClient({ contact: CONTACT, baseUrls: baseUrls(sec.server) });
  for (const host of ["www", "data", "search", "www", "data", "search"] as const) {
    const path = "/files/company_tickers.json";
    await client.ask({ host, path, query: { x: clock.now() }, what: "x" }, scope);
  }
  // Two come at once, the other four one by one at eight a second.
  assert.equal(clock.monotonic(), 500);
});

test("statistics are those of all hosts", async () => {
  await using sec = await askFake("sec");
  await sec.ask((source, scope) => source.statements?.(income("AAPL"), scope));
  await sec.fails(askIncome("ZZHTML"), { kind: "upstream" });
  const { name, requestsToday, breaker, lastError, lastSuccessAt } = sec.source.stats(sec.clock.now());
  assert.deepEqual([name, requestsToday, breaker, lastError?.kind], ["sec", 4, "closed", "upstream"]);
  assert.ok(lastSuccessAt !== undefined);
});

test("a concept and a frame are read, whether the CIK is a number or text with zeros", async () => {
  await using sec = await askFake("sec");
  const { scope, server } = sec;
  const client = new SecClient({ contact: CONTACT, baseUrls: baseUrls(server) });
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
