import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { vndirectSource } from "./vndirect.ts";

const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "HOSE",
  type: "stock",
  currency: "VND",
  ...rest,
});
const VNM = stock("VNM.VN");
const INDEX = stock("^VNINDEX", { type: "index" });

testFaults({ name: "VNDirect", open: vndirectSource, ask: (source, scope) => source.quote?.({ listing: VNM }, scope) });

test("a stock is in dong, a thousand times what the source sends; an index is in points as it is sent", async () => {
  await using vndirect = await askFake("vndirect");
  const { data, provenance } = await vndirect.ask((source, scope) => source.quote?.({ listing: VNM }, scope));
  const sent = 76.07;
  assert.equal(data.price, Math.round(sent * 1_000));
  assert.equal(data.previousClose, 76_060);
  assert.deepEqual([provenance.unofficial, provenance.source, provenance.kind], [true, "vndirect", "delayed"]);
  assert.equal(provenance.as_of, "2026-03-05T08:00:00.000Z");
  const index = await vndirect.ask((source, scope) => source.quote?.({ listing: INDEX }, scope));
  assert.equal(index.data.price, 257.03);
  assert.equal(vndirect.requests[1]?.query.get("symbol"), "VNINDEX");
  assert.match(vndirect.requests[0]?.headers["user-agent"] ?? "", /^Mozilla/);
});

test("bars are dated by the day in Vietnam and keep a window or a count", async () => {
  await using vndirect = await askFake("vndirect");
  const window = { listing: VNM, from: "2026-02-27", to: "2026-03-03" };
  const { data } = await vndirect.ask((source, scope) => source.bars?.(window, scope));
  assert.deepEqual(
    Array.from(data.t, (t) => new Date(t * 1_000).toISOString().slice(0, 10)),
    ["2026-02-27", "2026-03-02", "2026-03-03"],
  );
  assert.equal(data.c[0], 76_900);
  const count = await vndirect.ask((source, scope) => source.bars?.({ listing: VNM, limit: 40 }, scope));
  assert.equal(count.data.t.length, 40);
});

test("a day that is sent as midnight in Vietnam is the same day", async () => {
  const t = Date.parse("2026-03-05T00:00:00+07:00") / 1_000;
  const body = JSON.stringify({ s: "ok", t: [t], o: [65.3], h: [66.05], l: [65], c: [65.35], v: [1_000] });
  await using server = await askFake("vndirect", { answer: () => ({ body }) });
  const { data } = await server.ask((source, scope) => source.bars?.({ listing: VNM }, scope));
  assert.equal(data.t[0], Date.parse("2026-03-05T00:00:00Z") / 1_000);
  assert.deepEqual([data.o[0], data.h[0], data.c[0]], [65_300, 66_050, 65_350]);
});

test("a holiday, which is an answer of empty arrays, is no data and no failure of the service", async () => {
  const at = Date.parse("2026-02-20T05:00:00Z");
  const empty = { s: "ok", t: [], o: [], h: [], l: [], c: [], v: [] };
  await using vndirect = await askFake("vndirect", { at, body: empty });
  const tet = { listing: VNM, from: "2026-02-16", to: "2026-02-20" };
  for (let call = 0; call < 8; call++) {
    await vndirect.fails((source, scope) => source.bars?.(tet, scope), { kind: "no_data", message: /no trading days/ });
  }
  const { breaker, lastError } = vndirect.source.stats(vndirect.clock.now());
  assert.deepEqual([breaker, lastError], ["closed", undefined]);
  const t = [12, 13].map((day) => Date.UTC(2026, 1, day) / 1_000);
  const body = { s: "ok", t, o: [65, 65], h: [66, 66], l: [64, 64], c: [65, 65.5], v: [1, 1] };
  await using before = await askFake("vndirect", { at, body });
  const { data, provenance } = await before.ask((source, scope) => source.quote?.({ listing: VNM }, scope));
  assert.deepEqual([data.price, provenance.as_of], [65_500, "2026-02-13T08:00:00.000Z"]);
});

for (const [listing, symbol] of [
  [stock("^HNXINDEX", { type: "index", exchange: "HNX" }), "HNX"],
  [stock("^UPCOMINDEX", { type: "index", exchange: "UPCOM" }), "UPCOM"],
  [stock("ACV.VN", { exchange: "UPCOM" }), "ACV"],
] as const) {
  test(`${listing.symbol} is called ${symbol}`, async () => {
    await using vndirect = await askFake("vndirect");
    await vndirect.ask((source, scope) => source.quote?.({ listing }, scope));
    assert.equal(vndirect.requests[0]?.query.get("symbol"), symbol);
  });
}

test("bars within the day are as fine as asked; four hours are joined from nine o'clock", async () => {
  await using vndirect = await askFake("vndirect");
  const { data } = await vndirect.ask((source, scope) => source.intraday?.({ listing: VNM, interval: "15min" }, scope));
  assert.equal((data.t[1] ?? 0) - (data.t[0] ?? 0), 900);
  assert.equal(vndirect.requests[0]?.query.get("resolution"), "15");
  assert.ok((data.c.at(-1) ?? 0) > 10_000);
  const four = await vndirect.ask((source, scope) => source.intraday?.({ listing: VNM, interval: "4hour" }, scope));
  assert.equal(new Date((four.data.t.at(-2) ?? 0) * 1_000).toISOString(), "2026-03-05T02:00:00.000Z");
});

test("an unknown symbol is no data, an error of the service is not, and unequal columns are an error", async () => {
  await using vndirect = await askFake("vndirect");
  await vndirect.fails((source, scope) => source.quote?.({ listing: stock("ZZZ.VN") }, scope), { kind: "no_data" });
  const others = [
    stock("AAPL", { exchange: "NASDAQ", currency: "USD" }),
    stock("VNM"),
    stock("VNM.VN", { type: "crypto" }),
  ];
  for (const listing of others)
    await vndirect.fails((source, scope) => source.quote?.({ listing }, scope), { kind: "no_data" });
  assert.equal(vndirect.requests.length, 1);
  let body: unknown = { s: "error", errmsg: "internal" };
  await using server = await askFake("vndirect", { answer: () => ({ body: JSON.stringify(body) }) });
  const fails = (message: RegExp) =>
    server.fails((source, scope) => source.quote?.({ listing: VNM }, scope), { kind: "upstream", message });
  await fails(/internal/);
  body = { s: "ok", t: [1_772_600_000], o: [1], h: [1], l: [], c: [1], v: [1] };
  await fails(/different lengths/);
});

test("changes are of closes in dong, over the spans that there are", async () => {
  await using vndirect = await askFake("vndirect");
  const { data } = await vndirect.ask((source, scope) => source.change?.({ listing: VNM }, scope));
  assert.ok(Math.abs((data["1M"] ?? 0) - (76_070 / 81_410 - 1) * 100) < 1e-9);
});
