import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { SimulatedClock } from "@baton/core/testing";
import type { Listing } from "../../port/listing.ts";

const NVDA: Listing = { symbol: "NVDA", name: "NVIDIA", exchange: "NASDAQ", type: "stock", currency: "USD" };

test("movers leave penny stocks out and have their change in percent", async () => {
  await using fmp = await askFake("fmp", { directory: { get: (symbol) => (symbol === "NVDA" ? NVDA : undefined) } });
  for (const [list, path, sign] of [
    ["gainers", "/biggest-gainers", 1],
    ["losers", "/biggest-losers", -1],
    ["active", "/most-actives", 1],
  ] as const) {
    const { data } = await fmp.ask((source, scope) => source.movers?.({ list, limit: 5 }, scope));
    assert.equal(fmp.requests.at(-1)?.path, path);
    assert.equal(data.length, 5);
    assert.ok(data.every(({ price, changePercent = 0 }) => price >= 1 && Math.sign(changePercent) === sign));
    assert.equal(data.find(({ listing }) => listing.symbol === "NVDA")?.listing, NVDA);
    assert.equal(data[0]?.listing.currency, "USD");
  }
});

test("sectors of the last day that has any are given if no day is asked for", async () => {
  const clock = new SimulatedClock(1); // starts on Wednesday 2025-01-01, still Tuesday in New York
  const answers = new Map([
    [
      "2024-12-30",
      [
        { date: "2024-12-30", sector: "Energy", exchange: "NASDAQ", averageChange: 1 },
        { date: "2024-12-30", sector: "Energy", exchange: "NYSE", averageChange: 2 },
        { date: "2024-12-30", sector: "Utilities", exchange: "NYSE", averageChange: null },
      ],
    ],
  ]);
  await using server = await askFake("fmp", {
    clock,
    answer: ({ query }) => ({
      body: JSON.stringify(answers.get(query.get("date") ?? "") ?? []),
    }),
  });
  const { data, provenance } = await server.ask((source, scope) => source.sectors?.({}, scope));
  assert.deepEqual(data, [{ sector: "Energy", changePercent: 1.5 }]);
  assert.equal(provenance.as_of, "2024-12-30T21:00:00.000Z");
  assert.match(provenance.note ?? "", /NASDAQ and NYSE/);
  assert.deepEqual(
    server.requests.map(({ query }) => query.get("date")),
    ["2024-12-31", "2024-12-30"],
  );
  await server.fails((source, scope) => source.sectors?.({ day: "2024-12-25" }, scope), { kind: "no_data" });
});

test("constituents have the directory's listing", async () => {
  await using fmp = await askFake("fmp", { directory: { get: (symbol) => (symbol === "NVDA" ? NVDA : undefined) } });
  const { data } = await fmp.ask((source, scope) => source.constituents?.({ index: "dowjones", limit: 4 }, scope));
  assert.equal(data.length, 4);
  assert.equal(data[2]?.listing, NVDA);
  assert.equal(fmp.requests[0]?.path, "/dowjones-constituent");
});

test("news goes to the endpoint of its subject, in New York's time, as bounded text with a link of the web only", async () => {
  await using fmp = await askFake("fmp");
  await fmp.ask((source, scope) => source.news?.({ about: "stock", listing: NVDA, limit: 3, page: 1 }, scope));
  await fmp.ask((source, scope) => source.news?.({ about: "stock", limit: 3, page: 0 }, scope));
  await fmp.ask((source, scope) =>
    source.news?.({ about: "crypto", listing: { ...NVDA, symbol: "BTCUSD" }, limit: 3, page: 0 }, scope),
  );
  await fmp.ask((source, scope) => source.news?.({ about: "crypto", limit: 3, page: 0 }, scope));
  const general = await fmp.ask((source, scope) => source.news?.({ about: "general", limit: 3, page: 0 }, scope));
  assert.deepEqual(
    fmp.requests.map(({ path }) => path),
    ["/news/stock", "/news/stock-latest", "/news/crypto", "/news/crypto-latest", "/news/general-latest"],
  );
  assert.deepEqual(
    general.data.map(({ symbols }) => symbols),
    [[], [], []],
  );
  await using server = await askFake("fmp", {
    body: [
      {
        symbol: "NVDA",
        publishedDate: "2025-07-01 09:30:00",
        publisher: "",
        site: "a.com",
        title: ` x\u0000\n\u202Ey ${"z".repeat(900)}`,
        text: null,
        url: "javascript:alert(1)",
      },
      { symbol: "NVDA", publishedDate: "2025-07-01 09:30:00", title: null },
      { symbol: "NVDA", publishedDate: "soon", title: "no date" },
      { symbol: "AAPL", publishedDate: "2025-07-01 09:30:00", title: "of another company" },
    ],
  });
  const odd = await server.ask((source, scope) =>
    source.news?.({ about: "stock", listing: NVDA, limit: 9, page: 0 }, scope),
  );
  const [item, ...rest] = odd.data;
  assert.equal(rest.length, 0);
  assert.match(item?.title ?? "", /^x y z+…$/);
  assert.deepEqual(
    [item?.source, item?.publishedAt, item?.url, item?.text],
    ["a.com", "2025-07-01T13:30:00.000Z", undefined, undefined],
  );
});
