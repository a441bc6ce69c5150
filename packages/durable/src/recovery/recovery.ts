/**
 * Recovery: looks, again and again, for runs that no living process holds, and offers them to the placement.
 *
 * Those whose processes crashed least go first, and a run that the crash-loop guard holds back is not read until its time
 * comes. What cannot be recovered because of the store is looked at again; what can never continue, or not here, is
 * reported once.
 */
import type { Clock } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import type { RunRecord, Store } from "@baton/store";
import { isTransient } from "@baton/store/ports";
import type { Placement } from "../placement/placement.ts";
import type { DurableOptions } from "../engine/options.ts";

/** Pause between a write and the look that follows it. */
const WATCH_MS = 10;
/** Runs that are recovered at the same time. */
const LANES = 8;

/** Parts of a recovery. */
interface Parts extends Pick<DurableOptions, "store" | "warn"> {
  readonly placement: Pick<Placement, "isLocal" | "lookMs" | "isWatching">;
  /** Whether the crew of a run is here. */
  readonly isKnown: (record: RunRecord) => boolean;
  /** Whether a run is here already. */
  readonly isHere: (id: string) => boolean;
  readonly recover: (id: string) => Promise<unknown>;
  /** Keeps a promise until it settles. */
  readonly own: (promise: Promise<unknown>) => void;
}

/** Recovers what was interrupted, as long as it is not stopped. */
export class Recovery {
  readonly #parts: Parts;
  readonly #store: Store;
  readonly #reported = new Set<string>();
  /** Runs that were found and not tried, with how often in a row they crashed. */
  #found = new Map<string, number>();
  #isBegun = false;
  #isStopped = false;
  #unwatch: (() => void) | undefined;
  /** The next look; undefined while one is under way. */
  #timer: ReturnType<Clock["after"]> | undefined;
  /** Something was written: the next look is soon. */
  #isSoon = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  /** Looks now and from now on, once however often it is begun; resolves with how many this look has recovered. */
  async begin(): Promise<number> {
    const isFirst = !this.#isBegun;
    this.#isBegun = true;
    if (isFirst && this.#parts.placement.isWatching)
      this.#unwatch = this.#store.database.logs.watchAll(() => this.#hurry());
    const count = await this.#look();
    if (isFirst) this.#wait();
    return count;
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
    const { isKnown, isHere } = this.#parts;
    const { database, clock } = this.#store;
    const found = new Map<string, number>();
    const strays: RunRecord[] = [];
    for (const id of await this.#ids()) {
      if (isHere(id) || this.#reported.has(id)) continue;
      await clock.breathe();
      // One that cannot be read is reported when it is tried.
      const record = this.#found.has(id) ? undefined : await database.runs.find(id).catch(() => undefined);
      if (record !== undefined && !isKnown(record)) strays.push(record);
      else found.set(id, this.#found.get(id) ?? record?.recoveries ?? 0);
    }
    this.#found = found;
    if (strays.length > 0) this.#report(strays);
  }

  /** A command to a paused run may have lost its sender; on a lease the sender itself opens the run. */
  async #ids(): Promise<ReadonlySet<string>> {
    const { database } = this.#store;
    const { isLocal, isWatching } = this.#parts.placement;
    const interrupted = await database.runs.interrupted();
    return new Set(isLocal && !isWatching ? interrupted : [...interrupted, ...(await database.inbox.unread())]);
  }

  /** Reports interrupted runs whose crews are not here: perhaps no process ever continues them. */
  #report(strays: readonly RunRecord[]): void {
    for (const { id } of strays) this.#reported.add(id);
    const crews = Map.groupBy(strays, ({ crew }) => crew);
    const counts = Array.from(crews, ([crew, runs]) => `${runs.length} of crew ${crew}`).join(", ");
    this.#parts.warn?.(
      `interrupted runs are of crews that are not here: ${counts}; serve their crews to continue them, or cancel them`,
    );
  }

  /** Recovers runs that crashed equally often, one after the other: if one is for later, so are the rest. */
  async #recoverAll(ids: Iterable<string>): Promise<number> {
    let count = 0;
    for (const id of ids) {
      await this.#store.clock.breathe();
      this.#found.delete(id);
      const fate = await this.#try(id);
      if (fate === "recovered") count++;
      if (fate === "later" || this.#isStopped) break;
    }
    return count;
  }

  async #try(id: string): Promise<"recovered" | "left" | "later"> {
    try {
      await this.#parts.recover(id);
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
      this.#parts.warn?.(`run ${id} cannot continue: ${message}`);
      return "left";
    }
  }

  #hurry(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    if (this.#timer !== undefined) this.#wait();
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#timer?.cancel();
    this.#timer = this.#store.clock.after(this.#isSoon ? WATCH_MS : this.#parts.placement.lookMs, () => {
      this.#timer = undefined;
      this.#isSoon = false;
      const looking = this.#look().catch(() => 0);
      this.#parts.own(looking.then(() => this.#wait()));
    });
  }
}
