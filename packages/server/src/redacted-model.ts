/**
 * Redacted model: a model whose failures and notes hold no keys.
 *
 * What a provider says of an error may repeat the key it was called with, and would be in the log of the run and in
 * every stream of it. Reads: redact (types). Read by: server.
 */
import { BatonError, type Chunk, type Model, toMessage } from "@baton/core";

/** The same model; errors and notes pass the redactor. */
export function toRedactedModel(model: Model, redact: (text: string) => string): Model {
  return {
    name: model.name,
    async *stream(prompt, scope) {
      try {
        for await (const chunks of model.stream(prompt, scope)) yield isPlain(chunks) ? chunks : chunks.map(clean);
      } catch (error) {
        throw toRedacted(error, redact);
      }
    },
    ...(model.countTokens === undefined ? {} : { countTokens: model.countTokens }),
  };

  function clean(chunk: Chunk): Chunk {
    if (chunk.type === "note") return { ...chunk, text: redact(chunk.text) };
    return chunk.type === "restart" ? { ...chunk, reason: redact(chunk.reason) } : chunk;
  }
}

function isPlain(chunks: readonly Chunk[]): boolean {
  return chunks.every(({ type }) => type !== "note" && type !== "restart");
}

function toRedacted(error: unknown, redact: (text: string) => string): unknown {
  const message = toMessage(error);
  const said = redact(message);
  if (said === message) return error;
  if (!(error instanceof BatonError)) return new BatonError("model", said);
  const { code, retryable, retryAfterMs, limit } = error;
  return new BatonError(code, said, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(limit === undefined ? {} : { limit }),
  });
}
