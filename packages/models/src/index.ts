/**
 * @baton/models: from a name such as `openai/gpt-5-mini` to a `Model`, and what happens when it fails.
 *
 * Start at `models.ts`. Importing this loads no provider's package.
 */
export type { Caller } from "./money/accounts.ts";
export { withBackup } from "./backup.ts";
export { Breaker, withBreaker } from "./breaker.ts";
export { type Choice, type ChoiceOptions, chooseModel, MODEL_PROVIDERS } from "./choice.ts";
export { type CrewModels, type CrewModelsOptions, openCrewModels } from "./crew-models.ts";
export { type EmbedOptions, type Embedder, openEmbedder } from "./embedder.ts";
export { type FailureKind, failureOf, type ModelFailure } from "./failure.ts";
export type { Environment } from "./keys.ts";
export { fromLanguageModel, type LanguageModelFacts } from "./language-model.ts";
export { findLocalModels, type LocalModels } from "./local-models.ts";
export { type ModelPair, withLedger } from "./money/metered-model.ts";
export type { MeterOptions } from "./money/meter.ts";
export { type ModelRequest, Models, type ModelsOptions } from "./models.ts";
export { offlineModel, type OfflineReply, type OfflineRule } from "./offline/offline.ts";
export type { CrewSource } from "./placed-crew.ts";
export { costUsd, type Price, priceOf, PRICES_DATE } from "./money/prices.ts";
export { RateLimiter, type RateLimits, withRateLimit } from "./rate-limit.ts";
export { recordModel, replayModel } from "./recorded-model.ts";
export { withToolCalls } from "./text-calls/text-model.ts";
export { DEFAULT_TIMEOUTS, type Timeouts } from "./call-timer.ts";
