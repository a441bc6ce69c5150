/**
 * Engine: starts runs, passes commands to them, and lets readers follow.
 *
 * Two runs share only frozen objects and the engine's permits. When the engine is disposed of, every run has ended.
 */
import type { Agent } from "../definitions/agent.ts";
import { IdMap } from "../lifetimes/id-map.ts";
import { type Clock, SystemClock } from "../lifetimes/clock.ts";
import type { Crew } from "../definitions/definition.ts";
import { sendCommand } from "./command.ts";
import { type Documents, noDocuments } from "../ports/document.ts";
import { BatonError } from "../words/error.ts";
import type { Guard, GuardOf } from "../ports/guard.ts";
import type { Command, Identity, RequestTool, RunEvent, RunLimits } from "../words/event.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { Permits } from "../views/lane.ts";
import type { Beginning } from "./lifecycle.ts";
import { checkInput } from "../definitions/limits.ts";
import { isLevel } from "../definitions/sandbox.ts";
import { LiveRun, type LiveRunOptions } from "./live-run.ts";
import type { Log, Observer, RunLog } from "../ports/log.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import type { Image, Message } from "../words/message.ts";
import type { Model } from "../ports/model.ts";
import { boundOutput } from "../words/output.ts";
import { type Plan, policiesIn, toPlan } from "../views/plan.ts";
import { toRequestTools } from "../definitions/request-tool.ts";
import { toPlace } from "../views/route.ts";
import { fold } from "../words/fold.ts";
import { Follower, readLog } from "../ports/follower.ts";
import { type Commanded, type Run, RunHandle } from "../handle/run-handle.ts";
import { type ResultOf, toResult } from "../handle/run-result.ts";
import { Scope } from "../lifetimes/scope.ts";
import { Semaphore } from "../lifetimes/semaphore.ts";
import type { Tool } from "../definitions/tool.ts";

/** Options of an engine; all but the models have a default. */
export interface EngineOptions {
  /** The model of an agent; may throw, then the run fails with that message. It is not asked for programs. */
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Model that replaces a program in a test. */
  readonly replaceProgram?: (agent: Agent, crew: Crew) => Model | undefined;
  readonly clock?: Clock;
  readonly log?: (clock: Clock, observer: Observer | undefined) => Log;
  /** Sees every committed event of every run, at once and in order. */
  readonly observe?: Observer;
  /** Tool calls at once in the whole engine; `max_parallel_calls` of a crew counts those of one run. */
  readonly maxToolCalls?: number;
  /** Time that cancelled work has to settle before it is abandoned. */
  readonly graceMs?: number;
  readonly newId?: () => string;
  /** Makes a guard of a crew's `policies`; without it a crew that has some is refused. */
  readonly guardOf?: GuardOf;
  /** Documents of the user of a run; without it tools have none. */
  readonly documents?: (owner: Identity) => Documents;
}

/** Options of a start. */
export interface StartOptions {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  /** Identity of the caller: recorded, and given to tools. The session is the conversation that the run belongs to. */
  readonly tenant?: string;
  readonly user?: string;
  readonly session?: string;
  /** Start here instead of at the crew's entry: an agent or a group. */
  readonly agent?: string;
  /** A task of the crew: its agent, and its description before the input. */
  readonly task?: string;
  readonly limits?: RunLimits;
  /** The caller's name for the request that starts it: a label in `run.started`. */
  readonly request?: string;
  /** The caller's options for this run: its first state, under the name `options`. */
  readonly options?: Json;
  /** The model of every agent that writes for the user, instead of its own. */
  readonly model?: string;
  /** The run that this one follows, as its crew's `after`. */
  readonly afterOf?: string;
  /** Tools that the client which follows the run carries out, for agents whose `clientTools` takes them. */
  readonly tools?: readonly RequestTool[];
  readonly id?: string;
}

/** A run by its log. */
type PastRun = Readonly<{ id: string; events: readonly RunEvent[] }>;

const NO_DOCUMENTS = noDocuments("this engine keeps no documents: run the crew on a store");
const NO_GUARD = "the crew has policies, and this engine has no guard: give it `guardOf: toGuard` of @baton/policy";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** Runs crews in this process. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #scope: Scope;
  readonly #log: Log;
  readonly #plans = new WeakMap<Crew, Plan>();
  readonly #runs = new IdMap<LiveRun>();
  /** Oldest first, from the first that is not forgotten. */
  readonly #ended: string[] = [];
  #forgotten = 0;
  readonly #permits: Semaphore;
  readonly #runOptions: LiveRunOptions;
  readonly #limited = new WeakMap<Tool, Semaphore>();
  /** By crews' frozen policies; as many as there are crews. */
  readonly #guards = new Map<Json, Guard>();

  constructor(options: EngineOptions) {
    this.#options = options;
    const clock = options.clock ?? new SystemClock();
    this.#permits = new Semaphore(options.maxToolCalls ?? 256);
    this.#scope = Scope.root({ clock, name: "engine", ...omitUndefined({ graceMs: options.graceMs }) });
    const makeLog = options.log ?? ((time, observer) => new MemoryLog(time, observer));
    const observe: Observer = (event) => {
      try {
        options.observe?.(event);
      } catch {
        // An observer's fault must not reach the run it observes.
      }
    };
    this.#log = makeLog(clock, options.observe === undefined ? undefined : observe);
    this.#runOptions = {
      scope: this.#scope,
      model: options.model,
      replaceProgram: options.replaceProgram,
      permits: (crew) => this.#permitsOfRun(crew),
      guardOf: (policies) => this.#guardOf(policies),
      documents: options.documents ?? (() => NO_DOCUMENTS),
      send: sendCommand,
      ended: (run, crew) => this.#forget(run, crew.settings.maxStoredRuns),
    };
  }

  /** Starts a run; throws only if it cannot start: `invalid`, `not_found`, `conflict`. */
  start<Output = unknown>(crew: Crew<Output>, options: StartOptions): Run<ResultOf<Output>>;
  start(crew: Crew, options: StartOptions): Run {
    const id = options.id ?? (this.#options.newId ?? (() => crypto.randomUUID()))();
    if (!ID.test(id)) throw new BatonError("invalid", `run id "${id}": letters, digits, _ and - only, at most 128`);
    if (this.#log.find(id) !== undefined) throw new BatonError("conflict", `run ${id} already exists; use another id`);
    const beginning = toBeginning(crew, options);
    const run = this.#live(id, crew);
    this.#runs.set(id, run);
    return run.start(beginning);
  }

  /** Recovers a run that began elsewhere, by its log: it waits or continues. */
  adopt(crew: Crew, { id, events }: PastRun): Run {
    const run = this.#live(id, crew);
    const adopted = run.adopt(events);
    this.#runs.set(id, run);
    return adopted;
  }

  /** Throws `invalid` if a run of this crew could not be guarded. */
  check(crew: Crew): void {
    this.#plan(crew);
  }

  /** A run on a log of the caller's, which keeps the run and leaves or ends it: the engine does not know it. */
  openRun(id: string, crew: Crew, log: RunLog): LiveRun {
    return new LiveRun(id, this.#plan(crew), { log, options: { ...this.#runOptions, ended: () => {} } });
  }

  /** Releases a paused run and its log; `adopt` recovers it. */
  release(id: string): void {
    if (this.#runs.get(id)?.waiting === undefined) return;
    this.#runs.delete(id);
    this.#log.forget(id);
  }

  /** A run, as long as it is remembered. */
  run(id: string): Run | undefined {
    const run = this.#runs.get(id);
    if (run !== undefined) return run.handle;
    const log = this.#log.find(id);
    return log === undefined ? undefined : toPastRun(id, log);
  }

  /** Resumes a run that waits for a message. */
  resume(id: string, input: string, images?: readonly Image[]): Run {
    return this.#find(id).resume(input, { images });
  }

  async command(id: string, command: Command): Promise<Commanded> {
    return sendCommand(this.#find(id), command);
  }

  /** Number of things that have not ended: scopes, tasks, timers' owners; 0 for an idle engine. */
  get open(): number {
    return this.#scope.open;
  }

  /** Stops a run, or all, at its last finished step, and writes nothing more; `adopt` continues from there. */
  async leave(id?: string): Promise<void> {
    const left = this.#running().filter((run) => id === undefined || run.id === id);
    await Promise.all(left.map((run) => run.leave()));
    for (const run of left) this.#runs.delete(run.id);
    for (const run of left) this.#log.forget(run.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running().map((run) => run.cancel("the engine is shutting down")));
    await this.#scope[Symbol.asyncDispose]();
  }

  #live(id: string, crew: Crew): LiveRun {
    return new LiveRun(id, this.#plan(crew), { log: this.#log.open(id), options: this.#runOptions });
  }

  #running(): LiveRun[] {
    return [...this.#runs.values()].filter((run) => !run.hasEnded && run.waiting === undefined);
  }

  #find(id: string): LiveRun {
    const run = this.#runs.get(id);
    if (run !== undefined) return run;
    if (this.#log.find(id) !== undefined) throw new BatonError("run_ended", `run ${id} has ended`);
    throw new BatonError("not_found", `there is no run ${id}`);
  }

  #plan(crew: Crew): Plan {
    const known = this.#plans.get(crew);
    if (known !== undefined) return known;
    const made = toPlan(crew);
    for (const policies of policiesIn(made)) this.#guardOf(policies);
    this.#plans.set(crew, made);
    return made;
  }

  /** Throws if the crew has policies that cannot be kept: no run goes on without its guard. */
  #guardOf(policies: Json): Guard {
    const known = this.#guards.get(policies);
    if (known !== undefined) return known;
    const { guardOf } = this.#options;
    if (guardOf === undefined) throw new BatonError("invalid", NO_GUARD);
    const made = guardOf(policies);
    this.#guards.set(policies, made);
    return made;
  }

  /** Always in this order, so that no two calls wait for each other. */
  #permitsOfRun({ settings }: Crew): Permits {
    let common: readonly [Semaphore, Semaphore] | undefined;
    return (tool) => {
      const [own, all] = (common ??= [new Semaphore(Math.max(1, settings.maxParallelCalls)), this.#permits]);
      if (tool.pool === undefined && typeof tool.concurrency !== "object") return common;
      const limit = typeof tool.concurrency === "object" ? [this.#limit(tool, tool.concurrency.limited)] : [];
      return [...limit, own, ...(tool.pool === undefined ? [] : [tool.pool]), all];
    };
  }

  #limit(tool: Tool, permits: number): Semaphore {
    const known = this.#limited.get(tool);
    if (known !== undefined) return known;
    const made = new Semaphore(permits);
    this.#limited.set(tool, made);
    return made;
  }

  /** Of an ended run only the log is kept, for a while, for readers that come late. */
  #forget(run: string, kept: number): void {
    this.#runs.delete(run);
    this.#ended.push(run);
    for (; this.#ended.length - this.#forgotten > kept; this.#forgotten++) {
      this.#log.forget(this.#ended[this.#forgotten] ?? "");
    }
    // Not at each: all that follow move up.
    if (this.#forgotten <= kept) return;
    this.#ended.splice(0, this.#forgotten);
    this.#forgotten = 0;
  }
}

function checkLimits(limits: RunLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isFinite(value) && value >= 0))
      throw new BatonError("invalid", `limits.${name} must be 0 or more, got ${value}`);
  }
}

const MAX_OPTIONS_KB = 16;

/** Freezes the caller's options; throws `invalid` if they are too large. */
function toOptions(options: Json | undefined): Json | undefined {
  if (options === undefined) return undefined;
  const bounded = boundOutput(options);
  if (!bounded.ok) throw new BatonError("invalid", `options: ${bounded.why}`);
  const bytes = new TextEncoder().encode(JSON.stringify(bounded.output)).length;
  if (bytes <= MAX_OPTIONS_KB * 1_024) return bounded.output;
  throw new BatonError("invalid", `options has ${Math.ceil(bytes / 1_024)} KB; at most ${MAX_OPTIONS_KB} KB are taken`);
}

/** Throws if an agent writes code and nothing can run it. */
function checkInterpreter({ agents, interpreter, subCrews }: Crew): void {
  for (const { id, toolCalls } of interpreter === undefined ? agents.values() : []) {
    if (toolCalls !== "code") continue;
    const problem = `agent "${id}" has \`tool_calls: code\`, and the crew has no interpreter`;
    throw new BatonError("invalid", `${problem}; run it by openBaton, or define the crew with \`interpreter\``);
  }
  for (const sub of subCrews.values()) checkInterpreter(sub);
}

/** Throws if a tool should run in a thread that cannot load it: it would run in this one instead. */
function checkIsolation({ tools, settings: { toolIsolation } }: Crew): void {
  for (const { name, file, isClient, isSandboxed, isolation = toolIsolation } of tools.values()) {
    if (isLevel(isolation) && !isClient && !isSandboxed) {
      const problem = `the tool "${name}" has \`isolation: ${isolation}\`, and no level for it was passed in`;
      throw new BatonError("invalid", `${problem}; pass the crew in \`crews\` of openBaton, or \`levels\` to readCrew`);
    }
    const isThreaded = isolation === "thread" || isolation === "shared";
    if (!isThreaded || isClient || file !== undefined) continue;
    const problem = `the tool "${name}" has \`isolation: ${isolation}\`, and no file's name can load it`;
    throw new BatonError(
      "invalid",
      `${problem}; use inline, or export it from a crew's tools.ts or its crew's own file`,
    );
  }
}

/** Builds the beginning of a run; throws if it cannot begin. */
export function toBeginning(crew: Crew, options: StartOptions): Beginning {
  checkIsolation(crew);
  checkInterpreter(crew);
  const { task: name, agent, history, images, tenant, user, session, limits, request, model, afterOf } = options;
  const task = name === undefined ? undefined : crew.tasks.find((known) => known.name === name);
  if (name !== undefined && task === undefined) {
    throw new BatonError("not_found", `crew ${crew.name} has no task "${name}"`);
  }
  const start = agent ?? task?.agent;
  const entry = start === undefined ? crew.entry : toPlace(crew, start);
  if (entry === undefined || entry.kind === "crew")
    throw new BatonError("not_found", `crew ${crew.name} has no agent or group "${start}"`);
  if (limits !== undefined) checkLimits(limits);
  const input = task === undefined ? options.input : `${task.description}\n\n${options.input}`;
  // What an after-run is given is made by the engine, not by a user.
  if (afterOf === undefined) checkInput(crew.settings, input, images);
  const own = { images, tenant, user, session, limits, request, model, afterOf };
  return {
    input,
    entry,
    ...omitUndefined({
      ...own,
      tools: toRequestTools(crew, options.tools),
      options: toOptions(options.options),
      history: history && [...history],
    }),
  };
}

/** A run that has ended, of which only the log is left. */
function toPastRun(id: string, log: RunLog): Run {
  return new RunHandle({
    id,
    result: async () => toResult(fold(await readLog(log))),
    events: ({ after = 0 }) => new Follower(log, after, ({ type }) => type === "run.ended"),
    send: () => Promise.reject(new BatonError("run_ended", `run ${id} has ended`)),
    since: () => 0,
    watchOf: () => () => undefined,
  });
}
