/**
 * @baton/store/testing: data in memory that several processes share, and records to fill databases with.
 */
export { SharedMemory } from "../sqlite/memory.ts";
export { aroundCalls } from "./around-calls.ts";
export { ANN, hold, recordOf, save } from "./database-pair.ts";
export { openLasting, peekLog, peekRun, peekRuns } from "./shared-memory.ts";
export { withMethods } from "../with-methods.ts";
