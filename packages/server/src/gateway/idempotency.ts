/**
 * Idempotency: a request that is sent again under the same `Idempotency-Key` is done once and answered twice.
 *
 * The first answer is kept for 24 hours per tenant. While it is being made the key is taken (409); with another body
 * it is an error (422). What was refused is not kept, so that it can be tried again; a fault of ours is, for nobody
 * knows what it did. Reads: gateway-env, problem. Read by: routes that start something.
 */
import { createHash } from "node:crypto";
import { BatonError, type Clock } from "@baton/core";
import { type GatewayContext, setHeader } from "./gateway-env.ts";
import { Problem, retryAfter, toAnswer, toProblem } from "./problem.ts";

/** An answer that can be given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What is known of a key. */
export type KeyState =
  | { readonly type: "new" }
  | { readonly type: "running"; readonly fingerprint: string }
  | { readonly type: "done"; readonly fingerprint: string; readonly answer: KeptAnswer };

/** Where answers are kept. */
export interface IdempotencyStore {
  /** Takes a key that is new, else says what it is; all at once. */
  begin(key: string, fingerprint: string): Promise<KeyState>;
  finish(key: string, answer: KeptAnswer): Promise<void>;
  /** Gives a taken key back. */
  forget(key: string): Promise<void>;
}

/** What is done once. */
export interface OnceOptions {
  readonly store: IdempotencyStore;
  /** What the schema made of the body: two bodies that mean the same are the same. */
  readonly input: unknown;
}

/** Does the work and keeps its answer, or gives the one that was kept. Without the header it only does the work. */
export async function answerOnce(
  c: GatewayContext,
  { store, input }: OnceOptions,
  work: () => Promise<Response>,
): Promise<Response> {
  const name = parseKey(c.req.header("idempotency-key"));
  if (name === undefined) return work();
  const key = JSON.stringify([c.var.tenant, name]);
  const fingerprint = toFingerprint([c.req.method, c.req.path, input]);
  const known = await store.begin(key, fingerprint);
  if (known.type === "new") return keep(store, { name: key, path: c.req.path }, work);
  if (known.fingerprint !== fingerprint) throw mismatch();
  if (known.type === "running") throw inFlight();
  setHeader(c, "Idempotency-Replayed", "true");
  const { status, headers, body } = known.answer;
  return new Response(body === "" ? null : body, { status, headers: headers.map(([field, value]) => [field, value]) });
}

async function keep(store: IdempotencyStore, key: Taken, work: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await work();
  } catch (error) {
    const { status, headers, body } = toAnswer(toProblem(error), key.path);
    if (status === 500) await store.finish(key.name, { status, headers: Object.entries(headers), body });
    else await store.forget(key.name);
    throw error;
  }
  await store.finish(key.name, await toKept(response));
  return response;
}

interface Taken {
  readonly name: string;
  readonly path: string;
}

/** Headers that are each answer's own. */
const OWN: ReadonlySet<string> = new Set(["x-request-id", "ratelimit", "ratelimit-policy", "date"]);

async function toKept(response: Response): Promise<KeptAnswer> {
  const headers = [...response.headers].filter(([name]) => !OWN.has(name));
  return { status: response.status, headers, body: await response.clone().text() };
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function parseKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  const message = "must be 1 to 255 visible ASCII characters";
  throw new Problem("invalid", `The Idempotency-Key ${message}.`, {
    problems: [{ field: "Idempotency-Key", message }],
  });
}

function toFingerprint(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function mismatch(): Problem {
  return new Problem("idempotency_mismatch", "This Idempotency-Key was used with another request. Take a new one.");
}

function inFlight(): Problem {
  const detail = "The first request with this Idempotency-Key is not answered yet. Wait, then try again.";
  return new Problem("idempotency_in_flight", detail, { headers: retryAfter(0) });
}

const KEEP_MS = 24 * 60 * 60 * 1_000;
const MAX_KEYS = 10_000;
const MAX_CHARS = 64 * 1_024 * 1_024;

/** How much is kept in memory. */
export interface MemoryIdempotencyOptions {
  readonly clock: Clock;
  readonly maxKeys?: number;
  /** Of all bodies together. */
  readonly maxChars?: number;
}

interface Entry {
  readonly fingerprint: string;
  readonly at: number;
  readonly answer: KeptAnswer | undefined;
}

/** Keeps answers in this process; where they are too many, the oldest are forgotten, but none that is being made. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #options: MemoryIdempotencyOptions;
  readonly #running = new Map<string, Entry>();
  /** The oldest first. */
  readonly #done = new Map<string, Entry>();
  #chars = 0;

  constructor(options: MemoryIdempotencyOptions) {
    this.#options = options;
  }

  /** How many keys are known. */
  get size(): number {
    return this.#running.size + this.#done.size;
  }

  async begin(key: string, fingerprint: string): Promise<KeyState> {
    const { clock, maxKeys = MAX_KEYS } = this.#options;
    this.#forgetOld();
    const running = this.#running.get(key);
    if (running !== undefined) return { type: "running", fingerprint: running.fingerprint };
    const done = this.#done.get(key);
    if (done?.answer !== undefined) return { type: "done", fingerprint: done.fingerprint, answer: done.answer };
    if (this.#running.size >= maxKeys) throw new BatonError("busy", "too many requests with an Idempotency-Key");
    this.#running.set(key, { fingerprint, at: clock.now(), answer: undefined });
    return { type: "new" };
  }

  async finish(key: string, answer: KeptAnswer): Promise<void> {
    const entry = this.#running.get(key);
    if (entry === undefined) return;
    this.#running.delete(key);
    this.#done.set(key, { ...entry, at: this.#options.clock.now(), answer });
    this.#chars += answer.body.length;
    this.#forgetOld();
  }

  async forget(key: string): Promise<void> {
    this.#running.delete(key);
  }

  #forgetOld(): void {
    const { clock, maxKeys = MAX_KEYS, maxChars = MAX_CHARS } = this.#options;
    const before = clock.now() - KEEP_MS;
    for (const [key, { at, answer }] of this.#done) {
      if (at > before && this.size <= maxKeys && this.#chars <= maxChars) return;
      this.#done.delete(key);
      this.#chars -= answer?.body.length ?? 0;
    }
  }
}
