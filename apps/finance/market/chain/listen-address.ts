/**
 * Listen address: where this process serves, which decides whether unofficial sources may be used.
 *
 * Unofficial sources are for personal use: a server that others can reach must not hand their data on.
 */
import { SNAPSHOT_SOURCE } from "../snapshot/stored.ts";
import { openBuiltPack } from "../refresh/pack-folder.ts";
import { type MarketEnvironment, readMarketSettings } from "./market-settings.ts";

/** Where a server is about to listen. */
export type ListenAddress = Readonly<{ host: string; isLoopback: boolean }>;

/** The address of this process; a process that does not listen serves its user alone. */
export class ListenState {
  #isLoopback = true;

  get isLoopback(): boolean {
    return this.#isLoopback;
  }

  /** Notes the address, and checks the settings before the server listens; throws with what to change. */
  listen({ isLoopback }: ListenAddress, env: MarketEnvironment): void {
    const { dataPack, dataFolder } = readMarketSettings(env);
    if (dataPack !== undefined && dataPack !== SNAPSHOT_SOURCE) openBuiltPack(dataFolder, dataPack);
    this.#isLoopback = isLoopback;
  }
}
