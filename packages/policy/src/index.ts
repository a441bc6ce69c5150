/**
 * @baton/policy: rules over tool calls and texts, as data. Pure: it reads no file, calls nothing and knows only core.
 */
export { checkPolicies, type PolicyNames } from "./check-policies.ts";
export { toGuard } from "./guard.ts";
export { type PolicyTrial, type TriedCall, tryPolicies, type PolicyVerdict } from "./lab.ts";
export type { Policies, PolicyFact, PolicyFinding, PolicyRule } from "./policy.ts";
