import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { worldBankSource } from "./worldbank.ts";

const GDP = { series: "GDP", country: "VNM" };

testFaults({ name: "World Bank", open: worldBankSource, ask: (source, scope) => source.series?.(GDP, scope) });

test("a series of Vietnam is its known years, oldest first; a year that is null is absent", async () => {
  await using bank = await askFake("worldbank");
  const { data, provenance } = await bank.ask((source, scope) => source.series?.(GDP, scope));
  assert.deepEqual([data.id, data.unit, data.frequency, data.country], ["NY.GDP.MKTP.CD", "USD", "year", "VNM"]);
  assert.deepEqual(data.points.at(-1), {
    label: "2023",
    start: "2023-01-01",
    end: "2023-12-31",
    value: 98_239_952_369,
  });
  assert.equal(data.points[0]?.label, "1960");
  assert.equal(provenance.as_of, "2023-12-31T00:00:00Z");
});

test("a country has two letters or three, names are found in any spelling, and a window is kept", async () => {
  await using bank = await askFake("worldbank");
  const query = { series: "gdp_growth", country: "vn", from: "2019-06-01", to: "2021-01-01" };
  const { data } = await bank.ask((source, scope) => source.series?.(query, scope));
  assert.deepEqual(
    data.points.map(({ label }) => label),
    ["2019", "2020", "2021"],
  );
  const other = await bank.ask((source, scope) => source.series?.({ series: "ag.lnd.frst.zs", country: "DE" }, scope));
  assert.equal(other.data.title, "Forest area (% of land area)");
});

test("a complaint, which is a list of one, is no data", async () => {
  await using bank = await askFake("worldbank");
  const refused = (series: string, country: string, message?: RegExp) =>
    bank.fails((source, scope) => source.series?.({ series, country }, scope), {
      kind: "no_data",
      ...(message && { message }),
    });
  await refused("XX.YY.ZZ", "VNM", /parameter value is not valid/);
  await refused("GDP", "ZZZ", /parameter value is not valid/);
  await refused("SI.POV.GINI", "VNM", /has no SI.POV.GINI of VNM/);
  const before = bank.requests.length;
  await refused("happiness", "VNM");
  await refused("GDP", "../../secret");
  assert.equal(bank.requests.length, before);
});

test("a complaint of another kind is an error of the service, and an answer for another country is not taken", async () => {
  let body: unknown = [{ message: [{ id: "111", key: "Unknown error", value: "Please try later" }] }, null];
  await using server = await askFake("worldbank", { answer: () => ({ body: JSON.stringify(body) }) });
  await server.fails((source, scope) => source.series?.(GDP, scope), { kind: "upstream", message: /try later/ });
  const row = {
    indicator: { id: "NY.GDP.MKTP.CD" },
    country: { id: "LA" },
    countryiso3code: "LAO",
    date: "2020",
    value: 1,
  };
  body = [{ page: 1, pages: 1 }, [row]];
  await server.fails((source, scope) => source.series?.(GDP, scope), { kind: "upstream", message: /another/ });
});
