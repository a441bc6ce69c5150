import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { frankfurterSource } from "./frankfurter.ts";
import { testFaults } from "../testing/fault-suite.ts";

const DONG = { from: "USD", to: "VND" };

testFaults({ name: "Frankfurter", open: frankfurterSource, ask: (source, scope) => source.fx?.(DONG, scope) });
testFaults({
  name: "Frankfurter for a day",
  open: frankfurterSource,
  ask: (source, scope) => source.fx?.({ ...DONG, day: "2026-03-02" }, scope),
});

test("a dollar in dong is the newest fix, and the answer calls it a reference rate", async () => {
  await using fx = await askFake("frankfurter");
  const { data, provenance } = await fx.ask((source, scope) => source.fx?.({ from: "usd", to: "vnd" }, scope));
  assert.deepEqual(data, { day: "2026-03-05", from: "USD", to: "VND", rate: 26_304 });
  assert.match(provenance.note ?? "", /reference rate/);
  assert.deepEqual([provenance.kind, provenance.as_of], ["live", "2026-03-05T00:00:00Z"]);
});

test("a Sunday has the rate of the Friday before, and never of a day after", async () => {
  await using fx = await askFake("frankfurter");
  const { data, provenance } = await fx.ask((source, scope) => source.fx?.({ ...DONG, day: "2026-03-01" }, scope));
  assert.deepEqual([data.day, data.rate], ["2026-02-27", 26_477.8]);
  assert.equal(provenance.kind, "history");
});

test("an unknown currency is no data with the source's words; what is no code is not asked for", async () => {
  await using fx = await askFake("frankfurter");
  const refused = (from: string, to: string, message: RegExp) =>
    fx.fails((source, scope) => source.fx?.({ from, to }, scope), { kind: "no_data", message });
  const past = { from: "XXX", to: "USD", day: "2026-03-02" };
  await refused("USD", "XXX", /invalid currency: XXX/);
  await fx.fails((source, scope) => source.fx?.(past, scope), { kind: "no_data", message: /invalid currency: XXX/ });
  assert.equal(fx.requests.length, 2);
  for (const code of ["", "US", "../x", "USDT", "đô"]) await refused(code, "VND", /three letters/);
  await refused("VND", "vnd", /same currency/);
  assert.equal(fx.requests.length, 2);
});

test("a rate of another pair or of zero is an error; no fix in the days before is no data", async () => {
  let body: unknown = { date: "2026-03-05", base: "USD", quote: "EUR", rate: 0.87 };
  await using server = await askFake("frankfurter", { answer: () => ({ body: JSON.stringify(body) }) });
  await server.fails((source, scope) => source.fx?.(DONG, scope), { kind: "upstream", message: /another pair/ });
  body = { date: "2026-03-05", base: "USD", quote: "VND", rate: 0 };
  await server.fails((source, scope) => source.fx?.(DONG, scope), { kind: "upstream" });
  body = [];
  await server.fails((source, scope) => source.fx?.({ ...DONG, day: "1900-01-05" }, scope), { kind: "no_data" });
});

test("a rate of a later day is not taken for an earlier one, even if the source sends it", async () => {
  const row = (date: string, rate: number) => ({ date, base: "USD", quote: "VND", rate });
  const body = JSON.stringify([row("2026-02-26", 1), row("2026-03-02", 3), row("2026-02-27", 2)]);
  await using server = await askFake("frankfurter", { answer: () => ({ body }) });
  const { data } = await server.ask((source, scope) => source.fx?.({ ...DONG, day: "2026-03-01" }, scope));
  assert.deepEqual([data.day, data.rate], ["2026-02-27", 2]);
});
