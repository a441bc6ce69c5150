/**
 * Live world: every live source on loopback, and a market over them with the switches that turn them on.
 */
import { openMarket } from "../../market/chain/open-market.ts";
import type { Pack } from "../../market/pack/pack.ts";
import { FakeBinance } from "../../market/testing/fake-binance.ts";
import { FakeBls } from "../../market/testing/fake-bls.ts";
import { FakeCboe } from "../../market/testing/fake-cboe.ts";
import { FakeCoinGecko } from "../../market/testing/fake-coingecko.ts";
import { FakeFiscal } from "../../market/testing/fake-fiscal.ts";
import { FakeFmp } from "../../market/testing/fmp/fake-fmp.ts";
import { FakeFrankfurter } from "../../market/testing/fake-frankfurter.ts";
import { FakeGdelt } from "../../market/testing/fake-gdelt.ts";
import { FakeKraken } from "../../market/testing/fake-kraken.ts";
import { FakeNyFed } from "../../market/testing/fake-nyfed.ts";
import { FakeSec } from "../../market/testing/sec/fake-sec.ts";
import type { Fault } from "../../market/testing/fake-server.ts";
import { FakeTavily } from "../../market/testing/fake-tavily.ts";
import { FakeTreasury } from "../../market/testing/fake-treasury.ts";
import { FakeVndirect } from "../../market/testing/fake-vndirect.ts";
import { FakeWorldBank } from "../../market/testing/fake-worldbank.ts";
import { FakeYahoo } from "../../market/testing/fake-yahoo.ts";

/** Data, clock, fault and settings of the world. */
export interface LiveWorldOptions {
  readonly pack: Pack;
  readonly clock: Readonly<{ now: () => number }>;
  /** Fault that all servers show instead of answering. */
  readonly fault?: Fault;
  /** Settings beside those of the addresses; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The day up to which the fake companies have reports. */
const FILED_UNTIL = "2026-03-06";

const starters = (today: string, now: () => number) =>
  ({
    FMP_BASE_URL: () => FakeFmp.start({ today }),
    SEC_WWW_BASE_URL: () => FakeSec.start({ today: FILED_UNTIL }),
    TREASURY_BASE_URL: () => FakeTreasury.start({ now }),
    NYFED_BASE_URL: () => FakeNyFed.start({ now }),
    BLS_BASE_URL: () => FakeBls.start({ now }),
    FISCALDATA_BASE_URL: () => FakeFiscal.start({ now }),
    WORLDBANK_BASE_URL: () => FakeWorldBank.start(),
    FRANKFURTER_BASE_URL: () => FakeFrankfurter.start({ now }),
    BINANCE_BASE_URL: () => FakeBinance.start(),
    KRAKEN_BASE_URL: () => FakeKraken.start({ now }),
    COINGECKO_BASE_URL: () => FakeCoinGecko.start(),
    GDELT_BASE_URL: () => FakeGdelt.start(),
    TAVILY_BASE_URL: () => FakeTavily.start(),
    CBOE_BASE_URL: () => FakeCboe.start(),
    VNDIRECT_BASE_URL: () => FakeVndirect.start(),
    YAHOO_BASE_URL: () => FakeYahoo.start(),
  }) as const;

/** Starts the servers and opens a market with every open source and FMP on: `await using world = await openLiveWorld(…)`. */
export async function openLiveWorld({ pack, clock, fault = "none", env = {} }: LiveWorldOptions) {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const servers = await Promise.all(
    Object.entries(starters(today, () => clock.now())).map(async ([setting, start]) => ({
      setting,
      server: await start(),
    })),
  );
  for (const { server } of servers) server.fault = fault;
  const urls = Object.fromEntries(servers.map(({ setting, server }) => [setting, server.url]));
  const sec = urls["SEC_WWW_BASE_URL"];
  const market = await openMarket({
    env: {
      FMP_API_KEY: "secret-key-of-fmp",
      TAVILY_API_KEY: "secret-key-of-tavily",
      BATON_FINANCE_DATA: "auto",
      BATON_FINANCE_WITHOUT: "cboe,yahoo,vndirect",
      SEC_CONTACT: "lan@example.com",
      SEC_DATA_BASE_URL: sec,
      SEC_SEARCH_BASE_URL: sec,
      ...urls,
      ...env,
    },
    clock,
    pack,
  });
  return {
    market,
    /** The server behind an address, such as that of `SEC_WWW_BASE_URL`. */
    serverOf: (setting: string) => servers.find((each) => each.setting === setting)?.server,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map(({ server }) => server[Symbol.asyncDispose]()));
    },
  };
}
