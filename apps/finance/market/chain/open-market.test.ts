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
  fiscaldata: ["series"],
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

const OPEN = [
  "sec",
  "treasury",
  "nyfed",
  "bls",
  "fiscaldata",
  "worldbank",
  "frankfurter",
  "binance",
  "kraken",
  "coingecko",
  "gdelt",
  "tavily",
];

test("without settings no live source is made, and today is the day of the pack", async () => {
  for (const env of [{}, { FMP_API_KEY: "  ", FMP_BASE_URL: "http://127.0.0.1:1", BATON_FINANCE_LIVE: "off" }]) {
    const { market, made } = await open(env);
    assert.deepEqual(made, []);
    assert.equal(market.mode, "embedded");
    assert.equal(market.today(), "2024-11-22");
  }
});

test("each setting turns on its sources alone, with key and address", async () => {
  const url = "http://127.0.0.1:1";
  const cases = [
    [{ FMP_API_KEY: "k", FMP_BASE_URL: url }, [{ name: "fmp", options: { key: "k", baseUrl: url } }], "live fmp"],
    [{ TAVILY_API_KEY: "t" }, [{ name: "tavily", options: { key: "t" } }], "live tavily"],
    [
      { BATON_FINANCE_SOURCES: " Yahoo,cboe ", CBOE_BASE_URL: url },
      [
        { name: "cboe", options: { baseUrl: url } },
        { name: "yahoo", options: {} },
      ],
      "live cboe+yahoo",
    ],
  ] as const;
  for (const [env, expected, mode] of cases) {
    const { market, made } = await open(env);
    assert.deepEqual(made, expected);
    assert.equal(market.mode, mode);
  }
});

test("--live turns every open source on; the SEC without a contact is off, and not in the mode", async () => {
  const { market, made } = await open({ BATON_FINANCE_LIVE: "on", SEC_CONTACT: "lan@example.org" });
  assert.deepEqual(
    made.map(({ name }) => name),
    OPEN,
  );
  assert.equal(market.mode, `live ${OPEN.join("+")}`);
  assert.deepEqual(made[0], { name: "sec", options: { contact: "lan@example.org" } });
  const without = (await open({ BATON_FINANCE_LIVE: "on" })).market;
  assert.equal(without.mode, `live ${OPEN.slice(1).join("+")}`);
});

test("today is read from the clock at each question, by the capability that is asked for", async () => {
  let now = Date.parse("2026-03-05T02:00:00Z");
  const moving = { now: () => now };
  const env = { BATON_FINANCE_LIVE: "on", SEC_CONTACT: "lan@example.org" };
  const market = await openMarket({ env, clock: moving, pack, directory, sources: fakes().sources });
  assert.deepEqual([market.today(), market.today("filings")], ["2024-11-22", "2026-03-04"]);
  now += 86_400_000;
  assert.deepEqual([market.today("bars"), market.today("filings")], ["2024-11-22", "2026-03-05"]);
  assert.equal((await open({ FMP_API_KEY: "k" })).market.today(), "2026-03-04");
  const named = await open({ BATON_FINANCE_SOURCES: "cboe" });
  assert.deepEqual([named.market.today(), named.market.today("filings")], ["2026-03-04", "2024-11-22"]);
});

test("a setting that cannot be meant is an error that names it and what is known", async () => {
  const cases = [
    [{ BATON_FINANCE_LIVE: "maybe" }, 'BATON_FINANCE_LIVE is "maybe": set it to on or off'],
    [
      { BATON_FINANCE_SOURCES: "cboe,stooq" },
      'BATON_FINANCE_SOURCES has "stooq", which is not a source; the known ones are cboe, vndirect, yahoo',
    ],
    [
      { BATON_FINANCE_SOURCES: "sec" },
      'BATON_FINANCE_SOURCES has "sec", which is not a source to be named: BATON_FINANCE_LIVE=on turns it on; the known ones are cboe, vndirect, yahoo',
    ],
    [
      { BATON_FINANCE_LIVE: "on", SEC_CONTACT: "Lan" },
      "SEC_CONTACT is not an e-mail address; the SEC asks for one at which you can be reached",
    ],
    [
      { BATON_FINANCE_TIMEOUT_SECONDS: "soon" },
      'BATON_FINANCE_TIMEOUT_SECONDS is "soon": set it to seconds, such as 8',
    ],
    [
      { BATON_FINANCE_CHAINS: "quote=kraken" },
      'BATON_FINANCE_CHAINS has "kraken" for quote, which is asked of fmp, cboe, vndirect, yahoo, embedded',
    ],
  ] as const;
  for (const [env, message] of cases) await assert.rejects(open(env), { kind: "not_configured", message });
  await assert.rejects(open({ BATON_FINANCE_CHAINS: "prices=fmp" }), {
    message: /"prices", which is not one of quote/,
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

test("simulated prices never stand in for a live source that fails or has nothing", async () => {
  for (const kind of ["upstream", "no_data", "throttled"] as const) {
    await using scope = newScope();
    const { market } = await open({ FMP_API_KEY: "k", BATON_FINANCE_LIVE: "on" }, fakes(kind));
    const listing = market.directory.get("AAPL") ?? assert.fail();
    const coin = market.directory.get("BTCUSD") ?? assert.fail();
    await assert.rejects(market.quote({ listing }, scope), { kind, message: "fmp was asked" });
    await assert.rejects(market.bars({ listing }, scope), { kind, message: "fmp was asked" });
    await assert.rejects(market.coinPrice({ listing: coin }, scope), {
      kind,
      message: `binance was asked (also asked: kraken: ${kind}; coingecko: ${kind})`,
    });
    await assert.rejects(market.news({ about: "general", limit: 5, page: 0 }, scope), { kind });
  }
});

test("embedded statements, which are real, follow a live source that fails, and the answer says so", async () => {
  await using scope = newScope();
  const { market } = await open({ FMP_API_KEY: "k" }, fakes("upstream"));
  const listing = market.directory.get("AAPL") ?? assert.fail();
  const answer = await market.statements({ listing, statement: "income", period: "annual", limit: 5 }, scope);
  assert.equal(answer.provenance.kind, "real-history");
  assert.match(answer.provenance.note ?? "", /fmp: upstream; from embedded$/);
});

test("what only the SEC has says to set SEC_CONTACT, and so does what stands in for it", async () => {
  await using scope = newScope();
  const market = await openMarket({ env: { BATON_FINANCE_LIVE: "on" }, clock, pack });
  const listing = market.directory.get("AAPL") ?? assert.fail();
  await assert.rejects(market.filings({ listing, forms: [], limit: 5 }, scope), {
    kind: "not_configured",
    message: /set SEC_CONTACT to an e-mail address/,
    details: { enable: "SEC_CONTACT" },
  });
  const statements = { listing, statement: "income", limit: 5 } as const;
  const annual = await market.statements({ ...statements, period: "annual" }, scope);
  assert.match(annual.provenance.note ?? "", /; sec: not_configured, set SEC_CONTACT; from embedded$/);
  await assert.rejects(market.statements({ ...statements, period: "quarter" }, scope), (error) => {
    assert.ok(error instanceof MarketError);
    assert.deepEqual([error.kind, error.details.enable], ["no_data", "SEC_CONTACT"]);
    return true;
  });
  await assert.rejects(market.earnings({ listing, limit: 4 }, scope), { details: { enable: "SEC_CONTACT" } });
});

test("what is missing names the switch that brings it: open ones first, for Vietnam the source to name", async () => {
  await using scope = newScope();
  const enableOf = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => assert.fail("it was answered"),
      (thrown: unknown) => thrown,
    );
    return error instanceof MarketError ? error.details.enable : assert.fail(String(error));
  };
  const embedded = (await open({})).market;
  const live = (await open({ BATON_FINANCE_LIVE: "on", SEC_CONTACT: "lan@example.org" }, fakes("no_data"))).market;
  const cboe = (await open({ BATON_FINANCE_SOURCES: "cboe" })).market;
  const vnm = embedded.directory.get("VNM.VN") ?? assert.fail();
  const aapl = embedded.directory.get("AAPL") ?? assert.fail();
  const spy = embedded.directory.get("SPY") ?? assert.fail();
  for (const market of [embedded, live, cboe]) {
    assert.equal(await enableOf(market.quote({ listing: vnm }, scope)), "--sources vndirect");
    assert.equal(await enableOf(market.bars({ listing: vnm, limit: 5 }, scope)), "--sources vndirect");
  }
  const search = { query: "x", maxResults: 1, useFinanceDomains: false };
  const quarter = { listing: aapl, statement: "income", period: "quarter", limit: 5 } as const;
  assert.equal(await enableOf(embedded.search(search, scope)), "BATON_FINANCE_LIVE=on");
  assert.equal(await enableOf(embedded.statements(quarter, scope)), "BATON_FINANCE_LIVE=on");
  assert.equal(await enableOf(embedded.quote({ listing: spy }, scope)), "FMP_API_KEY");
  assert.equal(await enableOf(live.statements(quarter, scope)), "FMP_API_KEY");
  assert.equal(await enableOf(live.search(search, scope)), undefined);
});

test("a source of another market is passed over without a word; with it alone, US stocks stay embedded", async () => {
  await using scope = newScope();
  const { market } = await open({ BATON_FINANCE_SOURCES: "vndirect" });
  const listing = market.directory.get("AAPL") ?? assert.fail();
  const answer = await market.quote({ listing }, scope);
  assert.deepEqual([answer.provenance.source, answer.data.price], ["embedded", 229.87]);
  assert.doesNotMatch(answer.provenance.note ?? "", /vndirect/);
  const vnm = market.directory.get("VNM.VN") ?? assert.fail();
  await assert.rejects(market.quote({ listing: vnm }, scope), { message: "vndirect was asked" });
});

test("a made-up company is always answered by the embedded data", async () => {
  await using scope = newScope();
  const { market } = await open({ FMP_API_KEY: "k", BATON_FINANCE_SOURCES: "cboe,yahoo" }, fakes("upstream"));
  const [listing] = [...market.directory.listings()].filter(({ exchange }) => exchange === "FICTIONAL");
  assert.ok(listing !== undefined);
  const { provenance } = await market.quote({ listing }, scope);
  assert.deepEqual([provenance.source, provenance.kind], ["embedded", "synthetic"]);
});

test("a snapshot beside live data says how old it is", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const { market } = await open({ BATON_FINANCE_LIVE: "on" });
  const { provenance } = await market.screener({ limit: 3, sector: "Technology" }, scope);
  assert.match(provenance.note ?? "", /of 2024-11-22, \d+ days ago$/);
});

test("a chain may be given another order, and leaves out what is not named", async () => {
  await using scope = newScope();
  const env = { BATON_FINANCE_LIVE: "on", BATON_FINANCE_CHAINS: "coinPrice = kraken,binance ; news=gdelt" };
  const { market } = await open(env, fakes("upstream"));
  const coin = market.directory.get("BTCUSD") ?? assert.fail();
  await assert.rejects(market.coinPrice({ listing: coin }, scope), {
    message: "kraken was asked (also asked: binance: upstream)",
  });
  assert.deepEqual(market.sources().chains["news"], ["gdelt"]);
});

test("the report tells of every source: its group, its switch, its places and how it fared", async () => {
  await using scope = newScope();
  const { market } = await open({ BATON_FINANCE_LIVE: "on", BATON_FINANCE_SOURCES: "yahoo" }, fakes("upstream"));
  const coin = market.directory.get("BTCUSD") ?? assert.fail();
  await assert.rejects(market.coinPrice({ listing: coin }, scope));
  const { sources, chains, mode } = market.sources();
  const byName = new Map(sources.map((source) => [source.name, source]));
  assert.equal(sources.length, Object.keys(SERVED).length + 2);
  assert.deepEqual(
    ["fmp", "sec", "kraken", "yahoo", "cboe", "pack", "embedded"].map((name) => {
      const { group, on, why, enable } = byName.get(name) ?? assert.fail(name);
      return [name, group, on, why, enable];
    }),
    [
      ["fmp", "keyed", false, "FMP_API_KEY is not set", "FMP_API_KEY"],
      ["sec", "open", false, "SEC_CONTACT is not set", "SEC_CONTACT"],
      ["kraken", "open", true, "--live is on", "BATON_FINANCE_LIVE=on"],
      ["yahoo", "unofficial", true, "named by --sources", "--sources yahoo"],
      ["cboe", "unofficial", false, "not named", "--sources cboe"],
      ["pack", "embedded", false, "--data-pack is not given", "--data-pack current"],
      ["embedded", "embedded", true, "always on; simulated prices are never used in place of live ones", undefined],
    ],
  );
  const kraken = byName.get("kraken");
  assert.deepEqual(kraken?.capabilities[0], { capability: "coinPrice", place: 2, of: 4 });
  assert.deepEqual(kraken?.last_error, {
    at: "2025-01-01T00:00:00.000Z",
    kind: "upstream",
    message: "kraken was asked",
  });
  assert.deepEqual(chains["quote"], ["yahoo", "embedded"]);
  assert.match(mode, /^live treasury/);
});
