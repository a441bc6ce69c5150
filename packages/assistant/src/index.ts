/**
 * @baton/assistant: what an assistant on any subject needs.
 */
export { type Cache, MemoryCache, type MemoryCacheOptions } from "./cache.ts";
export { type CalculateOutput, defineCalculate } from "./calculate-tool.ts";
export { calculate, type Calculated, type Calculation, toCalculatedFigure } from "./calculate.ts";
export { type FactPosition, parseFactId, scanFactId, toFactId } from "./fact-id.ts";
export { factsOfState } from "./fact-state.ts";
export { MAX_DIGEST_CHARS, toFactLine, toValueText } from "./fact-text.ts";
export type { DataKind, Fact, Figure, Period, Unit } from "./fact.ts";
export { type Cited, FACTS_PREFIX, type Figured, type FactReader, type Origin, toFacts, withFacts } from "./facts.ts";
export { numbersOf, type PlacedNumber } from "./figure-path.ts";
export { imageTexts, withoutImageTexts } from "./image-text.ts";
export { checkFigures } from "./figures.ts";
export { type ToolCacheOptions, withCache } from "./tool-cache.ts";
export type { BreakerOptions, RateOptions } from "./tool-guard.ts";
export {
  type FindTools,
  openToolIndex,
  type RankedTool,
  type SearchableTool,
  type ToolSearchOptions,
} from "./tool-index.ts";
export { defineToolSearch, searchTools } from "./tool-search.ts";
export {
  assemble,
  type Assembled,
  type ContextBlock,
  type ContextPart,
  type LeftOut,
  toBlock,
} from "./context/assemble.ts";
export { type CompactionOptions, withSummary } from "./context/compaction.ts";
export { type ContextLoad, type ContextOptions, contextProgram } from "./context/context-program.ts";
export { languageOfText } from "./grounding/answer-language.ts";
export { type AnswerLanguage, formatFact } from "./grounding/fact-format.ts";
export { ground } from "./grounding/ground.ts";
export type { Answer, Evidence, Grounding, Unverified } from "./grounding/grounding.ts";
export { findLinks, type LinkPlace } from "./grounding/link.ts";
export { ReferenceStream, type Span } from "./grounding/reference-stream.ts";
export { type FigureOptions, withFigures } from "./grounding/with-figures.ts";
export { MAX_TASKS, parsePlan, type Plan, PLAN_INPUT, type PlanTask } from "./plan/plan.ts";
export { planRunner, type RunnerOptions } from "./plan/plan-runner.ts";
export { definePlanTools } from "./plan/plan-tools.ts";
export { type OwnOf, type OwnWords, withOwnWords } from "./own-words.ts";
export { type Wish, withWish } from "./wish.ts";
export { defineLearnTools, type LearnOptions } from "./memory/learn-tools.ts";
export { defineMemoryTools } from "./memory/memory-tools.ts";
export { refuseMemory } from "./memory/refuse-memory.ts";
