import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import type { NewsQuery } from "../../port/market-data.ts";
import { FakeGdelt } from "../../testing/fake-gdelt.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { gdeltSource } from "./gdelt.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

const named = (name: string): Listing => ({ symbol: "HPG.VN", name, exchange: "HOSE", type: "stock", currency: "VND" });
const about = (name: string, rest: Partial<NewsQuery> = {}): NewsQuery => ({
  about: "stock",
  listing: named(name),
  limit: 5,
  page: 0,
  ...rest,
});
const HOA_PHAT = about("Hoa Phat Group");

testFaults({
  name: "GDELT",
  open: gdeltSource,
  ask: (source, scope) => source.news?.(HOA_PHAT, scope),
  except: {
    "plain text with status 200": ["upstream", /refused the search: Service is busy/],
    null: ["upstream", /refused the search: null/],
    // An object without articles is how it says that there are none.
    "another shape": ["no_data", /no news/],
  },
});

test("headlines are found by the company's name, newest first, each once, with links of the web only", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gdelt = await FakeGdelt.start({ now: () => NOW });
  const { data, provenance } = (await gdeltSource({ baseUrl: gdelt.url }).news?.(HOA_PHAT, scope)) ?? assert.fail();
  assert.equal(gdelt.requests[0]?.query.get("query"), '"hoa phat group"');
  assert.deepEqual(
    data.map(({ title, source, url }) => [title, source, url]),
    [
      ["hoa phat group story 0", "paper0.example", "https://paper0.example/story"],
      ["hoa phat group story 2", "paper2.example", undefined],
      ["hoa phat group story 4", "paper4.example", "https://paper4.example/story"],
    ],
  );
  assert.equal(data[0]?.publishedAt, "2026-03-05T20:30:00.000Z");
  assert.deepEqual(data[0]?.symbols, ["HPG.VN"]);
  assert.equal(provenance.as_of, data[0]?.publishedAt);
});

for (const [name, query] of [
  ["Apple Inc.", "apple (stock OR shares OR earnings OR company)"],
  ["Visa Inc.", '"Visa Inc"'],
  ['Joe "Q" (Foods) OR Bar', '"joe q'],
] as const) {
  test(`${name} is searched for as ${query}`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using gdelt = await FakeGdelt.start({ now: () => NOW });
    await gdeltSource({ baseUrl: gdelt.url }).news?.(about(name), scope);
    const sent = gdelt.requests[0]?.query.get("query") ?? "";
    assert.ok(sent.startsWith(query), sent);
    assert.equal(sent.split('"').length % 2, 1);
  });
}

test("a name under five characters is not asked for, because it would be refused", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gdelt = await FakeGdelt.start();
  const source = gdeltSource({ baseUrl: gdelt.url });
  await assert.rejects(async () => source.news?.(about("FPT"), scope), { kind: "upstream", message: /at least 5/ });
  assert.equal(gdelt.requests.length, 0);
});

test("what it refuses in plain text with status 200 is an error with its words", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const headers = { "content-type": "text/html; charset=utf-8" };
  await using server = await FakeServer.start(() => ({ body: "The specified phrase is too short.", headers }));
  await assert.rejects(async () => gdeltSource({ baseUrl: server.url }).news?.(HOA_PHAT, scope), {
    kind: "upstream",
    message: /phrase is too short/,
  });
});

for (const hasteStatus of [200, 429] as const) {
  test(`its complaint of haste with status ${hasteStatus} is throttled, and it is left alone`, async () => {
    const { scope, clock } = scopeAt();
    await using _ = scope;
    await using gdelt = await FakeGdelt.start({ allowed: 0, hasteStatus });
    const source = gdeltSource({ baseUrl: gdelt.url });
    const retryAt = clock.now() + 15_000;
    for (let call = 0; call < 3; call++) {
      await assert.rejects(async () => source.news?.(HOA_PHAT, scope), { kind: "throttled", details: { retryAt } });
    }
    assert.equal(gdelt.requests.length, 1);
  });
}

test("a headline that speaks of limits is a headline", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const article = {
    url: "https://a.example/",
    title: "Regulator may limit requests",
    seendate: "20260805T113000Z",
    domain: "a.example",
  };
  await using server = await FakeServer.start(() => ({ body: JSON.stringify({ articles: [article] }) }));
  const { data } = (await gdeltSource({ baseUrl: server.url }).news?.(HOA_PHAT, scope)) ?? assert.fail();
  assert.deepEqual([data[0]?.title, data[0]?.publishedAt], [article.title, "2026-08-05T11:30:00.000Z"]);
});

test("a second request waits five seconds for its turn; a fourth is told when to come back", async () => {
  const { scope, clock } = scopeAt();
  await using gdelt = await FakeGdelt.start({ now: () => NOW });
  const source = gdeltSource({ baseUrl: gdelt.url });
  await source.news?.(HOA_PHAT, scope);
  // This clock never ends a wait of five seconds.
  const waiting = ["Vinamilk Corporation", "Masan Group"].map(async (name) => source.news?.(about(name), scope));
  await assert.rejects(async () => source.news?.(about("Vietcombank"), scope), {
    kind: "throttled",
    details: { retryAt: clock.now() + 15_000 },
  });
  assert.equal(gdelt.requests.length, 1);
  await scope[Symbol.asyncDispose]();
  const ends = await Promise.allSettled(waiting);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("nothing found is no data, and the second page follows the first", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gdelt = await FakeGdelt.start({ now: () => NOW });
  const none = gdeltSource({ baseUrl: gdelt.url });
  await assert.rejects(async () => none.news?.(about("nobody at all"), scope), { kind: "no_data" });
  const [first, second] = await Promise.all(
    [0, 1].map(async (page) => gdeltSource({ baseUrl: gdelt.url }).news?.({ ...HOA_PHAT, limit: 10, page }, scope)),
  );
  const titles = [...(first?.data ?? []), ...(second?.data ?? [])].map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  assert.ok((second?.data.length ?? 0) > 0);
});

test("without a company it asks for the market, or for coins", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gdelt = await FakeGdelt.start({ now: () => NOW });
  for (const topic of ["general", "crypto"] as const) {
    await gdeltSource({ baseUrl: gdelt.url }).news?.({ about: topic, limit: 3, page: 0 }, scope);
  }
  assert.deepEqual(
    gdelt.requests.map(({ query }) => query.get("query")),
    ['"stock market"', "cryptocurrency"],
  );
});
