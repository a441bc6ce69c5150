/**
 * Fired run: the id of the run that a schedule starts at a time.
 *
 * It is made of whose schedule it is, its name and the time, so that two servers, or one that crashed and comes back,
 * mean the same run.
 */
import { createHash } from "node:crypto";
import type { Owner } from "@baton/store";

/** The id; in the form of other runs' ids, so that later runs have greater ones. */
export function toFiredRunId({ tenant, user }: Owner, name: string, dueAt: number): string {
  const time = Math.max(0, dueAt).toString(16).padStart(12, "0");
  const hash = createHash("sha256")
    .update(JSON.stringify([tenant, user, name, dueAt]))
    .digest("hex");
  return `${time.slice(0, -4)}-${time.slice(-4)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
