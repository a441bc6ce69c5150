/**
 * Run tracer: the spans of all runs of an engine, with a server or without.
 *
 * It holds nothing until a run begins while there is somewhere to send its spans: a collector, or a tracer provider that
 * the program has registered.
 */
import type { Model, Prompt, RunEvent } from "@baton/core";
import { ProxyTracerProvider, trace, type TracerProvider } from "@opentelemetry/api";
import { defineRedact } from "../../secrets/redact.ts";
import { OpenRuns, type RunOrigin } from "../open-runs.ts";
import { RecoveredRunBuffer, type ReadLog } from "../recovered-run-buffer.ts";
import { Traces } from "./traces.ts";

/** Options of a run tracer. */
export interface RunTracerOptions {
  /** Default: the one that the process has registered, if any. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Whether texts of people, models and tools are in the spans. */
  readonly hasContent?: boolean | undefined;
  readonly secrets?: readonly string[] | undefined;
  readonly readLog?: ReadLog | undefined;
}

/** Watches the runs of one engine. */
export class RunTracer {
  readonly #options: RunTracerOptions;
  readonly #traces: Traces;
  readonly #runs: OpenRuns;
  readonly #take: (event: RunEvent) => void;
  #isOn = false;

  constructor(options: RunTracerOptions) {
    const { tracerProvider, hasContent, secrets, readLog } = options;
    this.#options = options;
    this.#traces = new Traces({ tracerProvider, redact: defineRedact(secrets), hasContent });
    this.#runs = new OpenRuns((run) => this.#traces.forget(run));
    const tell = (event: RunEvent) => {
      this.#traces.observe(event, this.#runs.enter(event));
      this.#runs.leave(event);
    };
    const buffer = readLog && new RecoveredRunBuffer({ runs: this.#runs, readLog, tell });
    this.#take = buffer === undefined ? tell : (event) => buffer.take(event);
  }

  /** Says where a run comes from, before it is started or resumed. */
  link(run: string, origin: RunOrigin): void {
    if (this.#isTraced()) this.#runs.link(run, origin);
  }

  /** Sees a committed event. */
  observe(event: RunEvent): void {
    if (!this.#isOn && (event.type === "run.started" || event.type === "run.resumed")) this.#isOn = this.#isTraced();
    if (this.#isOn) this.#take(event);
  }

  /** The same model; what it is asked is in the span of its call, if spans have texts. */
  watchModel(model: Model): Model {
    if (this.#options.hasContent !== true) return model;
    const note = (prompt: Prompt) => this.#traces.notePrompt(prompt);
    return {
      ...model,
      stream(prompt, scope) {
        note(prompt);
        return model.stream(prompt, scope);
      },
    };
  }

  /** Ends all spans. */
  close(): void {
    this.#traces.close();
  }

  #isTraced(): boolean {
    const provider = this.#options.tracerProvider ?? trace.getTracerProvider();
    return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer("@baton/server") !== undefined;
  }
}
