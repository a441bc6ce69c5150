/**
 * Tool failure: which class an error thrown by a tool belongs to, however strange the thing thrown.
 *
 * Reads: error. Read by: call.
 */
import { type Failure, toMessage, ToolError, type ToolErrorKind } from "./error.ts";

const RETRYABLE: readonly (ToolErrorKind | undefined)[] = ["timeout", "network", "temporary"];

/** Names and codes of errors that the platform throws. */
const TIMEOUT = /^(AbortError|TimeoutError|E(SOCKET)?TIMEDOUT|UND_ERR_(BODY|CONNECT|HEADERS)_TIMEOUT)$/;
const NETWORK =
  /^(EAI_AGAIN|ECONN(ABORTED|REFUSED|RESET)|EHOST(DOWN|UNREACH)|ENET(DOWN|RESET|UNREACH)|ENOTFOUND|EPIPE|UND_ERR_SOCKET)$/;

/** The failure of a tool that threw this. */
export function toToolFailure(thrown: unknown): Failure {
  return failure(toKind(thrown), toMessage(thrown));
}

/** A failure that says so itself. */
export function failure(kind: ToolErrorKind, message: string): Failure {
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
    const signs = [thrown.name, codeOf(thrown), codeOf(thrown.cause)];
    const known = signs.find((sign) => TIMEOUT.test(sign) || NETWORK.test(sign));
    if (known === undefined) return "temporary";
    return TIMEOUT.test(known) ? "timeout" : "network";
  } catch {
    return "crash";
  }
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
