/**
 * @baton/store: where runs are kept, and how they go on after a stop.
 *
 * `DurableEngine` runs crews on a `Store`, a store is on a `Database`: `MemoryDatabase` here, others by their names.
 */
export { parseEvent } from "./batch.ts";
export { requestKey } from "./claim-key.ts";
export type { Database, KeyRecord, RequestRecord, Retention, RunFilter, RunRecord } from "./database.ts";
export type { ForkOrigin, RunStatus, SessionPlace, SessionRecord, SessionRuns, Transferred } from "./database.ts";
export { type DocumentLayer, type DocumentLayers, withDocumentLayers } from "./document-layer.ts";
export { DurableEngine } from "./durable-engine.ts";
export { MemoryDatabase } from "./memory-database.ts";
export { MemoryLedger } from "./memory-ledger.ts";
export type { Once } from "./once.ts";
export { LOCAL, type Owner } from "./owner.ts";
export { readAll } from "./reader.ts";
export type { Cancelled } from "./session-cancel.ts";
export { activeMsOf } from "./run-measure.ts";
export { newRunId, toShortId } from "./run-id.ts";
export { findSchedules, type KeptSchedule } from "./schedule/kept-schedules.ts";
export { nextTime, type ScheduleWhen } from "./schedule/next-time.ts";
export {
  type NewSchedule,
  readSchedule,
  type Schedule,
  type ScheduleCheck,
  SCHEDULES,
  toScheduleDocument,
} from "./schedule/schedule.ts";
export { Scheduler, type SchedulerOptions } from "./schedule/scheduler.ts";
export { crewOf, Store, type StoreOptions } from "./store.ts";
export type { DurableOptions, DurableStart } from "./segment.ts";
