/**
 * @baton/core/ports: what a package implements or is handed to bring a host, a log, a ledger, documents, a model or a tool of
 * its own, with the types of data that these speak. It may change with any version.
 */
export type { Audience, CostLimits, ErrorLimits, ModelRef, ToolCalls, ToolOffer } from "./definitions/agent.ts";
export { type Clock, SystemClock } from "./lifetimes/clock.ts";
export type {
  Behavior,
  CrewSchedule,
  Finding,
  Group,
  GroupMode,
  Named,
  PermissionRule,
  SignalRoute,
  Task,
  When,
  WrapModel,
} from "./definitions/definition.ts";
export {
  type Document,
  type DocumentIndex,
  type DocumentPage,
  type DocumentQuery,
  type Documents,
  type DocumentSearch,
  type NearDocument,
  type NewDocument,
  noDocuments,
  type VectorSearch,
} from "./ports/document.ts";
export { CallLog, type FinishedCall, NO_RECORDED_CALLS, type RecordedCalls } from "./ports/call-log.ts";
export type { ReachedLimit } from "./words/error.ts";
export type {
  Answerer,
  AnswerSchema,
  Configuration,
  EventBody,
  EventBodyOf,
  Identity,
  MatchKind,
  Place,
  Stamp,
  Via,
} from "./words/event.ts";
export type { LiveView, Note, OpenCall, OpenStep, OpenTurn, Shown } from "./words/live-view.ts";
export type { Answer, Host, LanePlan, LanesEnd, RecordedWork, RecordType } from "./ports/host.ts";
export type { Account, Amount, Cap, CapUse, Ledger, Reserved, Spent } from "./ports/ledger.ts";
export {
  DEFAULT_SETTINGS,
  type Isolation,
  SETTING_NAMES,
  type SettingName,
  SETTINGS,
  type Settings,
} from "./definitions/limits.ts";
export { Follower, type ReadableLog, readLog } from "./ports/follower.ts";
export type { Log, Observer, RunLog, TextSource } from "./ports/log.ts";
export { MemoryLog } from "./ports/memory-log.ts";
export type {
  AssistantMessage,
  CallRequest,
  Finish,
  SystemMessage,
  ToolMessage,
  Usage,
  UserMessage,
} from "./words/message.ts";
export type { PastCall, ToolSpec } from "./ports/model.ts";
export { Scope } from "./lifetimes/scope.ts";
export type { AskingContext, Concurrency, Prepared, RunState } from "./definitions/tool.ts";
