/**
 * Recovery: looks, again and again, for runs that no living process holds, and takes them up.
 *
 * Those that were cut off least go first; of those whose trial is later no log is read until then. What cannot be
 * taken up because of the store is looked at again; what cannot go on at all, or not here, is told once.
 */
import { toBatonError } from "@baton/core/ports";
import type { RunRecord } from "./database.ts";
import { isPassing } from "./refusal.ts";
import type { Store } from "./store.ts";
import type { DurableOptions } from "./work.ts";

/** How often it looks. */
const LOOK_MS = 1_000;
/** How many are taken up at the same time. */
const LANES = 8;

/** What a recovery is made of. */
interface Parts extends Pick<DurableOptions, "store" | "warn"> {
  /** Whether the crew of a run is here. */
  readonly isKnown: (record: RunRecord) => boolean;
  /** Whether a run is here already. */
  readonly isHere: (id: string) => boolean;
  readonly takeUp: (id: string) => Promise<unknown>;
  /** Keeps a promise until it settles. */
  readonly own: (promise: Promise<unknown>) => void;
}

/** Takes up what was cut off, as long as it is not stopped. */
export class Recovery {
  readonly #parts: Parts;
  readonly #store: Store;
  readonly #told = new Set<string>();
  /** How often in a row each was cut off that has not been tried since it was found. */
  #cut = new Map<string, number>();
  #isBegun = false;
  #isStopped = false;
  #cancel: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  /** Looks now and from now on, once however often it is begun; resolves with how many were taken up by this look. */
  async begin(): Promise<number> {
    const isFirst = !this.#isBegun;
    this.#isBegun = true;
    const count = await this.#look();
    if (isFirst) this.#wait();
    return count;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #look(): Promise<number> {
    await this.#find();
    const levels = Map.groupBy(this.#cut, ([, recoveries]) => recoveries);
    let count = 0;
    for (const recoveries of [...levels.keys()].toSorted((one, other) => one - other)) {
      const alike = levels.get(recoveries) ?? [];
      const ids = alike.map(([id]) => id).values();
      const taken = await Promise.all(Array.from({ length: LANES }, () => this.#takeUp(ids)));
      for (const more of taken) count += more;
    }
    return count;
  }

  /** Finds what was cut off; the record of what is known already is not read again. */
  async #find(): Promise<void> {
    const { isKnown, isHere } = this.#parts;
    const { database, clock } = this.#store;
    const cut = new Map<string, number>();
    const strays: RunRecord[] = [];
    for (const id of await database.interrupted()) {
      if (isHere(id) || this.#told.has(id)) continue;
      await clock.breathe();
      // What cannot be read is told by whoever takes it up.
      const record = this.#cut.has(id) ? undefined : await database.run(id).catch(() => undefined);
      const isStray = record !== undefined && !isKnown(record);
      if (isStray) strays.push(record);
      else cut.set(id, this.#cut.get(id) ?? record?.recoveries ?? 0);
    }
    this.#cut = cut;
    if (strays.length > 0) this.#tell(strays);
  }

  /** Tells of runs that were cut off and whose crews are not here: nobody may ever go on with them. */
  #tell(strays: readonly RunRecord[]): void {
    for (const { id } of strays) this.#told.add(id);
    const crews = Map.groupBy(strays, ({ crew }) => crew);
    const counts = Array.from(crews, ([crew, runs]) => `${runs.length} of crew ${crew}`).join(", ");
    this.#parts.warn?.(
      `runs were cut off whose crews are not here: ${counts}; they go on where their crew is, or can be cancelled`,
    );
  }

  /** Takes up runs alike one after the other: where one is for later, so are the rest. */
  async #takeUp(ids: Iterable<string>): Promise<number> {
    let count = 0;
    for (const id of ids) {
      await this.#store.clock.breathe();
      this.#cut.delete(id);
      const fate = await this.#try(id);
      if (fate === "taken") count++;
      if (fate === "later" || this.#isStopped) break;
    }
    return count;
  }

  async #try(id: string): Promise<"taken" | "left" | "later"> {
    try {
      await this.#parts.takeUp(id);
      return "taken";
    } catch (error) {
      const { code, message } = toBatonError(error, "internal");
      // Another process was faster, or it is asked about.
      if (code === "conflict" || code === "run_ended" || code === "closed") return "left";
      // Its trial is later.
      if (code === "busy") return "later";
      // The next look takes it up.
      if (isPassing(error)) return "left";
      this.#told.add(id);
      this.#parts.warn?.(`run ${id} cannot go on: ${message}`);
      return "left";
    }
  }

  #wait(): void {
    if (this.#isStopped) return;
    const timer = this.#store.clock.after(LOOK_MS, () => {
      const looking = this.#look().catch(() => 0);
      this.#parts.own(looking.then(() => this.#wait()));
    });
    this.#cancel = () => timer.cancel();
  }
}
