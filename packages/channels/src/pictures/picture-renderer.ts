/**
 * Picture renderer: draws SVG as PNG in a thread of its own, which is started for the first picture and ends when none
 * was asked for in a while.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { toMessage } from "@baton/core/util";

const WORKER = new URL(`./picture-worker${extname(import.meta.url)}`, import.meta.url);
const IDLE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const MAX_SVG_CHARS = 4 * 1_024 * 1_024;
const HEAP_MB = 128;

/** The answer of the thread to a picture. */
export type DrawnPicture = Readonly<{ id: number } & ({ png: Uint8Array } | { error: string })>;

/** Draws the pictures of a server. */
export class PictureRenderer implements AsyncDisposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next = 0;

  /** Draws one picture. */
  readonly draw = async (svg: string): Promise<Uint8Array> => {
    if (svg.length > MAX_SVG_CHARS) throw new Error(`the picture has ${svg.length} characters of SVG`);
    const worker = this.#open();
    const id = ++this.#next;
    const drawn = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(id, drawn);
    worker.postMessage({ id, svg });
    this.#watch(TIMEOUT_MS);
    try {
      return await drawn.promise;
    } finally {
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#watch(IDLE_MS);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    worker.unref();
    worker.on("message", (drawn: DrawnPicture) => {
      const waiting = this.#waiting.get(drawn.id);
      if ("png" in drawn) waiting?.resolve(drawn.png);
      else waiting?.reject(new Error(drawn.error));
    });
    worker.on("error", (error: unknown) => this.#end(worker, new Error(toMessage(error))));
    worker.on("exit", () => this.#end(worker, new Error("the thread that draws pictures has ended")));
    this.#worker = worker;
    return worker;
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  /** Ends the thread if it draws nothing for so long. */
  #watch(delayMs: number): void {
    const worker = this.#worker;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      worker?.terminate().catch(() => undefined);
    }, delayMs);
    this.#timer.unref();
  }
}
