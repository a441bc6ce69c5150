/**
 * Redis: one connection to a Redis that several servers share, and what becomes of it when that goes away.
 *
 * A Redis that does not answer at the start is refused. One that fails later makes its commands fail within a second,
 * and for the next second at once, so no caller queues for it; the connection comes back by itself.
 */
import { createHash } from "node:crypto";
import { BatonError } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { isRedisUrl } from "../service-url.ts";

/** A script in Lua: it runs as one step, with nothing between its reads and its writes. */
export interface RedisScript {
  readonly name: string;
  readonly lua: string;
}

/** Keys and arguments of a script. */
export interface ScriptInput {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** The commands that are used of a Redis; every failure is a `BatonError` with code `busy`, or `closed`. */
export interface RedisCommands {
  readonly send: (args: readonly string[]) => Promise<unknown>;
  readonly run: (script: RedisScript, input: ScriptInput) => Promise<unknown>;
}

/** Options of opening a Redis. */
export interface RedisOptions {
  readonly clock?: Clock;
  /** Time limit of a command. Default 1,000. */
  readonly timeoutMs?: number;
}

const CONNECT_MS = 3_000;
const TIMEOUT_MS = 1_000;
/** Pause after a command that timed out: nothing is sent meanwhile. */
const PAUSE_MS = 1_000;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
const FORM = "must look like redis://user:password@host:6379/0, or rediss:// for TLS";

/** The part of a connection of `@redis/client` that is used. */
interface Client {
  readonly sendCommand: (args: readonly string[]) => Promise<unknown>;
  readonly destroy: () => void;
}

/** A connection; dispose of it when nothing is asked of it any more. */
export class Redis implements RedisCommands, AsyncDisposable {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #pausedUntil = -Infinity;
  #isClosed = false;

  constructor(client: Client, { clock = new SystemClock(), timeoutMs = TIMEOUT_MS }: RedisOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  readonly send = async (args: readonly string[]): Promise<unknown> => {
    if (this.#isClosed) throw new BatonError("closed", "the connection to Redis is closed");
    if (this.#clock.monotonic() < this.#pausedUntil) throw failed("it did not answer in time a moment ago");
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = this.#clock.after(this.#timeoutMs, () => {
      this.#pausedUntil = this.#clock.monotonic() + PAUSE_MS;
      reject(failed(`no answer within ${this.#timeoutMs} ms`));
    });
    try {
      return await Promise.race([this.#client.sendCommand(args), late]);
    } catch (error) {
      throw error instanceof BatonError ? error : failed(toMessage(error), error);
    } finally {
      timer.cancel();
    }
  };

  /** Runs a script by its hash, and sends its text if Redis does not know it. */
  readonly run = async ({ lua }: RedisScript, { keys, args }: ScriptInput): Promise<unknown> => {
    const rest = [`${keys.length}`, ...keys, ...args];
    try {
      return await this.send(["EVALSHA", toScriptHash(lua), ...rest]);
    } catch (error) {
      if (!toMessage(error).includes("NOSCRIPT")) throw error;
      return this.send(["EVAL", lua, ...rest]);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#client.destroy();
  }
}

/** Connects to a Redis. Throws `invalid`, in one sentence and without the password, if none answers there. */
export async function openRedis(url: string, options: RedisOptions = {}): Promise<Redis> {
  if (!isRedisUrl(url)) throw new BatonError("invalid", `--redis ${FORM}`);
  let isOpen = false;
  const client = await toClient(url, () => isOpen);
  // Its commands say what fails; without a listener the error would end the process.
  client.on("error", () => {});
  const redis = new Redis(client, { ...options, timeoutMs: CONNECT_MS });
  try {
    await within(options.clock ?? new SystemClock(), client.connect());
    const answer = await redis.send(["PING"]);
    if (answer !== "PONG") throw new Error("what answers there is not a Redis");
    isOpen = true;
    return new Redis(client, options);
  } catch (error) {
    client.destroy();
    throw refused(url, error);
  }
}

/** By what Redis knows a script. */
export function toScriptHash(lua: string): string {
  return createHash("sha1").update(lua).digest("hex");
}

async function toClient(url: string, isOpen: () => boolean) {
  const { createClient } = await importClient();
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => isOpen() && Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(retries, 10)),
    },
  });
}

/** Few need a Redis, and its client is large, so it is not installed with Baton. */
async function importClient() {
  try {
    return await import("@redis/client");
  } catch (error) {
    const message = "--redis needs a package that is not installed; install it with: npm install @redis/client";
    throw new BatonError("invalid", message, { cause: error });
  }
}

async function within(clock: Clock, connecting: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.after(CONNECT_MS, () => reject(new Error(`no answer within ${CONNECT_MS} ms`)));
  try {
    await Promise.race([connecting, late]);
  } finally {
    timer.cancel();
  }
}

function refused(url: string, error: unknown): BatonError {
  const { protocol, host, pathname } = new URL(url);
  const why = causeOf(error) || "no connection";
  const what = `no Redis can be used at ${protocol}//${host}${pathname}`;
  return new BatonError("invalid", `${what} (${why}); start it, or correct --redis`, { cause: error });
}

/** A refused connection to several addresses has one error for each, and no message of its own. */
function causeOf(error: unknown): string {
  if (error instanceof BatonError && error.cause !== undefined) return causeOf(error.cause);
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return toMessage(errors[0]);
}

function failed(why: string, cause?: unknown): BatonError {
  return new BatonError("busy", `Redis cannot be used now (--redis): ${why}`, { retryable: true, cause });
}
