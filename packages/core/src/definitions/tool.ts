/**
 * Tool: something an agent can do, defined once and frozen.
 *
 * The input is parsed by its schema before `run` sees it; the parsed value never loses its type on the way.
 */
import type { RecordedCalls } from "../ports/call-log.ts";
import type { Documents } from "../ports/document.ts";
import { BatonError, ToolError } from "../words/error.ts";
import type { Effect, Identity } from "../words/event.ts";
import { fieldsOf, findUnknown } from "../words/fields.ts";
import type { Json } from "../words/json.ts";
import type { Isolation, TimeoutCovers } from "./limits.ts";
import { LEVELS, type Sandbox } from "./sandbox.ts";
import type { Message } from "../words/message.ts";
import { nearestWithin } from "../words/nearest.ts";
import { toInput, type InputSchema, type JsonSchema, type Parsed, type Refused } from "../words/schema/schema.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { Semaphore } from "../lifetimes/semaphore.ts";

/** The run's key/value store: what a call sets is recorded with its result and seen by later calls. */
export interface RunState {
  readonly get: (key: string) => Json | undefined;
  readonly set: (key: string, value: Json) => void;
  /** Every key that is set, with its value. */
  readonly entries: () => Iterable<readonly [string, Json]>;
}

/** Context of a call: everything a tool is given beside its input. */
export interface CallContext extends Identity, RecordedCalls {
  /** The same for every attempt of one call, for ever: hand it on as an idempotency key. */
  readonly key: string;
  readonly scope: Scope;
  readonly run: string;
  readonly call: string;
  /** The caller's name for the request that started the run. */
  readonly request?: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Of a call that was suspended: what it kept, and the answers so far by the names of its questions. */
  readonly kept?: Json;
  readonly answers?: { readonly [name: string]: Json };
  readonly messages: readonly Message[];
  readonly state: RunState;
  /** Documents of the run's user, kept beside runs. A product's data: models see it only through tools. */
  readonly documents: Documents;
  /** Tells readers of the run how far the call is. */
  readonly progress: (value: Json) => void;
  /** Adds a fact to the log, written together with the call's result. */
  readonly note: (kind: string, data: Json) => void;
  /** Tells readers of the run that something is not as it should be. */
  readonly warn?: (text: string) => void;
}

/** Limit on calls of one tool at the same time: `limited(n)` counts in the whole engine. */
export type Concurrency = "parallel" | "sequential" | { readonly limited: number };

/** Decision of a permission hook about one call. */
export type Permission =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  /**
   * The user who owns the run is asked, or an operator: on a server, a key with the scope `approve` or `admin`. The reason
   * is the question's text.
   */
  | { readonly decision: "ask" | "ask_operator"; readonly reason?: string }
  | { readonly decision: "transform"; readonly args: Json };

/** Arguments that fit, as they were parsed and bound to the tool; or every way in which they do not. */
export type Prepared =
  | { readonly ok: true; readonly input?: unknown; readonly run: (context: CallContext) => unknown }
  | Refused;

/** Context of a permission hook: the call and what the run knows; read only. */
export interface AskingContext extends Identity {
  readonly agent: string;
  readonly run: string;
  readonly call: string;
  readonly state: Omit<RunState, "set">;
  readonly messages: readonly Message[];
}

interface ToolFields {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly timeoutMs?: number;
  /** The work that its time is for; by default as the crew's `toolTimeoutCovers` says. */
  readonly timeoutCovers?: TimeoutCovers;
  /** Words that lists of tools are sorted by; models do not see them. */
  readonly tags?: readonly string[];
  /** Where it runs; by default as the crew's `toolIsolation` says. */
  readonly isolation?: Isolation;
  /** Grants and limits at the levels `wasm`, `process` and `container`. */
  readonly sandbox?: Sandbox;
  /** Of the level `wasm`: its file, from the crew's folder, whose default export is `(input) => output`. */
  readonly module?: string;
  /** Of the levels `process` and `container`: a program and its arguments. It reads the input on stdin. */
  readonly command?: readonly string[];
  /** Asked before each call, with arguments that fit the schema. */
  readonly permission?: (args: Json, context: AskingContext) => Permission | Promise<Permission>;
  /** Text that the model reads instead of the output; the log has both. Undefined: the model reads the output. */
  readonly digest?: (output: Json, context: Readonly<{ call: string }>) => string | undefined;
  /** Gives back what a suspended call holds elsewhere, if the call ends without running again; it has 2 seconds. */
  readonly release?: (kept: Json, context: Readonly<{ key: string }>) => unknown;
}

/** A tool as crews hold it. */
export interface Tool<Name extends string = string> extends ToolFields {
  readonly name: Name;
  readonly inputSchema: Json;
  readonly outputSchema?: JsonSchema;
  readonly concurrency: Concurrency;
  /** The file whose default export has it, so that a thread can load it again; absent if it is defined in code. */
  readonly file?: string;
  /** A level with a boundary makes its calls. */
  readonly isSandboxed?: true;
  /** The threads or processes it runs in; each call needs a permit. */
  readonly pool?: Semaphore;
  /** Starts the thread that a call of this tenant needs, before the time of the call begins. */
  readonly warmUp?: (tenant: string | undefined) => Promise<void>;
  /** The client that follows the run carries it out. */
  readonly isClient: boolean;
  /** Throws what the schema's own validator throws. */
  prepare(args: Json): Prepared | Promise<Prepared>;
}

/** A tool as people write it. */
export interface ToolDefinition<T> extends ToolFields {
  readonly input: InputSchema<T>;
  /** Schema of its result, for a client that carries it out: the answer must fit. */
  readonly output?: InputSchema;
  readonly concurrency?: Concurrency;
  /** Without it, `module` and `command` the client that follows the run carries the call out: its answer is the result. */
  readonly run?: (input: T, context: CallContext) => unknown;
}

const MAX_SUGGESTIONS = 100;
const FIELDS = fieldsOf<ToolDefinition<unknown>>()(
  "name description effect timeoutMs timeoutCovers tags isolation sandbox module command permission digest release input output concurrency run",
);
/** Fields of a finished tool: one may be made of another. */
const MADE = fieldsOf<Omit<Tool, keyof ToolDefinition<unknown>>>()(
  "inputSchema outputSchema file isSandboxed pool warmUp isClient prepare",
);
/** The name of the tool that finds tools. */
export const SEARCH = "tool_search";
/** The name of the tool that runs code. */
export const RUN_CODE = "run_code";

/** Names that every provider takes. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const EFFECTS: readonly Effect[] = ["read", "idempotent", "irreversible"];
const ISOLATIONS: readonly (Isolation | undefined)[] = ["inline", "shared", "thread", ...LEVELS, undefined];
const COVERS: readonly (TimeoutCovers | undefined)[] = ["call", "attempt", undefined];

/** Defines something an agent can do. `run` sees only input the schema accepted. */
export function defineTool<T, const Name extends string = string>(
  definition: ToolDefinition<T> & { readonly name: Name },
): Tool<Name> {
  const problem = findProblem(definition);
  if (problem !== undefined) throw new BatonError("invalid", problem);
  const { module, command } = definition;
  const { input, output, run = (module ?? command) ? atLevel : atClient, concurrency, ...fields } = definition;
  const { jsonSchema, validate } = toInput(input, fields.name);
  const outputSchema = output === undefined ? {} : { outputSchema: toInput(output, fields.name).jsonSchema };
  const bind = (parsed: Parsed<T>): Prepared => {
    if (!parsed.ok) return parsed;
    const { value } = parsed;
    return { ok: true, input: value, run: (context) => run(value, context) };
  };
  return Object.freeze<Tool<Name>>({
    ...fields,
    ...outputSchema,
    isClient: run === atClient,
    concurrency: concurrency ?? (fields.effect === "irreversible" ? "sequential" : "parallel"),
    inputSchema: jsonSchema,
    prepare(args) {
      const parsed = validate(args);
      return parsed instanceof Promise ? parsed.then(bind) : bind(parsed);
    },
  });
}

function atLevel(): never {
  throw new ToolError("permanent", "the tool runs in a sandbox only: pass the level of its `isolation`");
}

function atClient(): never {
  throw new BatonError("internal", "a tool of the client is not run here");
}

/** Tools are loaded from files whose types may be unchecked, so each field is checked here. */
function findProblem<T>(definition: ToolDefinition<T>): string | undefined {
  const { name, description, effect, concurrency, timeoutMs, timeoutCovers, isolation, run, module, command } =
    definition;
  const { release } = definition;
  const isLimit = typeof concurrency !== "object" || (Number.isInteger(concurrency.limited) && concurrency.limited > 0);
  const isTime = timeoutMs === undefined || (Number.isFinite(timeoutMs) && timeoutMs > 0);
  const rules: readonly (readonly [boolean, string])[] = [
    [typeof name === "string" && TOOL_NAME.test(name), "a name has letters, digits, _ and - only, at most 64"],
    [typeof description === "string", "it has no description"],
    [EFFECTS.includes(effect), `its effect is one of ${EFFECTS.join(", ")}`],
    [run === undefined || typeof run === "function", "run is not a function"],
    [[run, module, command].filter(Boolean).length < 2, "it has more than one of run, module and command"],
    [module === undefined || isText(module), "module is not the path of a file"],
    [command === undefined || isCommand(command), "command is not a list of a program and its arguments"],
    [release === undefined || typeof release === "function", "release is not a function"],
    [isLimit, "limited() takes a whole number above 0"],
    [isTime, "timeoutMs is a number above 0"],
    [COVERS.includes(timeoutCovers), `timeoutCovers "${timeoutCovers}" is not valid; use call or attempt`],
    [
      ISOLATIONS.includes(isolation),
      `isolation "${isolation}" is not valid; use inline, shared, thread, wasm, process or container`,
    ],
  ];
  const broken = rules.filter(([holds]) => !holds).map(([, what]) => `tool "${name}": ${what}`);
  const part = {
    value: definition,
    what: `tool \`${name}\``,
    fields: "prepare" in definition ? [...FIELDS, ...MADE] : FIELDS,
  };
  const unknown = Array.from(findUnknown(part, nearestWithin(MAX_SUGGESTIONS)), (one) => `${one.message}; ${one.fix}`);
  return [...broken, ...unknown].join("\n") || undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}

function isCommand(command: unknown): boolean {
  return Array.isArray(command) && isText(command[0]) && command.every((part) => part === "" || isText(part));
}

/** At most `n` calls of this tool at once in the whole engine. */
export const limited = (n: number): Concurrency => Object.freeze({ limited: n });
