/**
 * Backup: another model for when the first fails for good.
 *
 * "For good" means: a retry cannot help, it was the step's last try, or the provider asks for more time than is left. A
 * warning in the log says why; text that was already streamed is voided before the other model begins, and the reply's
 * end names that model.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";

/** The first model, and if it fails for good, the other; a prompt must fit both. */
export function withBackup(primary: Model, backup: Model): Model {
  return {
    ...primary,
    ...toWindow(primary, backup),
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      let hasSpoken = false;
      let reason: string;
      try {
        for await (const chunks of primary.stream(prompt, scope)) {
          hasSpoken ||= chunks.some(({ type }) => type !== "warning" && type !== "end");
          yield chunks;
        }
        return;
      } catch (thrown) {
        if (!(thrown instanceof BatonError) || thrown.code !== "model" || !scope.live) throw thrown;
        if (!isFinalFailure(thrown, prompt, scope)) throw thrown;
        reason = thrown.message;
      }
      const warning: Chunk = { type: "warning", text: `${reason}; ${backup.name} takes over` };
      yield hasSpoken ? [warning, { type: "restart", reason }] : [warning];
      for await (const chunks of backup.stream(prompt, scope)) yield withModelName(chunks, backup.name);
    },
  };
}

/** The smaller of two windows, as far as they are known. */
function toWindow(primary: Model, backup: Model): Pick<Model, "contextTokens"> {
  const known = [primary, backup].flatMap(({ contextTokens }) => (contextTokens === undefined ? [] : [contextTokens]));
  return known.length === 0 ? {} : { contextTokens: Math.min(...known) };
}

/** Whether the step will not try again after this failure. */
export function isFinalFailure(error: BatonError, { attempt, attempts }: Prompt, scope: Scope): boolean {
  return !error.retryable || attempt >= attempts || (error.retryAfterMs ?? 0) >= scope.remainingMs;
}

/** The chunks, with the end of a reply naming the model that gave it. */
export function withModelName(chunks: readonly Chunk[], model: string): readonly Chunk[] {
  const end = chunks.at(-1);
  return end?.type === "end" ? [...chunks.slice(0, -1), { model, ...end }] : chunks;
}
