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

/** Whether another try may help: what is no error of ours is the disk's or the network's. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof BatonError) || error.retryable;
}
