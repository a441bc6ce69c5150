/**
 * Definition: a crew as people write it, the crew that is made of it, and what a check finds wrong with it.
 *
 * Names from outside are entries, never keys of an object that is looked up: an agent may be called `__proto__`.
 */
import type { Agent, AgentDefinition, ModelRef } from "./agent.ts";
import type { Place } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { OnMissingSignal, Settings, SignalPosition } from "./limits.ts";
import type { Interpreter } from "../ports/interpreter.ts";
import type { Model } from "../ports/model.ts";
import type { TypedState } from "./define-state.ts";
import type { Tool } from "./tool.ts";

/** Condition on an agent's structured output: each dotted path equals the value, or one of the list. */
export type When = Readonly<Record<string, Json>>;

/**
 * Where a reply leads that holds a signal or, with `when`, whose output fits: to an agent, a group or a sub-crew, or by
 * an empty target to the end of the run.
 */
export interface SignalRoute {
  readonly signal?: string;
  readonly when?: When;
  readonly target: string;
  /** Of a sub-crew: who gets the baton after it, if not the agent that sent it there. */
  readonly returnTo?: string;
  readonly description?: string;
}

/** End of an agent's turn when no signal matched. */
export interface Behavior {
  readonly waitForSignal?: boolean;
  /** Whether the last resort, "any other agent", is allowed; as the crew says by default. */
  readonly autoRoute?: boolean;
  readonly isTerminal?: boolean;
  /** The agent that gets the baton if this agent's turn fails by its model. */
  readonly onFailure?: string;
  /** Place in which its signals count, if not as the crew's settings say. */
  readonly signalPosition?: SignalPosition;
  readonly onMissingSignal?: OnMissingSignal;
  readonly description?: string;
}

/** `settled`: all have until the timeout. `all`: one failure fails the group. `first`: the first answer is taken. */
export type GroupMode = "settled" | "all" | "first";

/** A member of a group that takes part only while a value of the run's state is true; a dot goes into an object. */
export type MemberOffer = Readonly<{ agent: string; if: string }>;

/** Agents that work at the same time on the same input, or with `map` one agent or crew on every item of a list. */
export interface Group {
  /** Empty for a map. */
  readonly agents: readonly string[];
  /** Those of the agents that have a condition. */
  readonly offers?: readonly MemberOffer[];
  /** The agent or sub-crew that works on each item. */
  readonly map?: string;
  /** The list: `output.PATH`, of the agent that leads here, or `state.KEY`. */
  readonly over?: string;
  /** Template of what an item is told, with `{{item}}`, `{{item.PATH}}`, `{{index}}` and `{{count}}`; default: the item. */
  readonly input?: string;
  /** Items at once; by default the crew's `maxParallelAgents`. */
  readonly maxParallel?: number;
  /** Default and most: 1,000. */
  readonly maxItems?: number;
  /** Default `settled`. */
  readonly mode?: GroupMode;
  readonly timeoutMs?: number;
  readonly nextAgent?: string;
  readonly description?: string;
}

/** A group as people write it: with `agents`, or with `map` and `over`. */
export type GroupDefinition = Omit<Group, "agents"> & {
  readonly agents?: readonly (string | MemberOffer)[];
};

/** Rule for the calls of a tool. `ask` asks the user who owns the run, `ask_operator` an operator. */
export type PermissionRule = "allow" | "ask" | "ask_operator" | "deny";

/** A named job: an agent to start at, and what to put before the input. */
export type Task = Readonly<{ name: string; description: string; agent: string }>;

/** A run that a server starts by the clock: five fields of cron in a time zone, what to ask, and in which session. */
export type CrewSchedule = Readonly<{ name: string; cron: string; timeZone: string; input: string; session?: string }>;

/** Values by names from outside: a Map, or in code a plain object. */
export type Named<T> = ReadonlyMap<string, T> | { readonly [name: string]: T };

/** Gives an agent's model, or one that wraps it. */
export type WrapModel = (model: Model, agent: Agent) => Model;

/** A crew as people write it in TypeScript. */
export interface CrewDefinition {
  readonly name: string;
  readonly description?: string;
  readonly agents: readonly AgentDefinition[];
  readonly tools?: readonly Tool[];
  /** Models that are code, by the name after `code/`. */
  readonly programs?: Named<Model>;
  /** Behaviour around models, such as checks of what they write: gives an agent's model, or one that wraps it. */
  readonly wrapModel?: WrapModel;
  /** Runs the code of agents with `toolCalls: "code"`. */
  readonly interpreter?: Interpreter;
  /** The state of its runs, by `defineState`; then no prompt or condition may name another key. */
  readonly state?: Pick<TypedState, "keys">;
  /** Other crews that a route may lead to. */
  readonly subCrews?: Named<Crew>;
  /** Runs once when a run of this crew has ended `done`, in the background. */
  readonly after?: Crew;
  /** An agent or a group. Default: the first agent that is not terminal, else the first. */
  readonly entry?: string;
  readonly model?: ModelRef;
  readonly tasks?: readonly Task[];
  readonly schedules?: readonly CrewSchedule[];
  readonly permissions?: Named<PermissionRule>;
  /** Rules over calls and texts, which the engine's `guardOf` understands. */
  readonly policies?: Json;
  readonly settings?: Partial<Settings>;
  readonly signals?: Named<readonly SignalRoute[]>;
  readonly defaults?: Named<string>;
  readonly behaviors?: Named<Behavior>;
  readonly groups?: Named<GroupDefinition>;
  /** True: an agent that no rule leads on from hands over to any other agent, unless its behaviour says otherwise. */
  readonly autoRoute?: boolean;
  /** Inputs a person could try. */
  readonly examples?: readonly string[];
}

/** A checked, frozen crew; `Output` is what its agents give. */
export interface Crew<Output = unknown> {
  readonly name: string;
  readonly description: string;
  readonly entry: Place;
  /** In the order they were written. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model?: ModelRef;
  readonly tasks: readonly Task[];
  readonly schedules: readonly CrewSchedule[];
  readonly permissions: ReadonlyMap<string, PermissionRule>;
  readonly policies?: Json;
  readonly settings: Settings;
  readonly signals: ReadonlyMap<string, readonly SignalRoute[]>;
  readonly defaults: ReadonlyMap<string, string>;
  readonly behaviors: ReadonlyMap<string, Behavior>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly autoRoute: boolean;
  readonly examples: readonly string[];
  readonly programs: ReadonlyMap<string, Model>;
  readonly wrapModel?: WrapModel;
  readonly subCrews: ReadonlyMap<string, Crew>;
  readonly after?: Crew;
  /** Runs the code of agents with `toolCalls: "code"`. */
  readonly interpreter?: Interpreter;
  /** Never there: it carries the type. */
  readonly "~output"?: Output;
  /** Not enumerable: a copy has none. */
  readonly "~origin"?: CrewOrigin;
}

/** Where `defineCrew` was called, as a stack; checks report it as the place of a finding. */
export interface CrewOrigin {
  readonly stack?: string;
}

/** Something wrong with a crew, found before it runs. */
export interface Finding {
  /** Stable name of the kind of defect, e.g. `unknown_target`. */
  readonly code: string;
  /** A `note` is normal for many crews and worth knowing. */
  readonly severity: "error" | "warning" | "note";
  /** Where, as keys and indexes of the definition: `["signals", "teacher", 0, "target"]`. */
  readonly path: readonly (string | number)[];
  /** The name at the end of the path is wrong, not the value under it. */
  readonly part?: "name";
  readonly message: string;
  readonly fix: string;
}

/** Items with their positions, or values with their names in the order they were written. */
export function entriesOf<T>(named: Named<T> | undefined): Iterable<readonly [string, T]>;
export function entriesOf(value: unknown): Iterable<readonly [string | number, unknown]>;
export function entriesOf(value: unknown): Iterable<readonly [string | number, unknown]> {
  if (Array.isArray(value) || value instanceof Map) return value.entries();
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
