/**
 * Redacted model: a model whose failures and notes hold no keys.
 */
import { BatonError, type Chunk, type Model } from "@baton/core";
import { type Redact, toRedactedMessage } from "./redact.ts";

/** The same model; errors and notes pass the redactor. */
export function toRedactedModel(model: Model, redact: Redact): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      try {
        for await (const chunks of model.stream(prompt, scope)) yield isPlain(chunks) ? chunks : chunks.map(clean);
      } catch (error) {
        throw toRedacted(error, redact);
      }
    },
  };

  function clean(chunk: Chunk): Chunk {
    if (chunk.type === "warning") return { ...chunk, text: redact(chunk.text) };
    return chunk.type === "restart" ? { ...chunk, reason: redact(chunk.reason) } : chunk;
  }
}

function isPlain(chunks: readonly Chunk[]): boolean {
  return chunks.every(({ type }) => type !== "warning" && type !== "restart");
}

function toRedacted(error: unknown, redact: Redact): unknown {
  const said = toRedactedMessage(error, redact);
  if (said === undefined) return error;
  if (!(error instanceof BatonError)) return new BatonError("model", said);
  const { code, retryable, retryAfterMs, limit } = error;
  return new BatonError(code, said, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(limit === undefined ? {} : { limit }),
  });
}
