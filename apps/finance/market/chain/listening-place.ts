/**
 * Listening place: whether the sources that are on may be served at an address.
 *
 * Unofficial sources are for personal use: a server that others can reach must not hand their data on.
 */
import { EMBEDDED_SOURCE } from "./chain-table.ts";
import { type MarketEnvironment, type MarketSettings, readMarketSettings } from "./market-settings.ts";
import { MarketError } from "../port/market-error.ts";
import { openBuiltPack } from "../refresh/pack-folder.ts";

/** Where a server is about to listen. */
export type ListenAddress = Readonly<{ host: string; isLoopback: boolean }>;

/** Checks the settings of this process, and that they may be used there; throws with what to change. */
export function checkPlace(place: ListenAddress): void {
  requirePlace(process.env, place);
}

/** The settings of an environment; throws if they are wrong or must not be used at that place. */
export function requirePlace(env: MarketEnvironment, { host, isLoopback }: ListenAddress): MarketSettings {
  const settings = readMarketSettings(env);
  const { named, dataPack, dataFolder } = settings;
  if (dataPack !== undefined && dataPack !== EMBEDDED_SOURCE) openBuiltPack(dataFolder, dataPack);
  if (named.length === 0 || isLoopback) return settings;
  const which = `${named.join(", ")} ${named.length === 1 ? "is" : "are"} for your own use on this machine`;
  const message = `${which}, but the server would listen on ${host}: leave --sources out, or listen on 127.0.0.1`;
  throw new MarketError("not_configured", message, { enable: "BATON_FINANCE_SOURCES" });
}
