import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeFiscal } from "../../testing/fake-fiscal.ts";
import { fiscalDataSource } from "./fiscaldata.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

testFaults({
  name: "FiscalData",
  open: fiscalDataSource,
  ask: (source, scope) => source.series?.({ series: "debt", country: "US" }, scope),
});

test("the debt is a number of dollars by day, oldest first, though the source sends strings, newest first", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fiscal = await FakeFiscal.start({ now: () => NOW });
  const { data, provenance } =
    (await fiscalDataSource({ baseUrl: fiscal.url }).series?.({ series: "National debt", country: "usa" }, scope)) ??
    assert.fail();
  const { points, ...rest } = data;
  assert.deepEqual(rest, {
    id: "debt_to_penny",
    title: "Total public debt outstanding",
    unit: "USD",
    frequency: "day",
    country: "US",
  });
  assert.equal(points.length, 250);
  const last = points.at(-1);
  assert.deepEqual([last?.end, last?.value], ["2026-03-05", FakeFiscal.debtOf("2026-03-05")]);
  assert.ok(points.every(({ start, end }) => start === end));
  assert.equal(provenance.as_of, "2026-03-05T00:00:00Z");
});

test('a day whose value is "null" is left out, and the answer says so', async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fiscal = await FakeFiscal.start({ now: () => NOW, missing: "2026-03-03" });
  const query = { series: "debt", country: "US", from: "2026-03-02", to: "2026-03-04" };
  const { data, provenance } =
    (await fiscalDataSource({ baseUrl: fiscal.url }).series?.(query, scope)) ?? assert.fail();
  assert.deepEqual(
    data.points.map(({ end }) => end),
    ["2026-03-02", "2026-03-04"],
  );
  assert.match(provenance.note ?? "", /1 days have no value/);
});

test("another country or series, and days before the first record, are no data", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using fiscal = await FakeFiscal.start({ now: () => NOW });
  const source = fiscalDataSource({ baseUrl: fiscal.url });
  await assert.rejects(async () => source.series?.({ series: "debt", country: "VN" }, scope), { kind: "no_data" });
  await assert.rejects(async () => source.series?.({ series: "GDP", country: "US" }, scope), { kind: "no_data" });
  assert.equal(fiscal.requests.length, 0);
  const early = { series: "debt", country: "US", from: "1980-01-01", to: "1981-01-01" };
  await assert.rejects(async () => source.series?.(early, scope), { kind: "no_data" });
});
