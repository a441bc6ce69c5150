/**
 * Check alert: looks whether an alert fires. The store's clock calls it, no agent does.
 *
 * It reads only: what it has seen goes back to the schedule with its answer. A source that fails fails the check, which
 * is tried again at its next time.
 */
import { defineTool, type Json, type Tool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { MarketData } from "../../market/port/market-data.ts";
import type { ToolDeps } from "../frame/market-tool.ts";
import { toJson } from "../shared/to-json.ts";
import { toCheckFailure } from "./alerts/check-failure.ts";
import type { Fired } from "./alerts/alert-text.ts";
import { type Alert, CHECKED } from "./alerts/alert.ts";
import { CHECK_TOOL } from "./saved-watches.ts";
import { observeShared } from "./alerts/observe.ts";
import type { Observed } from "./alerts/observed.ts";
import { toCheck } from "./alerts/rules.ts";
import { isWatched } from "./alerts/trading.ts";

const PREFIX = { en: "Alert", vi: "Cảnh báo" } as const;

/** The tool that looks at alerts; agents are not offered it. */
export function checkAlert(market: MarketData, { cache }: ToolDeps): Tool {
  return defineTool({
    name: CHECK_TOOL,
    description: "Looks whether an alert fires. For the clock, not for agents.",
    effect: "read",
    input: CHECKED,
    run: async ({ alert, seen }, context): Promise<Json> => {
      const isOfPrices = alert.kind !== "filing" && alert.kind !== "earnings";
      if (isOfPrices && !isWatched(alert.listing, context.scope.clock.now())) return { fires: false };
      const observed = await toCheckFailure(alert, () => observeShared({ market, context }, alert, cache));
      const checked = toCheck(alert, seen, observed);
      const args = { alert, ...omitUndefined({ seen: checked.seen }) };
      if (!checked.fires) return toJson({ fires: false, args });
      return toJson({
        fires: true,
        input: `${PREFIX[alert.language]}: ${checked.text}`,
        options: { alert: toOption(alert, { text: checked.text, fired: checked.fired, observed }) },
        args,
        done: !alert.repeat,
      });
    },
  });
}

type Told = Readonly<{ text: string; fired: Fired; observed: Observed }>;

/** Builds the option that tells a run about the alert that started it. */
function toOption(alert: Alert, { text, fired, observed }: Told) {
  const { id, listing, kind, value, forms, language } = alert;
  return {
    id,
    symbol: listing.symbol,
    kind,
    ...omitUndefined({ value, forms }),
    text,
    language,
    as_of: observed.as_of,
    ...(observed.what === "price" && { price: observed.price, currency: observed.currency }),
    ...(observed.what === "rsi" && { rsi: observed.rsi }),
    ...omitUndefined({ change_percent: fired.percent, filings: fired.filings, report_day: fired.day }),
  };
}
