/**
 * Error details: all that can be read from an error of a provider's package, of any class.
 *
 * Status, system codes, names and words of the error and of its causes, and how long to wait; every field is looked
 * at by shape, so that no provider's package need be loaded. Linear in the size of what was thrown.
 */
import { isRecord } from "../json.ts";

/** Facts read from an error and its causes. */
export interface ProviderErrorDetails {
  readonly message: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** System codes such as ECONNRESET. */
  readonly codes: readonly string[];
  readonly names: readonly string[];
  /** Lower-cased text of messages, codes, types and bodies. */
  readonly words: string;
}

const MAX_CAUSES = 8;
const MAX_BODY_CHARS = 10_000;

/** Reads an error and the causes below it. */
export function readErrorDetails(thrown: unknown, now: number): ProviderErrorDetails {
  const codes: string[] = [];
  const names: string[] = [];
  const words: string[] = [];
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  let error: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isRecord(error); depth++) {
    const code = error["code"];
    if (typeof code === "string") codes.push(code);
    if (typeof error["name"] === "string") names.push(error["name"]);
    for (const field of ["message", "type", "code", "responseBody"]) {
      const text = error[field];
      if (typeof text === "string") words.push(text.slice(0, MAX_BODY_CHARS));
    }
    const found = error["statusCode"] ?? error["status"];
    // A success that broke later says nothing by its status.
    if (typeof found === "number" && found >= 400) status ??= found;
    retryAfterMs ??= toRetryAfterMs(error, now);
    error = error["cause"];
  }
  return {
    message: describe(thrown),
    status,
    retryAfterMs,
    codes,
    names,
    words: words.join("\n").toLowerCase(),
  };
}

function describe(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (!isRecord(thrown)) return "";
  const { message, responseBody } = thrown;
  if (typeof message === "string" && message !== "") return message;
  return typeof responseBody === "string" ? responseBody : "";
}

function toRetryAfterMs(error: Record<string, unknown>, now: number): number | undefined {
  const headers = error["responseHeaders"];
  if (isRecord(headers)) {
    const exact = toNumber(headers["retry-after-ms"]);
    if (exact !== undefined) return Math.max(0, exact);
    const after = headers["retry-after"];
    const seconds = toNumber(after);
    if (seconds !== undefined) return Math.max(0, seconds * 1_000);
    const at = typeof after === "string" ? Date.parse(after) : NaN;
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const body = error["responseBody"];
  return typeof body === "string" ? toRetryDelayMs(body.slice(0, MAX_BODY_CHARS)) : undefined;
}

/** Google says it in the body: `"retryDelay": "37s"`. */
function toRetryDelayMs(body: string): number | undefined {
  const key = body.indexOf('"retryDelay"');
  if (key === -1) return undefined;
  const open = body.indexOf('"', body.indexOf(":", key));
  const close = body.indexOf("s", open);
  const seconds = open === -1 || close === -1 ? undefined : toNumber(body.slice(open + 1, close));
  return seconds === undefined ? undefined : Math.max(0, seconds * 1_000);
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
