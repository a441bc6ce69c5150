import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MarketError } from "../../port/market-error.ts";
import { type Answer, FakeServer } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import { BREAKER } from "./breaker.ts";
import { HttpSource, type HttpSourceOptions } from "./http-source.ts";
import { TokenBucket } from "./token-bucket.ts";

const FAST = { burst: 1_000, perSecond: 1_000 };
const newScope = () => Scope.root({ clock: new SystemClock() });

const toSource = (server: FakeServer, more: Partial<HttpSourceOptions> = {}) =>
  new HttpSource({
    name: "test",
    baseUrl: server.url,
    baseUrlSetting: "TEST_BASE_URL",
    rate: FAST,
    judge: () => ({ kind: "ok" }),
    ...more,
  });

test("ten equal requests in flight are one, different ones are not", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(({ path }) => ({ body: JSON.stringify(path) }));
  const source = toSource(server);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => source.ask({ path: "/a", query: { x: 1 } }, scope)),
  );
  assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['"/a"']));
  assert.equal(server.count(), 1);
  await Promise.all([
    source.ask({ path: "/b" }, scope),
    source.ask({ path: "/b", query: { x: 2 } }, scope),
    source.ask({ path: "/b", body: "{}" }, scope),
  ]);
  assert.equal(server.count(), 4);
  await source.ask({ path: "/a", query: { x: 1 } }, scope);
  assert.equal(server.count(), 5);
});

test("one caller's abort does not end the others'; the last one's closes the connection", async () => {
  await using root = newScope();
  await using server = await FakeServer.start(() => ({ body: "", end: "hang" }));
  const source = toSource(server);
  const [first, second] = [root.child({ name: "first" }), root.child({ name: "second" })];
  const firstAsk = assert.rejects(source.ask({ path: "/" }, first), { code: "cancelled" });
  const secondAsk = assert.rejects(source.ask({ path: "/" }, second), { message: "the second has enough" });
  await server.seen(1);
  await first.cancel(new BatonError("cancelled", "stop"));
  await firstAsk;
  assert.equal(await server.connections(), 1);
  const third = root.child({ name: "third" });
  const thirdAsk = assert.rejects(source.ask({ path: "/" }, third), { code: "cancelled" });
  await second.cancel(new BatonError("cancelled", "the second has enough"));
  await third.cancel(new BatonError("cancelled", "stop"));
  await Promise.all([secondAsk, thirdAsk]);
  await server.idle();
  assert.deepEqual([server.count(), await server.connections()], [1, 0]);
  assert.equal(source.stats(0).breaker, "closed");
});

test("after the last caller has left, the next one asks anew", async () => {
  await using root = newScope();
  let isSlow = true;
  await using server = await FakeServer.start(() => (isSlow ? { body: "", end: "hang" } : { body: "[]" }));
  const source = toSource(server);
  const scope = root.child({ name: "impatient" });
  const asked = assert.rejects(source.ask({ path: "/" }, scope), { code: "cancelled" });
  await server.seen(1);
  isSlow = false;
  const cancelling = scope.cancel(new BatonError("cancelled", "stop"));
  assert.equal((await source.ask({ path: "/" }, root)).text, "[]");
  await Promise.all([asked, cancelling]);
});

test("a failure that may pass is tried twice more, after 250 ms and 500 ms and up to half as much again", async () => {
  const clock = new SkipShortWaitsClock();
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ status: 503, body: "" }));
  const source = toSource(server, { breaker: { ...BREAKER, failures: 1_000 } });
  for (let call = 0; call < 20; call++)
    await assert.rejects(source.ask({ path: "/" }, scope), { kind: "upstream", message: /503/ });
  assert.deepEqual([server.count(), clock.waits.length], [60, 40]);
  const isWithin = (waitMs: number, index: number) => {
    const leastMs = index % 2 === 0 ? 250 : 500;
    return waitMs >= leastMs && waitMs <= leastMs * 1.5;
  };
  assert.ok(clock.waits.every(isWithin), clock.waits.join());
  assert.ok(new Set(clock.waits).size > 10, "chance decides");
});

test("a try that succeeds after a failure is the answer", async () => {
  await using scope = Scope.root({ clock: new SkipShortWaitsClock() });
  let tries = 0;
  await using server = await FakeServer.start(() => (++tries < 3 ? { body: "", end: "reset" } : { body: "[]" }));
  const source = toSource(server);
  assert.equal((await source.ask({ path: "/" }, scope)).text, "[]");
  assert.equal(source.stats(0).breaker, "closed");
});

test("a refusal is not tried again, and does not open the breaker", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const error = new MarketError("plan", "no", { symbol: "X" });
  const source = toSource(server, { judge: () => ({ kind: "refused", error }) });
  for (let call = 0; call < 10; call++)
    await assert.rejects(source.ask({ path: "/" }, scope), { kind: "plan", details: { symbol: "X" } });
  assert.deepEqual([server.count(), source.stats(0).breaker], [10, "closed"]);
});

test("a source that is down is left alone, then probed by one request, and used again once that succeeds", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const source = toSource(server);
  const ask = () => source.ask({ path: "/" }, scope);
  server.fault = "html";
  for (let call = 0; call < 5; call++) await assert.rejects(ask(), { kind: "upstream" });
  assert.equal(source.stats(clock.now()).breaker, "open");
  await assert.rejects(ask(), { kind: "upstream", message: /down; it is tried again after 2025-01-01T00:00:10/ });
  assert.equal(server.count(), 5);
  await clock.advance(10_000);
  assert.equal(source.stats(clock.now()).breaker, "half_open");
  await assert.rejects(ask(), { kind: "upstream" });
  assert.deepEqual([server.count(), source.stats(clock.now()).retryAt], [6, "2025-01-01T00:00:40.000Z"]);
  await clock.advance(30_000);
  server.fault = "slow";
  const probe = ask();
  const others = Array.from({ length: 3 }, (_, index) =>
    assert.rejects(source.ask({ path: `/${index}` }, scope), { kind: "upstream" }),
  );
  await Promise.all(others);
  await server.seen(7);
  server.fault = "none";
  const late = assert.rejects(probe, { kind: "upstream" });
  await clock.advance(15_000);
  await late;
  assert.equal(server.count(), 7);
  await clock.advance(60_000);
  await ask();
  assert.deepEqual([server.count(), source.stats(clock.now()).breaker], [8, "closed"]);
});

test("requests wait for their rate in order, and are refused if that takes too long", async () => {
  const clock = new SkipShortWaitsClock();
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const source = toSource(server, { rate: { burst: 2, perSecond: 1, maxWaitMs: 3_000 } });
  const asks = Array.from({ length: 5 }, (_, index) => source.ask({ path: `/${index}` }, scope));
  const retryAt = clock.now() + 4_000;
  await assert.rejects(source.ask({ path: "/5" }, scope), { kind: "throttled", details: { retryAt } });
  await Promise.all(asks);
  assert.deepEqual(clock.waits, [1_000, 2_000, 3_000]);
  assert.equal(server.count(), 5);
});

test("a heavy request uses up as much of the rate as it weighs", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const source = toSource(server, { rate: { burst: 100, perSecond: 10, maxWaitMs: 1_000 } });
  await source.ask({ path: "/", weight: 80 }, scope);
  await assert.rejects(source.ask({ path: "/", weight: 80 }, scope), {
    kind: "throttled",
    details: { retryAt: clock.now() + 6_000 },
  });
  await clock.advance(6_000);
  await source.ask({ path: "/", weight: 80 }, scope);
});

test("a wait that is aborted gives its place back", async () => {
  const clock = new SimulatedClock(1);
  await using root = Scope.root({ clock });
  const bucket = new TokenBucket({ burst: 1, perSecond: 1, maxWaitMs: 1_500 });
  assert.equal(await bucket.take(1, root), 0);
  const scope = root.child({ name: "impatient" });
  const waiting = assert.rejects(bucket.take(1, scope), { code: "cancelled" });
  assert.equal(await bucket.take(1, root), 2_000);
  await scope.cancel(new BatonError("cancelled", "stop"));
  await waiting;
  assert.equal(await clock.run(bucket.take(1, root)), 0);
  assert.equal(clock.monotonic(), 1_000);
});

test("statistics tell the last success and error, and count the requests of the day", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const source = toSource(server);
  const { host } = new URL(server.url);
  assert.deepEqual(source.stats(clock.now()), { name: "test", host, breaker: "closed", requestsToday: 0 });
  await source.ask({ path: "/" }, scope);
  await clock.advance(1_000);
  server.fault = "html";
  await assert.rejects(source.ask({ path: "/" }, scope));
  assert.deepEqual(source.stats(clock.now()), {
    name: "test",
    host,
    breaker: "closed",
    requestsToday: 2,
    lastSuccessAt: "2025-01-01T00:00:00.000Z",
    lastErrorAt: "2025-01-01T00:00:01.000Z",
    lastError: { kind: "upstream", message: "127.0.0.1 answered with an HTML page" },
  });
  await clock.advance(86_400_000);
  assert.equal(source.stats(clock.now()).requestsToday, 0);
});

test("a base URL that cannot be used is named by its setting", async () => {
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const withKey = { secrets: { apikey: "k" } };
  for (const [baseUrl, more] of [
    ["not a url", {}],
    ["ftp://example.com", {}],
    ["https://user:pass@example.com", {}],
    ["https://example.com/?apikey=k", {}],
    ["http://example.com", withKey],
    ["http://10.0.0.1", withKey],
  ] as const) {
    assert.throws(() => toSource(server, { baseUrl, ...more }), {
      kind: "not_configured",
      message: /^TEST_BASE_URL /,
      details: { enable: "TEST_BASE_URL" },
    });
  }
  toSource(server, { baseUrl: "http://example.com" });
  toSource(server, { baseUrl: "http://[::1]:80/path/", ...withKey });
});

test("a source whose base URL is a loopback address under another name or a private one stays away from it", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const { port } = new URL(server.url);
  for (const host of ["10.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254"]) {
    const source = toSource(server, { baseUrl: `http://${host}:${port}` });
    await assert.rejects(source.ask({ path: "/" }, scope), { kind: "upstream", message: /not a public address/ });
  }
  assert.equal(server.count(), 0);
});

test("a path is put under the base's own", async () => {
  await using scope = newScope();
  const echo: Answer = ({ path }) => ({ body: JSON.stringify(path) });
  await using server = await FakeServer.start(echo);
  for (const baseUrl of [`${server.url}/stable`, `${server.url}/stable/`]) {
    assert.equal((await toSource(server, { baseUrl }).ask({ path: "/quote" }, scope)).text, '"/stable/quote"');
  }
});
