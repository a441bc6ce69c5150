import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { blsSource } from "./bls.ts";
import { testFaults } from "../testing/fault-suite.ts";

const CPI = { series: "CPI", country: "US" };

testFaults({
  name: "BLS",
  open: blsSource,
  ask: (source, scope) => source.series?.(CPI, scope),
});

test("consumer prices are the months of about three years, oldest first, without the averages of years", async () => {
  await using bls = await askFake("bls");
  const { data, provenance } = await bls.ask((source, scope) => source.series?.(CPI, scope));
  assert.deepEqual([data.id, data.unit, data.frequency, data.country], ["CUUR0000SA0", "index", "month", "US"]);
  assert.deepEqual(data.points[0], {
    label: "2024-01",
    start: "2024-01-01",
    end: "2024-01-31",
    value: 333.365,
  });
  assert.equal(data.points.at(-1)?.end, "2026-02-28");
  assert.ok(
    data.points.every(({ value }) => value < 900),
    "an average of a year is no month",
  );
  assert.equal(provenance.as_of, "2026-02-28T00:00:00Z");
});

test('a month that is "-" is absent, and the answer names it', async () => {
  await using bls = await askFake("bls");
  const query = { ...CPI, from: "2025-09-01", to: "2025-11-30" };
  const { data, provenance } = await bls.ask((source, scope) => source.series?.(query, scope));
  assert.deepEqual(
    data.points.map(({ label }) => label),
    ["2025-09", "2025-11"],
  );
  assert.match(provenance.note ?? "", /not available at the source: 2025-10/);
  assert.equal(bls.requests[0]?.query.get("startyear"), "2025");
});

test("a series that does not exist is no data with the source's words, though the source calls it a success", async () => {
  await using bls = await askFake("bls");
  await bls.fails((source, scope) => source.series?.({ ...CPI, series: "XXUR0000ZZ9" }, scope), {
    kind: "no_data",
    message: /Series does not exist for Series XXUR0000ZZ9/,
  });
  await bls.fails((source, scope) => source.series?.({ ...CPI, series: "happiness" }, scope), { kind: "no_data" });
  await bls.fails((source, scope) => source.series?.({ ...CPI, country: "VN" }, scope), { kind: "no_data" });
  assert.equal(bls.requests.length, 1);
});

test("any id of the bureau works, also one by quarter", async () => {
  await using bls = await askFake("bls");
  const query = { series: "CIU1010000000000A", country: "US", from: "2025-01-01", to: "2025-06-30" };
  const { data } = await bls.ask((source, scope) => source.series?.(query, scope));
  assert.equal(data.frequency, "quarter");
  assert.deepEqual(
    data.points.map(({ label, end, value }) => [label, end, value]),
    [
      ["2025-Q1", "2025-03-31", 125.1],
      ["2025-Q2", "2025-06-30", 125.2],
    ],
  );
});

test("a window is asked for by ten years at most, and the answer says from when on there are values", async () => {
  await using bls = await askFake("bls");
  const query = { ...CPI, from: "2000-01-01", to: "2020-12-31" };
  const { data, provenance } = await bls.ask((source, scope) => source.series?.(query, scope));
  assert.deepEqual([data.points[0]?.label, data.points.length], ["2011-01", 120]);
  assert.match(provenance.note ?? "", /from 2011-01 on/);
});

test("no more than 25 requests leave in a day, whatever is asked", async () => {
  await using bls = await askFake("bls", { allowed: 1_000 });
  const kinds = new Set<string>();
  for (let call = 0; call < 60; call++) {
    await bls.source
      .series?.(CPI, bls.scope)
      .catch((error: unknown) => kinds.add(error instanceof Error ? error.message : ""));
  }
  assert.ok(bls.requests.length <= 25, `${bls.requests.length} requests`);
  assert.deepEqual([...kinds], ["too many requests to bls at once"]);
});

test("the limit of the day comes with status 200 and leaves the service alone until the next day", async () => {
  await using bls = await askFake("bls", { allowed: 0 });
  const retryAt = Date.parse("2026-03-06T00:00:00Z");
  for (let call = 0; call < 3; call++) {
    await bls.fails((source, scope) => source.series?.(CPI, scope), { kind: "throttled", details: { retryAt } });
  }
  assert.equal(bls.requests.length, 1);
  assert.equal(bls.source.stats(bls.clock.now()).breaker, "open");
});

test("an answer for another series is not taken for the one that was asked for", async () => {
  const series = [{ seriesID: "LNS14000000", data: [{ year: "2026", period: "M01", value: "4.1" }] }];
  const body = JSON.stringify({ status: "REQUEST_SUCCEEDED", message: [], Results: { series } });
  await using server = await askFake("bls", { answer: () => ({ body }) });
  await server.fails((source, scope) => source.series?.(CPI, scope), { kind: "no_data" });
});

test("half years and years among the months are left out, because a period is never two", async () => {
  const row = (period: string, value: string) => ({ year: "2025", period, value });
  const data = [row("A01", "9"), row("S02", "8"), row("M02", "2"), row("M13", "7"), row("Q05", "6"), row("M01", "1")];
  const series = [{ seriesID: "CUUR0000SA0", data }];
  const body = JSON.stringify({ status: "REQUEST_SUCCEEDED", message: [], Results: { series } });
  await using server = await askFake("bls", { answer: () => ({ body }) });
  const answer = await server.ask((source, scope) => source.series?.(CPI, scope));
  assert.equal(answer.data.frequency, "month");
  assert.deepEqual(
    answer.data.points.map(({ label, value }) => [label, value]),
    [
      ["2025-01", 1],
      ["2025-02", 2],
    ],
  );
});
