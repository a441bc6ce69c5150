/**
 * Redacted model: a model whose failures and notes hold no keys.
 */
import { BatonError, type Chunk, type Model } from "@baton/core";
import { type Redact, toRedactedMessage } from "./redact.ts";

/**
 * The same model; errors and notes pass the redactor. It passes on what the model's own iterator gives: through a
 * generator each piece of text would cost three promises more.
 */
export function toRedactedModel(model: Model, redact: Redact): Model {
  return {
    ...model,
    stream(prompt, scope) {
      const chunks = orRedacted(() => model.stream(prompt, scope)[Symbol.asyncIterator]());
      const iterator: AsyncIterator<readonly Chunk[]> = {
        next: () => chunks.next().then(toClean, fail),
        return: async () => (await chunks.return?.().catch(fail)) ?? { done: true, value: undefined },
      };
      return { [Symbol.asyncIterator]: () => iterator };
    },
  };

  function orRedacted<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return fail(error);
    }
  }

  function fail(error: unknown): never {
    throw toRedacted(error, redact);
  }

  function toClean(result: IteratorResult<readonly Chunk[]>): IteratorResult<readonly Chunk[]> {
    if (result.done === true || isPlain(result.value)) return result;
    return { done: false, value: result.value.map(clean) };
  }

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
