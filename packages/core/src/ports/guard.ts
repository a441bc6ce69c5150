/**
 * Guard: rules of a crew that decide about the calls of a run, from its log alone.
 *
 * Core knows no rules: an engine is given a function that makes a guard of a crew's `policies`. Equal logs give equal
 * decisions.
 */
import type { Effect, EventBodyOf, RunEvent } from "../words/event.ts";
import { type Json, omitUndefined } from "../words/json.ts";
import type { Model } from "./model.ts";

/** A call that rules decide about; `edited` if a person changed its arguments. */
export type GuardedCall = Readonly<{
  call: string;
  tool: string;
  effect: Effect;
  agent: string;
  args: Json;
  edited?: true;
}>;

/** The strongest decision of the rules that match, why, and their names. */
export type Ruling = Readonly<{
  decision: "allow" | "ask" | "ask_operator" | "deny";
  reason?: string;
  rules: readonly string[];
}>;

/** A ruling as the log keeps it. */
export type Ruled = EventBodyOf<"permission.decided">;

/** The rules of one crew in one run. */
export interface RunGuard {
  /** Takes the next event of the run, of any lane. */
  add(event: RunEvent): void;
  /** Decides about a call by what it has seen; undefined if no rule matches. */
  decide(call: GuardedCall): Ruling | undefined;
  /** Gives an agent's model, or one that checks what it is told and what it says. */
  wrapModel(model: Model, agent: Readonly<{ id: string; audience: "user" | "crew" }>): Model;
}

/** The rules of one crew, ready for any run. */
export interface Guard {
  open(): RunGuard;
}

/** Makes a guard of a crew's policies; throws `invalid` if they are wrong. */
export type GuardOf = (policies: Json) => Guard;

/** The guards of one run: each set of policies has one, which sees the whole log. */
export class RunGuards {
  readonly #guards: ReadonlyMap<Json, RunGuard>;

  constructor(policies: readonly Json[], guardOf: GuardOf) {
    this.#guards = new Map(policies.map((own) => [own, guardOf(own).open()]));
  }

  add(event: RunEvent): void {
    for (const guard of this.#guards.values()) guard.add(event);
  }

  of(policies: readonly Json[]): readonly RunGuard[] {
    return policies.flatMap((own) => this.#guards.get(own) ?? []);
  }
}

const STRENGTH = ["allow", "ask", "ask_operator", "deny"] as const;

/** The ruling of several guards as one, for the log; undefined if no rule of any of them matches. */
export function toRuled(guards: readonly RunGuard[], call: GuardedCall): Ruled | undefined {
  const rulings = guards.flatMap((guard) => guard.decide(call) ?? []);
  const decision = STRENGTH.findLast((one) => rulings.some((ruling) => ruling.decision === one));
  if (decision === undefined) return undefined;
  const strongest = rulings.filter((ruling) => ruling.decision.startsWith(decision.slice(0, 3)));
  const reason = strongest.flatMap((ruling) => ruling.reason ?? []).join("; ") || undefined;
  const rules = rulings.flatMap((ruling) => ruling.rules);
  const base = { type: "permission.decided", call: call.call } as const;
  return { ...base, ...(call.edited && { edited: true }), decision, ...omitUndefined({ reason }), rules };
}
