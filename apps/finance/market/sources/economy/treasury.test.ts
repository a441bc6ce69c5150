import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Reply, Seen } from "../../testing/fake-server.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { parseCurve, treasurySource } from "./treasury.ts";

testFaults({
  name: "Treasury",
  open: treasurySource,
  ask: (source, scope) => source.rates?.({ series: "treasury_curve" }, scope),
  except: {
    "plain text with status 200": ["upstream", /unexpected shape/],
    "an HTML page that says it is JSON": ["upstream", /content type/],
    "broken JSON": ["upstream", /content type/],
    "another shape": ["upstream", /content type/],
    null: ["upstream", /content type/],
    "a cut body": ["upstream", /content type/],
    "an empty body": ["upstream", /content type/],
  },
});

test("the newest curve has every maturity by its name, short ones first, the inserted one in its place", async () => {
  await using treasury = await askFake("treasury");
  const { data, provenance } = await treasury.ask((source, scope) =>
    source.rates?.({ series: "treasury_curve" }, scope),
  );
  assert.deepEqual(
    data.map(({ name }) => name),
    ["1M", "1.5M", "2M", "3M", "4M", "6M", "1Y", "2Y", "3Y", "5Y", "7Y", "10Y", "20Y", "30Y"],
  );
  assert.ok(data.every(({ day }) => day === "2026-03-05"));
  assert.equal(data.find(({ name }) => name === "10Y")?.percent, 4.25);
  assert.equal(data.find(({ name }) => name === "1.5M")?.percent, 4.09);
  assert.equal(provenance.as_of, "2026-03-05T20:30:00.000Z");
  assert.equal(provenance.unofficial, undefined);
  assert.equal(treasury.requests.length, 1);
});

test("a window over two years is read from two files, oldest day first; blanks and N/A are absent, not zero", async () => {
  await using treasury = await askFake("treasury");
  const query = { series: "treasury_curve", from: "2024-12-30", to: "2025-06-17" };
  const { data } = await treasury.ask((source, scope) => source.rates?.(query, scope));
  const days = [...new Set(data.map(({ day }) => day))];
  assert.deepEqual([days[0], days.at(-1)], ["2024-12-30", "2025-06-17"]);
  assert.deepEqual(days, days.toSorted());
  const named = (name: string) => data.filter((rate) => rate.name === name).map(({ day }) => day);
  assert.equal(named("1.5M")[0], "2025-02-18");
  assert.equal(named("20Y").at(-1), "2025-06-16");
  assert.ok(data.every(({ percent }) => percent > 0));
});

test("on the first days of a year the newest curve is the old year's", async () => {
  const answer = ({ path }: Seen): Reply | undefined =>
    path.includes("/2026/") ? { body: 'Date,"1 Mo"\n', headers: { "content-type": "text/csv" } } : undefined;
  await using treasury = await askFake("treasury", { at: Date.parse("2026-01-01T15:00:00Z"), answer });
  const { data } = await treasury.ask((source, scope) => source.rates?.({ series: "treasury_curve" }, scope));
  assert.equal(data[0]?.day, "2025-12-31");
  assert.equal(treasury.requests.length, 2);
});

test("the curve of a holiday is that of the last day before it", async () => {
  await using treasury = await askFake("treasury");
  const query = { series: "real_curve", to: "2025-01-01" };
  const { data } = await treasury.ask((source, scope) => source.rates?.(query, scope));
  assert.deepEqual(
    data.map(({ day, name }) => `${day} ${name}`),
    ["5Y", "7Y", "10Y", "20Y", "30Y"].map((name) => `2024-12-31 ${name}`),
  );
});

test("columns are found by name in any order, and a name that is no maturity is passed over", () => {
  const text = 'Date,"30 Yr","Note","1.5 Month","1 Mo"\r\n03/05/2026,4.7,x,4.2,N/A\r\n03/04/2026,,y,-0.05,4.1\r\n';
  assert.deepEqual(parseCurve(text), [
    { day: "2026-03-04", name: "1M", percent: 4.1 },
    { day: "2026-03-04", name: "1.5M", percent: -0.05 },
    { day: "2026-03-05", name: "1.5M", percent: 4.2 },
    { day: "2026-03-05", name: "30Y", percent: 4.7 },
  ]);
});

for (const text of [
  "",
  "Error: no data",
  'Date,"1 Mo"\n2026-03-05,4.1',
  'Date,"1 Mo"\n02/30/2026,4.1',
  'Date,"1 Mo\n03/05/2026,4',
]) {
  test(`${JSON.stringify(text)} is not a curve`, () => {
    assert.throws(() => parseCurve(text), { kind: "upstream", message: /unexpected shape/ });
  });
}

test("a series that is not the Treasury's, and a window without days, are no data", async () => {
  await using treasury = await askFake("treasury");
  const available = "treasury_curve, real_curve";
  await treasury.fails((source, scope) => source.rates?.({ series: "sofr" }, scope), {
    kind: "no_data",
    details: { available, isOutside: true },
  });
  assert.equal(treasury.requests.length, 0);
  const future = { series: "treasury_curve", from: "2030-01-01" };
  await treasury.fails((source, scope) => source.rates?.(future, scope), { kind: "no_data" });
  const weekend = { series: "treasury_curve", from: "2026-02-28", to: "2026-03-01" };
  await treasury.fails((source, scope) => source.rates?.(weekend, scope), { kind: "no_data" });
});

test("a long window is read for its newest ten years, and the answer says so", async () => {
  await using treasury = await askFake("treasury");
  const query = { series: "treasury_curve", from: "1995-01-01" };
  const { data, provenance } = await treasury.ask((source, scope) => source.rates?.(query, scope));
  assert.equal(data[0]?.day.slice(0, 4), "2017");
  assert.match(provenance.note ?? "", /newest 10 years/);
});

test("a CSV file that is cut is an error", async () => {
  const headers = { "content-type": "text/csv" };
  await using server = await askFake("treasury", {
    answer: () => ({ body: 'Date,"1 Mo"\n03/05/2026,4', headers, end: "cut" }),
  });
  await server.fails((source, scope) => source.rates?.({ series: "treasury_curve" }, scope), {
    kind: "upstream",
    message: /ended too early/,
  });
});
