/**
 * Fake world: every service on loopback at once, and the settings that lead there. All can be taken down together, each
 * in the same way.
 */
import { FakeBinance } from "./fake-binance.ts";
import { FakeBls } from "./fake-bls.ts";
import { FakeCboe } from "./fake-cboe.ts";
import { FakeCoinGecko } from "./fake-coingecko.ts";
import { FakeFiscal } from "./fake-fiscal.ts";
import { FakeFmp } from "./fmp/fake-fmp.ts";
import { FakeFrankfurter } from "./fake-frankfurter.ts";
import { FakeGdelt } from "./fake-gdelt.ts";
import { FakeKraken } from "./fake-kraken.ts";
import { FakeNyFed } from "./fake-nyfed.ts";
import { FakeSec } from "./sec/fake-sec.ts";
import type { Fault, FakeServer } from "./fake-server.ts";
import { FakeTavily } from "./fake-tavily.ts";
import { FakeTreasury } from "./fake-treasury.ts";
import { FakeVndirect } from "./fake-vndirect.ts";
import { FakeWorldBank } from "./fake-worldbank.ts";
import { FakeYahoo } from "./fake-yahoo.ts";

/** Settings of the services. */
export interface FakeWorldOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** The day up to which companies have filed; today if not given. */
  readonly filedUntil?: string;
}

const SETTINGS = {
  fmp: ["FMP_BASE_URL"],
  sec: ["SEC_WWW_BASE_URL", "SEC_DATA_BASE_URL", "SEC_SEARCH_BASE_URL"],
  treasury: ["TREASURY_BASE_URL"],
  nyfed: ["NYFED_BASE_URL"],
  bls: ["BLS_BASE_URL"],
  fiscaldata: ["FISCALDATA_BASE_URL"],
  worldbank: ["WORLDBANK_BASE_URL"],
  frankfurter: ["FRANKFURTER_BASE_URL"],
  binance: ["BINANCE_BASE_URL"],
  kraken: ["KRAKEN_BASE_URL"],
  coingecko: ["COINGECKO_BASE_URL"],
  gdelt: ["GDELT_BASE_URL"],
  tavily: ["TAVILY_BASE_URL"],
  cboe: ["CBOE_BASE_URL"],
  vndirect: ["VNDIRECT_BASE_URL"],
  yahoo: ["YAHOO_BASE_URL"],
} as const;

type Name = keyof typeof SETTINGS;

/** All services, until it is disposed of. */
export class FakeWorld implements AsyncDisposable {
  readonly servers: Readonly<Record<Name, FakeServer>>;

  private constructor(servers: Readonly<Record<Name, FakeServer>>) {
    this.servers = servers;
  }

  static async start({ now = () => Date.now(), filedUntil }: FakeWorldOptions = {}): Promise<FakeWorld> {
    const today = new Date(now()).toISOString().slice(0, 10);
    return new FakeWorld({
      fmp: await FakeFmp.start({ today }),
      sec: await FakeSec.start({ today: filedUntil ?? today }),
      treasury: await FakeTreasury.start({ now }),
      nyfed: await FakeNyFed.start({ now }),
      bls: await FakeBls.start({ now, allowed: Infinity }),
      fiscaldata: await FakeFiscal.start({ now }),
      worldbank: await FakeWorldBank.start(),
      frankfurter: await FakeFrankfurter.start({ now }),
      binance: await FakeBinance.start({ now }),
      kraken: await FakeKraken.start({ now }),
      coingecko: await FakeCoinGecko.start(),
      gdelt: await FakeGdelt.start({ now }),
      tavily: await FakeTavily.start(),
      cboe: await FakeCboe.start({ now }),
      vndirect: await FakeVndirect.start({ now }),
      yahoo: await FakeYahoo.start({ now }),
    });
  }

  /** The base URLs of all services, by setting. */
  get env(): Readonly<Record<string, string>> {
    const all = Object.entries<readonly string[]>(SETTINGS).flatMap(([name, settings]) => {
      const url = Object.entries(this.servers).find(([each]) => each === name)?.[1].url ?? "";
      return settings.map((setting) => [setting, url] as const);
    });
    return Object.fromEntries(all);
  }

  /** Sets the fault of every service. */
  set fault(fault: Fault) {
    for (const server of Object.values(this.servers)) server.fault = fault;
  }

  /** The number of requests to all services. */
  get requests(): number {
    return Object.values(this.servers).reduce((sum, server) => sum + server.requests.length, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of Object.values(this.servers)) await server[Symbol.asyncDispose]();
  }
}
