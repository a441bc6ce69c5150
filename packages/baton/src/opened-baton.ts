/**
 * Opened Baton: crews of an application, run durably and served, from one place.
 *
 * Everything it opens ends when it is disposed of: running runs stop at their last finished step, and continue when they
 * are opened again.
 */
import { BatonError, type Crew, type Json, type Run } from "@baton/core";
import { toBeginning } from "@baton/core/engine";
import { omitUndefined, nearest, toBatonError, toMessage } from "@baton/core/util";
import { ToolThreads } from "@baton/durable/threads";
import { readEnv, readEnvOf } from "@baton/crewfile/env-file";
import { ServerEngine } from "@baton/server";
import { newRunId, type RunFilter, type RunRecord } from "@baton/store";
import { ChosenModels } from "./crew-models.ts";
import { type KnownCrew, readFolder, toKnown } from "./known-crews.ts";
import type { Baton, RunOptions } from "./baton.ts";
import type { BatonOptions, ServeOptions } from "./options.ts";
import { openPlace } from "./place.ts";
import { toSecrets } from "./secrets.ts";
import { type Served, serve, type Serves } from "./serving.ts";
import { StartingRun } from "./starting-run.ts";

/** Opens what the options ask for. */
export async function open(options: BatonOptions): Promise<Baton> {
  await readEnvFiles(options);
  const { env = process.env, model, crews = [], maxToolCalls } = options;
  await using parts = new AsyncDisposableStack();
  const threads = parts.use(new ToolThreads());
  const known = await Promise.all(crews.map((one) => toKnownCrew(one, threads)));
  checkApart(known);
  const store = parts.use(await openPlace(options));
  const say = (text: string): void => {
    process.stderr.write(`baton: ${text}\n`);
  };
  const ledger = store.database.ledger;
  const models = new ChosenModels({ env, ledger, say, ...(model === undefined ? {} : { model }) });
  for (const { crew, source } of known) await models.add({ ...source, crew });
  const secrets = toSecrets(env);
  const served = known.map((one) => one.served);
  const engine = parts.use(
    new ServerEngine({
      store,
      crews: served,
      model: models.modelOf,
      secrets,
      warn: say,
      ...omitUndefined({ maxToolCalls }),
    }),
  );
  return new OpenedBaton({ known, models, engine, secrets, say, owned: parts.move() });
}

/** What the files of variables say is known to tools too, so it is read before they are loaded. */
async function readEnvFiles({ env, envFile = env === undefined, crews = [] }: BatonOptions): Promise<void> {
  if (!envFile) return;
  for (const crew of crews) if (typeof crew === "string") await readEnvOf(crew, process.env);
  await readEnv(".", process.env);
}

async function toKnownCrew(crew: Crew | string, threads: ToolThreads): Promise<KnownCrew> {
  if (typeof crew === "string") return readFolder(crew, threads);
  if (typeof crew === "object" && crew !== null && crew.agents instanceof Map) return toKnown(crew);
  throw new BatonError("invalid", "`crews` has something that is not a crew; use defineCrew, or name a folder");
}

/** Routes find a crew by its id, and stored runs by its name. */
function checkApart(known: readonly KnownCrew[]): void {
  for (const [id, { length }] of Map.groupBy(known, (one) => one.id)) {
    if (length > 1) throw new BatonError("invalid", `two crews are called "${id}"; give one of them another name`);
  }
}

interface Parts {
  readonly known: readonly KnownCrew[];
  readonly models: ChosenModels;
  readonly engine: ServerEngine;
  readonly secrets: readonly string[];
  readonly say: (text: string) => void;
  readonly owned: AsyncDisposableStack;
}

class OpenedBaton implements Baton {
  readonly #parts: Parts;
  readonly #known: Map<string, KnownCrew>;
  readonly #servers = new Set<Serves>();
  readonly #starting = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#known = new Map(parts.known.map((one) => [one.id, one]));
  }

  start<Output extends Json = Json>(crew: Crew<Output> | string, input: string, options?: RunOptions): Run<Output>;
  start(crew: Crew | string, input: string, options: RunOptions = {}): Run {
    this.#checkOpen();
    const known = this.#know(crew);
    const { engine, models } = this.#parts;
    const id = options.id ?? newRunId(engine.store.clock.now());
    const start = { ...options, id, input };
    // What is wrong with the request is thrown here, not from the run.
    toBeginning(known.crew, start);
    const begin = async (): Promise<Run> => {
      await models.add({ ...known.source, crew: known.crew });
      return engine.engine.start(engine.toRedacted(known.crew), start);
    };
    const starting = begin();
    this.#own(starting);
    return new StartingRun(id, starting);
  }

  async open(id: string): Promise<Run> {
    this.#checkOpen();
    const { engine } = this.#parts.engine;
    const record = await engine.find(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (record.status === "running" || record.status === "queued") {
      try {
        return await engine.takeUp(record.id);
      } catch (error) {
        // A run that another process executes is followed from here.
        const { code } = toBatonError(error, "internal");
        if (code !== "conflict" && code !== "busy" && code !== "run_ended") throw error;
      }
    }
    const run = await engine.run(record.id);
    if (run === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    return run;
  }

  runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return this.#parts.engine.store.database.runs.list(filter);
  }

  recover(): Promise<number> {
    this.#checkOpen();
    return this.#parts.engine.engine.recover();
  }

  async idle(): Promise<void> {
    while (this.#starting.size > 0) await Promise.allSettled(this.#starting);
    await this.#parts.engine.engine.idle();
  }

  serve(options: ServeOptions = {}): Promise<Served> {
    const serving = this.#serve(options);
    this.#own(serving);
    return serving;
  }

  async #serve(options: ServeOptions): Promise<Served> {
    this.#checkOpen();
    const { models, engine, secrets, say } = this.#parts;
    const crews = [...this.#known.values()];
    for (const { crew, source } of crews) await models.add({ ...source, crew });
    const served = await serve({ crews, models, engine, secrets, say }, options);
    this.#servers.add(served);
    return served;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting);
    try {
      // Clients of the servers have their answers before the runs stop.
      await Promise.all(Array.from(this.#servers, (served) => served.stop()));
    } finally {
      await this.#parts.owned.disposeAsync();
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
    const same = [...this.#known.values()].find((one) => one.crew === crew);
    if (same !== undefined) return same;
    const known = toKnown(crew);
    this.#known.set(known.id, known);
    const all = [...this.#known.values()];
    this.#parts.engine.replaceCrews(all.map((one) => one.served));
    for (const server of this.#servers) this.#show(server, all);
    return known;
  }

  /** What cannot be served runs all the same. */
  #show(server: Serves, crews: readonly KnownCrew[]): void {
    try {
      server.show(crews);
    } catch (error) {
      this.#parts.say(`a crew is not served: ${toMessage(error)}`);
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
