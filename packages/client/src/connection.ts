/**
 * Connection: one stream of a server, until it ends, is interrupted or falls silent.
 *
 * It gives what the server sent, in order; the caller handles what is missing or comes twice.
 */
import type { RunEvent } from "@baton/core";
import { ClientError } from "./client-error.ts";
import { type Endpoint, invalidAnswer, type Query, send } from "./endpoint.ts";
import { isRunEvent, parseText } from "./json-value.ts";
import { type SseFrame, SseParser } from "./sse.ts";
import { Watchdog } from "./watchdog.ts";

/** The stream to read, and the conversion of its frames. */
export interface ConnectionOptions<Item> {
  readonly path: readonly string[];
  readonly search?: Query["search"];
  /** Converts a frame to its items; throws if the frame is not valid. */
  readonly toItems: (frame: SseFrame) => Iterable<Item>;
  readonly abort: AbortSignal | undefined;
  /** Called when the server has begun to answer. */
  readonly onOpen?: (() => void) | undefined;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** A connection that can be read once. */
export class Connection<Item> {
  readonly #endpoint: Endpoint;
  readonly #options: ConnectionOptions<Item>;
  readonly #parser = new SseParser();
  readonly #watchdog: Watchdog;
  #isOver = false;

  constructor(endpoint: Endpoint, options: ConnectionOptions<Item>) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#watchdog = new Watchdog({ abort: options.abort, silenceMs: endpoint.silenceMs });
  }

  /** The server said that the log has nothing further, now or ever. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The wait before the next connection that the stream asked for. */
  get retryMs(): number | undefined {
    return this.#parser.retryMs;
  }

  /**
   * Connects and reads, a list for each read; an incomplete last frame is dropped. Nothing stays open,
   * whatever came.
   */
  async *batches(): AsyncGenerator<readonly Item[], void, undefined> {
    let reader: Reader | undefined;
    try {
      reader = await this.#open();
      if (reader === undefined) return;
      for (let bytes = await this.#read(reader); bytes !== undefined; bytes = await this.#read(reader)) {
        yield* toBatches(this.#parser.push(bytes), this.#options.toItems);
      }
    } finally {
      this.#watchdog.end();
      reader?.cancel().catch(ignore);
    }
  }

  async #open(): Promise<Reader | undefined> {
    const { path, search = {} } = this.#options;
    const query = {
      path,
      search,
      headers: { Accept: "text/event-stream" },
      abort: this.#watchdog.abort,
    };
    const response = await this.#watchdog.wait(send(this.#endpoint, query));
    this.#isOver = response.status === 204;
    this.#options.onOpen?.();
    if (this.#isOver) return undefined;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    return response.body === null || !isStream ? invalidAnswer("is not an event stream") : response.body.getReader();
  }

  async #read(reader: Reader): Promise<Uint8Array | undefined> {
    const { value } = await this.#watchdog.wait(reader.read().catch(cut));
    return value;
  }
}

/** Yields the items of one read as a list; the items before an invalid frame come before the error. */
function* toBatches<Item>(
  frames: Iterable<SseFrame>,
  toItems: (frame: SseFrame) => Iterable<Item>,
): Generator<readonly Item[], void, undefined> {
  const items: Item[] = [];
  let wrong: { readonly thrown: unknown } | undefined;
  try {
    for (const frame of frames) items.push(...toItems(frame));
  } catch (thrown) {
    wrong = { thrown };
  }
  if (items.length > 0) yield items;
  if (wrong !== undefined) throw wrong.thrown;
}

/** The events of a frame: none if it is not of the log, as a ping; those of the log have an id. */
export function* toEvents({ id, data }: SseFrame): Generator<RunEvent, void, undefined> {
  const value = parseText(data);
  if (isRunEvent(value)) yield value;
  else if (id !== undefined) invalidAnswer(`has something other than an event with the id ${id.slice(0, 64)}`);
}

function cut(error: unknown): never {
  throw new ClientError("network", "The connection was interrupted", { cause: error });
}

function ignore(): void {}
