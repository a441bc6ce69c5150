import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { nyFedSource } from "./nyfed.ts";
import { testFaults } from "../testing/fault-suite.ts";

testFaults({
  name: "New York Fed",
  open: nyFedSource,
  ask: (source, scope) => source.rates?.({ series: "sofr" }, scope),
});

for (const [series, percent] of [
  ["sofr", 4.38],
  ["effr", 4.39],
] as const) {
  test(`${series} without a window is the newest rate, of the business day before`, async () => {
    await using nyfed = await askFake("nyfed");
    const { data, provenance } = await nyfed.ask((source, scope) => source.rates?.({ series }, scope));
    const name = series.toUpperCase();
    assert.deepEqual(data, [{ day: "2026-03-04", name, percent }]);
    assert.equal(provenance.as_of, "2026-03-04T00:00:00Z");
    assert.match(provenance.url ?? "", new RegExp(`/${series}/last/1.json$`));
  });
}

test("a window gives every business day in it, oldest first; its end alone gives the last day up to it", async () => {
  await using nyfed = await askFake("nyfed");
  const window = { series: "sofr", from: "2026-02-20", to: "2026-02-24" };
  const { data } = await nyfed.ask((source, scope) => source.rates?.(window, scope));
  assert.deepEqual(
    data.map(({ day }) => day),
    ["2026-02-20", "2026-02-23", "2026-02-24"],
  );
  const sunday = await nyfed.ask((source, scope) => source.rates?.({ series: "effr", to: "2026-03-01" }, scope));
  assert.deepEqual(
    sunday.data.map(({ day, name }) => `${day} ${name}`),
    ["2026-02-27 EFFR"],
  );
});

test("rates of another type and rows without a rate are left out; none at all is no data", async () => {
  const rows = [
    { effectiveDate: "2026-03-04", type: "SOFRAI", average30day: 4.3 },
    { effectiveDate: "2026-03-04", type: "EFFR", percentRate: 4.33 },
    { effectiveDate: "2026-03-03", type: "SOFR", percentRate: null },
  ];
  await using server = await askFake("nyfed", { answer: () => ({ body: JSON.stringify({ refRates: rows }) }) });
  await server.fails((source, scope) => source.rates?.({ series: "sofr" }, scope), { kind: "no_data" });
  const { data } = await server.ask((source, scope) => source.rates?.({ series: "effr" }, scope));
  assert.deepEqual(data, [{ day: "2026-03-04", name: "EFFR", percent: 4.33 }]);
  await server.fails((source, scope) => source.rates?.({ series: "__proto__" }, scope), { kind: "no_data" });
});
