/**
 * Language model: a model of the AI SDK's language-model interface as a `Model` of core.
 *
 * The provider's package is opened on the first call. Every failure is classed; a cancel or a time limit aborts the
 * request, which closes its socket; leaving the stream early does too.
 */
import type { BatonError, Chunk, Model, Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { toBatches } from "./stream/batches.ts";
import { type CallRules, toCallOptions } from "./call-options.ts";
import type { SkippedEvents } from "./stream/event-guard.ts";
import { ProviderFetch } from "./provider-fetch.ts";
import { toModelError } from "./failure.ts";
import { Reply } from "./stream/reply.ts";
import type { LanguageSource } from "./language-source.ts";
import { DEFAULT_TIMEOUTS, type Timeouts, CallTimer } from "./call-timer.ts";
import { outputTokensOf } from "../choice/model-facts.ts";
import { contextTokensOf } from "../choice/context-window.ts";

/** The parts of a language model. */
export interface LanguageModelOptions {
  /** `provider/name`. */
  readonly name: string;
  readonly open: () => Promise<LanguageSource>;
  readonly connection: ProviderFetch;
  readonly rules: CallRules;
  readonly timeouts: Timeouts;
  /** Secrets that no message may show. */
  readonly secrets: readonly string[];
}

/** The model. */
export function languageModel(options: LanguageModelOptions): Model {
  const { name, timeouts } = options;
  const isSlow = timeouts.connectMs > DEFAULT_TIMEOUTS.connectMs;
  const contextTokens = contextTokensOf(name);
  return {
    name,
    stream: (prompt, scope) => stream(options, prompt, scope),
    ...(isSlow ? { maxStartMs: timeouts.connectMs } : {}),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    outputTokens: (maxTokens, effort) => outputTokensOf(name, maxTokens, effort),
  };
}

/** Facts about a language model from another package. */
export interface LanguageModelFacts {
  /** `provider/name`. */
  readonly name: string;
  readonly timeouts?: Partial<Timeouts>;
  /** Whether it can be given the schema of this prompt's reply; by default the prompt asks for it in words. */
  readonly takesSchema?: (prompt: Prompt) => boolean;
}

/** Any language model of the AI SDK, from a package of the user's choice. */
export function fromLanguageModel(
  source: LanguageSource,
  { name, timeouts, takesSchema = () => false }: LanguageModelFacts,
): Model {
  return languageModel({
    name,
    open: async () => source,
    connection: new ProviderFetch(name),
    rules: {
      model: name,
      imageUrls: false,
      declarePastTools: true,
      marksCache: false,
      takesSchema,
      providerOptions: () => ({}),
      eventFilter: () => () => undefined,
    },
    timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
    secrets: [],
  });
}

async function* stream(options: LanguageModelOptions, prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[]> {
  const { name, timeouts } = options;
  await using call = scope.child({ name: `model ${name}` });
  const timer = new CallTimer({ call, model: name, timeouts });
  call.defer(() => timer.stop());
  try {
    const reply = new Reply(name);
    const skipped: SkippedEvents = { type: "", count: 0 };
    for await (const parts of toBatches(await begin(options, { prompt, call, timer, skipped }), call)) {
      if (parts.some(isSign)) timer.enter("betweenChunksMs");
      const chunks = parts.flatMap((part) => reply.take(part));
      if (chunks.length > 0) yield chunks;
      if (reply.hasFailed) break;
    }
    const end = reply.end();
    yield skipped.count === 0 ? [end] : [toSkippedNote(name, skipped), end];
  } catch (thrown) {
    throw toError(thrown, options, call);
  }
}

/** Of a prompt that names no limit. */
const MAX_REPLY_CHARS = 4 * 1_024 * 1_024;

function toSkippedNote(name: string, { type, count }: SkippedEvents): Chunk {
  const [provider = name] = name.split("/", 1);
  return { type: "note", kind: "provider.unknown_event", data: { provider, type, count } };
}

interface Beginning {
  readonly prompt: Prompt;
  readonly call: Scope;
  readonly timer: CallTimer;
  readonly skipped: SkippedEvents;
}

async function begin(
  options: LanguageModelOptions,
  { prompt, call, timer, skipped }: Beginning,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { abort } = call;
  const { connection, rules, name } = options;
  const [provider = ""] = name.split("/", 1);
  connection.watch(abort, {
    begun: () => timer.enter("firstChunkMs"),
    fields: prompt.providerOptions?.[provider],
    maxChars: prompt.maxChars ?? MAX_REPLY_CHARS,
    format: rules.streamFormat ?? "events",
    unknownType: rules.eventFilter(),
    onSkip: (type) => {
      skipped.count += 1;
      skipped.type ||= type;
    },
  });
  const source = await call.race(options.open);
  const { stream: parts } = await call.race(() => source.doStream(toCallOptions(prompt, rules, abort)));
  timer.enter("firstChunkMs");
  return parts;
}

/** Parts that the provider sent; the first one is made by the package itself. */
const isSign = (part: LanguageModelV4StreamPart): boolean => part.type !== "stream-start";

function toError(thrown: unknown, { name, secrets }: LanguageModelOptions, call: Scope): BatonError {
  if (call.reason !== undefined) return call.reason;
  return toModelError(thrown, { model: name, secrets, now: call.clock.now() });
}
