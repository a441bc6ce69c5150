import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { FakeSec } from "../../testing/sec/fake-sec.ts";
import { scopeAt } from "../testing/scope-at.ts";
import { secSource } from "./sec.ts";

const stock = (symbol: string, exchange = "NASDAQ"): Listing => {
  return { symbol, name: symbol, exchange, type: "stock", currency: "USD" };
};

test("a company's news are its reports of events, newest first, named by their items and linked", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using sec = await FakeSec.start();
  const source = secSource({ contact: "lan@example.org", baseUrls: FakeSec.baseUrls(sec) });
  const ask = (page: number) => source.news?.({ about: "stock", listing: stock("AAPL"), limit: 3, page }, scope);
  const { data, provenance } = (await ask(0)) ?? assert.fail();
  assert.equal(data.length, 3);
  const times = data.map(({ publishedAt }) => Date.parse(publishedAt));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  assert.ok(data.some(({ title }) => title.startsWith("Apple Inc.: results of operations")));
  for (const { title, source: from, symbols, url = "" } of data) {
    assert.match(title, /\(Form [86]-K\)$/);
    assert.deepEqual([from, symbols], ["SEC EDGAR", ["AAPL"]]);
    assert.ok(url.startsWith(`${sec.url}/Archives/`));
  }
  assert.equal(provenance.as_of, data[0]?.publishedAt);
  const next = (await ask(1)) ?? assert.fail();
  assert.ok(next.data.every(({ url }) => !data.some((item) => item.url === url)));
  await assert.rejects(async () => ask(1_000), { kind: "no_data", details: { symbol: "AAPL" } });
});

test("news that are not of one American company lie outside, and nothing is asked for them", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using sec = await FakeSec.start();
  const source = secSource({ contact: "lan@example.org", baseUrls: FakeSec.baseUrls(sec) });
  const page = { limit: 3, page: 0 };
  for (const query of [
    { about: "general", ...page },
    { about: "crypto", listing: stock("BTCUSD", "CRYPTO"), ...page },
    { about: "stock", listing: stock("VNM.VN", "HOSE"), ...page },
  ] as const) {
    const outside = (error: unknown) =>
      error instanceof Error && "details" in error && JSON.stringify(error.details).includes('"isOutside":true');
    await assert.rejects(async () => source.news?.(query, scope), outside);
  }
  assert.equal(sec.requests.length, 0);
});
