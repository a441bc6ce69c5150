/**
 * Held runs: all the runs that this process may write to, by id. There is no other list of them.
 *
 * A run is opened once, however many ask for it at the same time.
 */
import { BatonError } from "@baton/core";
import { IdMap } from "@baton/core/util";
import { findCrashLoop, mayRestart, restartLaterError } from "../recovery/crash-guard.ts";
import type { ActiveSegment } from "../engine/active-segment.ts";
import { crewOf } from "../engine/crew-definitions.ts";
import type { EngineContext } from "../engine/engine-context.ts";
import { openStoredSegment } from "../log/stored-segment.ts";
import type { RunRecord } from "@baton/store";
import { type ClaimOptions, ownerOf } from "@baton/store/ports";
import { HeldRun, type OpenOptions, type ReleasedRun } from "./held-run.ts";
import { type Lock, lockRun, lockSession } from "./run-lock.ts";

/** Reason of opening a run: a client asks for it, it was found interrupted, or it is cancelled though its crew is not here. */
export type OpeningReason = "request" | "recovery" | "absent";

/** Told when a run is held, and when it is released. */
interface OnHeld {
  readonly held: () => void;
  readonly released: (released: ReleasedRun) => void;
}

/** The runs that one process holds. */
export class HeldRuns {
  readonly context: EngineContext;
  readonly #onHeld: OnHeld;
  readonly #runs = new IdMap<HeldRun>();

  constructor(context: EngineContext, onHeld: OnHeld) {
    this.context = context;
    this.#onHeld = onHeld;
  }

  get all(): readonly HeldRun[] {
    return this.#runs.values();
  }

  get size(): number {
    return this.#runs.size;
  }

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  /** Holds a run that is about to begin or to be opened. */
  hold(id: string): HeldRun {
    if (this.#runs.get(id) !== undefined) {
      throw new BatonError("conflict", `run ${id} already exists and is held here`);
    }
    const run = new HeldRun(id, this.context);
    this.#runs.set(id, run);
    this.#onHeld.held();
    this.context.own(this.#forget(run));
    return run;
  }

  async #forget(run: HeldRun): Promise<void> {
    const released = await run.released;
    this.#runs.delete(run.id);
    this.#onHeld.released(released);
  }

  /** A run that is held here, once it is open; undefined if it is not held. */
  async find(id: string): Promise<HeldRun | undefined> {
    for (let run = this.#runs.get(id); run !== undefined; run = this.#runs.get(id)) {
      await run.ready.catch(() => undefined);
      if (run.state !== "released") return run;
      await run.released;
    }
    return undefined;
  }

  /** The segment of a run that is under way, or the last one: here, or as it is stored; undefined if there is no such run. */
  async segment(id: string): Promise<ActiveSegment | undefined> {
    const here = this.#runs.get(id)?.segment;
    if (here !== undefined) return here;
    const record = await this.context.store.database.runs.find(id);
    return record && openStoredSegment(this.context, record);
  }

  async requireSegment(id: string): Promise<ActiveSegment> {
    const segment = await this.segment(id);
    if (segment === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    return segment;
  }

  /** Opens a run; undefined if another process, or another run of its session, has the lock. */
  async open(record: RunRecord, why: OpeningReason, how?: ClaimOptions): Promise<HeldRun | undefined> {
    const { id } = record;
    while (this.#runs.get(id) !== undefined) {
      const known = await this.find(id);
      if (known !== undefined) return known;
    }
    const run = this.hold(id);
    const lock = await this.#lock(record, how).catch(async (error: unknown) => {
      await run.giveUp();
      throw error;
    });
    if (lock === undefined) {
      await run.giveUp();
      return undefined;
    }
    await run.open(lock, this.toOpening(why));
    return run;
  }

  /** Returns the options of opening a run for this reason. */
  toOpening(why: OpeningReason): OpenOptions {
    const { store, definitions } = this.context;
    if (why === "absent") return { restore: (record) => crewOf(store.database, record) };
    const restore = (record: RunRecord) => definitions.restore(record);
    if (why === "request") return { restore };
    return {
      // A run that the guard holds back is not read.
      restore: async (record) => {
        if (!mayRestart(record, this.#records())) throw restartLaterError(record.id);
        return restore(record);
      },
      findObstacle: ({ record, events }) => {
        if (record.status !== "running") return undefined;
        return (
          findCrashLoop(record, events) ??
          (mayRestart(record, this.#records()) ? undefined : restartLaterError(record.id))
        );
      },
    };
  }

  #lock({ id, session, ...record }: RunRecord, how: ClaimOptions | undefined): Promise<Lock | undefined> {
    const { store } = this.context;
    if (session === undefined) return lockRun(store, id, how);
    return lockSession(store, { ...ownerOf(record), id: session }, how);
  }

  *#records(): Iterable<RunRecord> {
    for (const { record } of this.#runs.values()) if (record !== undefined) yield record;
  }
}
