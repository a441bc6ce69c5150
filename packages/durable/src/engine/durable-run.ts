/**
 * Durable run: where the handle of a stored run finds it: in this process while it executes here, else in the store.
 *
 * A handle stays good over pauses and processes. It keeps the segment it knows, and looks the run up again once that
 * has ended in a pause.
 */
import type { Command, EventsOptions, Receipt, RunEvent, RunResult } from "@baton/core";
import { type RunPort, toWatchOf, type WatchOf } from "@baton/core/engine";
import { crewOf } from "./crew-definitions.ts";
import { type RunRecord, readAll } from "@baton/store";
import type { HeldRuns } from "../held/held-runs.ts";
import type { ActiveSegment, CommandResult } from "./active-segment.ts";

/** Sends a command to a run, wherever it executes. */
type SendCommand = (id: string, command: Command) => Promise<CommandResult>;

/** One run on a store. */
export class DurableRun implements RunPort {
  readonly id: string;
  readonly #held: HeldRuns;
  readonly #command: SendCommand;
  #segment: ActiveSegment;
  /** The run may have continued since, here or in another process. */
  #isPast = false;

  constructor(segment: ActiveSegment, held: HeldRuns, command: SendCommand) {
    this.id = segment.id;
    this.#held = held;
    this.#command = command;
    this.#segment = segment;
    this.#keep(segment);
  }

  /** Uses a segment that is known to be the present one. */
  #keep(segment: ActiveSegment): void {
    this.#segment = segment;
    this.#isPast = segment.isStored === true;
    if (this.#isPast) return;
    const settle = ({ outcome }: RunResult): void => {
      if (this.#segment === segment) this.#isPast = outcome === "paused";
    };
    segment.outcome.then(settle, () => undefined);
  }

  /** The record of a run that has executed in this process, up to its last event there. */
  get record(): RunRecord | undefined {
    return this.#segment.record?.();
  }

  async #find(): Promise<ActiveSegment> {
    const segment = await this.#held.requireSegment(this.id);
    this.#keep(segment);
    return segment;
  }

  result(): Promise<RunResult> {
    return this.#isPast ? this.#find().then(({ outcome }) => outcome) : this.#segment.outcome;
  }

  events({ after = 0, until = "pause" }: EventsOptions): AsyncIterableIterator<RunEvent> {
    if (until === "end") return this.#eventsToEnd(after);
    return this.#isPast ? this.#foundEvents(after) : this.#segment.events(after);
  }

  async *#foundEvents(after: number): AsyncGenerator<RunEvent, undefined> {
    yield* (await this.#find()).events(after);
  }

  /** From the process while it executes here, and over its pauses from the store, also if another process writes it then. */
  async *#eventsToEnd(after: number): AsyncGenerator<RunEvent, undefined> {
    let seen = after;
    for await (const event of this.events({ after })) {
      seen = event.seq;
      yield event;
      if (event.type === "run.ended") return;
    }
    yield* this.#held.context.store.follow(this.id, seen, ({ type }) => type === "run.ended");
  }

  async send(command: Command): Promise<Receipt | undefined> {
    const { segment, receipt } = await this.#command(this.id, command);
    this.#keep(segment);
    return receipt;
  }

  async since(): Promise<number> {
    const events = await readAll(this.#held.context.store.database, this.id);
    return (events.findLast(({ type }) => type === "run.started" || type === "run.resumed")?.seq ?? 1) - 1;
  }

  async watchOf(): Promise<WatchOf> {
    const { database } = this.#held.context.store;
    const record = await database.runs.find(this.id);
    if (record === undefined) return () => undefined;
    return toWatchOf((await crewOf(database, record)).crew);
  }
}
