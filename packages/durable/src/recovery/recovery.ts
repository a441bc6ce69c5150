/**
 * Recovery: looks, again and again, for runs that no living process holds, and offers them to the placement.
 *
 * Those whose processes crashed least go first, and a run that the crash-loop guard holds back is not read until its time
 * comes. What cannot be recovered because of the store is looked at again; what can never continue, or not here, is
 * reported once. It looks for all runs, or only for those that are followed here.
 */
import type { Clock } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import { isTransient } from "@baton/store/ports";
import type { EngineContext } from "../engine/engine-context.ts";
import type { HeldRuns } from "../held/held-runs.ts";

/** Pause between a write and the look that follows it. */
const WATCH_MS = 10;
/** Runs that are recovered at the same time. */
const LANES = 8;

/** Recovers what was interrupted, as long as it is not stopped. */
export class Recovery {
  readonly #context: EngineContext;
  readonly #held: HeldRuns;
  readonly #recover: (id: string) => Promise<unknown>;
  readonly #reported = new Set<string>();
  /** Runs of other processes that are followed here. */
  readonly #followed = new Set<string>();
  /** Runs that were found and not tried, with how often in a row they crashed. */
  #found = new Map<string, number>();
  #isBegun = false;
  #isStopped = false;
  #unwatch: (() => void) | undefined;
  /** The next look; undefined while one is under way. */
  #timer: ReturnType<Clock["after"]> | undefined;
  /** Something was written: the next look is soon. */
  #isSoon = false;

  constructor(held: HeldRuns, recover: (id: string) => Promise<unknown>) {
    this.#context = held.context;
    this.#held = held;
    this.#recover = recover;
  }

  /** Looks now and from now on, once however often it is begun; resolves with how many this look has recovered. */
  async begin(): Promise<number> {
    const isFirst = !this.#isBegun;
    this.#isBegun = true;
    if (isFirst && this.#context.placement.isWatching)
      this.#unwatch = this.#context.store.database.logs.watchAll(() => this.#hurry());
    const count = await this.#look();
    if (isFirst) this.#wait();
    return count;
  }

  /** Recovers a run of another process if that process dies. */
  follow(id: string): void {
    this.#followed.add(id);
    if (this.#timer === undefined && !this.#isBegun) this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unwatch?.();
    this.#timer?.cancel();
  }

  async #look(): Promise<number> {
    await this.#find();
    const levels = Map.groupBy(this.#found, ([, recoveries]) => recoveries);
    let count = 0;
    for (const recoveries of [...levels.keys()].toSorted((one, other) => one - other)) {
      const ids = (levels.get(recoveries) ?? []).map(([id]) => id).values();
      const recovered = await Promise.all(Array.from({ length: LANES }, () => this.#recoverAll(ids)));
      for (const more of recovered) count += more;
    }
    return count;
  }

  /** Finds what was interrupted; the record of what is known already is not read again. */
  async #find(): Promise<void> {
    const { crews, store } = this.#context;
    const { database, clock } = store;
    const found = new Map<string, number>();
    const strays: RunRecord[] = [];
    for (const id of await this.#ids()) {
      if (this.#held.get(id) !== undefined || this.#reported.has(id)) continue;
      if (!this.#isBegun && !this.#followed.has(id)) continue;
      await clock.breathe();
      // One that cannot be read is reported when it is tried.
      const record = this.#found.has(id) ? undefined : await database.runs.find(id).catch(() => undefined);
      if (record !== undefined && !crews.has(record)) strays.push(record);
      else found.set(id, this.#found.get(id) ?? record?.recoveries ?? 0);
    }
    this.#found = found;
    if (strays.length > 0) this.#report(strays);
  }

  /** Forgets followed runs that have paused or ended, or that continue here. */
  async #forget(): Promise<void> {
    for (const id of this.#followed) {
      const record = await this.#context.store.database.runs.find(id).catch(() => undefined);
      const isOpen = record?.status === "running" || record?.status === "queued";
      if (!isOpen || this.#held.get(id) !== undefined) this.#followed.delete(id);
    }
  }

  /** A command to a paused run may have lost its sender; on a lease the sender itself opens the run. */
  async #ids(): Promise<ReadonlySet<string>> {
    const { database } = this.#context.store;
    const { isLocal, isWatching } = this.#context.placement;
    const interrupted = await database.runs.interrupted();
    return new Set(isLocal && !isWatching ? interrupted : [...interrupted, ...(await database.inbox.unread())]);
  }

  /** Reports interrupted runs whose crews are not here: perhaps no process ever continues them. */
  #report(strays: readonly RunRecord[]): void {
    for (const { id } of strays) this.#reported.add(id);
    const crews = Map.groupBy(strays, ({ crew }) => crew);
    const counts = Array.from(crews, ([crew, runs]) => `${runs.length} of crew ${crew}`).join(", ");
    this.#context.warn(
      `interrupted runs are of crews that are not here: ${counts}; serve their crews to continue them, or cancel them`,
    );
  }

  /** Recovers runs that crashed equally often, one after the other: if one is for later, so are the rest. */
  async #recoverAll(ids: Iterable<string>): Promise<number> {
    let count = 0;
    for (const id of ids) {
      await this.#context.store.clock.breathe();
      this.#found.delete(id);
      const fate = await this.#try(id);
      if (fate === "recovered") count++;
      if (fate === "later" || this.#isStopped) break;
    }
    return count;
  }

  async #try(id: string): Promise<"recovered" | "left" | "later"> {
    try {
      await this.#recover(id);
      return "recovered";
    } catch (error) {
      const { code, message } = toBatonError(error, "internal");
      // Another process was faster, or a person must decide first.
      if (code === "conflict" || code === "run_ended" || code === "closed") return "left";
      // The crash-loop guard holds it back.
      if (code === "busy") return "later";
      // The next look tries again.
      if (isTransient(error)) return "left";
      this.#reported.add(id);
      this.#context.warn(`run ${id} cannot continue: ${message}`);
      return "left";
    }
  }

  #hurry(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    if (this.#timer !== undefined) this.#wait();
  }

  #wait(): void {
    if (this.#isStopped || (!this.#isBegun && this.#followed.size === 0)) return;
    this.#timer?.cancel();
    this.#timer = this.#context.store.clock.after(this.#isSoon ? WATCH_MS : this.#context.placement.lookMs, () => {
      this.#timer = undefined;
      this.#isSoon = false;
      const looking = this.#look().then(() => this.#forget());
      this.#context.own(looking.catch(() => undefined).then(() => this.#wait()));
    });
  }
}
