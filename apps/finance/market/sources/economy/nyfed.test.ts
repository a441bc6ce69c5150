import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeNyFed } from "../../testing/fake-nyfed.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { nyFedSource } from "./nyfed.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

testFaults({
  name: "New York Fed",
  open: nyFedSource,
  ask: (source, scope) => source.rates?.({ series: "sofr" }, scope),
});

for (const series of ["sofr", "effr"]) {
  test(`${series} without a window is the newest rate, of the business day before`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using nyfed = await FakeNyFed.start({ now: () => NOW });
    const { data, provenance } =
      (await nyFedSource({ baseUrl: nyfed.url }).rates?.({ series }, scope)) ?? assert.fail();
    const name = series.toUpperCase();
    assert.deepEqual(data, [{ day: "2026-03-04", name, percent: FakeNyFed.rateOf(name, "2026-03-04") }]);
    assert.equal(provenance.as_of, "2026-03-04T00:00:00Z");
    assert.match(provenance.url ?? "", new RegExp(`/${series}/last/1.json$`));
  });
}

test("a window gives every business day in it, oldest first; its end alone gives the last day up to it", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using nyfed = await FakeNyFed.start({ now: () => NOW });
  const source = nyFedSource({ baseUrl: nyfed.url });
  const window = { series: "sofr", from: "2026-02-20", to: "2026-02-24" };
  const { data } = (await source.rates?.(window, scope)) ?? assert.fail();
  assert.deepEqual(
    data.map(({ day }) => day),
    ["2026-02-20", "2026-02-23", "2026-02-24"],
  );
  const sunday = (await source.rates?.({ series: "effr", to: "2026-03-01" }, scope)) ?? assert.fail();
  assert.deepEqual(
    sunday.data.map(({ day, name }) => `${day} ${name}`),
    ["2026-02-27 EFFR"],
  );
});

test("rates of another type and rows without a rate are left out; none at all is no data", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const rows = [
    { effectiveDate: "2026-03-04", type: "SOFRAI", average30day: 4.3 },
    { effectiveDate: "2026-03-04", type: "EFFR", percentRate: 4.33 },
    { effectiveDate: "2026-03-03", type: "SOFR", percentRate: null },
  ];
  await using server = await FakeServer.start(() => ({ body: JSON.stringify({ refRates: rows }) }));
  const source = nyFedSource({ baseUrl: server.url });
  await assert.rejects(async () => source.rates?.({ series: "sofr" }, scope), { kind: "no_data" });
  const { data } = (await source.rates?.({ series: "effr" }, scope)) ?? assert.fail();
  assert.deepEqual(data, [{ day: "2026-03-04", name: "EFFR", percent: 4.33 }]);
  await assert.rejects(async () => source.rates?.({ series: "__proto__" }, scope), { kind: "no_data" });
});
