/**
 * API headers: those that clients may send and count on, with what they mean.
 *
 * Routes name the ones they heed and set; those of every request and answer are named here.
 */

/** A header of a request. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": "Requests with the same key and body within 24 hours start one run and get the first answer.",
  "Last-Event-ID": "The id of the last frame that the client has: the stream continues after it.",
  Prefer: "`wait` or `wait=SECONDS`: the server answers when the run has paused or ended, or after that many seconds.",
  "X-Request-Id":
    "A name for the request: up to 128 letters, digits, `.`, `_` and `-`. Without it the server makes one.",
  traceparent: "The trace of the request (W3C Trace Context).",
} as const;

/** A header of an answer. */
export const ANSWER_HEADERS = {
  "Idempotency-Replayed": "`true`: this is the stored answer to the first request.",
  Location: "The URL of the run.",
  "Preference-Applied": "`wait`, if the answer waited for the run.",
  RateLimit: "For each limit: requests left (`r`), and seconds until more are allowed (`t`).",
  "RateLimit-Policy": "For each limit: requests allowed (`q`) in a window of seconds (`w`).",
  "Retry-After": "Seconds to wait before sending the request again.",
  "WWW-Authenticate": "Which scope the key needs.",
  "X-Request-Id": "The name of the request; the server's log has more under it.",
  "X-Run-After": "The last event of the run before what the request led to; 0 if it started the run.",
  "X-Run-Id": "The run.",
  "X-Session-Id": "The session of the run, if it has one.",
} as const;

/** The name of a header that a request may have. */
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** The name of a header that an answer may have. */
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Every request may have these. */
export const ASKED_ALWAYS = ["X-Request-Id", "traceparent"] as const satisfies readonly RequestHeader[];

/** Every answer may have these. */
export const SAID_ALWAYS = ["X-Request-Id", "RateLimit", "RateLimit-Policy"] as const satisfies readonly AnswerHeader[];

/** Every answer that is about one run has these. */
export const RUN_HEADERS = ["X-Run-Id", "X-Session-Id"] as const satisfies readonly AnswerHeader[];

/** Every error may have these too. */
export const SAID_OF_ERRORS = [
  "Retry-After",
  "WWW-Authenticate",
  ...RUN_HEADERS,
] as const satisfies readonly AnswerHeader[];
