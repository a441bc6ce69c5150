/**
 * Backup: another model for when the first fails for good.
 *
 * For good is a failure that trying again cannot help, or one at the step's last try. The note in the log says why;
 * text that was already out is taken back before the other model begins, and the reply's end names it.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";

/** The first model, and where it fails for good, the other. */
export function withBackup(primary: Model, backup: Model): Model {
  return {
    ...primary,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      let hasSpoken = false;
      let reason: string;
      try {
        for await (const chunks of primary.stream(prompt, scope)) {
          hasSpoken ||= chunks.some(({ type }) => type !== "note" && type !== "end");
          yield chunks;
        }
        return;
      } catch (thrown) {
        if (!(thrown instanceof BatonError) || thrown.code !== "model" || !scope.live) throw thrown;
        if (!isForGood(thrown, prompt)) throw thrown;
        reason = thrown.message;
      }
      const note: Chunk = { type: "note", text: `${reason}; ${backup.name} takes over` };
      yield hasSpoken ? [note, { type: "restart", reason }] : [note];
      for await (const chunks of backup.stream(prompt, scope)) yield signed(chunks, backup.name);
    },
  };
}

/** Whether the step will not try again after this failure. */
export function isForGood({ retryable }: BatonError, { attempt, attempts }: Prompt): boolean {
  return !retryable || attempt >= attempts;
}

/** The chunks, with the end of a reply naming the model that gave it. */
export function signed(chunks: readonly Chunk[], model: string): readonly Chunk[] {
  const end = chunks.at(-1);
  return end?.type === "end" ? [...chunks.slice(0, -1), { model, ...end }] : chunks;
}
