import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import type { NewsQuery } from "../../port/market-data.ts";

const named = (name: string): Listing => ({ symbol: "HPG.VN", name, exchange: "HOSE", type: "stock", currency: "VND" });
const about = (name: string, rest: Partial<NewsQuery> = {}): NewsQuery => ({
  about: "stock",
  listing: named(name),
  limit: 5,
  page: 0,
  ...rest,
});
const HOA_PHAT = about("Hoa Phat Group");

const HASTE = {
  body: "Please limit requests to one every 5 seconds or contact the project for larger queries.\n",
  headers: { "content-type": "text/html; charset=utf-8" },
};

for (const hasteStatus of [200, 429] as const) {
  test(`its complaint of haste with status ${hasteStatus} is throttled, and it is left alone`, async () => {
    await using gdelt = await askFake("gdelt", { answer: () => ({ ...HASTE, status: hasteStatus }) });
    const retryAt = gdelt.clock.now() + 15_000;
    for (let call = 0; call < 3; call++) {
      await gdelt.fails((source, scope) => source.news?.(HOA_PHAT, scope), { kind: "throttled", details: { retryAt } });
    }
    assert.equal(gdelt.requests.length, 1);
  });
}

test("a second request waits five seconds for its turn; a fourth is told when to come back", async () => {
  await using gdelt = await askFake("gdelt");
  const askFor = (query: NewsQuery) => gdelt.ask((source, scope) => source.news?.(query, scope));
  await askFor(HOA_PHAT);
  // This clock never ends a wait of five seconds.
  const waiting = ["Vinamilk Corporation", "Masan Group"].map((name) => askFor(about(name)));
  await gdelt.fails((source, scope) => source.news?.(about("Vietcombank"), scope), {
    kind: "throttled",
    details: { retryAt: gdelt.clock.now() + 15_000 },
  });
  assert.equal(gdelt.requests.length, 1);
  await gdelt.scope[Symbol.asyncDispose]();
  const ends = await Promise.allSettled(waiting);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("nothing found is no data, and the second page follows the first", async () => {
  await using gdelt = await askFake("gdelt");
  await gdelt.fails((source, scope) => source.news?.(about("nobody at all"), scope), { kind: "no_data" });
  const pageOf = async (page: number) => {
    await using fresh = await askFake("gdelt");
    return (await fresh.ask((source, scope) => source.news?.({ ...HOA_PHAT, limit: 10, page }, scope))).data;
  };
  const [first, second] = [await pageOf(0), await pageOf(1)];
  const titles = [...first, ...second].map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  assert.ok(second.length > 0);
});
