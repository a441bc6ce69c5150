/**
 * Accounts: which limits a model call counts in, and the words for one that was reached.
 *
 * The run's own come first, then the agent's, then the crew's; the first that refuses is the one that is named. Errors
 * in a row are counted within the hour, so that a crew that was stopped by them can be tried again.
 */
import { type Agent, BatonError, type Crew, type Prompt } from "@baton/core";
import { type Account, type Amount, type Cap, type SettingName, SETTINGS, type CapUse } from "@baton/core/ports";

/** Whose calls are counted. */
export interface Caller {
  readonly agent: Agent;
  readonly crew: Crew;
}

type Window = Account["window"];
type Measure = Cap["measure"];

/** A limit as a crew's files or a caller may set it. */
interface Quota {
  readonly name: string;
  readonly measure: Measure;
  readonly window?: Window;
  readonly max: number | undefined;
  readonly alertAt: number;
  readonly isSoft: boolean;
}

const CREW_QUOTAS: readonly (readonly [Window, Measure, SettingName])[] = [
  ["minute", "calls", "maxCallsPerMinute"],
  ["hour", "calls", "maxCallsPerHour"],
  ["hour", "errors", "maxErrorsPerHour"],
  ["hour", "errorsInRow", "maxConsecutiveErrors"],
  ["day", "calls", "maxCallsPerDay"],
  ["day", "errors", "maxErrorsPerDay"],
  ["day", "tokens", "maxTokensPerDay"],
  ["day", "usd", "maxCostPerDayUsd"],
];

/** What the caller of a run set for it. */
export function toRunAccounts({ crew }: Caller, { run, limits }: Prompt): readonly Account[] {
  if (limits === undefined) return [];
  const hard = { alertAt: crew.settings.costAlertThreshold, isSoft: false };
  return toAccounts(`run ${run}`, [
    { name: "max_tokens", measure: "tokens", max: limits.maxTokens, ...hard },
    { name: "max_usd", measure: "usd", max: limits.maxUsd, ...hard },
  ]);
}

/** What a crew's files set for an agent, and for all agents together. */
export function toQuotaAccounts({ agent, crew }: Caller): readonly Account[] {
  return [
    ...toAccounts(`agent ${agent.id} of crew ${crew.name}`, toAgentQuotas(agent, crew)),
    ...toAccounts(`crew ${crew.name}`, toCrewQuotas(crew)),
  ];
}

function toAgentQuotas({ costLimits: costs = {}, errorLimits: errors = {} }: Agent, crew: Crew): readonly Quota[] {
  const { costAlertThreshold, blockOnQuotaExceed } = crew.settings;
  const alertAt = costs.alertThreshold ?? costAlertThreshold;
  const cost = { alertAt, isSoft: !(costs.blockOnCostExceed ?? blockOnQuotaExceed) };
  const error = { alertAt, isSoft: !(errors.blockOnErrorExceed ?? blockOnQuotaExceed) };
  return [
    { name: "max_tokens_per_day", measure: "tokens", window: "day", max: costs.maxTokensPerDay, ...cost },
    { name: "max_cost_per_day_usd", measure: "usd", window: "day", max: costs.maxCostPerDayUsd, ...cost },
    { name: "max_consecutive", measure: "errorsInRow", window: "hour", max: errors.maxConsecutive, ...error },
    { name: "max_per_day", measure: "errors", window: "day", max: errors.maxPerDay, ...error },
  ];
}

function toCrewQuotas({ settings }: Crew): readonly Quota[] {
  const manner = { alertAt: settings.costAlertThreshold, isSoft: !settings.blockOnQuotaExceed };
  return CREW_QUOTAS.map(([window, measure, setting]) => {
    return { name: SETTINGS[setting].yaml, measure, window, max: settings[setting], ...manner };
  });
}

/** One account for each window in which something is set. */
function toAccounts(id: string, quotas: readonly Quota[]): readonly Account[] {
  const set = quotas.filter(({ max }) => max !== undefined);
  return [...Map.groupBy(set, ({ window }) => window)].map(([window, own]) => ({
    id,
    ...(window === undefined ? {} : { window }),
    caps: own.flatMap(toCaps),
  }));
}

function toCaps({ name, measure, max = Infinity, alertAt, isSoft }: Quota): readonly Cap[] {
  const isError = measure === "errors" || measure === "errorsInRow";
  // A limit of 0 errors could never be kept, so the lowest limit stops after the first error.
  const cap: Cap = { name, measure, isSoft, max: isError ? Math.max(1, max) : max };
  const warning = measure === "tokens" || measure === "usd" ? { ...cap, alertAt } : cap;
  return isSoft ? [warning, { ...cap, alertAt: 1 }] : [warning];
}

/** The error of a call that does not fit. */
export function toRefusal(use: CapUse, { tokens, usd }: Amount): BatonError {
  const { name, measure, max } = use.cap;
  const asked: Partial<Record<Measure, string>> = {
    tokens: `the call may use ${tokens} tokens, and `,
    usd: `the call may cost ${toDollars(usd)}, and `,
  };
  return new BatonError("limit", `${asked[measure] ?? ""}${toText(use)}`, { limit: { name, value: max } });
}

/** How much of a cap is used, in words. */
export function toText({ account, cap: { name, measure, max }, used }: CapUse): string {
  const texts: Record<Measure, string> = {
    tokens: `${used} of ${max} tokens are used`,
    usd: `${toDollars(used)} of ${toDollars(max)} are spent`,
    calls: `${used} of ${max} calls are made`,
    errors: `${used} of ${max} errors have happened`,
    errorsInRow: `${used} of ${max} errors in a row have happened`,
  };
  return `${texts[measure]} (${name} of ${account})`;
}

const toDollars = (usd: number): string => `$${Number(usd.toFixed(6))}`;
