/**
 * @baton/assistant: what an assistant on any subject needs.
 */
export { type ResultCache, MemoryCache } from "./cache/result-cache.ts";
export { SharedWork } from "./cache/shared-work.ts";
export { type ToolCacheOptions, withCache } from "./cache/tool-cache.ts";
export { readRows } from "./data-table.ts";
export { defineCalculate } from "./calculate/calculate-tool.ts";
export { toBlock } from "./context/assemble.ts";
export { withSummary } from "./context/compaction.ts";
export { defineCompactionTools } from "./context/compaction-tools.ts";
export { contextProgram } from "./context/context-program.ts";
export { withKeptReply } from "./context/kept-reply.ts";
export { ageInDays, ageInWords } from "./facts/age.ts";
export { type DigestFrame, MAX_DIGEST_CHARS, toPeriodName } from "./facts/digest.ts";
export { toValueText } from "./facts/fact-text.ts";
export type { DataKind, Fact, Figure, Period, Unit } from "./facts/fact.ts";
export { type FactReader, factsFrom, type FactTool, type RunFacts, withFacts } from "./facts/with-facts.ts";
export { ground } from "./grounding/ground.ts";
export { findLinks } from "./grounding/link.ts";
export { scanNumbers } from "./grounding/number-scan.ts";
export { type FigureOptions, withFigures } from "./grounding/with-figures.ts";
export { defineLearnTools } from "./memory/learn-tools.ts";
export { LEARNED } from "./memory/learned.ts";
export { defineMemoryTools } from "./memory/memory-tools.ts";
export { AssistantMeter } from "./metrics/assistant-meter.ts";
export { ownText } from "./permission/own-text.ts";
export { confirmProgram, withConfirmSignal } from "./permission/confirm.ts";
export { type Wish, withWish } from "./permission/wish.ts";
export { planRunner } from "./plan/plan-runner.ts";
export { definePlanTools } from "./plan/plan-tools.ts";
export { openToolIndex, type SearchableTool } from "./search/tool-index.ts";
export { defineToolSearch } from "./search/tool-search.ts";
