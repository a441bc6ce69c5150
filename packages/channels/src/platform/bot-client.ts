/**
 * Bot client: calls of one bot's methods, and what became of each.
 *
 * The token is part of the address, so no address, request or error of `fetch` leaves this file.
 */
import { z } from "zod";

/** The outcome of a call. */
export type CallOutcome =
  | { readonly type: "done"; readonly result: unknown }
  /** The platform said no: nothing was done. */
  | {
      readonly type: "refused";
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs?: number;
      readonly migrateTo?: string;
    }
  /** The request never reached the platform. */
  | { readonly type: "unsent" }
  /** The request left and no answer came: nobody can know whether it was carried out. */
  | { readonly type: "unknown" };

/** Parameters of a call; a `Blob` is uploaded. */
export type CallParameters = Readonly<Record<string, unknown>>;

/** Options of a bot client. */
export interface BotClientOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

const ANSWER = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().default(0),
  description: z.string().default(""),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.union([z.int(), z.string()]).optional() })
    .default({}),
});
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024;
const TIMEOUT_MS = 30_000;
/** Methods that take longer: a poll waits for updates, and a picture may be fetched by the platform first. */
const LONG_TIMEOUTS_MS: ReadonlyMap<string, number> = new Map([
  ["getUpdates", 60_000],
  ["sendPhoto", 180_000],
]);
/** Errors of a connection that was never made. */
const UNSENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** The methods of one bot. */
export class BotClient {
  readonly #options: BotClientOptions;

  constructor(options: BotClientOptions) {
    this.#options = options;
  }

  /** Calls a method; never throws, unless it is aborted by the caller's own signal. */
  async call(method: string, parameters: CallParameters, abort?: AbortSignal): Promise<CallOutcome> {
    const { apiUrl, token, fetch: send } = this.#options;
    const timeout = AbortSignal.timeout(LONG_TIMEOUTS_MS.get(method) ?? TIMEOUT_MS);
    const signal = abort === undefined ? timeout : AbortSignal.any([abort, timeout]);
    try {
      const response = await send(`${apiUrl}/bot${token}/${method}`, {
        method: "POST",
        redirect: "error",
        signal,
        ...toBody(parameters),
      });
      // A platform or a proxy may repeat the address.
      const text = (await readText(response)).replaceAll(token, "…");
      return toOutcome(response.status, text);
    } catch (error) {
      return isUnsent(error) ? { type: "unsent" } : { type: "unknown" };
    }
  }

  /** Reads a file that the platform keeps; undefined if it cannot be read or is too large. */
  async download(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const { apiUrl, token } = this.#options;
    return this.fetchBytes(`${apiUrl}/file/bot${token}/${path}`, maxBytes);
  }

  /** Reads an address. */
  async fetchBytes(url: string, maxBytes: number): Promise<Uint8Array | undefined> {
    try {
      const response = await this.#options.fetch(url, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
      return response.ok ? await readBytes(response, maxBytes) : undefined;
    } catch {
      return undefined;
    }
  }
}

function toBody(parameters: CallParameters): { body: string | FormData; headers?: Record<string, string> } {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (!given.some(([, value]) => value instanceof Blob))
    return { body: JSON.stringify(Object.fromEntries(given)), headers: { "Content-Type": "application/json" } };
  const body = new FormData();
  for (const [name, value] of given) {
    if (value instanceof Blob) body.append(name, value, "picture.png");
    else body.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return { body };
}

async function readText(response: Response): Promise<string> {
  const bytes = await readBytes(response, MAX_ANSWER_BYTES);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function toOutcome(status: number, text: string): CallOutcome {
  const { data } = ANSWER.safeParse(parseText(text));
  // A proxy's page, or an answer that is cut: the request may have been carried out if the status does not say no.
  if (data === undefined)
    return status >= 400 ? { type: "refused", code: status, description: "" } : { type: "unknown" };
  if (data.ok) return { type: "done", result: data.result };
  const { retry_after: wait, migrate_to_chat_id: moved } = data.parameters;
  return {
    type: "refused",
    code: data.error_code === 0 ? status : data.error_code,
    description: data.description.slice(0, 200),
    ...(wait === undefined ? {} : { retryAfterMs: wait * 1_000 }),
    ...(moved === undefined ? {} : { migrateTo: String(moved) }),
  };
}

function parseText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function isUnsent(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const codes = cause instanceof AggregateError ? cause.errors : [cause];
  return codes.some((one: unknown) => one instanceof Error && "code" in one && UNSENT.has(String(one.code)));
}
