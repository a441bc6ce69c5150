/**
 * Errors: the one class Baton throws, the one a tool may throw, and how an unknown one becomes data.
 *
 * An error in the log is a `Failure`: a code to branch on and a sentence for people.
 */

/** Kinds of errors, as a closed set; branch on it, never on a message. */
export type ErrorCode =
  | "invalid" // the caller gave something that cannot be used
  | "not_found"
  | "conflict" // the thing is not in a state that allows this
  | "busy" // a queue is full; try again later
  | "forbidden" // the caller may not do this
  | "question_open" // the run waits for other answers than this one
  | "run_ended"
  | "closed" // the channel, semaphore or engine is closed
  | "cancelled"
  | "timeout"
  | "limit" // a cap of the crew or the caller was reached
  | "model" // the model failed for good
  | "tool"
  | "group" // no member of a group succeeded
  | "empty_reply" // the model said nothing, twice
  | "output_too_long" // a model's reply did not end where it had to
  | "bad_output" // what an agent gave does not fit its output schema
  | "damaged" // what was stored was changed or lost
  | "crashed" // crash loop: the process crashed each time it executed the run
  | "diverged" // a run asked for something else than its log holds
  | "internal"; // a bug in Baton

/** A cap that was reached, by its name in YAML and its value there. */
export type ReachedLimit = Readonly<{ name: string; value: number }>;

/** Details of a `BatonError` beyond its code. */
export interface ErrorDetails extends ErrorOptions {
  /** A retry may help. */
  readonly retryable?: boolean;
  /** The other side asked to wait at least this long. */
  readonly retryAfterMs?: number;
  /** The cap that was reached, if the code is `limit`. */
  readonly limit?: ReachedLimit;
  /** The lane, if only that one was cancelled and the run continues. */
  readonly lane?: string;
}

/** The only error class Baton throws. Branch on `code`, never on `message`. */
export class BatonError extends Error {
  override readonly name = "BatonError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly limit: ReachedLimit | undefined;
  readonly lane: string | undefined;
  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    super(message, details);
    this.code = code;
    this.retryable = details?.retryable ?? false;
    this.retryAfterMs = details?.retryAfterMs;
    this.limit = details?.limit;
    this.lane = details?.lane;
  }
}

/** Kind of a tool's failure. */
export type ToolErrorKind =
  | "timeout"
  | "network"
  | "temporary"
  | "unavailable" // nothing was started, so another try is safe with any effect
  | "validation"
  | "permission"
  | "permanent"
  | "crash";

/** Details of a tool's failure beyond its kind. */
export interface ToolErrorDetails extends ErrorOptions {
  /** It had not begun to do anything, so that a retry is safe with any effect. */
  readonly isUnstarted?: boolean;
  /** Something else ended it in the middle, so that with an effect a person must say whether to do it again. */
  readonly isInterrupted?: boolean;
}

/** Error that a tool throws to name the kind of its failure. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly kind: ToolErrorKind;
  readonly isUnstarted: boolean;
  readonly isInterrupted: boolean;
  constructor(kind: ToolErrorKind, message: string, details?: ToolErrorDetails) {
    super(message, details);
    this.kind = kind;
    this.isUnstarted = details?.isUnstarted ?? kind === "unavailable";
    this.isInterrupted = details?.isInterrupted ?? false;
  }
}

/** An error as the log keeps it. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Of a failed call: its class; `cancelled` if the call alone was cancelled. */
  readonly kind?: ToolErrorKind | "cancelled";
  /** The cap that was reached, if the code is `limit`. */
  readonly limit?: ReachedLimit;
  /** The lane, if only that one was cancelled and the run continues. */
  readonly lane?: string;
}

const RETRYABLE: readonly Failure["kind"][] = ["timeout", "network", "temporary", "unavailable"];

/** Names and codes of errors that the platform throws. */
const TIMEOUT = /^(AbortError|TimeoutError|E(SOCKET)?TIMEDOUT|UND_ERR_(BODY|CONNECT|HEADERS)_TIMEOUT)$/;
const NETWORK =
  /^(EAI_AGAIN|ECONN(ABORTED|REFUSED|RESET)|EHOST(DOWN|UNREACH)|ENET(DOWN|RESET|UNREACH)|ENOTFOUND|EPIPE|UND_ERR_SOCKET)$/;

/** Errors that a bug throws, by name: a retry would meet the same bug. */
const BUG = /^(TypeError|ReferenceError|RangeError|SyntaxError|URIError|EvalError|AssertionError)$/;
/** Codes of the operating system and of sockets; codes of Node itself (`ERR_…`) say that an argument is wrong. */
const SYSTEM = /^(E(?!RR_)[A-Z0-9_]+|UND_ERR_[A-Z_]+)$/;
/** Messages of the `TypeError` that `fetch` throws if the network failed. */
const FETCH_FAILED: readonly string[] = ["fetch failed", "terminated", "Failed to fetch", "Load failed"];

const UNREADABLE = "an error that cannot be read";

/** The sentence of anything that was thrown, however hostile; at most 2,000 characters. */
export function toMessage(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return typeof text === "string" ? text.slice(0, 2_000) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Anything thrown as a `BatonError`: itself if it is one, else `code` with its message. */
export function toBatonError(thrown: unknown, code: ErrorCode): BatonError {
  if (thrown instanceof BatonError) return thrown;
  return new BatonError(code, toMessage(thrown), { cause: thrown });
}

/** The error as data for the log. */
export function toFailure({ code, message, limit, lane }: BatonError): Failure {
  if (limit === undefined && lane === undefined) return { code, message };
  return { code, message, ...(limit === undefined ? {} : { limit }), ...(lane === undefined ? {} : { lane }) };
}

/** The failure of a tool that threw this, however strange it is. */
export function toToolFailure(thrown: unknown): Failure {
  return failure(toKind(thrown), toMessage(thrown));
}

/** A failure that says so itself. */
export function failure(kind: ToolErrorKind | "cancelled", message: string): Failure {
  return { code: "tool", kind, message };
}

/** Whether another try may help. */
export function isRetryable({ kind }: Failure): boolean {
  return RETRYABLE.includes(kind);
}

function toKind(thrown: unknown): ToolErrorKind {
  try {
    if (thrown instanceof ToolError) return thrown.kind;
    if (!(thrown instanceof Error)) return "crash";
    const codes = [codeOf(thrown), codeOf(thrown.cause)];
    const known = [thrown.name, ...codes].find((sign) => TIMEOUT.test(sign) || NETWORK.test(sign));
    if (known !== undefined) return TIMEOUT.test(known) ? "timeout" : "network";
    if ("issues" in thrown && Array.isArray(thrown.issues)) return "validation";
    if (!BUG.test(thrown.name) || codes.some((code) => SYSTEM.test(code))) return "temporary";
    return thrown.name === "TypeError" && FETCH_FAILED.includes(thrown.message) ? "network" : "crash";
  } catch {
    return "crash";
  }
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
