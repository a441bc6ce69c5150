/**
 * @baton/core/ports: what sibling packages need beside the names of `@baton/core`: ports to implement, the engine's
 * parts, and the helpers that all packages share. It may change with any version.
 */
export type { Audience, CostLimits, ErrorLimits, ModelRef, ToolCalls, ToolOffer } from "./agent.ts";
export { ById } from "./by-id.ts";
export { checkCrew } from "./check.ts";
export { type Clock, SystemClock } from "./clock.ts";
export { isTerminal } from "./crew.ts";
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
} from "./definition.ts";
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
} from "./document.ts";
export { toBeginning } from "./engine.ts";
export { type ReachedLimit, toBatonError, toFailure, toMessage, toToolFailure } from "./error.ts";
export type {
  Answerer,
  AnswerSchema,
  Configuration,
  Fact,
  FactOf,
  Identity,
  MatchKind,
  Place,
  Stamp,
  Via,
} from "./event.ts";
export { type OpenFold, openFold, type OpenQuestion } from "./fold.ts";
export type { LiveRun } from "./live-run.ts";
export type { LiveView, Note, OpenCall, OpenStep, OpenTurn, Shown } from "./live-view.ts";
export { dropMiddle, estimateTokens, keepNewest, toView } from "./history.ts";
export {
  type Answer,
  findFirst,
  type Host,
  type LanePlan,
  type LanesEnd,
  type RecordedWork,
  type RecordType,
} from "./host.ts";
export { checkJson } from "./json-schema.ts";
export { given, parseJson } from "./json.ts";
export type { Account, Amount, Cap, CapUse, Ledger, Reserved, Spent } from "./ledger.ts";
export {
  DEFAULT_SETTINGS,
  type Isolation,
  SETTING_NAMES,
  type SettingName,
  SETTINGS,
  type Settings,
} from "./limits.ts";
export {
  type Beginning,
  isLateWarning,
  toCancelled,
  toEnded,
  toFirstSegmentStart,
  toLateWarning,
  toPaused,
  toStarted,
  toUserMessage,
} from "./segment.ts";
export { Follower, type ReadableLog, readLog } from "./follower.ts";
export type { Log, Observer, RunLog, TextSource } from "./log.ts";
export { MemoryLog } from "./memory-log.ts";
export {
  addUsage,
  type AssistantMessage,
  type CallRequest,
  type Finish,
  type SystemMessage,
  type ToolMessage,
  type Usage,
  type UserMessage,
} from "./message.ts";
export type { PastCall, ToolSpec } from "./model.ts";
export { nearest, nearestWithin } from "./nearest.ts";
export { toNote } from "./note.ts";
export { renderPieces } from "./prompt.ts";
export { boundOutput, toStateValue } from "./output.ts";
export { isFree } from "./permission.ts";
export type { Lane } from "./lane.ts";
export { type Plan, toPlan } from "./plan.ts";
export { isMember, toCrewPath } from "./position.ts";
export { type ReceiptLine, type ReceiptNames, toReceiptLines } from "./receipt-text.ts";
export { isKeyed, Recording, withoutWords } from "./recording.ts";
export { toProgramName } from "./program.ts";
export { backoffMs } from "./retry.ts";
export { decideRoute, fallBack, type Route, toPlace } from "./route.ts";
export type { Progress, RunEnd } from "./progress.ts";
export { runCrew } from "./run.ts";
export { type Commanded, RunHandle, type RunPort } from "./run-handle.ts";
export { toResult } from "./run-result.ts";
export { Scope } from "./scope.ts";
export { Semaphore } from "./semaphore.ts";
export { feed, finish, type Hold, startHold, toWatch, toWatches, type Watch } from "./signal-hold.ts";
export { toShownText, toWatchOf, type WatchOf } from "./shown-text.ts";
export { compileSignals, type SignalMatcher } from "./signal.ts";
export { hasChanges, lookInto, lookUp, withChanges } from "./state.ts";
export type { AskingContext, Concurrency, Prepared, RunState } from "./tool.ts";
