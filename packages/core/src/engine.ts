/**
 * @baton/core/engine: the engine's parts for a package that hosts, replays or draws runs. It may change with any version.
 */
export { type AnswerPlace, checkAnswer } from "./views/answer-check.ts";
export { checkDefinition } from "./definitions/check.ts";
export { checkRequestTools } from "./definitions/request-tool.ts";
export { isTerminal } from "./definitions/crew.ts";
export { toBeginning } from "./engine/engine.ts";
export { RUN_CODE } from "./definitions/tool.ts";
export { openFold, type OpenQuestion } from "./words/fold.ts";
export type { LiveRun } from "./engine/live-run.ts";
export { toView } from "./views/history.ts";
export { findFirst } from "./ports/host.ts";
export {
  type Beginning,
  isLateWarning,
  type MessageOptions,
  toCancelled,
  toEnded,
  toFirstSegmentStart,
  toLateWarning,
  toPaused,
  toStarted,
  toUnusedTools,
  toUserMessage,
} from "./engine/lifecycle.ts";
export { toNote } from "./words/note.ts";
export { renderPieces, type Template } from "./views/prompt.ts";
export type { Lane } from "./views/lane.ts";
export { type Plan, policiesIn, toPlan } from "./views/plan.ts";
export { isMember, toCrewPath } from "./words/position.ts";
export { isKeyed, Recording, toPermissionKey, withoutWords } from "./ports/recording.ts";
export { toProgramName } from "./ports/program.ts";
export { decideRoute, fallBack, type Route, toPlace } from "./views/route.ts";
export type { Progress, RunEnd } from "./views/progress.ts";
export { runChild } from "./loop/lanes/child.ts";
export { runCrew } from "./loop/run.ts";
export { type Commanded, RunHandle, type RunPort } from "./handle/run-handle.ts";
export { parseResult, toResult } from "./handle/run-result.ts";
export { openTotals } from "./words/totals.ts";
export { feed, finish, type Hold, startHold, toWatch, toWatches, type Watch } from "./handle/signal-hold.ts";
export {
  beginCall,
  feedReply,
  finishReply,
  type ReplyHold,
  type ShownReply,
  startReplyHold,
} from "./handle/reply-hold.ts";
export { toWatchOf, type WatchOf } from "./handle/shown-text.ts";
export { compileSignals, type SignalMatcher } from "./words/signal.ts";
export { type AgentState, toAgentState, toStateKey } from "./words/agent-state.ts";
export type { ResultOf } from "./handle/run-result.ts";
export type { RunWarning } from "./words/totals.ts";
