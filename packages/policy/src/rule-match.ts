/**
 * Rule match: whether a rule's condition holds; one that cannot be evaluated counts against the call.
 */
import { type ExpressionEnvironment, evaluate } from "./expression/evaluate.ts";
import { ExpressionError } from "./expression/token.ts";
import type { CompiledRule } from "./policy.ts";

/** A rule that matches, and why if its condition could not be evaluated. */
export type RuleMatch = Readonly<{ rule: CompiledRule; failure?: string }>;

/** A condition that fails makes a rule that denies or asks match, and one that allows not. */
export function matchRule(rule: CompiledRule, environment: ExpressionEnvironment): RuleMatch | undefined {
  if (rule.when === undefined) return { rule };
  try {
    const value = evaluate(rule.when.node, environment);
    if (typeof value === "boolean") return value ? { rule } : undefined;
    throw new ExpressionError("it is not true or false");
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown;
    return rule.verdict === "allow" ? undefined : { rule, failure: thrown.message };
  }
}
