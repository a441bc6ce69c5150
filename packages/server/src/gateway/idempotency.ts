/**
 * Idempotency: a request that is sent again under the same `Idempotency-Key` is done once and answered twice.
 *
 * The first answer is kept in the store for 24 hours, per tenant and user: servers that share the store know it too.
 * While it is being made the key is taken (409); with another body it is an error (422). A request without an answer is
 * answered from the run that it began, or carried out again if it began none.
 */
import { createHash } from "node:crypto";
import { BatonError } from "@baton/core";
import type { ClaimedRequest } from "@baton/durable";
import { requestKey, type RequestRecord, type Store } from "@baton/store";
import { z } from "zod";
import { type GatewayContext, setHeader } from "./gateway-env.ts";
import { Problem, retryAfter } from "./problem.ts";

/** Options of work that is done once. */
export interface OnceOptions {
  readonly store: Store;
  /** The parsed body: two bodies with the same meaning are equal. */
  readonly input: unknown;
  /** Throws if no request can be carried out now; stored answers are still returned. */
  readonly check: () => void;
}

/** Does some work, for a request under a key. */
type Work = (once: ClaimedRequest | undefined) => Promise<Response>;

/** Does the work and keeps its answer, or gives the one that was kept. Without the header it only does the work. */
export async function answerOnce(c: GatewayContext, options: OnceOptions, work: Work): Promise<Response> {
  const { store, input } = options;
  const name = parseKey(c.req.header("idempotency-key"));
  if (name === undefined) return work(undefined);
  const key = requestKey(c.var, name);
  const fingerprint = toFingerprint([c.req.method, c.req.path, input]);
  const kept = await findKept(store, key, fingerprint);
  if (kept?.answer !== undefined) return replay(c, kept.answer);
  options.check();
  const claim = await store.lease.claim(key);
  if (claim === undefined) throw inFlight();
  try {
    // It may have been answered before the claim was taken.
    const known = await findKept(store, key, fingerprint);
    if (known?.answer !== undefined) return replay(c, known.answer);
    const write = async (request: RequestRecord) => {
      if (!(await store.write({ claim, request }))) throw inFlight();
    };
    const keep = () => ({ keptUntil: store.clock.now() + KEEP_MS });
    const request = known ?? { key, fingerprint, ...keep() };
    if (known === undefined) await write(request);
    const response = await work({ claim, request });
    const answer = JSON.stringify(await toKept(response));
    const carriedOut = (await store.database.requests.find(key).catch(() => undefined)) ?? request;
    // If it cannot be stored nothing is lost: a repeated request is answered from the run.
    if (answer.length <= MAX_ANSWER_CHARS) await write({ ...carriedOut, answer, ...keep() }).catch(() => undefined);
    return response;
  } finally {
    // What cannot be given back now is given back with a later renewal of the lease.
    await store.lease.release(claim).catch(() => undefined);
  }
}

const KEEP_MS = 24 * 60 * 60 * 1_000;
/** A longer answer is not kept: it is made again from the run. */
const MAX_ANSWER_CHARS = 1_024 * 1_024;

async function findKept(store: Store, key: string, fingerprint: string): Promise<RequestRecord | undefined> {
  const kept = await store.database.requests.find(key);
  if (kept === undefined || kept.fingerprint === fingerprint) return kept;
  throw new Problem("idempotency_mismatch", "This Idempotency-Key was used with another request. Use a new key.");
}

const KEPT = z.object({
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
});

function replay(c: GatewayContext, answer: string): Response {
  const { data } = KEPT.safeParse(JSON.parse(answer));
  if (data === undefined) throw new BatonError("damaged", "the stored answer for this Idempotency-Key is corrupt");
  setHeader(c, "Idempotency-Replayed", "true");
  const { status, headers, body } = data;
  return new Response(body === "" ? null : body, { status, headers });
}

/** Headers that are each answer's own. */
const OWN: ReadonlySet<string> = new Set(["x-request-id", "ratelimit", "ratelimit-policy", "date"]);

/** An answer that can be given again. */
async function toKept(response: Response): Promise<z.infer<typeof KEPT>> {
  const headers = [...response.headers].filter(([name]) => !OWN.has(name));
  return { status: response.status, headers, body: await response.clone().text() };
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function parseKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  // Headers that come twice are one, with a comma and a space between them.
  const message = header.includes(", ") ? "must be given once" : "must be 1 to 255 visible ASCII characters";
  throw new Problem("invalid", `The Idempotency-Key ${message}.`, {
    problems: [{ field: "Idempotency-Key", message }],
  });
}

function toFingerprint(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function inFlight(): Problem {
  const detail = "The first request with this Idempotency-Key is still running. Send this again after Retry-After.";
  return new Problem("idempotency_in_flight", detail, { headers: retryAfter(0) });
}
