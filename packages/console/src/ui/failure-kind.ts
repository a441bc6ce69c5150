/**
 * Failure kind: what an error of the client means to a reader.
 */
import type { ClientError } from "@baton/client";

/** The server is not there, it stops, it does not allow it, or it says something else. */
export type FailureKind = "unreachable" | "stopping" | "forbidden" | "other";

const FORBIDDEN = 403;

/** The kind of an error. */
export function kindOf({ code, status }: Pick<ClientError, "code" | "status">): FailureKind {
  if (code === "stopping") return "stopping";
  if (code === "network") return "unreachable";
  return status === FORBIDDEN ? "forbidden" : "other";
}
