/**
 * Backup: another model for when the first fails for good.
 *
 * "For good" means: a retry cannot help, it was the first model's last try, or the provider asks for more time than is
 * left. The backup then has tries of its own. A warning in the log says why; text that was already streamed is voided
 * before the other model begins, and the reply's end names that model.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";

/** The first model, and if it fails for good, the other; a prompt must fit both. */
export function withBackup(primary: Model, backup: Model): Model {
  return {
    ...primary,
    ...toWindow(primary, backup),
    hasBackup: true,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      if (prompt.isBackup === true) {
        yield* streamBackup(backup, prompt, scope);
        return;
      }
      let hasSpoken = false;
      let reason: string;
      try {
        for await (const chunks of primary.stream(prompt, scope)) {
          hasSpoken ||= chunks.some(({ type }) => !SILENT.has(type));
          yield chunks;
        }
        return;
      } catch (thrown) {
        if (!(thrown instanceof BatonError) || thrown.code !== "model" || !scope.live) throw thrown;
        if (!isFinalFailure(thrown, prompt, scope)) throw thrown;
        reason = thrown.message;
      }
      const taken = takeOver(backup, reason);
      yield hasSpoken ? [...taken, { type: "restart", reason }] : taken;
      yield* streamBackup(backup, prompt, scope);
    },
  };
}

/** Chunks that are no part of a reply. */
const SILENT: ReadonlySet<Chunk["type"]> = new Set(["warning", "waiting", "end"]);

/** The chunks that say that the backup takes over, and why. */
export function takeOver(backup: Model, reason: string): readonly Chunk[] {
  return [{ type: "backup" }, { type: "warning", text: `${reason}; ${backup.name} takes over` }];
}

/** The reply of a backup, with its name at the end. */
export async function* streamBackup(backup: Model, prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[]> {
  for await (const chunks of backup.stream(prompt, scope)) yield withModelName(chunks, backup.name);
}

/** The smaller of two windows, as far as they are known. */
function toWindow(primary: Model, backup: Model): Pick<Model, "contextTokens"> {
  const known = [primary, backup].flatMap(({ contextTokens }) => (contextTokens === undefined ? [] : [contextTokens]));
  return known.length === 0 ? {} : { contextTokens: Math.min(...known) };
}

/** Whether the step will not try this model again after the failure. */
function isFinalFailure(error: BatonError, { attempt, attempts }: Prompt, scope: Scope): boolean {
  return !error.retryable || attempt >= attempts || (error.retryAfterMs ?? 0) >= scope.remainingMs;
}

/** The chunks, with the end of a reply naming the model that gave it. */
function withModelName(chunks: readonly Chunk[], model: string): readonly Chunk[] {
  const end = chunks.at(-1);
  return end?.type === "end" ? [...chunks.slice(0, -1), { model, ...end }] : chunks;
}
