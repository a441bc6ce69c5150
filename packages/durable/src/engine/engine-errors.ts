/**
 * Engine errors: the errors that several parts of the durable engine throw.
 */
import { BatonError } from "@baton/core";

/** The error of what is sent to a run that has ended. */
export function runEndedError(run: string): BatonError {
  return new BatonError("run_ended", `run ${run} has ended`);
}

/** The error of what comes while the engine stops. */
export function engineStoppingError(): BatonError {
  return new BatonError("closed", "the engine is stopping; try again later", { retryable: true });
}
