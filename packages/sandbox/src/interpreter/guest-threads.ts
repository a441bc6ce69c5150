/**
 * Guest threads: a bounded number of workers at once; a holder that needs one more waits in line.
 *
 * One worker is kept warm, since a cold one takes 300 ms. A holder that only waits for a result gives its worker to the
 * first in line, and gets another one when it goes on.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Scope, SystemClock } from "@baton/core/ports";
import { GuestThread } from "./guest-thread.ts";

/** A holder of a worker. */
export interface Holder {
  /** Takes the worker away if nothing is running in it. */
  yield(): GuestThread | undefined;
}

type Loaded = Readonly<{ module: WebAssembly.Module; hash: string }>;
type Waiting = Readonly<{ holder: Holder; go: (thread: GuestThread | undefined) => void }>;

/** The workers of a process. */
export class GuestThreads {
  readonly #max: number;
  readonly #holders = new Map<Holder, GuestThread>();
  readonly #line: Waiting[] = [];
  #warm: GuestThread | undefined;
  #loaded: Promise<Loaded> | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** The interpreter's binary, read and compiled once. */
  load(): Promise<Loaded> {
    return (this.#loaded ??= load());
  }

  /** Waits for a worker; rejects if the scope, if there is one, ends first. */
  async lease(holder: Holder, scope?: Scope): Promise<GuestThread> {
    const { module } = await this.load();
    const free = this.#holders.size < this.#max ? undefined : this.#takeIdle();
    const isFull = free === undefined && this.#holders.size >= this.#max;
    const waited = isFull ? await this.#queue(holder, scope) : free;
    const thread = waited ?? this.#warm ?? new GuestThread(module);
    if (thread === this.#warm) this.#warm = undefined;
    this.#holders.set(holder, thread);
    return thread;
  }

  /** Takes a worker back. */
  release(holder: Holder): void {
    const thread = this.#holders.get(holder);
    if (thread === undefined || !this.#holders.delete(holder)) return;
    const usable = thread.isOver ? undefined : thread;
    const next = this.#line.shift();
    if (next !== undefined) this.#hand(next, usable);
    else if (usable !== undefined && this.#warm === undefined) this.#warm = usable;
    else usable?.terminate();
  }

  /** Says that a holder waits for a result: the first in line may have its worker. */
  rest(): void {
    if (this.#line.length === 0) return;
    const thread = this.#takeIdle();
    const next = thread === undefined ? undefined : this.#line.shift();
    if (next !== undefined) this.#hand(next, thread);
  }

  /** Ends all workers. */
  close(): void {
    for (const thread of this.#holders.values()) thread.terminate();
    this.#warm?.terminate();
    this.#warm = undefined;
  }

  /** The place is taken at once, so that nobody else gets it before the holder goes on. */
  #hand({ holder, go }: Waiting, thread: GuestThread | undefined): void {
    if (thread !== undefined) this.#holders.set(holder, thread);
    go(thread);
  }

  #queue(holder: Holder, scope = Scope.root({ clock: new SystemClock() })): Promise<GuestThread | undefined> {
    return scope.wait((go) => {
      const waiting = { holder, go };
      this.#line.push(waiting);
      return () => {
        const at = this.#line.indexOf(waiting);
        if (at >= 0) this.#line.splice(at, 1);
      };
    });
  }

  #takeIdle(): GuestThread | undefined {
    for (const holder of this.#holders.keys()) {
      const thread = holder.yield();
      if (thread === undefined) continue;
      this.#holders.delete(holder);
      return thread;
    }
    return undefined;
  }
}

async function load(): Promise<Loaded> {
  const bytes = await readFile(fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm")));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return { module: await WebAssembly.compile(bytes), hash };
}
