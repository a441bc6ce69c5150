/**
 * Typed crew: a crew as people write it in TypeScript, with its names checked by the compiler.
 *
 * Tools, targets, owners of signals and members of groups must be names that the same definition has. A definition whose
 * names are only known at run time is a `CrewDefinition`: its names are strings, which `defineCrew` checks.
 */
import type { Agent, AgentDefinition, AgentTool, CrewTool } from "./agent.ts";
import type {
  Behavior,
  Crew,
  CrewDefinition,
  Group,
  GroupDefinition,
  Named,
  PermissionRule,
  SignalRoute,
  Task,
} from "./definition.ts";
import type { Json } from "../words/json.ts";
import type { StandardInput } from "../words/schema/schema.ts";
import type { Tool } from "./tool.ts";

/** Values by names that a definition has. */
type Known<Name extends string, T> = string extends Name
  ? Named<T>
  : ReadonlyMap<string, T> | { readonly [Key in Name]?: T };

/** An agent whose tools and targets have names of the crew; if even the ids are not known, any name will do. */
export interface TypedAgent<A extends string, T extends string, S extends string> extends AgentDefinition {
  readonly id: A;
  readonly tools?: readonly (
    | Or<A, T>
    | { readonly name: Or<A, T>; readonly if: string }
    | (AgentTool & { readonly agent: A })
    | (CrewTool & { readonly crew: Or<A, S> })
  )[];
  readonly handoffTargets?: readonly A[];
}

/** Fields that agents do not have, which nothing fits; an agent of a crew may be used again. */
export type Exact<D> = { readonly [Key in Exclude<KeyOf<D>, keyof AgentDefinition | keyof Agent>]?: NoSuchField };

/** Not `never`: the compiler would drop the whole agent, and report another of its fields. */
interface NoSuchField {
  readonly "~none": never;
}

type KeyOf<D> = D extends unknown ? keyof D : never;

type Or<A extends string, T extends string> = string extends A ? string : T;

/** A route to a place of the crew, or by an empty target to the end of the run. */
interface TypedRoute<A extends string, Place extends string> extends SignalRoute {
  readonly target: Place | "";
  readonly returnTo?: A;
}

/** A group of agents of the crew, or a map of one of them or of a sub-crew. */
type TypedGroup<A extends string, S extends string> = string extends A ? GroupDefinition : CheckedGroup<A, S>;

type CheckedGroup<A extends string, S extends string> = Omit<Group, keyof MapFields | "agents" | "nextAgent"> & {
  readonly nextAgent?: A;
} & (
    | ({ readonly agents: readonly (A | { readonly agent: A; readonly if: string })[] } & {
        readonly [Key in keyof MapFields]?: never;
      })
    | ({ readonly agents?: never; readonly map: A | S; readonly over: string } & Omit<MapFields, "map" | "over">)
  );

type MapFields = Pick<Group, "input" | "map" | "maxItems" | "maxParallel" | "over">;

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
  readonly groups?: ReadonlyMap<string, GroupDefinition> | { readonly [Key in G]: TypedGroup<NoInfer<A>, NoInfer<S>> };
  readonly subCrews?: ReadonlyMap<string, Crew> | { readonly [Key in S]: Crew };
  readonly entry?: NoInfer<A | G>;
  readonly tasks?: readonly (Task & { readonly agent: NoInfer<A> })[];
  readonly signals?: Known<NoInfer<A>, readonly TypedRoute<NoInfer<A>, NoInfer<A | G | S>>[]>;
  readonly defaults?: Known<NoInfer<A>, NoInfer<A>>;
  readonly behaviors?: Known<NoInfer<A>, TypedBehavior<NoInfer<A>>>;
}

/** Rules for the tools of a crew, its agents and sub-crews that are tools included. */
export interface TypedPermissions<T extends string, A extends string, S extends string, D> {
  readonly permissions?: Known<NoInfer<T | A | S | NameIn<D>> | "*", PermissionRule>;
}

/** Names that agents give to agents and crews as tools, and those of tools of a request: any, if an agent takes all. */
type NameIn<D> = GivenName<D> | BroughtName<D>;

type GivenName<D> = D extends { readonly tools: readonly (infer One)[] }
  ? One extends { readonly as: infer Name extends string }
    ? Name
    : never
  : never;

type BroughtName<D> = D extends { readonly clientTools: infer Taken }
  ? Taken extends readonly (infer Name extends string)[]
    ? Name
    : Taken extends true
      ? string
      : never
  : never;

/** Output of agents that have an output schema: its type, or any JSON if it is a plain JSON Schema. */
export type OutputOf<A> = [Typed<A>] extends [never] ? Json : Typed<A>;

type Typed<A> = A extends { readonly output: infer Schema }
  ? Schema extends StandardInput<infer Output>
    ? Output
    : Json
  : never;
