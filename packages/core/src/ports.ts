/**
 * @baton/core/ports: what a package implements or is handed to bring a host, a log, a ledger, documents, a model or a tool of
 * its own, with the types of data that these speak. It may change with any version.
 */
export type {
  AgentTool,
  ChildTool,
  CostLimits,
  CrewTool,
  ErrorLimits,
  ModelRef,
  ProviderOptions,
  SkillSummary,
  ToolCalls,
  ToolOffer,
} from "./definitions/agent.ts";
export { type Clock, SystemClock } from "./lifetimes/clock.ts";
export type {
  Behavior,
  CrewSchedule,
  Finding,
  Group,
  GroupDefinition,
  MemberOffer,
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
  type NearDocument,
  type NewDocument,
  noDocuments,
} from "./ports/document.ts";
export { CallLog, type FinishedCall, type FinishedCalls, NO_RECORDED_CALLS } from "./ports/call-log.ts";
export type {
  AnsweredBy,
  Answerer,
  Configuration,
  EventBody,
  EventBodyOf,
  Identity,
  MemberResult,
  Place,
  RequestTool,
  Via,
} from "./words/event.ts";
export type { Level, LevelCode, LevelJob, LevelTool, PathGrant } from "./definitions/level.ts";
export { GRANTS, isLevel, type LevelName, LEVELS, limitsOf, type Sandbox } from "./definitions/sandbox.ts";
export type {
  Answer,
  CodeRecord,
  Host,
  LanePlan,
  LanesEnd,
  RecordedWork,
  RecordType,
  Rest,
  SuspendedCall,
} from "./ports/host.ts";
export {
  type Guard,
  type GuardedCall,
  type GuardOf,
  type Ruled,
  type Ruling,
  type RunGuard,
  RunGuards,
  toRuled,
} from "./ports/guard.ts";
export {
  type Account,
  type Amount,
  type Cap,
  type CapUse,
  type Ledger,
  type Reserved,
  toWindowEnd,
  toWindowMs,
} from "./ports/ledger.ts";
export {
  DEFAULT_SETTINGS,
  type Isolation,
  SETTING_NAMES,
  type SettingName,
  SETTINGS,
  type Settings,
} from "./definitions/limits.ts";
export type {
  Code,
  CodeCall,
  CodeEnd,
  CodeFailure,
  CodeLimits,
  CodeResult,
  CodeStep,
  Interpreter,
  RunningCode,
} from "./ports/interpreter.ts";
export { Follower, type ReadableLog } from "./ports/follower.ts";
export type { Log, Observer, RunLog, TextSource } from "./ports/log.ts";
export { MemoryLog } from "./ports/memory-log.ts";
export type { JsonSchema, Parsed, PlainInput } from "./words/schema/schema.ts";
export type { AssistantMessage, CallRequest, Finish, ToolMessage, Usage, UserMessage } from "./words/message.ts";
export type { PastCall, ToolSpec } from "./ports/model.ts";
export type { SuspendOptions, ToolQuestion } from "./definitions/suspend.ts";
export { Scope } from "./lifetimes/scope.ts";
export type { AskingContext, Prepared, RunState } from "./definitions/tool.ts";
