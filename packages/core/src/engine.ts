/**
 * Engine: starts runs, passes commands to them, and lets readers follow.
 *
 * Two runs share only frozen objects and the engine's permits. When the engine is disposed of, every run has
 * ended. Reads: all rows above. Read by: whoever embeds Baton.
 */
import type { Agent } from "./agent.ts";
import { Bus, type BusReader } from "./bus.ts";
import { type Clock, SystemClock } from "./clock.ts";
import type { Crew } from "./crew.ts";
import { sendCommand } from "./command.ts";
import { BatonError } from "./error.ts";
import type { Command, Place, RunEvent, RunLimits } from "./event.ts";
import { checkInput, LiveRun, type Surroundings } from "./live-run.ts";
import { type Log, MemoryLog, type Observer } from "./log.ts";
import type { Image, Message } from "./message.ts";
import type { Model } from "./model.ts";
import { type Permits, type Plan, toPlan } from "./plan.ts";
import { toPlace } from "./route.ts";
import { type Commanded, type Run, toPastRun } from "./run-result.ts";
import { Scope } from "./scope.ts";
import { Semaphore } from "./semaphore.ts";
import { Session } from "./session.ts";
import type { Tool } from "./tool.ts";

/** What an engine needs; all but the models has a default. */
export interface EngineOptions {
  /** The model of an agent; may throw, then the run fails with that message. */
  readonly model: (agent: Agent, crew: Crew) => Model;
  readonly clock?: Clock;
  readonly log?: (clock: Clock, observer: () => Observer | undefined) => Log;
  /** Sees every committed event of every run, at once and in order. */
  readonly observe?: Observer;
  /** Tool calls at once: in the engine, and in one run. */
  readonly toolPermits?: number;
  readonly runToolPermits?: number;
  /** How long cancelled work may take to settle before it is abandoned. */
  readonly graceMs?: number;
  readonly newId?: () => string;
}

/** What a run is started with. */
export interface StartOptions {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  readonly session?: string;
  /** Start here instead of at the crew's entry: an agent or a group. */
  readonly agent?: string;
  /** A task of the crew: its agent, and its description before the input. */
  readonly task?: string;
  readonly limits?: RunLimits;
  readonly id?: string;
}

/** Conversations remembered; in memory they cannot be kept for ever. */
const MAX_SESSIONS = 10_000;

const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** Runs crews in this process. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #scope: Scope;
  readonly #log: Log;
  readonly #bus = new Bus<RunEvent>();
  readonly #plans = new WeakMap<Crew, Plan>();
  readonly #runs = new Map<string, LiveRun>();
  /** Oldest first. */
  readonly #ended: string[] = [];
  /** How many of them, from the front, are forgotten: to shift the list by one each time would move all of it. */
  #forgotten = 0;
  readonly #sessions = new Map<string, Session<LiveRun>>();
  readonly #permits: Semaphore;
  readonly #surroundings: Surroundings;
  readonly #limited = new WeakMap<Tool, Semaphore>();

  constructor(options: EngineOptions) {
    this.#options = options;
    const clock = options.clock ?? new SystemClock();
    this.#permits = new Semaphore(options.toolPermits ?? 256);
    const grace = options.graceMs === undefined ? {} : { graceMs: options.graceMs };
    this.#scope = Scope.root({ clock, name: "engine", ...grace });
    const makeLog = options.log ?? ((time, observer) => new MemoryLog(time, observer));
    const observe: Observer = (event) => {
      this.#bus.publish(event);
      try {
        options.observe?.(event);
      } catch {
        // An observer's fault must not reach the run it observes.
      }
    };
    const isWatched = () => options.observe !== undefined || this.#bus.readers > 0;
    this.#log = makeLog(clock, () => (isWatched() ? observe : undefined));
    this.#surroundings = {
      scope: this.#scope,
      log: this.#log,
      model: options.model,
      permits: () => this.#permitsOfRun(),
      send: sendCommand,
      ended: (run, crew) => this.#forget(run, crew.settings.maxStoredRuns),
    };
  }

  /** Starts a run; throws only where it cannot be one: `invalid`, `not_found`, `conflict`, `busy`, `question_open`. */
  start(crew: Crew, options: StartOptions): Run {
    const id = options.id ?? (this.#options.newId ?? (() => crypto.randomUUID()))();
    if (!ID.test(id)) throw new BatonError("invalid", `run id "${id}": letters, digits, _ and - only, at most 128`);
    if (this.#log.find(id) !== undefined) throw new BatonError("conflict", `there is a run ${id} already`);
    const { entry, input } = toEntry(crew, options);
    checkInput(crew, input);
    if (options.limits !== undefined) checkLimits(options.limits);
    const session = this.#session(options.session);
    const paused = session?.isFree === true ? session.paused : undefined;
    if (paused !== undefined && paused.crew !== crew) {
      throw new BatonError("conflict", `run ${paused.id} of this session waits, with crew ${paused.crew.name}`);
    }
    if (paused !== undefined) return paused.resume(input, options.images);
    session?.checkRoom();
    const run = new LiveRun({ id, plan: this.#plan(crew), session }, this.#surroundings);
    this.#runs.set(id, run);
    return run.start({
      ...options,
      ...(options.history === undefined ? {} : { history: [...options.history] }),
      input,
      entry,
    });
  }

  /** The current life of a run, or its past one, as long as the run is remembered. */
  run(id: string): Run | undefined {
    const run = this.#runs.get(id);
    if (run !== undefined) return run.current;
    const log = this.#log.find(id);
    return log === undefined ? undefined : toPastRun(id, log);
  }

  /** Goes on with a run that waits for a message. */
  resume(id: string, input: string): Run {
    return this.#find(id).resume(input);
  }

  async command(id: string, command: Command): Promise<Commanded> {
    return sendCommand(this.#find(id), command);
  }

  /** Live events of all runs, for views that may skip some. */
  watch(): BusReader<RunEvent> {
    return this.#bus.subscribe();
  }

  /** What has not ended: scopes, tasks, timers' owners; 0 for an idle engine. */
  get open(): number {
    return this.#scope.open;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const atWork = [...this.#runs.values()].filter((run) => !run.hasEnded && run.waiting === undefined);
    await Promise.all(atWork.map((run) => run.cancel("the engine is shutting down")));
    await this.#scope[Symbol.asyncDispose]();
    this.#bus.close();
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
    this.#plans.set(crew, made);
    return made;
  }

  #session(id: string | undefined): Session<LiveRun> | undefined {
    if (id === undefined) return undefined;
    if (!ID.test(id)) throw new BatonError("invalid", `session id "${id}": letters, digits, _ and - only, at most 128`);
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made = new Session<LiveRun>(id);
    this.#sessions.set(id, made);
    if (this.#sessions.size > MAX_SESSIONS) this.#forgetSession();
    return made;
  }

  /** Always in this order, so that no two calls wait for each other. */
  #permitsOfRun(): Permits {
    const common = [new Semaphore(this.#options.runToolPermits ?? 8), this.#permits];
    return (tool) =>
      typeof tool.concurrency === "object" ? [this.#limit(tool, tool.concurrency.limited), ...common] : common;
  }

  #limit(tool: Tool, permits: number): Semaphore {
    const known = this.#limited.get(tool);
    if (known !== undefined) return known;
    const made = new Semaphore(permits);
    this.#limited.set(tool, made);
    return made;
  }

  /** The oldest conversation in which nobody runs or waits. */
  #forgetSession(): void {
    const idle = this.#sessions.entries().find(([, session]) => session.isFree && session.paused === undefined);
    if (idle !== undefined) this.#sessions.delete(idle[0]);
  }

  /** Of an ended run only the log is kept, for a while, for readers that come late. */
  #forget(run: string, kept: number): void {
    this.#runs.delete(run);
    this.#ended.push(run);
    while (this.#ended.length - this.#forgotten > kept) this.#log.forget(this.#ended[this.#forgotten++] ?? "");
    if (this.#forgotten * 2 <= this.#ended.length) return;
    this.#ended.splice(0, this.#forgotten);
    this.#forgotten = 0;
  }
}

function checkLimits(limits: RunLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isFinite(value) && value >= 0)) throw new BatonError("invalid", `limit ${name}: ${value} is no limit`);
  }
}

function toEntry(crew: Crew, options: StartOptions): { readonly entry: Place; readonly input: string } {
  const { task: name, agent, input } = options;
  const task = name === undefined ? undefined : crew.tasks.find((known) => known.name === name);
  if (name !== undefined && task === undefined)
    throw new BatonError("not_found", `crew ${crew.name} has no task "${name}"`);
  const start = agent ?? task?.agent;
  const entry = start === undefined ? crew.entry : toPlace(crew, start);
  if (entry === undefined) throw new BatonError("not_found", `crew ${crew.name} has no agent or group "${start}"`);
  return { entry, input: task === undefined ? input : `${task.description}\n\n${input}` };
}
