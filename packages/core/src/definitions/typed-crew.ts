/**
 * Typed crew: a crew as people write it in TypeScript, with its names checked by the compiler.
 *
 * Tools, targets, owners of signals and members of groups must be names that the same definition has. A definition whose
 * names are only known at run time is a `CrewDefinition`: its names are strings, which `defineCrew` checks.
 */
import type { AgentDefinition } from "./agent.ts";
import type { Behavior, Crew, CrewDefinition, Group, Named, PermissionRule, SignalRoute, Task } from "./definition.ts";
import type { Json } from "../words/json.ts";
import type { StandardInput } from "../words/schema/schema.ts";
import type { Tool } from "./tool.ts";

/** Values by names that a definition has. */
type Known<Name extends string, T> = string extends Name
  ? Named<T>
  : ReadonlyMap<string, T> | { readonly [Key in Name]?: T };

/** An agent whose tools and targets have names of the crew; if even the ids are not known, any name will do. */
export interface TypedAgent<A extends string, T extends string> extends AgentDefinition {
  readonly id: A;
  readonly tools?: readonly (Or<A, T> | { readonly name: Or<A, T>; readonly if: string })[];
  readonly pinnedTools?: readonly Or<A, T>[];
  readonly handoffTargets?: readonly A[];
}

type Or<A extends string, T extends string> = string extends A ? string : T;

/** A route to a place of the crew, or by an empty target to the end of the run. */
interface TypedRoute<A extends string, Place extends string> extends SignalRoute {
  readonly target: Place | "";
  readonly returnTo?: A;
}

/** A group of agents of the crew. */
interface TypedGroup<A extends string> extends Group {
  readonly agents: readonly A[];
  readonly nextAgent?: A;
}

/** A behaviour that names agents of the crew. */
interface TypedBehavior<A extends string> extends Behavior {
  readonly onFailure?: A;
}

type Checked = "agents" | "behaviors" | "defaults" | "entry" | "groups" | "permissions" | "signals" | "subCrews";

/** A crew as people write it; the names of its agents, tools, groups and sub-crews are these. */
export interface TypedDefinition<A extends string, T extends string, G extends string, S extends string> extends Omit<
  CrewDefinition,
  Checked | "tasks" | "tools"
> {
  readonly tools?: readonly Tool<T>[];
  readonly groups?: ReadonlyMap<string, Group> | { readonly [Key in G]: TypedGroup<NoInfer<A>> };
  readonly subCrews?: ReadonlyMap<string, Crew> | { readonly [Key in S]: Crew };
  readonly entry?: NoInfer<A | G>;
  readonly tasks?: readonly (Task & { readonly agent: NoInfer<A> })[];
  readonly permissions?: Known<NoInfer<T> | "*", PermissionRule>;
  readonly signals?: Known<NoInfer<A>, readonly TypedRoute<NoInfer<A>, NoInfer<A | G | S>>[]>;
  readonly defaults?: Known<NoInfer<A>, NoInfer<A>>;
  readonly behaviors?: Known<NoInfer<A>, TypedBehavior<NoInfer<A>>>;
}

/** Output of agents that have an output schema: its type, or any JSON if it is a plain JSON Schema. */
export type OutputOf<A> = [Typed<A>] extends [never] ? Json : Typed<A>;

type Typed<A> = A extends { readonly output: infer Schema }
  ? Schema extends StandardInput<infer Output>
    ? Output extends Json
      ? Output
      : Json
    : Json
  : never;
