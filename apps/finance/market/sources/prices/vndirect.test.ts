import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";

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

test("bars within the day are as fine as asked; four hours are joined from nine o'clock", async () => {
  await using vndirect = await askFake("vndirect");
  const { data } = await vndirect.ask((source, scope) => source.intraday?.({ listing: VNM, interval: "15min" }, scope));
  assert.equal((data.t[1] ?? 0) - (data.t[0] ?? 0), 900);
  assert.equal(vndirect.requests[0]?.query.get("resolution"), "15");
  assert.ok((data.c.at(-1) ?? 0) > 10_000);
  const four = await vndirect.ask((source, scope) => source.intraday?.({ listing: VNM, interval: "4hour" }, scope));
  assert.equal(new Date((four.data.t.at(-2) ?? 0) * 1_000).toISOString(), "2026-03-05T02:00:00.000Z");
});
