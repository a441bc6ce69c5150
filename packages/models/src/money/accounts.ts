/**
 * Accounts: which limits a model call counts in, and the words for one that was reached.
 *
 * The run's own come first, then the user's and the tenant's, then the agent's, then the crew's; the first that refuses
 * is named. Errors in a row are counted within the hour, so that a crew that was stopped by them can be tried again.
 */
import { type Agent, BatonError, type Crew, type Prompt } from "@baton/core";
import { type Account, type Amount, type CapUse, type SettingName, SETTINGS } from "@baton/core/ports";
import { type CallQuota, createAccounts } from "./quota.ts";

/** The agent and crew whose calls are counted. */
export interface Caller {
  readonly agent: Agent;
  readonly crew: Crew;
}

const CREW_QUOTAS: readonly (readonly [NonNullable<CallQuota["window"]>, CallQuota["measure"], SettingName])[] = [
  ["minute", "calls", "maxCallsPerMinute"],
  ["hour", "calls", "maxCallsPerHour"],
  ["hour", "errors", "maxErrorsPerHour"],
  ["hour", "errorsInRow", "maxConsecutiveErrors"],
  ["day", "calls", "maxCallsPerDay"],
  ["day", "errors", "maxErrorsPerDay"],
  ["day", "tokens", "maxTokensPerDay"],
  ["day", "usd", "maxCostPerDayUsd"],
];

/** The accounts for the limits that the caller of a run set. */
export function runAccountsOf({ crew }: Caller, { run, limits }: Prompt): readonly Account[] {
  if (limits === undefined) return [];
  const hard = { alertAt: crew.settings.costAlertThreshold, isSoft: false };
  return createAccounts(`run ${run}`, [
    { name: "max_tokens", measure: "tokens", max: limits.maxTokens, ...hard },
    { name: "max_usd", measure: "usd", max: limits.maxUsd, ...hard },
  ]);
}

/** The accounts for the quotas that a crew's files set for an agent, and for all agents together. */
export function quotaAccountsOf({ agent, crew }: Caller): readonly Account[] {
  return [
    ...createAccounts(`agent ${agent.id} of crew ${crew.name}`, toAgentQuotas(agent, crew)),
    ...createAccounts(`crew ${crew.name}`, toCrewQuotas(crew)),
  ];
}

function toAgentQuotas({ costLimits: costs = {}, errorLimits: errors = {} }: Agent, crew: Crew): readonly CallQuota[] {
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

function toCrewQuotas({ settings }: Crew): readonly CallQuota[] {
  const manner = { alertAt: settings.costAlertThreshold, isSoft: !settings.blockOnQuotaExceed };
  return CREW_QUOTAS.map(([window, measure, setting]) => {
    // 0 is written for "none".
    return { name: SETTINGS[setting].yaml, measure, window, max: settings[setting] || undefined, ...manner };
  });
}

/** The error of a call that does not fit. */
export function createRefusal(use: CapUse, { tokens, usd }: Amount): BatonError {
  const { name, measure, max } = use.cap;
  const asked: Partial<Record<CallQuota["measure"], string>> = {
    tokens: `the call may use ${tokens} tokens, and `,
    usd: `the call may cost ${toDollars(usd)}, and `,
  };
  return new BatonError("limit", `${asked[measure] ?? ""}${describeUse(use)}`, { limit: { name, value: max } });
}

/** Describes the use of a cap in words. */
export function describeUse({ account, cap: { name, measure, max }, used }: CapUse): string {
  const texts: Record<CallQuota["measure"], string> = {
    tokens: `${used} of ${max} tokens are used`,
    usd: `${toDollars(used)} of ${toDollars(max)} are spent`,
    calls: `${used} of ${max} calls are made`,
    errors: `${used} of ${max} errors have happened`,
    errorsInRow: `${used} of ${max} errors in a row have happened`,
  };
  return `${texts[measure]} (${name} of ${account})`;
}

const toDollars = (usd: number): string => `$${Number(usd.toFixed(6))}`;
