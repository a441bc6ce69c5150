/**
 * Set alert: tells the user, in the conversation in which it was set, when a price, an RSI, a filing or the day of a
 * report is as the user wants to know.
 *
 * Equal alerts are one. What is looked at is asked for at once: an alert that no source can serve is refused, and a
 * level that is passed already is said.
 */
import type { Figure } from "@baton/assistant";
import { BatonError, type CallContext, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { type NewSchedule, readSchedule, SCHEDULES, toScheduleDocument } from "@baton/durable";
import type { Listing, ListingType } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { citeFields, dayOf } from "../shared/figures.ts";
import { toForm } from "../filings/filing-words.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { toJson } from "../shared/to-json.ts";
import { identify, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { ALERT_INPUT, ALERT_OFFERED, type AlertInput } from "./alerts/alert-input.ts";
import { toSetMessage } from "./alerts/alert-message.ts";
import { toConditionText } from "./alerts/alert-text.ts";
import { type Alert, type AlertKind, type Seen, toAlertId } from "./alerts/alert.ts";
import { alertOf, CHECK_TOOL, CREW, isConflict, loadWatches, MAX_ALERTS } from "./saved-watches.ts";
import { EVERY_S, observe } from "./alerts/observe.ts";
import type { Observed } from "./alerts/observed.ts";
import { languageOf, OWN, ownProvenance } from "./own-provenance.ts";
import { isMet, toCheck } from "./alerts/rules.ts";

/** An alert as results show it; `text` is its condition in the language of the user. */
type ShownAlert = ReturnType<typeof toShown>;

/** Sets an alert. */
export const setAlertTool = defineMarketTool({
  name: "setAlert",
  wish: { want: "set_alert", symbols: ["symbol"], from: ["value"] },
  category: "beyond",
  description: "Sets an alert. Only if the user asks to be told.",
  isCommon: true,
  effect: "idempotent",
  ttlMs: 0,
  input: ALERT_INPUT,
  offered: ALERT_OFFERED,
  run: async (input, asked) => {
    const { context } = asked;
    const listing = identify(requireListing(asked.market, input.symbol, { types: TYPES[input.kind] }));
    const observed = await observeNow(asked, toAlert(input, listing, context));
    const alert = toAlert(input, { ...listing, ...toMoney(observed) }, context);
    if (observed?.what === "price") checkLevel(alert, observed.price);
    const { kept, isNew } = await keep(alert, { context, observed });
    const every_s = EVERY_S[alert.kind];
    const passed = observed !== undefined && isMet(kept, observed);
    const message = toSetMessage({ ...kept, language: alert.language }, { observed, isNew, passed, every_s });
    const data = { ...toShown(kept), is_new: isNew, passed, ...toCurrent(observed), every_s, message };
    return { data, provenance: toProvenance(observed) ?? ownProvenance(context) };
  },
  figures: (data, provenance) => [
    ...toLevelFigures("data", data),
    ...citeFields(
      { ...data, period: dayOf(provenance) },
      ["data", data],
      [
        ["price", "price", "price"],
        ["change_percent", "percent", "change"],
        ["rsi", "points", "RSI(14)"],
      ],
    ),
  ],
  describe: ({ message, id }) => [message, `id: ${id}`],
});

/** Types of listings that each kind can be about. */
const TYPES: Readonly<Record<AlertKind, readonly ListingType[]>> = {
  price_above: SECURITIES_AND_COINS.types,
  price_below: SECURITIES_AND_COINS.types,
  price_crosses: SECURITIES_AND_COINS.types,
  percent_move: SECURITIES_AND_COINS.types,
  rsi_above: SECURITIES_AND_COINS.types,
  rsi_below: SECURITIES_AND_COINS.types,
  filing: ["stock", "etf"],
  earnings: ["stock"],
};

function toAlert(input: AlertInput, listing: Listing, context: CallContext): Alert {
  const { kind, value, repeat } = input;
  const isMove = kind === "percent_move";
  const isDown = isMove && value !== undefined && value < 0;
  const fields = {
    value: isMove && value !== undefined ? Math.abs(value) : value,
    direction: isMove ? (isDown ? ("down" as const) : input.direction) : undefined,
    since: isMove ? input.since : undefined,
    forms: kind === "filing" ? [...new Set(input.forms.map(toForm))] : undefined,
    days_before: kind === "earnings" ? input.days_before : undefined,
  };
  const set_at = new Date(context.scope.clock.now()).toISOString();
  const own = {
    listing,
    kind,
    repeat,
    language: languageOf(context),
    set_at,
    set_by: context.key,
    ...omitUndefined(fields),
  };
  return { id: toAlertId(own), ...own };
}

/** Observes the subject of the alert now; what no source has now is asked again by the first check. */
async function observeNow(asked: MarketContext, alert: Alert): Promise<Observed | undefined> {
  try {
    return await observe(asked, alert);
  } catch (thrown) {
    if (thrown instanceof MarketError) return undefined;
    throw thrown;
  }
}

/** Coins are often priced in a stablecoin. */
const toMoney = (observed: Observed | undefined) => (observed?.what === "price" ? { currency: observed.currency } : {});

/** Vietnamese prices are often said in thousands. */
function checkLevel({ kind, listing, value = 0 }: Alert, price: number): void {
  if (listing.currency !== "VND" || kind === "percent_move" || value * 100 > price) return;
  const message = `prices of ${listing.symbol} are in VND, now ${price}: for ${value} thousand dong write ${value * 1_000}`;
  throw new ToolError("validation", message);
}

type Keeping = Readonly<{ context: CallContext; observed: Observed | undefined }>;
type Kept = Readonly<{ kept: Alert; isNew: boolean }>;

/** Writes the alert, unless there is the same: then only its conversation changes. */
async function keep(alert: Alert, keeping: Keeping): Promise<Kept> {
  const { context, observed } = keeping;
  const { documents, scope, session, key } = context;
  const existing = await existingOf(alert, context);
  if (existing !== undefined) {
    return { kept: existing, isNew: existing.set_by === key };
  }
  const { alerts } = await loadWatches(documents);
  if (alerts.length >= MAX_ALERTS) {
    throw new ToolError(
      "permanent",
      `there are ${alerts.length} alerts, and ${MAX_ALERTS} are allowed: remove some first`,
    );
  }
  const seen = observed === undefined ? undefined : toCheck(alert, undefined, observed).seen;
  const schedule = toSchedule(alert, { seen, ...omitUndefined({ session }) });
  try {
    await documents.put(SCHEDULES, { ...toScheduleDocument(schedule, scope.clock.now()), version: 0 });
    return { kept: alert, isNew: true };
  } catch (thrown) {
    if (!isConflict(thrown)) throw thrown;
    return { kept: alert, isNew: false };
  }
}

/** The same alert, moved to this conversation if it was set in another. */
async function existingOf(alert: Alert, { documents, session }: CallContext): Promise<Alert | undefined> {
  const document = await documents.get(SCHEDULES, alert.id);
  if (document === undefined) return undefined;
  try {
    const schedule = readSchedule(document);
    const kept = alertOf(schedule);
    if (kept === undefined) return undefined;
    if (session !== undefined && schedule.session !== session) {
      const { version, index } = document;
      const data = { ...schedule, session };
      await documents.put(SCHEDULES, { id: alert.id, data, version, session, ...omitUndefined({ index }) });
    }
    return kept;
  } catch (thrown) {
    // A check has just advanced it: the alert is there, in the conversation in which it was set first.
    if (isConflict(thrown)) return alert;
    if (thrown instanceof BatonError) return undefined;
    throw thrown;
  }
}

type Scheduling = Readonly<{ seen: Seen | undefined; session?: string }>;

function toSchedule(alert: Alert, { seen, session }: Scheduling): NewSchedule {
  return {
    name: alert.id,
    crew: CREW,
    input: toConditionText(alert),
    when: { everyMs: EVERY_S[alert.kind] * 1_000 },
    check: { tool: CHECK_TOOL, args: toJson({ alert, ...omitUndefined({ seen }) }) },
    origin: "user",
    ...omitUndefined({ session }),
  };
}

/** Converts an alert to the form that results show. */
export function toShown(alert: Alert) {
  const { id, listing, kind, value, direction, since, forms, days_before, repeat, set_at } = alert;
  const rest = omitUndefined({ value, direction, since, forms, days_before });
  return { ...identify(listing), id, kind, ...rest, repeat, text: toConditionText(alert), set_at };
}

function toCurrent(observed: Observed | undefined) {
  switch (observed?.what) {
    case "price":
      return { price: observed.price, ...omitUndefined({ change_percent: observed.change_percent }) };
    case "rsi":
      return { rsi: observed.rsi };
    case "earnings":
      return omitUndefined({ next_report: observed.next });
    default:
      return {};
  }
}

function toProvenance(observed: Observed | undefined): Provenance | undefined {
  if (observed === undefined) return undefined;
  const { kind, source, as_of, is_stale } = observed;
  return { kind, source, as_of, ...(is_stale && { stale: true as const }) };
}

/** The level of an alert, which is the user's own number. */
export function toLevelFigures(path: string, alert: ShownAlert): readonly Figure[] {
  const { kind, set_at } = alert;
  const isPrice = kind.startsWith("price_");
  const unit = isPrice ? "price" : kind === "percent_move" ? "percent" : "points";
  const metric = isPrice ? "alert level" : kind === "percent_move" ? "alert move" : "alert level of RSI(14)";
  return citeFields(
    alert,
    [path, alert],
    [
      ["value", unit, metric],
      ["days_before", "days", "days before the report"],
    ],
  ).map((figure) => ({ ...figure, ...OWN, asOf: set_at }));
}
