/**
 * @baton/store/replay: looking back at a run, and beginning anew from any point of it.
 *
 * Apart from the rest, so that a process that only executes runs does not load it.
 */
export type { Difference } from "./difference.ts";
export { type Rephrasing, toFork, toForkCrew, rephraseFork } from "./fork.ts";
export { type OmittedBlock, type PromptBlock, promptOf, type StepPrompt } from "./prompt-of.ts";
export { replay } from "./replay.ts";
