import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeFrankfurter } from "../../testing/fake-frankfurter.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { frankfurterSource } from "./frankfurter.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

const DONG = { from: "USD", to: "VND" };

testFaults({ name: "Frankfurter", open: frankfurterSource, ask: (source, scope) => source.fx?.(DONG, scope) });
testFaults({
  name: "Frankfurter for a day",
  open: frankfurterSource,
  ask: (source, scope) => source.fx?.({ ...DONG, day: "2026-03-02" }, scope),
});

test("a dollar in dong is the newest fix, and the answer calls it a reference rate", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fx = await FakeFrankfurter.start({ now: () => NOW });
  const { data, provenance } =
    (await frankfurterSource({ baseUrl: fx.url }).fx?.({ from: "usd", to: "vnd" }, scope)) ?? assert.fail();
  const rate = FakeFrankfurter.rateOf("USD", "VND", "2026-03-05");
  assert.deepEqual(data, { day: "2026-03-05", from: "USD", to: "VND", rate });
  assert.match(provenance.note ?? "", /reference rate/);
  assert.deepEqual([provenance.kind, provenance.as_of], ["live", "2026-03-05T00:00:00Z"]);
});

test("a Sunday has the rate of the Friday before, and never of a day after", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fx = await FakeFrankfurter.start({ now: () => NOW });
  const { data, provenance } =
    (await frankfurterSource({ baseUrl: fx.url }).fx?.({ ...DONG, day: "2026-03-01" }, scope)) ?? assert.fail();
  assert.deepEqual([data.day, data.rate], ["2026-02-27", FakeFrankfurter.rateOf("USD", "VND", "2026-02-27")]);
  assert.equal(provenance.kind, "history");
});

test("an unknown currency is no data with the source's words; what is no code is not asked for", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fx = await FakeFrankfurter.start({ now: () => NOW });
  const source = frankfurterSource({ baseUrl: fx.url });
  const ask = (from: string, to: string, day?: string) => async () =>
    source.fx?.(day === undefined ? { from, to } : { from, to, day }, scope);
  await assert.rejects(ask("USD", "XXX"), { kind: "no_data", message: /invalid currency: XXX/ });
  await assert.rejects(ask("XXX", "USD", "2026-03-02"), { kind: "no_data", message: /invalid currency: XXX/ });
  assert.equal(fx.requests.length, 2);
  for (const code of ["", "US", "../x", "USDT", "đô"]) await assert.rejects(ask(code, "VND"), { kind: "no_data" });
  await assert.rejects(ask("VND", "vnd"), { kind: "no_data", message: /same currency/ });
  assert.equal(fx.requests.length, 2);
});

test("a rate of another pair or of zero is an error; no fix in the days before is no data", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  let body: unknown = { date: "2026-03-05", base: "USD", quote: "EUR", rate: 0.87 };
  await using server = await FakeServer.start(() => ({ body: JSON.stringify(body) }));
  const source = frankfurterSource({ baseUrl: server.url });
  await assert.rejects(async () => source.fx?.(DONG, scope), { kind: "upstream", message: /another pair/ });
  body = { date: "2026-03-05", base: "USD", quote: "VND", rate: 0 };
  await assert.rejects(async () => source.fx?.(DONG, scope), { kind: "upstream" });
  body = [];
  await assert.rejects(async () => source.fx?.({ ...DONG, day: "1900-01-05" }, scope), { kind: "no_data" });
});

test("a rate of a later day is not taken for an earlier one, even if the source sends it", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const row = (date: string, rate: number) => ({ date, base: "USD", quote: "VND", rate });
  const body = JSON.stringify([row("2026-02-26", 1), row("2026-03-02", 3), row("2026-02-27", 2)]);
  await using server = await FakeServer.start(() => ({ body }));
  const answer = await frankfurterSource({ baseUrl: server.url }).fx?.({ ...DONG, day: "2026-03-01" }, scope);
  assert.deepEqual([answer?.data.day, answer?.data.rate], ["2026-02-27", 2]);
});
