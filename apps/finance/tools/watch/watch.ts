/**
 * Watch tools: the watchlist, alerts and schedules of a user, and the check that the store's clock makes of alerts.
 */
import type { MarketData } from "../../market/port/market-data.ts";
import { listAlerts } from "./list-alerts.ts";
import { removeAlert } from "./remove-alert.ts";
import { setAlert } from "./set-alert.ts";
import { setSchedule } from "./set-schedule.ts";
import { setWatchlist } from "./set-watchlist.ts";
import type { CatalogueEntry, ToolDeps } from "../frame/market-tool.ts";

export { checkAlert } from "./check-alert.ts";

/** Dependencies of watch tools, beside the market. */
export interface WatchDeps extends ToolDeps {
  /** The crew whose runs alerts and schedules start. */
  readonly crew: string;
}

/** The tools with which a user's watching is changed and seen. */
export function watchTools(market: MarketData, { crew, ...deps }: WatchDeps): readonly CatalogueEntry[] {
  const tools = [setWatchlist, setAlert(crew), listAlerts, removeAlert, setSchedule(crew)];
  return tools.map((make) => make(market, deps));
}
