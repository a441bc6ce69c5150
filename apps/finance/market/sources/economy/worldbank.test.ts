import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeServer } from "../../testing/fake-server.ts";
import { FakeWorldBank } from "../../testing/fake-worldbank.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { scopeAt } from "../testing/scope-at.ts";
import { worldBankSource } from "./worldbank.ts";

const GDP = { series: "GDP", country: "VNM" };

testFaults({ name: "World Bank", open: worldBankSource, ask: (source, scope) => source.series?.(GDP, scope) });

test("a series of Vietnam is its known years, oldest first; a year that is null is absent", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using bank = await FakeWorldBank.start();
  const { data, provenance } = (await worldBankSource({ baseUrl: bank.url }).series?.(GDP, scope)) ?? assert.fail();
  assert.deepEqual([data.id, data.unit, data.frequency, data.country], ["NY.GDP.MKTP.CD", "USD", "year", "VNM"]);
  assert.deepEqual(data.points.at(-1), {
    label: "2023",
    start: "2023-01-01",
    end: "2023-12-31",
    value: FakeWorldBank.valueOf("NY.GDP.MKTP.CD", "VNM", 2023),
  });
  assert.equal(data.points[0]?.label, "1960");
  assert.equal(provenance.as_of, "2023-12-31T00:00:00Z");
});

test("a country has two letters or three, names are found in any spelling, and a window is kept", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using bank = await FakeWorldBank.start();
  const source = worldBankSource({ baseUrl: bank.url });
  const query = { series: "gdp_growth", country: "vn", from: "2019-06-01", to: "2021-01-01" };
  const { data } = (await source.series?.(query, scope)) ?? assert.fail();
  assert.deepEqual(
    data.points.map(({ label }) => label),
    ["2019", "2020", "2021"],
  );
  const other = (await source.series?.({ series: "ag.lnd.frst.zs", country: "DE" }, scope)) ?? assert.fail();
  assert.equal(other.data.title, "Forest area (% of land area)");
});

test("a complaint, which is a list of one, is no data", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using bank = await FakeWorldBank.start();
  const source = worldBankSource({ baseUrl: bank.url });
  const ask = (series: string, country: string) => async () => source.series?.({ series, country }, scope);
  const complaint = { kind: "no_data", message: /parameter value is not valid/ };
  await assert.rejects(ask("XX.YY.ZZ", "VNM"), complaint);
  await assert.rejects(ask("GDP", "ZZZ"), complaint);
  await assert.rejects(ask("SI.POV.GINI", "VNM"), { kind: "no_data", message: /has no SI.POV.GINI of VNM/ });
  const before = bank.requests.length;
  await assert.rejects(ask("happiness", "VNM"), { kind: "no_data" });
  await assert.rejects(ask("GDP", "../../secret"), { kind: "no_data" });
  assert.equal(bank.requests.length, before);
});

test("a complaint of another kind is an error of the service, and an answer for another country is not taken", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  let body: unknown = [{ message: [{ id: "111", key: "Unknown error", value: "Please try later" }] }, null];
  await using server = await FakeServer.start(() => ({ body: JSON.stringify(body) }));
  const source = worldBankSource({ baseUrl: server.url });
  await assert.rejects(async () => source.series?.(GDP, scope), { kind: "upstream", message: /try later/ });
  const row = {
    indicator: { id: "NY.GDP.MKTP.CD" },
    country: { id: "LA" },
    countryiso3code: "LAO",
    date: "2020",
    value: 1,
  };
  body = [{ page: 1, pages: 1 }, [row]];
  await assert.rejects(async () => source.series?.(GDP, scope), { kind: "upstream", message: /another/ });
});
