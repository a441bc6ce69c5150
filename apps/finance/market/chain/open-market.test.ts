import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { SimulatedClock } from "@baton/core/testing";
import type { OpenedSource, SourceOptions } from "../sources/switched-sources.ts";
import type { MarketAsk, MarketSource } from "../port/market-data.ts";
import { MarketError, type MarketErrorKind } from "../port/market-error.ts";
import { openPackDirectory, type PackDirectory } from "../directory/pack-directory.ts";
import { openMarket } from "./open-market.ts";
import { openPack, type Pack } from "../pack/pack.ts";

let pack: Pack;
let directory: PackDirectory;
before(() => {
  pack = openPack();
  directory = openPackDirectory(pack);
});

const clock = { now: () => Date.parse("2026-03-05T02:00:00Z") };

interface Made {
  readonly name: string;
  readonly options: unknown;
}

type Serves = readonly (keyof MarketSource)[];

/** The capabilities of each source in these tests. */
const SERVED: Readonly<Record<string, Serves>> = {
  fmp: ["quote", "bars", "statements", "screener", "news"],
  sec: ["statements", "news", "filings", "earnings"],
  treasury: ["rates"],
  nyfed: ["rates"],
  bls: ["series"],
  worldbank: ["series"],
  frankfurter: ["fx"],
  binance: ["coinPrice", "coinQuote"],
  kraken: ["coinPrice", "coinQuote"],
  coingecko: ["coinPrice"],
  gdelt: ["news"],
  tavily: ["search"],
  cboe: ["quote", "bars"],
  vndirect: ["quote", "bars"],
  yahoo: ["quote", "bars"],
};

/** Factories that note what they are asked to make, and sources that fail. */
function fakes(kind: MarketErrorKind = "throttled") {
  const made: Made[] = [];
  const toSource =
    (name: string, serves: Serves) =>
    ({ key, baseUrl, contact }: SourceOptions): OpenedSource => {
      made.push({ name, options: omitUndefined({ key, baseUrl, ...(name === "sec" ? { contact } : {}) }) });
      const fail: MarketAsk<unknown, never> = async () => {
        throw new MarketError(kind, `${name} was asked`);
      };
      return { name, ...Object.fromEntries(serves.map((capability) => [capability, fail])) };
    };
  const sources = new Map(Object.entries(SERVED).map(([name, serves]) => [name, toSource(name, serves)]));
  return { made, sources };
}

const open = async (env: Record<string, string | undefined>, fake = fakes()) => ({
  market: await openMarket({ env, clock, pack, directory, sources: fake.sources }),
  made: fake.made,
});

const KEYLESS = Object.keys(SERVED).filter((name) => name !== "fmp" && name !== "sec");
const CONTACT = { SEC_CONTACT: "lan@example.org" };
const OFFLINE = { BATON_FINANCE_DATA: "offline" };
const LIVE = { BATON_FINANCE_DATA: "live" };

const namesOf = (made: readonly Made[]): readonly string[] => made.map(({ name }) => name);

test("auto turns on every source without a key; the SEC needs its contact, FMP its key", async () => {
  const url = "http://127.0.0.1:1";
  assert.deepEqual(namesOf((await open({})).made), KEYLESS);
  assert.deepEqual(namesOf((await open({ BATON_FINANCE_DATA: "" })).made), KEYLESS);
  const all = await open({ ...CONTACT, FMP_API_KEY: "k", FMP_BASE_URL: url, BATON_FINANCE_DATA: "Auto" });
  assert.deepEqual(namesOf(all.made), Object.keys(SERVED));
  assert.deepEqual(all.made.slice(0, 2), [
    { name: "fmp", options: { key: "k", baseUrl: url } },
    { name: "sec", options: { contact: "lan@example.org" } },
  ]);
  assert.equal(all.market.mode, `auto ${Object.keys(SERVED).join("+")}`);
});

test("offline makes no source at all, whatever else is set, and today is the day of the snapshot", async () => {
  const { market, made } = await open({ ...OFFLINE, ...CONTACT, FMP_API_KEY: "k", TAVILY_API_KEY: "t" });
  assert.deepEqual(made, []);
  assert.deepEqual([market.mode, market.today(), market.today("filings")], ["offline", "2024-11-22", "2024-11-22"]);
});

test("sources can be turned off one by one, and unofficial ones are off if others can reach the server", async () => {
  const without = await open({ BATON_FINANCE_WITHOUT: " Yahoo, cboe " });
  assert.deepEqual(
    namesOf(without.made),
    KEYLESS.filter((name) => name !== "yahoo" && name !== "cboe"),
  );
  const fake = fakes();
  const market = await openMarket({ env: {}, clock, pack, sources: fake.sources, isLoopback: false });
  assert.deepEqual(
    namesOf(fake.made),
    KEYLESS.filter((name) => !["yahoo", "cboe", "vndirect"].includes(name)),
  );
  const cboe = market.sources().sources.find(({ name }) => name === "cboe");
  assert.deepEqual([cboe?.on, cboe?.enable], [false, undefined]);
  assert.match(cboe?.why ?? "", /does not listen on loopback/);
});

test("a setting that cannot be meant is an error that names it and what is known", async () => {
  const cases = [
    [{ BATON_FINANCE_DATA: "maybe" }, 'BATON_FINANCE_DATA is "maybe": set it to auto, offline or live'],
    [
      { BATON_FINANCE_LIVE: "on" },
      "BATON_FINANCE_LIVE is gone: set BATON_FINANCE_DATA to auto (the default), offline or live",
    ],
    [
      { BATON_FINANCE_SOURCES: "cboe" },
      "BATON_FINANCE_SOURCES is gone: all sources are on; turn single ones off with BATON_FINANCE_WITHOUT",
    ],
    [{ SEC_CONTACT: "Lan" }, "SEC_CONTACT is not an e-mail address; the SEC asks for one at which you can be reached"],
    [
      { BATON_FINANCE_TIMEOUT_SECONDS: "soon" },
      'BATON_FINANCE_TIMEOUT_SECONDS is "soon": set it to seconds, such as 8',
    ],
  ] as const;
  for (const [env, message] of cases) await assert.rejects(open(env), { kind: "not_configured", message });
  await assert.rejects(open({ BATON_FINANCE_WITHOUT: "stooq" }), {
    message: /has "stooq", which is not a source; the known ones are fmp, sec/,
  });
});

test("a key that no header takes is an error that names the setting and does not show the key", async () => {
  for (const name of ["FMP_API_KEY", "TAVILY_API_KEY"]) {
    await assert.rejects(open({ [name]: "abc\ndef" }), {
      kind: "not_configured",
      message: `${name} holds a space, a line break or another character that no key has`,
    });
  }
});

const newScope = () => Scope.root({ clock: new SimulatedClock(1) });

test("auto falls back to the snapshot and says so; a source that failed is left alone for a minute", async () => {
  const simulated = new SimulatedClock(1);
  await using scope = Scope.root({ clock: simulated });
  const fake = fakes("upstream");
  let asked = 0;
  const counted: OpenedSource = {
    name: "cboe",
    quote: async () => {
      asked += 1;
      throw new MarketError("upstream", "cboe was asked");
    },
  };
  const sources = new Map([...fake.sources, ["cboe", () => counted]]);
  const market = await openMarket({ env: {}, clock: simulated, pack, sources });
  const listing = market.directory.get("AAPL") ?? assert.fail();
  for (const count of [1, 1]) {
    const { data, provenance } = await market.quote({ listing }, scope);
    assert.deepEqual([data.price, provenance.source, provenance.kind, asked], [229.87, "snapshot", "snapshot", count]);
    assert.match(
      provenance.note ?? "",
      /of 22 November 2024, .* old; cboe: upstream.*; yahoo: upstream.*; from snapshot$/,
    );
  }
  const cboe = market.sources().sources.find(({ name }) => name === "cboe");
  assert.deepEqual([cboe?.last_error?.message, typeof cboe?.retry_at], ["cboe was asked", "string"]);
  await simulated.advance(60_001);
  await market.quote({ listing }, scope);
  assert.equal(asked, 2);
});

test("live never answers from the snapshot", async () => {
  await using scope = newScope();
  const { market } = await open(LIVE, fakes("upstream"));
  const listing = market.directory.get("AAPL") ?? assert.fail();
  await assert.rejects(market.quote({ listing }, scope), { kind: "upstream", message: /^cboe was asked/ });
  await assert.rejects(market.screener({ limit: 3 }, scope), { kind: "no_data", details: { enable: "FMP_API_KEY" } });
  assert.equal(market.sources().sources.find(({ name }) => name === "snapshot")?.on, false);
});

test("what is missing names the switch that really brings it, and none if none would", async () => {
  await using scope = newScope();
  const enableOf = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => assert.fail("it was answered"),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof MarketError && error.kind === "no_data", String(error));
    return error.details.enable;
  };
  const offline = (await open(OFFLINE)).market;
  const auto = (await open({}, fakes("no_data"))).market;
  const listing = (symbol: string) => offline.directory.get(symbol) ?? assert.fail(symbol);
  const quarter = { listing: listing("AAPL"), statement: "income", period: "quarter", limit: 5 } as const;
  const online = "BATON_FINANCE_DATA=auto";
  assert.equal(await enableOf(offline.quote({ listing: listing("VNM.VN") }, scope)), online);
  assert.equal(await enableOf(offline.bars({ listing: listing("NVDA"), limit: 5 }, scope)), online);
  assert.equal(await enableOf(offline.search({ query: "x", maxResults: 1, useFinanceDomains: false }, scope)), online);
  assert.equal(await enableOf(offline.statements(quarter, scope)), `${online} and SEC_CONTACT`);
  assert.equal(
    await enableOf(offline.calendar({ from: "2024-11-01", to: "2024-11-30" }, scope)),
    `${online} and FMP_API_KEY`,
  );
  assert.equal(await enableOf(auto.statements(quarter, scope)), "SEC_CONTACT");
  assert.equal(await enableOf(auto.filings({ listing: listing("AAPL"), forms: [], limit: 5 }, scope)), "SEC_CONTACT");
  assert.equal(await enableOf(auto.bars({ listing: listing("VNM.VN") }, scope)), undefined);
  const vietnam = { ...quarter, listing: listing("VNM.VN") };
  assert.equal(await enableOf(auto.statements(vietnam, scope)), undefined);
});

test("a source of another market is passed over without a word", async () => {
  await using scope = newScope();
  const { market } = await open({ BATON_FINANCE_WITHOUT: "cboe,yahoo" });
  const listing = market.directory.get("AAPL") ?? assert.fail();
  const answer = await market.quote({ listing }, scope);
  assert.deepEqual([answer.provenance.source, answer.data.price], ["snapshot", 229.87]);
  assert.doesNotMatch(answer.provenance.note ?? "", /vndirect/);
  const vnm = market.directory.get("VNM.VN") ?? assert.fail();
  await assert.rejects(market.quote({ listing: vnm }, scope), { message: "vndirect was asked" });
});

test("today is the clock's while a live source may answer, and the snapshot's while all of them are left alone", async () => {
  const { market } = await open({}, fakes("upstream"));
  assert.equal(market.today(), "2026-03-04");
  const simulated = new SimulatedClock(1);
  const other = await openMarket({ env: {}, clock: simulated, pack, sources: fakes("upstream").sources });
  const listing = other.directory.get("AAPL") ?? assert.fail();
  await other.bars({ listing }, Scope.root({ clock: simulated }));
  assert.equal(other.today(), "2024-11-22");
  assert.equal(other.today("fx"), "2024-12-31");
});

test("the report tells of every source: its group, its switch, its places and how it fared", async () => {
  await using scope = newScope();
  const { market } = await open({ ...LIVE, BATON_FINANCE_WITHOUT: "cboe" }, fakes("upstream"));
  const coin = market.directory.get("BTCUSD") ?? assert.fail();
  await assert.rejects(market.coinPrice({ listing: coin }, scope));
  const { sources, chains, mode, data } = market.sources();
  const byName = new Map(sources.map((source) => [source.name, source]));
  assert.equal(sources.length, Object.keys(SERVED).length + 2);
  assert.deepEqual(
    ["fmp", "sec", "kraken", "yahoo", "cboe", "pack", "snapshot"].map((name) => {
      const { group, on, why, enable } = byName.get(name) ?? assert.fail(name);
      return [name, group, on, why, enable];
    }),
    [
      ["fmp", "keyed", false, "FMP_API_KEY is not set", "FMP_API_KEY"],
      ["sec", "open", false, "SEC_CONTACT is not set", "SEC_CONTACT"],
      ["kraken", "open", true, "the data mode is live", undefined],
      ["yahoo", "unofficial", true, "the data mode is live", undefined],
      ["cboe", "unofficial", false, "turned off by --without", undefined],
      ["pack", "stored", false, "--data-pack is not given", "--data-pack current"],
      ["snapshot", "stored", false, "the data mode is live", "BATON_FINANCE_DATA=auto"],
    ],
  );
  const kraken = byName.get("kraken");
  assert.deepEqual(kraken?.capabilities[0], { capability: "coinPrice", place: 2, of: 3 });
  assert.deepEqual(kraken?.last_error, {
    at: "2025-01-01T00:00:00.000Z",
    kind: "upstream",
    message: "kraken was asked",
  });
  assert.deepEqual([chains["quote"], mode, data.mode], [["vndirect", "yahoo"], "live", "live"]);
});

test("the data line says which data is in use, how old it is, and what there is none of", async () => {
  const now = Date.parse("2026-11-18T00:36:00Z");
  const offline = (await open(OFFLINE)).market.dataLine(now);
  assert.deepEqual([offline.mode, offline.asOf, offline.age], ["offline", "2024-11-22", "two years old"]);
  assert.equal(offline.headline, "Offline snapshot of 22 November 2024: two years old");
  assert.deepEqual(offline.has, [
    "prices, P/E, EPS and dividend yields of US-listed stocks of 22 November 2024 (two years old)",
    "statements FY2012 to FY2016 of 394 US companies",
    "daily history of AAPL to 2018, MSFT to 2016, GE to 2015, ^GSPC to 2020",
    "monthly S&P 500, its earnings and CAPE, US consumer prices and long interest rate to June 2023",
    "Bitcoin to April 2016",
  ]);
  for (const lacking of ["news", "earnings", "Vietnamese stocks"]) assert.ok(offline.lacks.includes(lacking), lacking);
  const auto = (await open({})).market.dataLine(now);
  assert.equal(auto.headline, "Live prices, some delayed 15 minutes");
  assert.ok(!auto.lacks.includes("news") && auto.lacks.includes("filings"));
});
