/**
 * Backup: another model for when the first fails for good.
 *
 * For good is a failure that trying again cannot help, or one at the step's last try. The note in the log says
 * why; text that was already out is taken back before the other model begins.
 * Reads: nothing. Read by: models.
 */
import { BatonError, type Chunk, type Model } from "@baton/core";

/** How often a step tries its model; the failure of the last try is for good. */
const MAX_ATTEMPTS = 3;

/** The first model, and where it fails for good, the other. */
export function withBackup(primary: Model, backup: Model): Model {
  return {
    ...primary,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      let hasSpoken = false;
      let reason: string;
      try {
        for await (const chunks of primary.stream(prompt, scope)) {
          hasSpoken ||= chunks.some(({ type }) => type === "text" || type === "reasoning" || type === "call");
          yield chunks;
        }
        return;
      } catch (thrown) {
        if (!(thrown instanceof BatonError) || thrown.code !== "model" || !scope.live) throw thrown;
        if (thrown.retryable && prompt.attempt < MAX_ATTEMPTS) throw thrown;
        reason = thrown.message;
      }
      const note: Chunk = { type: "note", text: `${reason}; ${backup.name} takes over` };
      yield hasSpoken ? [note, { type: "restart", reason }] : [note];
      yield* backup.stream(prompt, scope);
    },
  };
}
