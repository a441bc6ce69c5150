/**
 * @baton/assistant: what an assistant on any subject needs.
 */
export { type ResultCache, MemoryCache, type MemoryCacheOptions } from "./cache/result-cache.ts";
export { type CalculateOutput, defineCalculate } from "./calculate/calculate-tool.ts";
export { calculate, type Calculated, type Calculation, toCalculatedFigure } from "./calculate/calculate.ts";
export { type FactPosition, parseFactId, scanFactId, toFactId } from "./facts/fact-id.ts";
export { ageInDays, ageInWords, OLD_AFTER_DAYS } from "./facts/age.ts";
export { factsOfState } from "./facts/fact-state.ts";
export { type DigestFrame, MAX_DIGEST_CHARS, toFactLine, toPeriodName } from "./facts/digest.ts";
export { toValueText } from "./facts/fact-text.ts";
export type { DataKind, Fact, Figure, Period, Unit } from "./facts/fact.ts";
export { type Cited, type Figured, type FactReader, type Origin, toFacts, withFacts } from "./facts/with-facts.ts";
export { numbersOf, type PlacedNumber } from "./facts/figure-path.ts";
export { imageTexts, withoutImageTexts } from "./context/image-text.ts";
export { checkFigures } from "./facts/check-figures.ts";
export { type ToolCacheOptions, withCache } from "./cache/tool-cache.ts";
export type { BreakerOptions, RateOptions } from "./cache/tool-guard.ts";
export {
  type FindTools,
  openToolIndex,
  type RankedTool,
  type SearchableTool,
  type ToolSearchOptions,
} from "./search/tool-index.ts";
export { defineToolSearch, searchTools } from "./search/tool-search.ts";
export {
  assemble,
  type Assembled,
  type ContextBlock,
  type ContextPart,
  type LeftOut,
  toBlock,
} from "./context/assemble.ts";
export { COMPACTION_REQUEST, type CompactionOptions, withSummary } from "./context/compaction.ts";
export { defineCompactionTools } from "./context/compaction-tools.ts";
export { type ContextLoad, type ContextOptions, contextProgram } from "./context/context-program.ts";
export { withKeptReply } from "./context/kept-reply.ts";
export { AssistantMeter } from "./metrics/assistant-meter.ts";
export { type AnswerLanguage, formatFact } from "./grounding/fact-format.ts";
export { ground } from "./grounding/ground.ts";
export type { AnswerText, GroundingEvidence, Grounding, Unverified } from "./grounding/grounding.ts";
export { type NumberReading, type NumberToken, scanNumbers } from "./grounding/number-scan.ts";
export { findLinks, type LinkPlace } from "./grounding/link.ts";
export { ReferenceStream, type FigureSpan } from "./grounding/reference-stream.ts";
export { type FigureOptions, withFigures } from "./grounding/with-figures.ts";
export { MAX_TASKS, parsePlan, type TaskPlan, PLAN_INPUT, type PlanTask } from "./plan/plan.ts";
export { planRunner, type RunnerOptions } from "./plan/plan-runner.ts";
export { definePlanTools } from "./plan/plan-tools.ts";
export { type Wish, withWish } from "./permission/wish.ts";
export { defineLearnTools } from "./memory/learn-tools.ts";
export { LEARNED } from "./memory/learned.ts";
export { defineMemoryTools } from "./memory/memory-tools.ts";
export { assistantState, FACTS_PREFIX } from "./run-state.ts";
export { refuseMemory } from "./memory/refuse/refuse-memory.ts";
