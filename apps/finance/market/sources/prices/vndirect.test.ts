import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { FakeVndirect } from "../../testing/fake-vndirect.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";
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
  const { scope } = scopeAt();
  await using _ = scope;
  await using vndirect = await FakeVndirect.start({ now: () => NOW });
  const source = vndirectSource({ baseUrl: vndirect.url });
  const { data, provenance } = (await source.quote?.({ listing: VNM }, scope)) ?? assert.fail();
  const sent = FakeVndirect.closeOf("VNM", "2026-03-05");
  assert.equal(data.price, Math.round(sent * 1_000));
  assert.equal(data.previousClose, Math.round(FakeVndirect.closeOf("VNM", "2026-03-04") * 1_000));
  assert.deepEqual([provenance.unofficial, provenance.source, provenance.kind], [true, "vndirect", "delayed"]);
  assert.equal(provenance.as_of, "2026-03-05T08:00:00.000Z");
  const index = (await source.quote?.({ listing: INDEX }, scope)) ?? assert.fail();
  assert.equal(index.data.price, FakeVndirect.closeOf("VNINDEX", "2026-03-05"));
  assert.equal(vndirect.requests[1]?.query.get("symbol"), "VNINDEX");
  assert.match(vndirect.requests[0]?.headers["user-agent"] ?? "", /^Mozilla/);
});

test("bars are dated by the day in Vietnam and keep a window or a count", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using vndirect = await FakeVndirect.start({ now: () => NOW });
  const source = vndirectSource({ baseUrl: vndirect.url });
  const window = { listing: VNM, from: "2026-02-27", to: "2026-03-03" };
  const { data } = (await source.bars?.(window, scope)) ?? assert.fail();
  assert.deepEqual(
    Array.from(data.t, (t) => new Date(t * 1_000).toISOString().slice(0, 10)),
    ["2026-02-27", "2026-03-02", "2026-03-03"],
  );
  assert.equal(data.c[0], Math.round(FakeVndirect.closeOf("VNM", "2026-02-27") * 1_000));
  const count = (await source.bars?.({ listing: VNM, limit: 40 }, scope)) ?? assert.fail();
  assert.equal(count.data.t.length, 40);
});

test("a day that is sent as midnight in Vietnam is the same day", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const t = Date.parse("2026-03-05T00:00:00+07:00") / 1_000;
  const body = JSON.stringify({ s: "ok", t: [t], o: [65.3], h: [66.05], l: [65], c: [65.35], v: [1_000] });
  await using server = await FakeServer.start(() => ({ body }));
  const { data } = (await vndirectSource({ baseUrl: server.url }).bars?.({ listing: VNM }, scope)) ?? assert.fail();
  assert.equal(data.t[0], Date.parse("2026-03-05T00:00:00Z") / 1_000);
  assert.deepEqual([data.o[0], data.h[0], data.c[0]], [65_300, 66_050, 65_350]);
});

test("a holiday, which is an answer of empty arrays, is no data and no failure of the service", async () => {
  const { scope, clock } = scopeAt();
  await using _ = scope;
  const holidays = ["2026-02-16", "2026-02-17", "2026-02-18", "2026-02-19", "2026-02-20"];
  const now = Date.parse("2026-02-20T05:00:00Z");
  await using vndirect = await FakeVndirect.start({ now: () => now, holidays });
  const source = vndirectSource({ baseUrl: vndirect.url });
  const tet = { listing: VNM, from: "2026-02-16", to: "2026-02-20" };
  for (let call = 0; call < 8; call++) {
    await assert.rejects(async () => source.bars?.(tet, scope), { kind: "no_data", message: /no trading days/ });
  }
  assert.equal(source.stats(clock.now()).breaker, "closed");
  assert.equal(source.stats(clock.now()).lastError, undefined);
  const { scope: then } = scopeAt(now);
  await using __ = then;
  const { data, provenance } = (await source.quote?.({ listing: VNM }, then)) ?? assert.fail();
  assert.equal(data.price, Math.round(FakeVndirect.closeOf("VNM", "2026-02-13") * 1_000));
  assert.equal(provenance.as_of, "2026-02-13T08:00:00.000Z");
});

for (const [listing, symbol] of [
  [stock("^HNXINDEX", { type: "index", exchange: "HNX" }), "HNX"],
  [stock("^UPCOMINDEX", { type: "index", exchange: "UPCOM" }), "UPCOM"],
  [stock("ACV.VN", { exchange: "UPCOM" }), "ACV"],
] as const) {
  test(`${listing.symbol} is called ${symbol}`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using vndirect = await FakeVndirect.start({ now: () => NOW });
    await vndirectSource({ baseUrl: vndirect.url }).quote?.({ listing }, scope);
    assert.equal(vndirect.requests[0]?.query.get("symbol"), symbol);
  });
}

test("bars within the day are as fine as asked; four hours are joined from nine o'clock", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using vndirect = await FakeVndirect.start({ now: () => NOW });
  const source = vndirectSource({ baseUrl: vndirect.url });
  const { data } = (await source.intraday?.({ listing: VNM, interval: "15min" }, scope)) ?? assert.fail();
  assert.equal((data.t[1] ?? 0) - (data.t[0] ?? 0), 900);
  assert.equal(vndirect.requests[0]?.query.get("resolution"), "15");
  assert.ok((data.c.at(-1) ?? 0) > 10_000);
  const four = (await source.intraday?.({ listing: VNM, interval: "4hour" }, scope)) ?? assert.fail();
  assert.equal(new Date((four.data.t.at(-2) ?? 0) * 1_000).toISOString(), "2026-03-05T02:00:00.000Z");
});

test("an unknown symbol is no data, an error of the service is not, and unequal columns are an error", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using vndirect = await FakeVndirect.start({ now: () => NOW });
  const source = vndirectSource({ baseUrl: vndirect.url });
  await assert.rejects(async () => source.quote?.({ listing: stock("ZZZ.VN") }, scope), { kind: "no_data" });
  const others = [
    stock("AAPL", { exchange: "NASDAQ", currency: "USD" }),
    stock("VNM"),
    stock("VNM.VN", { type: "crypto" }),
  ];
  for (const listing of others)
    await assert.rejects(async () => source.quote?.({ listing }, scope), { kind: "no_data" });
  assert.equal(vndirect.requests.length, 1);
  let body: unknown = { s: "error", errmsg: "internal" };
  await using server = await FakeServer.start(() => ({ body: JSON.stringify(body) }));
  const odd = vndirectSource({ baseUrl: server.url });
  await assert.rejects(async () => odd.quote?.({ listing: VNM }, scope), { kind: "upstream", message: /internal/ });
  body = { s: "ok", t: [1_772_600_000], o: [1], h: [1], l: [], c: [1], v: [1] };
  await assert.rejects(async () => odd.quote?.({ listing: VNM }, scope), {
    kind: "upstream",
    message: /different lengths/,
  });
});

test("changes are of closes in dong, over the spans that there are", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using vndirect = await FakeVndirect.start({ now: () => NOW });
  const { data } = (await vndirectSource({ baseUrl: vndirect.url }).change?.({ listing: VNM }, scope)) ?? assert.fail();
  const close = (day: string) => Math.round(FakeVndirect.closeOf("VNM", day) * 1_000);
  assert.ok(Math.abs((data["1M"] ?? 0) - (close("2026-03-05") / close("2026-02-05") - 1) * 100) < 1e-9);
});
