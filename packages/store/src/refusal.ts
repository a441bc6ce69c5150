/**
 * Refusal: the errors with which every database refuses alike.
 *
 * Reads nothing. Read by: memory-database, sqlite.
 */
import { BatonError } from "@baton/core";

/** The error of a handle that was closed. */
export function closed(): BatonError {
  return new BatonError("closed", "the store was closed");
}
