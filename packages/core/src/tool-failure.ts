/**
 * Tool failure: which class an error thrown by a tool belongs to, however strange the thing thrown.
 *
 * Reads: error. Read by: call.
 */
import { type Failure, toMessage, ToolError, type ToolErrorKind } from "./error.ts";

const RETRYABLE: ReadonlySet<ToolErrorKind> = new Set<ToolErrorKind>(["timeout", "network", "temporary"]);

const NETWORK_CODES: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "ESOCKETTIMEDOUT",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/** The failure of a tool that threw this. */
export function toToolFailure(thrown: unknown): Failure {
  return { code: "tool", kind: toKind(thrown), message: toMessage(thrown) };
}

/** A failure that says so itself. */
export function failure(kind: ToolErrorKind, message: string): Failure {
  return { code: "tool", kind, message };
}

/** Whether another try may help. */
export function isRetryable({ kind }: Failure): boolean {
  return kind !== undefined && RETRYABLE.has(kind);
}

function toKind(thrown: unknown): ToolErrorKind {
  try {
    if (thrown instanceof ToolError) return thrown.kind;
    if (!(thrown instanceof Error)) return "crash";
    if (thrown.name === "AbortError" || thrown.name === "TimeoutError") return "timeout";
    return kindOfCode(thrown) ?? kindOfCode(thrown.cause) ?? "temporary";
  } catch {
    return "crash";
  }
}

function kindOfCode(error: unknown): ToolErrorKind | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  if (typeof code !== "string") return undefined;
  if (TIMEOUT_CODES.has(code)) return "timeout";
  return NETWORK_CODES.has(code) ? "network" : undefined;
}
