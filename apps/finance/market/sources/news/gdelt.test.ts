import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import type { NewsQuery } from "../../port/market-data.ts";
import { gdeltSource } from "./gdelt.ts";
import { testFaults } from "../testing/fault-suite.ts";

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
  await using gdelt = await askFake("gdelt");
  const { data, provenance } = await gdelt.ask((source, scope) => source.news?.(HOA_PHAT, scope));
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
    await using gdelt = await askFake("gdelt");
    await gdelt.ask((source, scope) => source.news?.(about(name), scope));
    const sent = gdelt.requests[0]?.query.get("query") ?? "";
    assert.ok(sent.startsWith(query), sent);
    assert.equal(sent.split('"').length % 2, 1);
  });
}

test("a name under five characters is not asked for, because it would be refused", async () => {
  await using gdelt = await askFake("gdelt");
  await gdelt.fails((source, scope) => source.news?.(about("FPT"), scope), { kind: "upstream", message: /at least 5/ });
  assert.equal(gdelt.requests.length, 0);
});

test("what it refuses in plain text with status 200 is an error with its words", async () => {
  const headers = { "content-type": "text/html; charset=utf-8" };
  await using server = await askFake("gdelt", {
    answer: () => ({ body: "The specified phrase is too short.", headers }),
  });
  await server.fails((source, scope) => source.news?.(HOA_PHAT, scope), {
    kind: "upstream",
    message: /phrase is too short/,
  });
});

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

test("a headline that speaks of limits is a headline", async () => {
  const article = {
    url: "https://a.example/",
    title: "Regulator may limit requests",
    seendate: "20260805T113000Z",
    domain: "a.example",
  };
  await using server = await askFake("gdelt", { answer: () => ({ body: JSON.stringify({ articles: [article] }) }) });
  const { data } = await server.ask((source, scope) => source.news?.(HOA_PHAT, scope));
  assert.deepEqual([data[0]?.title, data[0]?.publishedAt], [article.title, "2026-08-05T11:30:00.000Z"]);
});

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

test("without a company it asks for the market, or for coins", async () => {
  const searches = { general: '"stock market"', crypto: "cryptocurrency" };
  for (const topic of ["general", "crypto"] as const) {
    await using gdelt = await askFake("gdelt");
    await gdelt.ask((source, scope) => source.news?.({ about: topic, limit: 3, page: 0 }, scope));
    assert.equal(gdelt.requests[0]?.query.get("query"), searches[topic]);
  }
});
