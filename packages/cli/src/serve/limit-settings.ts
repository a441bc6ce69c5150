/**
 * Limit settings: limits on the model calls of users and tenants by the plan of their keys, and limits as text.
 */
import { z } from "zod";

const PLANS = "must have free and premium, each with limits such as max_cost_per_user_per_day: 2";
const AMOUNT = z.number({ error: PLANS }).min(0, { error: PLANS }).max(1e12, { error: PLANS }).optional();
const PLAN = z
  .strictObject(
    {
      max_cost_per_user_per_day: AMOUNT,
      max_tokens_per_user_per_day: AMOUNT,
      max_calls_per_user_per_minute: AMOUNT,
      max_cost_per_tenant_per_day: AMOUNT,
      max_tokens_per_tenant_per_day: AMOUNT,
      max_calls_per_tenant_per_minute: AMOUNT,
    },
    { error: PLANS },
  )
  .optional();

/** The limits of each plan. */
export const USER_PLANS = z.strictObject({ free: PLAN, premium: PLAN }, { error: PLANS });

/** `key=600,session=120` → `{ key: "600", session: "120" }` */
export function toLimits(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("=")) return value;
  return Object.fromEntries(value.split(",").map((part) => part.split("=", 2).map((word) => word.trim())));
}

/** Describes the setting for codes at once. */
export const MAX_CODE = {
  meaning: "how many codes of agents with tool_calls: code may execute at the same time; more of them wait",
  value: "N",
} as const;
