/**
 * Held runs: all the runs that this process may write to, by id. There is no other list of them.
 *
 * A run is opened once, however many ask for it at the same time.
 */
import { BatonError } from "@baton/core";
import { ById } from "@baton/core/ports";
import { findHopeless, mayRestart, toSuspect } from "./crash-guard.ts";
import { crewOf } from "./crew-shelf.ts";
import type { RunRecord } from "@baton/store";
import { ownerOf } from "@baton/store/ports";
import type { HeldParts } from "./held-parts.ts";
import { HeldRun, type Opening } from "./held-run.ts";
import { type Lock, lockRun, lockSession } from "./run-lock.ts";

/** Why a run is opened: somebody asks for it, it was found interrupted, or it is cancelled though its crew is not here. */
export type OpeningReason = "request" | "recovery" | "absent";

/** The runs that one process holds. */
export class HeldRuns {
  readonly #parts: HeldParts;
  readonly #runs = new ById<HeldRun>();

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  get all(): readonly HeldRun[] {
    return this.#runs.values();
  }

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  /** Holds a run that is about to begin or to be opened. */
  hold(id: string): HeldRun {
    if (this.#runs.get(id) !== undefined) {
      throw new BatonError("conflict", `run ${id} already exists and is held here`);
    }
    const run = new HeldRun(id, this.#parts);
    this.#runs.set(id, run);
    this.#parts.watchInbox();
    return run;
  }

  forget(run: { readonly id: string }): void {
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
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

  /** Opens a run; undefined if another process, or another run of its session, has the lock. */
  async open(record: RunRecord, why: OpeningReason): Promise<HeldRun | undefined> {
    const { id } = record;
    while (this.#runs.get(id) !== undefined) {
      const known = await this.find(id);
      if (known !== undefined) return known;
    }
    const run = this.hold(id);
    const lock = await this.#lock(record).catch(async (error: unknown) => {
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

  /** How a run is opened for this reason. */
  toOpening(why: OpeningReason): Opening {
    const { store, shelf } = this.#parts;
    if (why === "absent") return { changes: "ignore", restore: (record) => crewOf(store.database, record) };
    const restore = (record: RunRecord) => shelf.restore(record);
    if (why === "request") return { changes: "ask", restore };
    return {
      changes: "ask",
      // A run that the guard holds back is not read.
      restore: async (record) => {
        if (!mayRestart(record, this.#records())) throw toSuspect(record.id);
        return restore(record);
      },
      findObstacle: ({ record, events, change }) => {
        if (record.status !== "running" || change !== undefined) return undefined;
        return findHopeless(record, events) ?? (mayRestart(record, this.#records()) ? undefined : toSuspect(record.id));
      },
    };
  }

  #lock({ id, session, ...record }: RunRecord): Promise<Lock | undefined> {
    const { store } = this.#parts;
    return session === undefined ? lockRun(store, id) : lockSession(store, { ...ownerOf(record), id: session });
  }

  *#records(): Iterable<RunRecord> {
    for (const { record } of this.#runs.values()) if (record !== undefined) yield record;
  }
}
