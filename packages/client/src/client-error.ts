/**
 * Client error: the one error this package throws, with what the server said.
 *
 * An `application/problem+json` answer gives its code and its problems, any other answer its status. Without an answer
 * the status is 0.
 */
import { isObject, parseText } from "./json-value.ts";

/** One thing that is wrong with a request. */
export interface FieldProblem {
  /** The path of the field, or the name of the header; empty for the whole. */
  readonly field: string;
  readonly message: string;
}

/** Optional facts of a client error, beyond its code and message. */
export interface ClientErrorDetails extends ErrorOptions {
  readonly status?: number;
  readonly problems?: readonly FieldProblem[];
  readonly retryAfterMs?: number | undefined;
}

/** Statuses that are temporary. */
const PASSING: readonly number[] = [408, 425, 429, 502, 503, 504];

/** Why a request failed. Branch on `code`, never on `message`. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /**
   * The server's code; or `invalid` (nothing was sent: the address or an id is not valid), `network` (no
   * answer), `invalid_answer` (the answer is not a Baton server's), `http` (an answer without a code).
   */
  readonly code: string;
  /** The HTTP status of the answer; 0 if there was no answer. */
  readonly status: number;
  readonly problems: readonly FieldProblem[];
  /** The server asked to wait at least this long. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, details: ClientErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status ?? 0;
    this.problems = details.problems ?? [];
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.code === "network" || PASSING.includes(this.status);
  }
}

/** The error of an answer whose status is not a success; reads its body. */
export async function toClientError(response: Response): Promise<ClientError> {
  const { status, statusText, headers } = response;
  const body = parseText(await response.text().catch(() => ""));
  const problem = isObject(body) ? body : {};
  const { code, detail, problems } = problem;
  const message = typeof detail === "string" ? detail : `The server answered ${status} ${statusText}`.trim();
  return new ClientError(typeof code === "string" ? code : "http", message, {
    status,
    problems: Array.isArray(problems) ? problems.filter(isFieldProblem) : [],
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), Date.now()),
  });
}

/** Milliseconds to wait, of a `Retry-After` in seconds or as a date. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^[0-9]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** The error that the reply to an op has. */
export function fromReply(value: unknown): ClientError {
  const { status, code, detail, problems, retry_after_s: seconds } = isObject(value) ? value : {};
  return new ClientError(typeof code === "string" ? code : "http", typeof detail === "string" ? detail : "Refused", {
    status: typeof status === "number" ? status : 0,
    problems: Array.isArray(problems) ? problems.filter(isFieldProblem) : [],
    retryAfterMs: typeof seconds === "number" ? seconds * 1_000 : undefined,
  });
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return isObject(value) && typeof value["field"] === "string" && typeof value["message"] === "string";
}
