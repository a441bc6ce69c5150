/**
 * Market holder: the market of a process, opened by the first that needs it. A person may change the data mode and the
 * contact for the SEC while the server runs: then the market is opened again, and the next question is answered by it.
 */
import type { DataMode } from "../port/data-line.ts";
import { keepContact } from "./kept-contact.ts";
import { DATA, type MarketEnvironment, readMarketSettings, SEC_CONTACT } from "./market-settings.ts";
import type { OpenedMarket } from "./open-market.ts";

/** Settings that can be changed. */
export interface MarketChange {
  readonly data?: DataMode | undefined;
  readonly sec_contact?: string | undefined;
}

/** One market at a time. */
export class MarketHolder {
  readonly #make: (env: MarketEnvironment) => Promise<OpenedMarket>;
  #env: MarketEnvironment;
  #opened: Promise<OpenedMarket> | undefined;

  constructor(env: MarketEnvironment, make: (env: MarketEnvironment) => Promise<OpenedMarket>) {
    this.#env = env;
    this.#make = make;
  }

  /** The market; if opening it failed, the next call tries again. */
  open(): Promise<OpenedMarket> {
    const opened = (this.#opened ??= this.#make(this.#env).catch((thrown: unknown) => {
      if (this.#opened === opened) this.#opened = undefined;
      throw thrown;
    }));
    return opened;
  }

  /** Opens the market with other settings, and keeps the contact for later starts; throws if they are wrong. */
  async change({ data, sec_contact: contact }: MarketChange): Promise<OpenedMarket> {
    const mode = data === undefined ? {} : { [DATA]: data };
    const env = { ...this.#env, ...mode, ...(contact === undefined ? {} : { [SEC_CONTACT]: contact }) };
    const { dataFolder } = readMarketSettings(env);
    if (contact !== undefined) await keepContact(dataFolder, contact);
    this.#env = env;
    this.#opened = undefined;
    return this.open();
  }
}
