/**
 * API headers: those that clients may send and count on, with what they mean.
 *
 * Routes name the ones they heed and set; those of every request and answer are named here.
 */

/** What a request may say. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": "The same key and body within 24 hours get the first answer, and one run comes of them.",
  "Last-Event-ID": "The id of the last frame that was seen: the stream goes on behind it.",
  Prefer: "`wait` or `wait=SECONDS`: the answer comes when the run is paused or has ended, or after so many seconds.",
  "X-Request-Id":
    "A name for the request: up to 128 letters, digits, `.`, `_` and `-`. Another is given where it has none.",
  traceparent: "The trace that it belongs to, as W3C writes it.",
} as const;

/** What an answer may say. */
export const ANSWER_HEADERS = {
  "Idempotency-Replayed": "`true`: this is the first answer again.",
  Location: "Where the run is.",
  "Preference-Applied": "`wait`, where the answer has waited for the run.",
  RateLimit: "For each limit what is left of it (`r`), and in how many seconds there is more (`t`).",
  "RateLimit-Policy": "For each limit how many requests (`q`) it allows in how many seconds (`w`).",
  "Retry-After": "Seconds to wait before the request is sent again.",
  "WWW-Authenticate": "What a key must have.",
  "X-Request-Id": "The name of the request; the server's log has more under it.",
  "X-Run-Id": "The run.",
  "X-Session-Id": "The session of the run, where it has one.",
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
