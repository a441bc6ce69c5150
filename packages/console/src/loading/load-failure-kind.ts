/**
 * Load failure kind: the kind of an error of the client, for a reader.
 */
import type { ClientError } from "@baton/client";

/** The server is not there, it stops, it does not allow it, or it says something else. */
export type LoadFailureKind = "unreachable" | "stopping" | "forbidden" | "other";

const FORBIDDEN = 403;

/** The kind of an error. */
export function loadFailureKind({ code, status }: Pick<ClientError, "code" | "status">): LoadFailureKind {
  if (code === "stopping") return "stopping";
  if (code === "network") return "unreachable";
  return status === FORBIDDEN ? "forbidden" : "other";
}
