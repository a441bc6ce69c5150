/**
 * Check failure: why a check could not be made, as the scheduler gets it.
 */
import { ToolError } from "@baton/core";
import { MarketError } from "../../../market/port/market-error.ts";
import type { Alert } from "./alert.ts";

/** Returns the result of `work`; a market that does not answer is a failure that may pass. */
export async function toCheckFailure<T>({ id }: Alert, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof MarketError)) throw thrown;
    throw new ToolError("temporary", `${id} could not be checked: ${thrown.message}`, { cause: thrown });
  }
}
