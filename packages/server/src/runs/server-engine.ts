/**
 * Server engine: the durable engine of one server, or of a program and all the servers that it starts.
 *
 * Redacts secrets from all its runs and broadcasts their events to every watcher. Disposing leaves
 * its runs at their last finished step, then calls what the tools of its crews want to do before the process ends.
 */
import type { Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { DurableEngine } from "@baton/durable";
import { readAll, type Store } from "@baton/store";
import type { RunOrigin } from "../observe/open-runs.ts";
import { RunTracer } from "../observe/spans/run-tracer.ts";
import { toTimedTool } from "../observe/timed-tool.ts";
import type { EngineWatcher, ServedCrew, ServerOptions, SharedEngine } from "../options.ts";
import { defineRedaction, type Redaction } from "../secrets/redacted-options.ts";
import { runShutdown } from "../shutdown.ts";

/** Options of a server's engine. */
export interface ServerEngineOptions extends Pick<
  ServerOptions,
  "store" | "crews" | "model" | "secrets" | "maxToolCalls" | "replaceProgram" | "guardOf" | "placement" | "telemetry"
> {
  /** Told what keeps a run from continuing by itself. */
  readonly warn?: (text: string) => void;
}

/** A durable engine that servers can share. */
export class ServerEngine implements SharedEngine, AsyncDisposable {
  readonly store: Store;
  readonly engine: DurableEngine;
  readonly #options: ServerEngineOptions;
  readonly #redaction: Redaction;
  readonly #watchers = new Set<EngineWatcher>();
  readonly #tracer: RunTracer;
  #served: readonly ServedCrew[];

  constructor(options: ServerEngineOptions) {
    const { store, crews, maxToolCalls, replaceProgram, guardOf, placement, warn, telemetry, secrets } = options;
    const readLog = async (run: string, last: number) => (await readAll(store.database, run)).slice(0, last);
    const { tracerProvider, hasContent } = telemetry ?? {};
    this.#tracer = new RunTracer({ tracerProvider, hasContent, secrets, readLog });
    this.#options = options;
    this.#served = crews;
    this.store = store;
    const began: EngineWatcher["began"] = (run, call) => {
      for (const watcher of this.#watchers) watcher.began(run, call);
    };
    this.#redaction = defineRedaction(options, (tool) => toTimedTool(tool, began));
    this.engine = new DurableEngine({
      store,
      crews: crews.map(({ crew }) => this.toRedacted(crew)),
      model: (agent, crew) => this.#tracer.watchModel(this.#redaction.model(agent, crew)),
      observe: (event) => {
        this.#tracer.observe(event);
        for (const watcher of this.#watchers) watcher.observe(event);
      },
      schedulesDue: () => Promise.all(Array.from(this.#watchers, async ({ schedulesDue }) => schedulesDue?.())),
      ...omitUndefined({ maxToolCalls, replaceProgram, guardOf, placement, warn }),
    });
  }

  /** The crew as this engine runs it: its tools tell no secrets. */
  toRedacted(crew: Crew): Crew {
    return this.#redaction.toRedacted(crew);
  }

  /** Sees the events of all runs from now on, until the given function is called. */
  watch(watcher: EngineWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /** Says where a run comes from, for its spans, before it is started or resumed. */
  link(run: string, origin: RunOrigin): void {
    this.#tracer.link(run, origin);
  }

  /** Ends the spans of its runs. */
  endSpans(): void {
    this.#tracer.close();
  }

  /** Uses these crews from now on: runs that begin have them, those under way keep theirs. */
  replaceCrews(crews: readonly ServedCrew[]): void {
    this.#served = crews;
    this.engine.replaceCrews(crews.map(({ crew }) => this.toRedacted(crew)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { store, warn } = this.#options;
    await this.engine.stop();
    this.endSpans();
    const error = (message: string, fields: object = {}) => warn?.(`${message}: ${JSON.stringify(fields)}`);
    await runShutdown({ crews: this.#served }, { clock: store.clock, logger: { error }, remainingMs: 0 });
  }
}
