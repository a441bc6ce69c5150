/**
 * Unavailable: replaces a model whose key or address is missing, if the agent has a backup.
 *
 * It fails for good when it is called, so that the backup takes over and the log says why.
 */
import { BatonError, type Model } from "@baton/core";

/** A model that cannot be called; `why` is what is missing. */
export function unavailableModel(name: string, why: string): Model {
  return {
    name,
    stream() {
      throw new BatonError("model", why);
    },
  };
}
