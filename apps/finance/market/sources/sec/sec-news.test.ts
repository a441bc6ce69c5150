import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake, type Question } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import type { NewsItem } from "../../port/market-data.ts";
import type { Sourced } from "../../port/provenance.ts";

const stock = (symbol: string, exchange = "NASDAQ"): Listing => {
  return { symbol, name: symbol, exchange, type: "stock", currency: "USD" };
};

test("a company's news are its reports of events, newest first, named by their items and linked", async () => {
  await using sec = await askFake("sec");
  const askPage =
    (page: number): Question<Sourced<readonly NewsItem[]>> =>
    (source, scope) =>
      source.news?.({ about: "stock", listing: stock("AAPL"), limit: 3, page }, scope);
  const { data, provenance } = await sec.ask(askPage(0));
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
    assert.ok(url.startsWith(`${sec.server.url}/Archives/`));
  }
  assert.equal(provenance.as_of, data[0]?.publishedAt);
  const next = await sec.ask(askPage(1));
  assert.ok(next.data.every(({ url }) => !data.some((item) => item.url === url)));
  await sec.fails(askPage(1_000), { kind: "no_data", details: { symbol: "AAPL" } });
});
