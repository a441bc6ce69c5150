/**
 * Embedding formats: how each provider is asked for the vectors of texts, and what its answer means.
 */
import { isRecord } from "../json.ts";
import { toOllamaUrl } from "../providers/ollama/ollama-url.ts";
import { withVersion } from "../providers/provider.ts";

/** The use of a text: stored, or searched for. Some models embed the two differently. */
export type EmbeddingPurpose = "document" | "query";

/** One request for vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
}

/** The request and response format of a provider. */
export interface EmbeddingFormat {
  /** Texts in one request. */
  readonly maxTexts: number;
  readonly timeoutMs: number;
  readonly toUrl: (base: string | undefined, model: string) => string;
  readonly toHeaders: (key: string) => Readonly<Record<string, string>>;
  readonly toBody: (request: EmbeddingRequest) => object;
  /** The vectors in the order of the texts, unchecked; undefined if the answer has none. */
  readonly read: (answer: Readonly<Record<string, unknown>>) => readonly unknown[] | undefined;
}

const toBearer = (key: string) => ({ authorization: `Bearer ${key}` });
const withoutSlash = (url: string) => (url.endsWith("/") ? url.slice(0, -1) : url);
const TIMEOUT_MS = 15_000;

const openai: EmbeddingFormat = {
  maxTexts: 100,
  timeoutMs: TIMEOUT_MS,
  toUrl: (base = "https://api.openai.com/v1") => `${withoutSlash(base)}/embeddings`,
  toHeaders: toBearer,
  toBody: ({ model, texts }) => ({ model, input: texts, encoding_format: "float" }),
  read: ({ data }) => {
    if (!Array.isArray(data)) return undefined;
    const items: readonly unknown[] = data;
    const vectors: unknown[] = items.map(() => undefined);
    for (const [place, item] of items.entries()) {
      if (!isRecord(item)) return undefined;
      const { index = place, embedding } = item;
      if (typeof index !== "number" || !(index in vectors) || vectors[index] !== undefined) return undefined;
      vectors[index] = embedding;
    }
    return vectors;
  },
};

const google: EmbeddingFormat = {
  maxTexts: 100,
  timeoutMs: TIMEOUT_MS,
  toUrl: (base = "https://generativelanguage.googleapis.com", model) =>
    `${withVersion(base, "v1beta")}/models/${encodeURIComponent(model)}:batchEmbedContents`,
  toHeaders: (key) => ({ "x-goog-api-key": key }),
  toBody: ({ model, texts, purpose }) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
    })),
  }),
  read: ({ embeddings }) => {
    if (!Array.isArray(embeddings)) return undefined;
    const items: readonly unknown[] = embeddings;
    return items.map((item) => (isRecord(item) ? item["values"] : undefined));
  },
};

const ollama: EmbeddingFormat = {
  maxTexts: 32,
  // The model may have to be loaded first.
  timeoutMs: 60_000,
  toUrl: (base) => `${toOllamaUrl(base)}/api/embed`,
  toHeaders: toBearer,
  toBody: ({ model, texts }) => ({ model, input: texts }),
  read: ({ embeddings }) => (Array.isArray(embeddings) ? embeddings : undefined),
};

/** The formats by the name of their provider. */
export const EMBEDDING_FORMATS: ReadonlyMap<string, EmbeddingFormat> = new Map([
  ["openai", openai],
  ["google", google],
  ["ollama", ollama],
  ["openai-compatible", openai],
]);
