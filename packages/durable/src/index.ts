/**
 * @baton/durable: runs that outlive their process, on a store: the durable engine, schedules, replay and fork.
 *
 * Start reading at `durable-engine.ts`.
 */
export { toCrewRecord } from "./engine/crew-record.ts";
export { crewOf } from "./engine/crew-definitions.ts";
export { DurableEngine } from "./engine/durable-engine.ts";
export type { ClaimedRequest } from "@baton/store/ports";
export type { CancelledRun } from "./sessions/session-cancel.ts";
export { exportRun, importRun, type RunFile } from "./transfer/run-file.ts";
export { activeMsOf } from "./log/run-record-builder.ts";
export { nextTime, type ScheduleWhen } from "./schedule/next-time.ts";
export {
  findSchedules,
  type StoredSchedule,
  type NewSchedule,
  readSchedule,
  type Schedule,
  type ScheduleCheck,
  SCHEDULES,
  toScheduleDocument,
} from "./schedule/schedule.ts";
export { Scheduler, type SchedulerOptions } from "./schedule/scheduler.ts";
export type { DurableOptions, DurableStart } from "./engine/options.ts";
export {
  type StartWork,
  type StartedWork,
  LeasePlacement,
  type PlacedWork,
  type Placement,
  type ProcessRole,
  type Work,
} from "./placement/placement.ts";
