/**
 * Refusal: the errors with which every database refuses alike, and those that may pass.
 */
import { BatonError } from "@baton/core";

/** The error of a handle that was closed. */
export function closed(): BatonError {
  return new BatonError("closed", "the store was closed");
}

/** The error of what the store cannot write now, because of this. */
export function unwritable(why: BatonError): BatonError {
  return new BatonError("busy", `the store cannot be written now: ${why.message}`, { cause: why, retryable: true });
}

/** Whether another try may help: an error that is not ours is the disk's or the network's. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof BatonError) || error.retryable;
}

/** The error of a transfer while a run is running. */
export function stillRunning(run: string): BatonError {
  return new BatonError("conflict", `run ${run} is running: wait until it has ended or cancel it, then try again`);
}

/** The error of a transfer while a process has a run, session or request. */
export function inUse(claim: string): BatonError {
  return new BatonError(
    "conflict",
    `${claim} is in use: wait until that has ended, or stop the server, then try again`,
  );
}

/** The error of a transfer of a session or document that the new owner has too. */
export function hasToo(what: string): BatonError {
  return new BatonError("conflict", `the new owner has a ${what} already: delete one of the two, then try again`);
}

/** The error of a run that is to begin with an id that another run has. */
export function isThere(id: string): BatonError {
  return new BatonError("conflict", `run ${id} already exists; use another id`);
}
