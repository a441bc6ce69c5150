/**
 * Opened Baton: crews of an application, run durably and served, from one place.
 *
 * Everything it opens ends when it is disposed of: running runs stop at their last finished step, and continue when they
 * are opened again.
 */
import { toGuard } from "@baton/policy";
import { relative } from "node:path";
import { BatonError, type Crew, type Run } from "@baton/core";
import type { ResultOf } from "@baton/core/engine";
import { toBeginning } from "@baton/core/engine";
import { omitUndefined, nearest, toBatonError, toMessage } from "@baton/core/util";
import { ToolThreads } from "@baton/durable/threads";
import { readEnv, readEnvOf } from "@baton/crewfile/env-file";
import { ServerEngine } from "@baton/server";
import { exportRun, importRun, type RunFile } from "@baton/durable";
import { LOCAL, newRunId, type RunFilter, type RunRecord } from "@baton/store";
import { installedInterpreter } from "./optional/installed-interpreter.ts";
import { installedLevels } from "./optional/installed-levels.ts";
import { type KnownCrew, knowCrew, knowSandboxedCrew, readKnownCrews, type SandboxChoice } from "./known-crews.ts";
import type { Baton, RunFeedback, RunOptions } from "./baton.ts";
import { CrewMcp } from "./optional/crew-mcp.ts";
import type { BatonOptions, HandleOptions, ServeOptions } from "./options.ts";
import { openParts, type BatonParts } from "./parts.ts";
import {
  type ApplicationHandler,
  type ApplicationServing,
  type CrewServer,
  handleApplication,
  serveApplication,
  type Served,
} from "./serving.ts";
import { cancelOnAbort, StartingRun } from "./starting-run.ts";
import { dataFolderOf } from "./store-choice.ts";

const OFFLINE = "offline:";
const MAX_COMMENT_CHARS = 2_000;

/** Opens what the options ask for. */
export async function open(options: BatonOptions): Promise<Baton> {
  await readEnvFiles(options);
  const { env = process.env, model, data, postgres, store, maxToolCalls, telemetry } = options;
  const say = (text: string): void => {
    process.stderr.write(`baton: ${text}\n`);
  };
  await using owned = new AsyncDisposableStack();
  const folder = dataFolderOf(data, env);
  const isShared = postgres !== undefined;
  const mcp = owned.use(new CrewMcp({ env, warn: say, isShared, data: store === "memory" ? undefined : folder }));
  const parts = owned.use(
    await openParts({
      env,
      store: { data: folder, postgres, store },
      threads: new ToolThreads({ onStray: say }),
      readCrews: (threads) => readCrews(options, threads, mcp),
      models: typeof model === "string" ? { override: model } : { override: undefined, fixed: model },
      nameOf: (setting) => `\`${setting}\``,
      telemetry,
      warn: say,
    }),
  );
  const isNamed = model === undefined;
  for (const { served } of parts.crews) tellFindings(isNamed ? served : withoutModels(served), say);
  const engine = owned.use(
    new ServerEngine({
      store: parts.store,
      crews: parts.crews.map(({ served }) => served),
      model: parts.models.modelOf,
      secrets: parts.secrets,
      guardOf: toGuard,
      warn: say,
      ...omitUndefined({ maxToolCalls, telemetry: parts.shared.telemetry }),
    }),
  );
  return new OpenedBaton({ parts, engine, mcp, say, isModelAsked: model !== undefined, owned: owned.move() });
}

/** Tells what may be wrong with a crew; notes are not told. */
function tellFindings({ id, findings }: KnownCrew["served"], say: (text: string) => void): void {
  for (const { severity, file, line, message, fix } of findings.filter((one) => one.severity !== "note")) {
    const place = file === undefined ? id : `${relative(process.cwd(), file)}:${line}`;
    say(`${severity}: ${place}: ${message}; ${fix}`);
  }
}

/** Without findings about names of models, which a model that was given replaces. */
function withoutModels(served: KnownCrew["served"]): KnownCrew["served"] {
  const isModel = (code = "") => code === "unknown_provider" || code === "unknown_model";
  return { ...served, findings: served.findings.filter(({ code }) => !isModel(code)) };
}

/** Reads `.env` files before tools are loaded, because tools may use their variables. */
async function readEnvFiles({ env, envFile = env === undefined, crews = [] }: BatonOptions): Promise<void> {
  if (!envFile) return;
  for (const crew of crews) if (typeof crew === "string") await readEnvOf(crew, process.env);
  await readEnv(".", process.env);
}

async function readCrews(
  options: BatonOptions,
  threads: ToolThreads,
  { makeTools: mcp }: CrewMcp,
): Promise<readonly KnownCrew[]> {
  const { crews = [], levels = [], env = process.env, data } = options;
  const sandbox = {
    levels: [...levels, ...installedLevels(env)],
    interpreter: installedInterpreter(),
    dataFolder: dataFolderOf(data, env),
    mcp,
  };
  const known = (await Promise.all(crews.map((crew) => readOne(crew, threads, sandbox)))).flat();
  // Routes find a crew by its id.
  for (const [id, { length }] of Map.groupBy(known, (one) => one.id)) {
    if (length > 1) throw new BatonError("invalid", `two crews are called "${id}"; give one of them another name`);
  }
  return known;
}

async function readOne(
  crew: Crew | string,
  threads: ToolThreads,
  sandbox: SandboxChoice,
): Promise<readonly KnownCrew[]> {
  if (typeof crew === "string") return readKnownCrews(crew, threads, sandbox);
  if (typeof crew === "object" && crew !== null && crew.agents instanceof Map)
    return [await knowSandboxedCrew(crew, sandbox)];
  throw new BatonError("invalid", "`crews` has something that is not a crew; use defineCrew, or name a folder");
}

interface Opened {
  readonly parts: BatonParts;
  readonly engine: ServerEngine;
  readonly mcp: CrewMcp;
  readonly say: (text: string) => void;
  readonly isModelAsked: boolean;
  readonly owned: AsyncDisposableStack;
}

class OpenedBaton implements Baton {
  readonly #opened: Opened;
  readonly #known: Map<string, KnownCrew>;
  readonly #reasons = new Set<string>();
  readonly #servers = new Set<CrewServer>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly fetch: Baton["fetch"];
  #isClosed = false;

  constructor(opened: Opened) {
    this.#opened = opened;
    const { crews } = opened.parts;
    this.#known = new Map(crews.map((one) => [one.id, one]));
    for (const { source } of crews) this.#tellModels(source.crew);
    this.fetch = this.handler();
  }

  start<Output = unknown>(crew: Crew<Output> | string, input: string, options?: RunOptions): Run<ResultOf<Output>>;
  start(crew: Crew | string, input: string, { abort, ...options }: RunOptions = {}): Run {
    this.#checkOpen();
    const known = this.#know(crew);
    const { source } = known;
    const { engine } = this.#opened;
    const id = options.id ?? newRunId(engine.store.clock.now());
    const start = { ...options, id, input };
    // What is wrong with the request is thrown here, not from the run.
    toBeginning(source.crew, start);
    const begin = async (): Promise<Run> => {
      await this.#chooseModels([known]);
      return engine.engine.start(engine.toRedacted(source.crew), start);
    };
    const starting = begin();
    this.#own(starting);
    const run = new StartingRun(id, starting);
    if (abort !== undefined) cancelOnAbort(run, abort);
    return run;
  }

  async open(id: string): Promise<Run> {
    this.#checkOpen();
    const { engine } = this.#opened.engine;
    const record = await engine.find(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (record.status === "running" || record.status === "queued") {
      try {
        return await engine.recoverRun(record.id);
      } catch (error) {
        const { code } = toBatonError(error, "internal");
        if (code !== "conflict" && code !== "busy" && code !== "run_ended") throw error;
      }
    }
    // Another process may execute it, or have died so recently that its lease still holds.
    const run = await engine.follow(record.id);
    if (run === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    return run;
  }

  runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return this.#opened.engine.store.database.runs.list(filter);
  }

  async *exportRun(id: string): AsyncGenerator<string, void> {
    const record = await this.#opened.engine.engine.find(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    yield* exportRun(this.#opened.engine.store.database, record);
  }

  importRun(lines: RunFile): Promise<string> {
    this.#checkOpen();
    return importRun(this.#opened.engine.store, lines, LOCAL);
  }

  async feedback(id: string, { rating, comment }: RunFeedback): Promise<void> {
    const { engine, store } = this.#opened.engine;
    const record = await engine.find(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (record.status !== "ended" && record.status !== "paused")
      throw new BatonError("conflict", `run ${record.id} is ${record.status}: rate it once it has ended or paused`);
    const { feedback } = store.database;
    const { tenant, user } = record;
    if (rating === null) await feedback.delete(record.id, record);
    else if (rating !== "up" && rating !== "down") throw new BatonError("invalid", "`rating` must be up, down or null");
    else if (comment !== undefined && Array.from(comment).length > MAX_COMMENT_CHARS)
      throw new BatonError("invalid", `\`comment\` is longer than ${MAX_COMMENT_CHARS} characters`);
    else await feedback.save(record.id, { tenant, user, rating, ...omitUndefined({ comment }), at: store.clock.now() });
  }

  recover(): Promise<number> {
    this.#checkOpen();
    return this.#opened.engine.engine.recover();
  }

  async idle(): Promise<void> {
    while (this.#starting.size > 0) await Promise.allSettled(this.#starting);
    await this.#opened.engine.engine.idle();
  }

  serve(options: ServeOptions = {}): Promise<Served> {
    const serving = this.#serve(options);
    this.#own(serving);
    return serving;
  }

  handler(options: HandleOptions = {}): Baton["fetch"] {
    let opening: Promise<ApplicationHandler> | undefined;
    return async (request) => {
      this.#checkOpen();
      // Opened by the first request: crews that are started before it are served too.
      opening ??= this.#open((serving) => handleApplication(serving, options));
      return (
        await opening.catch((error: unknown) => {
          opening = undefined;
          throw error;
        })
      ).fetch(request);
    };
  }

  #serve(options: ServeOptions): Promise<Served> {
    return this.#open((serving) => serveApplication(serving, options));
  }

  async #open<Server extends CrewServer>(serve: (serving: ApplicationServing) => Promise<Server>): Promise<Server> {
    this.#checkOpen();
    const { parts, engine, mcp, say } = this.#opened;
    parts.threads.shareAuto();
    const crews = [...this.#known.values()];
    await this.#chooseModels(crews);
    const opened = serve({ ...parts, crews, engine, mcp, say, reasons: [...this.#reasons] });
    this.#own(opened);
    this.#servers.add(await opened);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting);
    try {
      // Clients of the servers have their answers before the runs stop.
      await Promise.all(Array.from(this.#servers, (served) => served.stop()));
    } finally {
      await this.#opened.owned.disposeAsync();
    }
  }

  /** The crew that is meant; one in code is known from now on, and takes the place of an older one of its name. */
  #know(crew: Crew | string): KnownCrew {
    if (typeof crew === "string") {
      const known = this.#known.get(crew);
      if (known !== undefined) return known;
      const near = nearest(crew, this.#known.keys());
      const hint = near === undefined ? "pass it to openBaton as one of `crews`" : `did you mean "${near}"?`;
      throw new BatonError("not_found", `there is no crew "${crew}"; ${hint}`);
    }
    const same = [...this.#known.values()].find(({ source, given }) => source.crew === crew || given === crew);
    if (same !== undefined) return same;
    const known = knowCrew(crew);
    this.#known.set(known.id, known);
    const all = [...this.#known.values()];
    this.#opened.engine.replaceCrews(all.map((one) => one.served));
    for (const server of this.#servers) this.#show(server, all);
    return known;
  }

  /** Serves the crews; a crew that cannot be served still runs. */
  #show(server: CrewServer, crews: readonly KnownCrew[]): void {
    try {
      server.replaceCrews(crews);
    } catch (error) {
      this.#opened.say(`a crew is not served: ${toMessage(error)}`);
    }
  }

  async #chooseModels(crews: readonly KnownCrew[]): Promise<void> {
    await this.#opened.parts.models.add(crews.map(({ source }) => source));
    for (const { source } of crews) this.#tellModels(source.crew);
  }

  /** Says once that the offline model answers, unless it was asked for. */
  #tellModels(crew: Crew): void {
    const { parts, say, isModelAsked } = this.#opened;
    for (const reason of parts.models.reasonsOf(crew)) {
      const isNew = this.#reasons.size < this.#reasons.add(reason).size;
      if (isNew && !isModelAsked && reason.startsWith(OFFLINE))
        say("no provider's key is set, so the offline model answers; set OPENAI_API_KEY for a real one");
    }
  }

  #own(starting: Promise<unknown>): void {
    this.#starting.add(starting);
    const forget = () => this.#starting.delete(starting);
    starting.then(forget, forget);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new BatonError("closed", "this Baton was disposed of; open another one");
  }
}
