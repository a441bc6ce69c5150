/**
 * Connection: one stream of a run's log, until it ends, is cut or falls silent.
 *
 * It gives what the server sent, in order; what is missing or comes twice is the concern of whoever follows.
 */
import type { RunEvent } from "@baton/core";
import { ClientError } from "./client-error.ts";
import { type Endpoint, invalidAnswer, send } from "./endpoint.ts";
import { isRecord, parseJson } from "./json-value.ts";
import { type SseFrame, SseParser } from "./sse.ts";
import { Watchdog } from "./watchdog.ts";

/** Which part of which log. */
export interface ConnectionOptions {
  readonly run: string;
  /** Events beyond this one. */
  readonly after: number;
  readonly abort: AbortSignal | undefined;
  /** Called when the server has begun to answer. */
  readonly onOpen?: (() => void) | undefined;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** A connection that can be read once. */
export class Connection {
  readonly #endpoint: Endpoint;
  readonly #options: ConnectionOptions;
  readonly #parser = new SseParser();
  readonly #watchdog: Watchdog;
  #isOver = false;

  constructor(endpoint: Endpoint, options: ConnectionOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#watchdog = new Watchdog({ abort: options.abort, silenceMs: endpoint.silenceMs });
  }

  /** The server said that the log has nothing further, now or ever. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How long to wait before the next connection, as the stream said. */
  get retryMs(): number | undefined {
    return this.#parser.retryMs;
  }

  /**
   * Connects and reads, a list for each read; a frame that the cut left incomplete is dropped. Nothing stays open,
   * whatever came.
   */
  async *batches(): AsyncGenerator<readonly RunEvent[], void, undefined> {
    let reader: Reader | undefined;
    try {
      reader = await this.#open();
      if (reader === undefined) return;
      for (let bytes = await this.#read(reader); bytes !== undefined; bytes = await this.#read(reader)) {
        yield* toBatches(this.#parser.push(bytes));
      }
    } finally {
      this.#watchdog.end();
      reader?.cancel().catch(ignore);
    }
  }

  async #open(): Promise<Reader | undefined> {
    const { run, after } = this.#options;
    const query = {
      path: ["runs", run, "events"],
      search: { after },
      headers: { Accept: "text/event-stream" },
      abort: this.#watchdog.abort,
    };
    const response = await this.#watchdog.wait(send(this.#endpoint, query));
    this.#isOver = response.status === 204;
    this.#options.onOpen?.();
    if (this.#isOver) return undefined;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    return response.body === null || !isStream ? invalidAnswer("is no stream") : response.body.getReader();
  }

  async #read(reader: Reader): Promise<Uint8Array | undefined> {
    const { value } = await this.#watchdog.wait(reader.read().catch(cut));
    return value;
  }
}

/** The events of one read; what comes before a frame that is wrong is given first. */
function* toBatches(frames: Iterable<SseFrame>): Generator<readonly RunEvent[], void, undefined> {
  const events: RunEvent[] = [];
  let wrong: { readonly thrown: unknown } | undefined;
  try {
    for (const frame of frames) events.push(...toEvents(frame));
  } catch (thrown) {
    wrong = { thrown };
  }
  if (events.length > 0) yield events;
  if (wrong !== undefined) throw wrong.thrown;
}

/** None for a frame that is not of the log, as a ping; those of the log have an id. */
function* toEvents({ id, data }: SseFrame): Generator<RunEvent, void, undefined> {
  const value = parseJson(data);
  if (isRunEvent(value)) yield value;
  else if (id !== undefined) invalidAnswer(`has something else than an event under the id ${id.slice(0, 64)}`);
}

/** Looks at an event's place in the log; for what the event says, the server is believed. */
function isRunEvent(value: unknown): value is RunEvent {
  if (!isRecord(value)) return false;
  const { type, run, seq, at, lane } = value;
  return (
    typeof type === "string" &&
    typeof run === "string" &&
    Number.isSafeInteger(seq) &&
    typeof at === "number" &&
    typeof lane === "string"
  );
}

function cut(error: unknown): never {
  throw new ClientError("network", "The connection was cut", { cause: error });
}

function ignore(): void {}
