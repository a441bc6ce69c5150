/**
 * Failure: what kind of trouble a model call met, and the one error it becomes.
 *
 * Every error of this package that comes from a provider is a `BatonError` with code `model`; its `cause` is a
 * `ModelFailure`, so that wrappers branch on the kind. No message holds a key.
 */
import { BatonError } from "@baton/core";
import { type ProviderErrorDetails, readErrorDetails } from "./error-details.ts";

/** The kind of a failure; those from `rate` to `malformed` are temporary. */
export type FailureKind =
  | "auth" // the key is missing, wrong or not allowed to
  | "quota" // the account has nothing left
  | "rate" // too many requests or tokens a minute
  | "overloaded" // the provider is overloaded or failing itself
  | "network"
  | "timeout"
  | "malformed" // not the stream it should be, or one that was interrupted
  | "filter" // the provider's content rules
  | "context" // the prompt is longer than the model reads
  | "request"; // anything else the provider does not accept

/** The cause of an error of a model. */
export interface ModelFailure {
  readonly kind: FailureKind;
  readonly model: string;
  readonly status?: number;
  /** The provider was not called: its breaker was open. */
  readonly isRefused?: true;
}

const SENTENCES: { readonly [Kind in FailureKind]: string } = {
  auth: "the provider does not accept the key",
  quota: "the account has no quota or credit left",
  rate: "too many requests",
  overloaded: "the provider is overloaded or failing",
  network: "no connection to the provider",
  timeout: "the provider took too long",
  malformed: "the provider's answer is not valid",
  filter: "the provider's content rules forbid it",
  context: "the prompt is longer than the model can read",
  request: "the provider does not accept the request",
};

const PASSING: ReadonlySet<FailureKind> = new Set(["rate", "overloaded", "network", "timeout", "malformed"]);

/** Facts of a failure beyond its kind. */
export interface FailureDetails {
  readonly detail?: string;
  readonly status?: number | undefined;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The error for a failure that is already understood. */
export function modelError(model: string, kind: FailureKind, details: FailureDetails = {}): BatonError {
  const { detail, status, retryable = PASSING.has(kind), retryAfterMs } = details;
  const cause: ModelFailure = { kind, model, ...(status === undefined ? {} : { status }) };
  const http = status === undefined ? "" : ` (HTTP ${status})`;
  const message = `${model}: ${SENTENCES[kind]}${http}${detail === undefined || detail === "" ? "" : `: ${detail}`}`;
  return new BatonError("model", message, {
    cause,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The model that failed, and the secrets that the message must not show. */
export interface FailureContext {
  readonly model: string;
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: number;
}

/** Anything a provider's package threw, as the error it means. */
export function toModelError(thrown: unknown, context: FailureContext): BatonError {
  const own = findBatonError(thrown);
  if (own !== undefined) return own;
  const evidence = readErrorDetails(thrown, context.now);
  return modelError(context.model, toKind(evidence), {
    detail: redact(evidence.message, context.secrets),
    status: evidence.status,
    retryAfterMs: evidence.retryAfterMs,
  });
}

const MAX_CAUSES = 8;

/** An error of Baton's own, which a provider's package may have wrapped. */
function findBatonError(thrown: unknown): BatonError | undefined {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (error instanceof BatonError) return error;
    error = error.cause;
  }
  return undefined;
}

/** The error of a call that was not made, because the calls before it ended with this error. */
export function toRefused(model: string, last: BatonError | undefined): BatonError {
  const failure = failureOf(last) ?? { kind: "timeout", model };
  const message = last?.message ?? `${model}: ${SENTENCES[failure.kind]}`;
  return new BatonError("model", message, { cause: { ...failure, isRefused: true } satisfies ModelFailure });
}

/** The error of a reply that is longer than its tokens can be; what was read of it is paid. */
export function replyTooLong(model: string, readChars: number): BatonError {
  const what = `${model}: the reply was stopped after ${readChars} characters, more than its tokens can be`;
  return new BatonError("output_too_long", what, { cause: { readChars } });
}

/** Characters of a reply that were read before it was stopped, and are in no chunk. */
export function readCharsOf(error: unknown): number {
  const cause = error instanceof BatonError ? error.cause : undefined;
  const isCounted = typeof cause === "object" && cause !== null && "readChars" in cause;
  return isCounted && typeof cause.readChars === "number" ? cause.readChars : 0;
}

/** The failure behind an error of a model; undefined for any other error. */
export function failureOf(error: unknown): ModelFailure | undefined {
  if (!(error instanceof BatonError)) return undefined;
  return isFailure(error.cause) ? error.cause : undefined;
}

function isFailure(cause: unknown): cause is ModelFailure {
  return typeof cause === "object" && cause !== null && "kind" in cause && "model" in cause;
}

const AUTH_WORDS = ["api key not valid", "api_key_invalid", "invalid x-api-key", "authentication_error"];
const QUOTA_WORDS = ["insufficient_quota", "credit balance is too low", "billing_error", "perday"];
const FILTER_WORDS = ["content_filter", "content_policy", "responsibleaipolicy", "for safety reasons"];
const CONTEXT_WORDS = [
  "context_length_exceeded",
  "context length",
  "context window",
  "prompt is too long",
  "input token count",
  "request_too_large",
];
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_SOCKET",
]);
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
const MALFORMED_NAMES: ReadonlySet<string> = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
]);

function toKind(evidence: ProviderErrorDetails): FailureKind {
  const { codes, names, status, words } = evidence;
  if (codes.some((code) => NETWORK_CODES.has(code))) return "network";
  if (codes.some((code) => TIMEOUT_CODES.has(code))) return "timeout";
  const holds = (phrases: readonly string[]): boolean => phrases.some((phrase) => words.includes(phrase));
  if (status === 401 || status === 403 || holds(AUTH_WORDS)) return "auth";
  if (status === 402 || holds(QUOTA_WORDS)) return "quota";
  if (status === 429 || holds(["rate_limit"])) return "rate";
  if (holds(CONTEXT_WORDS)) return "context";
  if (holds(FILTER_WORDS)) return "filter";
  if (status === 408 || status === 504) return "timeout";
  if (status === 409 || (status !== undefined && status >= 500) || holds(["overloaded"])) return "overloaded";
  if (names.some((name) => MALFORMED_NAMES.has(name))) return "malformed";
  return "request";
}

const MAX_DETAIL_CHARS = 300;

function redact(message: string, secrets: readonly string[]): string {
  let text = message;
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, "***");
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…`.toWellFormed() : text;
}
