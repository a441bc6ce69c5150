/**
 * @baton/models: from a name such as `openai/gpt-5-mini` to a `Model`, and what happens when it fails.
 *
 * Start at `choice/model-registry.ts`. Importing this loads no provider's package.
 */
export type { Caller } from "./money/accounts.ts";
export { withBackup } from "./wrappers/backup.ts";
export { Breaker, type BreakerRules, type ErrorCaps, withBreaker } from "./wrappers/breaker.ts";
export { type CalledModel, ModelTraffic } from "./wrappers/model-traffic.ts";
export { type ChosenModel, type ChooseModelOptions, chooseModel, MODEL_PROVIDERS } from "./choice/choose-model.ts";
export { type CrewModels, type CrewModelsOptions, openCrewModels } from "./choice/crew-models.ts";
export { type EmbedOptions, type Embedder, openEmbedder } from "./embeddings/embedder.ts";
export { type FailureKind, failureOf, type ModelFailure } from "./providers/failure.ts";
export type { Environment } from "./choice/provider-keys.ts";
export { fromLanguageModel, type LanguageModelFacts } from "./providers/language-model.ts";
export { type ListedModel, listModels, type ListModelsOptions } from "./choice/list-models.ts";
export { findLocalModels, type LocalModels } from "./choice/local-models.ts";
export { type ModelPair, withLedger } from "./money/metered-model.ts";
export type { MeterOptions } from "./money/meter.ts";
export type { PlanLimits, PlanOf, RunOwner } from "./money/user-accounts.ts";
export { type ModelRequest, ModelRegistry, type ModelRegistryOptions } from "./choice/model-registry.ts";
export { offlineModel, type OfflineReply, type OfflineRule } from "./offline/offline-model.ts";
export type { CrewSource } from "./choice/scripted-crew.ts";
export { costUsd, type Price, priceOf, PRICES_DATE } from "./money/prices.ts";
export { RateLimiter, type RateLimits, withRateLimit } from "./wrappers/rate-limit.ts";
export { recordModel, replayModel } from "./wrappers/recorded-model.ts";
export { withToolCalls } from "./wrappers/text-calls/with-tool-calls.ts";
export { DEFAULT_TIMEOUTS, type Timeouts } from "./providers/call-timer.ts";
