/**
 * Embedder: vectors of texts, from a name such as `openai/text-embedding-3-small`.
 *
 * What comes back is checked: as many vectors as texts, of finite numbers, of the same number of dimensions every time.
 * Of a long text only the beginning is embedded. Every failure is a `BatonError` of code `model` without the key in it.
 */
import { BatonError } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { EMBEDDING_PROVIDERS } from "../choice/choose-model.ts";
import { EMBEDDING_FORMATS, type EmbeddingFormat, type EmbeddingPurpose } from "./embedding-format.ts";
import { modelError, toModelError } from "../providers/failure.ts";
import { isRecord } from "../json.ts";
import { type Environment, findKey } from "../choice/provider-keys.ts";
import { hasUrlPassword, missingKey, missingUrl, passwordInUrl } from "../choice/model-registry.ts";
import { PROVIDERS } from "../providers/provider.ts";

/** Options for embedding texts. */
export interface EmbedOptions {
  /** Default `document`. */
  readonly purpose?: EmbeddingPurpose;
  readonly abort?: AbortSignal;
}

/** Gives the vectors of texts. */
export interface Embedder {
  readonly name: string;
  /** One vector for each text, in their order. */
  readonly embed: (texts: readonly string[], options?: EmbedOptions) => Promise<readonly Float32Array[]>;
}

/** Options for opening an embedder. */
export interface EmbedderOptions {
  readonly clock?: Clock;
  /** The timeout of one request; the default depends on the provider. */
  readonly timeoutMs?: number;
}

/** No model reads more than about this much. */
const MAX_TEXT_CHARS = 6_000;
/** All texts of one request together. */
const MAX_BATCH_CHARS = 60_000;
const MAX_BODY_CHARS = 10_000;

/** The embedder of that name. Throws if the name is unknown, or a key or an address is missing. */
export function openEmbedder(name: string, env: Environment, options: EmbedderOptions = {}): Embedder {
  const source = toSource(name, env, options);
  let dimensions: number | undefined;
  return {
    name,
    async embed(texts, { purpose = "document", abort } = {}) {
      const vectors: Float32Array[] = [];
      for (const batch of toBatches(texts.map(shorten), source.format.maxTexts)) {
        const answer = await ask(source, { texts: batch, purpose, abort });
        for (const vector of readVectors(source, answer, batch.length)) {
          dimensions ??= vector.length;
          if (vector.length !== dimensions)
            throw malformed(name, `a vector of ${vector.length} dimensions came back instead of ${dimensions}`);
          vectors.push(vector);
        }
      }
      return vectors;
    },
  };
}

interface Source extends EmbedderOptions {
  readonly name: string;
  readonly model: string;
  readonly format: EmbeddingFormat;
  readonly url: string;
  readonly key: string | undefined;
  readonly clock: Clock;
}

function toSource(name: string, env: Environment, { clock = new SystemClock(), ...rest }: EmbedderOptions): Source {
  const slash = name.indexOf("/");
  const [company, model] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  const [format, provider] = [EMBEDDING_FORMATS.get(company), PROVIDERS.get(company)];
  if (format === undefined || provider === undefined || model === "") {
    const known = EMBEDDING_PROVIDERS.map((one) => `${one}/…`).join(", ");
    throw new BatonError("invalid", `"${name}" is not an embedding model Baton knows; it knows ${known}`);
  }
  const key = findKey(company, env)?.key;
  const base = env[provider.urlVariable] || undefined;
  if (key === undefined && provider.needsKey) throw new BatonError("invalid", missingKey(name, company));
  if (base === undefined && provider.needsUrl) throw new BatonError("invalid", missingUrl(name, provider));
  if (base !== undefined && hasUrlPassword(base)) throw passwordInUrl(name);
  const url = format.toUrl(base, model);
  if (!URL.canParse(url)) throw new BatonError("invalid", `${name}: ${provider.urlVariable} is not an address`);
  return { name, model, format, url, key, clock, ...rest };
}

interface Asked {
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
  readonly abort: AbortSignal | undefined;
}

async function ask(source: Source, { texts, purpose, abort }: Asked): Promise<unknown> {
  const { name, model, format, url, key, clock, timeoutMs = format.timeoutMs } = source;
  const aborting = new AbortController();
  const stop = () => aborting.abort(new BatonError("cancelled", `${name}: it was cancelled`));
  if (abort?.aborted === true) stop();
  abort?.addEventListener("abort", stop, { once: true });
  const late = modelError(name, "timeout", { detail: `no vectors within ${timeoutMs} ms` });
  const timer = clock.after(timeoutMs, () => aborting.abort(late));
  try {
    const response = await fetch(url, {
      method: "POST",
      // A key must not follow to another host.
      redirect: "error",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : format.toHeaders(key)) },
      body: JSON.stringify(format.toBody({ model, texts, purpose })),
      signal: aborting.signal,
    });
    const text = await response.text();
    if (!response.ok) throw toHttpError(response, text);
    return parse(name, text);
  } catch (error) {
    if (aborting.signal.aborted) throw aborting.signal.reason;
    throw toModelError(error, { model: name, secrets: key === undefined ? [] : [key], now: clock.now() });
  } finally {
    timer.cancel();
    abort?.removeEventListener("abort", stop);
  }
}

function parse(name: string, text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return answer;
  } catch {
    throw malformed(name, "it is not JSON; is the address right?");
  }
}

function toHttpError(response: Response, text: string): Error {
  const responseBody = text.slice(0, MAX_BODY_CHARS);
  const said = /"message"\s*:\s*"([^"\\]{1,300})"/.exec(responseBody)?.[1] ?? response.statusText;
  return Object.assign(new Error(said), {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

function readVectors({ name, format }: Source, answer: unknown, count: number): readonly Float32Array[] {
  const found = isRecord(answer) ? format.read(answer) : undefined;
  if (found === undefined) throw malformed(name, "it has no embeddings");
  if (found.length !== count) throw malformed(name, `${found.length} vectors came back for ${count} texts`);
  return found.map((one) => {
    const parts: readonly unknown[] = Array.isArray(one) ? one : [];
    const numbers = parts.filter((part) => typeof part === "number");
    const vector = Float32Array.from(numbers);
    const isVector = numbers.length > 0 && numbers.length === parts.length && vector.every(Number.isFinite);
    if (isVector && vector.some((part) => part !== 0)) return vector;
    throw malformed(name, "a vector is not a list of finite numbers that are not all 0");
  });
}

function malformed(name: string, detail: string): BatonError {
  return modelError(name, "malformed", { detail });
}

function shorten(text: string): string {
  if (text.trim() === "") throw new BatonError("invalid", "a text without words cannot be embedded");
  return text.slice(0, MAX_TEXT_CHARS).toWellFormed();
}

function toBatches(texts: readonly string[], maxTexts: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let chars = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxTexts || chars + text.length > MAX_BATCH_CHARS) {
      batches.push([text]);
      chars = text.length;
    } else {
      last.push(text);
      chars += text.length;
    }
  }
  return batches;
}
