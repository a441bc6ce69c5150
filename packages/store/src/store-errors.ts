/**
 * Store errors: the errors that every database throws alike.
 */
import { BatonError } from "@baton/core";

/** The error of a handle that was closed. */
export function storeClosedError(): BatonError {
  return new BatonError("closed", "the store was closed");
}

/** The error of what the store cannot write now, because of this. */
export function unwritableError(why: BatonError): BatonError {
  return new BatonError("busy", `the store cannot be written now: ${why.message}`, { cause: why, retryable: true });
}

/** Whether another try may help: an error that is not ours is the disk's or the network's. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof BatonError) || error.retryable;
}

/** The error of a transfer while a run is running. */
export function stillRunningError(run: string): BatonError {
  return new BatonError("conflict", `run ${run} is running: wait until it has ended or cancel it, then try again`);
}

/** The error of a transfer while a process has a run, session or request. */
export function inUseError(claim: string): BatonError {
  return new BatonError(
    "conflict",
    `${claim} is in use: wait until that has ended, or stop the server, then try again`,
  );
}

/** The error of a transfer of a session or document that the new owner has too. */
export function ownerHasItError(what: string): BatonError {
  return new BatonError("conflict", `the new owner has a ${what} already: delete one of the two, then try again`);
}

/** The error of a run that is to begin with an id that another run has. */
export function runExistsError(id: string): BatonError {
  return new BatonError("conflict", `run ${id} already exists; use another id`);
}
