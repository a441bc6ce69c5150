/**
 * Watch tools: the watchlist, alerts and schedules of a user, and the check that the store's clock makes of alerts.
 */
import type { MarketData } from "../data/market-data.ts";
import { listAlerts } from "../watch/list-alerts.ts";
import { removeAlert } from "../watch/remove-alert.ts";
import { setAlert } from "../watch/set-alert.ts";
import { setSchedule } from "../watch/set-schedule.ts";
import { setWatchlist } from "../watch/set-watchlist.ts";
import type { CatalogueEntry, ToolDeps } from "./market-tool.ts";

export { checkAlert } from "../watch/check-alert.ts";

/** What watch tools are made with, beside the market. */
export interface WatchDeps extends ToolDeps {
  /** The crew whose runs alerts and schedules start. */
  readonly crew: string;
}

/** The tools with which a user's watching is changed and seen. */
export function watchTools(market: MarketData, { crew, ...deps }: WatchDeps): readonly CatalogueEntry[] {
  const tools = [setWatchlist, setAlert(crew), listAlerts, removeAlert, setSchedule(crew)];
  return tools.map((make) => make(market, deps));
}
