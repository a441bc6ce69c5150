/**
 * Tool: something an agent can do, defined once and frozen.
 *
 * The input is parsed by its schema before `run` sees it; the parsed value never loses its type on the way.
 * Reads: error, event, json, message, schema, scope. Read by: crew, call, calls.
 */
import { BatonError } from "./error.ts";
import type { Effect } from "./event.ts";
import type { Json } from "./json.ts";
import type { Message } from "./message.ts";
import { toInput, type InputSchema, type Issue, type Parsed } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** The run's key/value store: what a call sets is recorded with its result and seen by later calls. */
export interface RunState {
  readonly get: (key: string) => Json | undefined;
  readonly set: (key: string, value: Json) => void;
}

/** What a tool is given beside its input. */
export interface CallContext {
  /** The same for every attempt of one call, for ever: hand it on as an idempotency key. */
  readonly key: string;
  readonly scope: Scope;
  readonly run: string;
  readonly call: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly messages: readonly Message[];
  readonly state: RunState;
  /** Tells readers of the run how far the call is. */
  readonly progress: (value: Json) => void;
}

/** How calls of one tool may overlap: `limited(n)` counts in the whole engine. */
export type Concurrency = "parallel" | "sequential" | { readonly limited: number };

/** What a permission hook says of one call. */
export type Permission =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  | { readonly decision: "ask"; readonly reason?: string }
  | { readonly decision: "transform"; readonly args: Json };

/** Asked before each call of the tool, with arguments that fit its schema. */
export type PermissionHook = (
  args: Json,
  context: { readonly agent: string; readonly run: string; readonly call: string },
) => Permission | Promise<Permission>;

/** Arguments that fit, bound to the tool; or every way in which they do not. */
export type Prepared =
  | { readonly ok: true; readonly run: (context: CallContext) => unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A tool as crews hold it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly inputSchema: Json;
  readonly concurrency: Concurrency;
  readonly timeoutMs?: number;
  readonly permission?: PermissionHook;
  prepare(args: Json): Prepared | Promise<Prepared>;
}

/** A tool as people write it. */
export interface ToolDefinition<T> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: InputSchema<T>;
  readonly concurrency?: Concurrency;
  readonly timeoutMs?: number;
  readonly permission?: PermissionHook;
  readonly run: (input: T, context: CallContext) => unknown;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const EFFECTS: ReadonlySet<string> = new Set<Effect>(["read", "idempotent", "irreversible"]);

/** Defines something an agent can do. `run` sees only input the schema accepted. */
export function defineTool<T>(definition: ToolDefinition<T>): Tool {
  const problem = findProblem(definition);
  if (problem !== undefined) throw new BatonError("invalid", problem);
  const { name, description, effect, run } = definition;
  const concurrency = definition.concurrency ?? (effect === "irreversible" ? "sequential" : "parallel");
  const input = toInput(definition.input, name);
  return Object.freeze<Tool>({
    name,
    description,
    effect,
    inputSchema: input.jsonSchema,
    concurrency,
    ...(definition.timeoutMs === undefined ? {} : { timeoutMs: definition.timeoutMs }),
    ...(definition.permission === undefined ? {} : { permission: definition.permission }),
    prepare(args) {
      const parsed = input.parse(args);
      return parsed instanceof Promise ? parsed.then(bind) : bind(parsed);
    },
  });

  function bind(parsed: Parsed<T>): Prepared {
    if (!parsed.ok) return parsed;
    const { value } = parsed;
    return { ok: true, run: (context) => run(value, context) };
  }
}

/** Tools are loaded from files whose types nobody has checked, so each field is looked at. */
function findProblem<T>(definition: ToolDefinition<T>): string | undefined {
  const { name, description, effect, concurrency, timeoutMs, run } = definition;
  if (typeof name !== "string" || !NAME.test(name)) {
    return `tool name "${name}": letters, digits, _ and - only, at most 64`;
  }
  if (typeof description !== "string") return `tool "${name}": it has no description`;
  if (!EFFECTS.has(effect)) return `tool "${name}": its effect is one of ${[...EFFECTS].join(", ")}`;
  if (typeof run !== "function") return `tool "${name}": run is not a function`;
  if (typeof concurrency === "object" && !(Number.isInteger(concurrency.limited) && concurrency.limited > 0)) {
    return `tool "${name}": limited() takes a whole number above 0`;
  }
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    return `tool "${name}": timeoutMs is a number above 0`;
  }
  return undefined;
}

/** At most `n` calls of this tool at once in the whole engine. */
export const limited = (n: number): Concurrency => Object.freeze({ limited: n });
