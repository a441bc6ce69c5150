/**
 * Accounts: which limits a model call counts in, and the words for one that was reached.
 *
 * The run's own come first, then the user's and the tenant's, then the agent's, then the crew's; the first that refuses
 * is named.
 */
import { type Agent, BatonError, type Crew, type Prompt } from "@baton/core";
import {
  type Account,
  type Amount,
  type CapUse,
  DEFAULT_SETTINGS,
  type SettingName,
  type Settings,
  SETTINGS,
} from "@baton/core/ports";
import type { ErrorCaps } from "../wrappers/breaker.ts";
import { type CallQuota, createAccounts } from "./quota.ts";

/** The agent and crew whose calls are counted. */
export interface Caller {
  readonly agent: Agent;
  readonly crew: Crew;
}

const CREW_QUOTAS: readonly (readonly [NonNullable<CallQuota["window"]>, CallQuota["measure"], SettingName])[] = [
  ["minute", "calls", "maxCallsPerMinute"],
  ["hour", "calls", "maxCallsPerHour"],
  ["day", "calls", "maxCallsPerDay"],
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

function toAgentQuotas({ costLimits: costs = {} }: Agent, crew: Crew): readonly CallQuota[] {
  const { costAlertThreshold, blockOnQuotaExceed } = crew.settings;
  const alertAt = costs.alertThreshold ?? costAlertThreshold;
  const cost = { alertAt, isSoft: !(costs.blockOnCostExceed ?? blockOnQuotaExceed) };
  return [
    { name: "max_tokens_per_day", measure: "tokens", window: "day", max: costs.maxTokensPerDay, ...cost },
    { name: "max_cost_per_day_usd", measure: "usd", window: "day", max: costs.maxCostPerDayUsd, ...cost },
  ];
}

/** The errors that open the breaker of a provider's model in this crew. */
export function errorCapsOf(settings: Settings = DEFAULT_SETTINGS): ErrorCaps {
  const { maxConsecutiveErrors, maxErrorsPerHour, maxErrorsPerDay, blockOnQuotaExceed } = settings;
  const isSoft = !blockOnQuotaExceed;
  return { inRow: maxConsecutiveErrors, perHour: maxErrorsPerHour, perDay: maxErrorsPerDay, isSoft };
}

/** The errors that open the agent's own breaker; undefined if it sets none. */
export function ownErrorCapsOf({ agent, crew }: Caller): ErrorCaps | undefined {
  const { maxConsecutive, maxPerDay, blockOnErrorExceed = crew.settings.blockOnQuotaExceed } = agent.errorLimits ?? {};
  if ((maxConsecutive ?? maxPerDay) === undefined) return undefined;
  // A limit of 0 errors could never be kept, so the lowest limit opens it after the first error.
  const toCap = (max: number | undefined): number => (max === undefined ? 0 : Math.max(1, max));
  return { inRow: toCap(maxConsecutive), perHour: 0, perDay: toCap(maxPerDay), isSoft: !blockOnErrorExceed };
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
  const asked: Record<CallQuota["measure"], string> = {
    calls: "the call would have to wait longer than the run may take, and ",
    tokens: `the call may use ${tokens} tokens, and `,
    usd: `the call may cost ${toDollars(usd)}, and `,
  };
  return new BatonError("limit", `${asked[measure]}${describeUse(use)}`, { limit: { name, value: max } });
}

/** Describes the use of a cap in words. */
export function describeUse({ account, cap: { name, measure, max }, used }: CapUse): string {
  const texts: Record<CallQuota["measure"], string> = {
    tokens: `${used} of ${max} tokens are used`,
    usd: `${toDollars(used)} of ${toDollars(max)} are spent`,
    calls: `${used} of ${max} calls are made`,
  };
  return `${texts[measure]} (${name} of ${account})`;
}

const toDollars = (usd: number): string => `$${Number(usd.toFixed(6))}`;
