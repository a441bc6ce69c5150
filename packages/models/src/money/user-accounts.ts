/**
 * User accounts: the limits of one user and of one tenant, beside those of the crew.
 *
 * A plan's limits count over all crews, a crew's settings for that crew. If the server has keys and neither sets a
 * limit, one user has a fifth of the crew's day. Names are quoted in an account's id, so no two owners share one.
 */
import type { Crew, Prompt } from "@baton/core";
import type { Account, SettingName } from "@baton/core/ports";
import { type CallQuota, createAccounts } from "./quota.ts";

/** The limits of a plan, over all crews; what is absent is not limited. */
export interface PlanLimits {
  /** The plan's name, for messages: `free`. */
  readonly plan: string;
  readonly maxCostPerUserPerDayUsd?: number;
  readonly maxTokensPerUserPerDay?: number;
  readonly maxCallsPerUserPerMinute?: number;
  readonly maxCostPerTenantPerDayUsd?: number;
  readonly maxTokensPerTenantPerDay?: number;
  readonly maxCallsPerTenantPerMinute?: number;
}

/** The owner of a run. */
export interface RunOwner {
  readonly tenant: string;
  readonly user: string;
}

/** Returns the limits of an owner's plan; undefined if the server has no keys. */
export type PlanOf = (owner: RunOwner) => PlanLimits | undefined | Promise<PlanLimits | undefined>;

/** The owner of runs that name none. */
const LOCAL = "local";

/** One user's share of a crew's day if nothing else is set. */
const DEFAULT_SHARE = 1 / 5;

type Measure = "calls" | "tokens" | "usd";
type Row<Name> = readonly [limit: Name, yaml: string, measure: Measure, window: "minute" | "day"];
type LimitName = keyof Omit<PlanLimits, "plan">;
type UserLimitName = Extract<LimitName, SettingName>;

const USER_LIMITS: readonly Row<UserLimitName>[] = [
  ["maxCallsPerUserPerMinute", "max_calls_per_user_per_minute", "calls", "minute"],
  ["maxTokensPerUserPerDay", "max_tokens_per_user_per_day", "tokens", "day"],
  ["maxCostPerUserPerDayUsd", "max_cost_per_user_per_day", "usd", "day"],
];

const TENANT_LIMITS: readonly Row<LimitName>[] = [
  ["maxCallsPerTenantPerMinute", "max_calls_per_tenant_per_minute", "calls", "minute"],
  ["maxTokensPerTenantPerDay", "max_tokens_per_tenant_per_day", "tokens", "day"],
  ["maxCostPerTenantPerDayUsd", "max_cost_per_tenant_per_day", "usd", "day"],
];

/** The owner of a run, as accounts and queues name it. */
export function runOwnerOf({ tenant = LOCAL, user = LOCAL }: Pick<Prompt, "tenant" | "user">): RunOwner {
  return { tenant, user };
}

/** The owner's name in queues, in which users are served by turns. */
export function toOwnerName(prompt: Pick<Prompt, "tenant" | "user">): string {
  const { tenant, user } = runOwnerOf(prompt);
  return JSON.stringify([tenant, user]);
}

/** The accounts of a run's owner in a call of this crew; `limits` is undefined if the server has no keys. */
export function ownerAccountsOf(crew: Crew, owner: RunOwner, limits: PlanLimits | undefined): readonly Account[] {
  const tenant = `tenant ${JSON.stringify(owner.tenant)}`;
  const user = `user ${JSON.stringify(owner.user)} of ${tenant}`;
  return [
    ...createAccounts(user, toPlanQuotas(USER_LIMITS, limits, crew)),
    ...createAccounts(`${user} in crew ${crew.name}`, toCrewQuotas(crew, limits)),
    ...createAccounts(tenant, toPlanQuotas(TENANT_LIMITS, limits, crew)),
  ];
}

function toPlanQuotas(
  rows: readonly Row<LimitName>[],
  limits: PlanLimits | undefined,
  { settings }: Crew,
): readonly CallQuota[] {
  if (limits === undefined) return [];
  const manner = { alertAt: settings.costAlertThreshold, isSoft: false };
  return rows.map(([limit, yaml, measure, window]) => {
    return { name: `plans.${limits.plan}.${yaml}`, measure, window, max: limits[limit], ...manner };
  });
}

function toCrewQuotas({ settings }: Crew, limits: PlanLimits | undefined): readonly CallQuota[] {
  const manner = { alertAt: settings.costAlertThreshold, isSoft: !settings.blockOnQuotaExceed };
  const day = { calls: settings.maxCallsPerDay, tokens: settings.maxTokensPerDay, usd: settings.maxCostPerDayUsd };
  return USER_LIMITS.map(([limit, yaml, measure, window]): CallQuota => {
    const max = settings[limit];
    if (max > 0) return { name: yaml, measure, window, max, ...manner };
    const isDefault = limits !== undefined && limits[limit] === undefined;
    const name = measure === "calls" ? "max_calls_per_user_per_day" : yaml;
    return {
      name,
      measure,
      window: "day",
      max: isDefault ? toShare(day[measure], measure) || undefined : undefined,
      ...manner,
    };
  });
}

/** A fifth; of calls and tokens a whole number, and at least 1 if the crew has any. */
function toShare(max: number, measure: Measure): number {
  const share = max * DEFAULT_SHARE;
  return measure === "usd" ? share : Math.min(max, Math.max(1, Math.floor(share)));
}
