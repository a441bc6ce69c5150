/**
 * Fetch error: why a request got no usable answer. Its message names a host and never a key, a header or a query.
 */

/** Branch on it: only `network` may pass if asked again at once. */
export type FetchErrorCode =
  | "refused" // the guard does not go there
  | "timeout"
  | "network" // no connection, or it broke
  | "too_large"
  | "content_type"
  | "encoding"; // the body cannot be decoded

/** The only error the guarded fetch throws, beside the reason of a cancelled scope. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly code: FetchErrorCode;
  constructor(code: FetchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
