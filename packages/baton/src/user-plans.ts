/**
 * User plans: the limits of a run's owner, by the plan of the owner's keys.
 */
import type { PlanLimits, PlanOf } from "@baton/models";
import { type KeyPlan, KeyRing } from "@baton/server/keys";
import type { Store } from "@baton/store";

/** The limits of each plan; a plan that is left out has none of its own. */
export type UserPlans = { readonly [plan in KeyPlan]?: Omit<PlanLimits, "plan"> | undefined };

/** Looks up the plans of users in the keys of a store. */
export function openUserPlans({ database, clock }: Store, plans: UserPlans): PlanOf {
  // Nothing is opened to anyone here, so the address of the server does not matter.
  const keys = new KeyRing({ database, clock, isLoopback: true });
  return async (owner) => {
    const plan = await keys.planOf(owner);
    return plan === undefined ? undefined : { plan, ...plans[plan] };
  };
}
