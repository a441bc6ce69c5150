/**
 * Run handle: what the caller that started or opened a run holds, for the whole life of the run.
 *
 * It stays the same object over every pause, also if another process resumes the run. A `RunPort` hides where the run
 * lives: this process, a store, a server.
 */
import type { Command, Configuration, Receipt, RunEvent } from "../words/event.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { RunResult } from "./run-result.ts";
import { partialJson } from "../words/schema/partial-json.ts";
import { toShownText, type WatchOf } from "./shown-text.ts";

/** Selection of events to read. */
export interface EventsOptions {
  /** The last event that is already known; 0, the default, for all. */
  readonly after?: number | undefined;
  /** `pause`, the default: up to the run's present pause, or else its next pause or end. `end`: over every pause. */
  readonly until?: "pause" | "end" | undefined;
}

/** The work to cancel, and why: the whole run if it names neither a lane nor a call, as events name them. */
export type CancelOptions = Readonly<{ lane?: string; call?: string; reason?: string }>;

/** Result of a command. */
export interface Commanded {
  readonly run: Run;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}

/** A run, from its start to its end. */
export interface Run<Output = Json> {
  readonly id: string;
  /**
   * The result of the run at its next pause or end; of a paused run, at that pause. Read it again after each resume: it is
   * the promise of the next pause or end then.
   */
  readonly result: Promise<RunResult<Output>>;
  /** The run's events, each once and in order, those that come included. */
  events(options?: EventsOptions): AsyncIterableIterator<RunEvent>;
  /**
   * Streams the text for the user since the run was started or last resumed, up to the next pause or end: without
   * signals, without text that agents write for the crew, an empty line between two replies.
   */
  text(): AsyncIterableIterator<string>;
  /** Streams the beginning of the structured output as it is written; a part is not validated. */
  partialOutput(): AsyncIterableIterator<Json>;
  /**
   * Answers one of its open questions, by the id in `question.opened`; an approval takes `allow`, `deny`,
   * `{ decision: "deny", reason }` or `{ decision: "edit", args }`.
   */
  answer(question: string, value: Json): Promise<void>;
  /**
   * Says something: a running run hears it before its next step, one that waits for a message continues with it. With a
   * `lane`, as events name it, only the agent there hears it.
   */
  say(text: string, options?: { readonly lane?: string }): Promise<void>;
  /** Resumes a paused run, with a message if it waits for one. */
  resume(input?: string): Promise<void>;
  /** Pauses the run before its next step. */
  pause(): Promise<void>;
  /** Stops the run, or one lane or call of it; resolves once all that was stopped has settled. */
  cancel(options?: CancelOptions): Promise<Receipt>;
  /** Changes how models are called from the next step on: those of one agent, or of all. */
  configure(change: Configuration & { readonly agent?: string }): Promise<void>;
  /** Sends any of these as a command. */
  command(command: Command): Promise<Commanded>;
}

/** Where a run lives. */
export interface RunPort {
  readonly id: string;
  result(): Promise<RunResult>;
  events(options: EventsOptions): AsyncIterableIterator<RunEvent>;
  /** The receipt, if it is a cancel. */
  send(command: Command): Promise<Receipt | undefined>;
  /** The last event before the run was started or last resumed. */
  since(): number | Promise<number>;
  /** The signals to hold back. */
  watchOf(): WatchOf | Promise<WatchOf>;
}

const NOTHING_STOPPED: Receipt = { stopped: [], finished: [], abandoned: [] };

/** A run wherever it lives. */
export class RunHandle implements Run {
  readonly #port: RunPort;

  constructor(port: RunPort) {
    this.#port = port;
  }

  get id(): string {
    return this.#port.id;
  }

  get result(): Promise<RunResult> {
    return this.#port.result();
  }

  events(options: EventsOptions = {}): AsyncIterableIterator<RunEvent> {
    return this.#port.events(options);
  }

  async *text(): AsyncGenerator<string, undefined> {
    const [after, watchOf] = await Promise.all([this.#port.since(), this.#port.watchOf()]);
    return yield* toShownText(this.#port.events({}), { after, watchOf });
  }

  async *partialOutput(): AsyncGenerator<Json, undefined> {
    const after = await this.#port.since();
    let text = "";
    let step = "";
    for await (const event of this.#port.events({})) {
      if (event.seq <= after || event.lane !== "") continue;
      if (event.type === "step.started") step = event.output === true ? event.step : "";
      if (event.type === "step.started" || event.type === "step.retried") text = "";
      if (event.type !== "text.delta" || event.step !== step) continue;
      text += event.text;
      const part = partialJson(text);
      if (part !== undefined) yield part;
    }
    return undefined;
  }

  async answer(question: string, value: Json): Promise<void> {
    await this.#port.send({ type: "answer", question, value });
  }

  async say(text: string, { lane }: { readonly lane?: string } = {}): Promise<void> {
    await this.#port.send({ type: "say", text, ...omitUndefined({ lane }) });
  }

  async resume(input?: string): Promise<void> {
    await this.#port.send({ type: "resume", ...omitUndefined({ input }) });
  }

  async pause(): Promise<void> {
    await this.#port.send({ type: "pause" });
  }

  async cancel(options: CancelOptions = {}): Promise<Receipt> {
    return (await this.#port.send({ type: "cancel", ...options })) ?? NOTHING_STOPPED;
  }

  async configure(change: Configuration & { readonly agent?: string }): Promise<void> {
    await this.#port.send({ type: "configure", ...change });
  }

  async command(command: Command): Promise<Commanded> {
    const receipt = await this.#port.send(command);
    return { run: this, ...omitUndefined({ receipt }) };
  }
}
