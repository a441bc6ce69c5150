/**
 * @baton/client: a Baton server from a browser or from Node.
 *
 * Start reading at `client.ts`. Events, commands, `fold` and the signal hold are core's own; the engine is not
 * included.
 */
export type {
  CancelOptions,
  Command,
  EventsOptions,
  Failure,
  Json,
  Message,
  Outcome,
  Receipt,
  Run,
  RunEvent,
  RunLimits,
  RunResult,
  RunView,
} from "@baton/core";
export type { AgentState, OpenQuestion } from "@baton/core/engine";
export type { Answerer, EventBody, EventBodyOf, RequestTool } from "@baton/core/ports";
export { fold, type OpenFold, openFold } from "@baton/core/fold";
export { feed, finish, type Hold, startHold, toWatch, type Watch } from "@baton/core/signal-hold";
export type {
  CallInfo,
  CancelledRun,
  CrewInfo,
  RunFeedbackInfo,
  RunInfo,
  RunPage,
  RunResultInfo,
  RunStatus,
  SessionInfo,
  SessionMessage,
  SessionPage,
  StartedRun,
} from "./run-answers.ts";
export type { BackoffLimits } from "./backoff.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type EventListOptions,
  type RunListOptions,
  type SessionListOptions,
  type StartImage,
  type StartRunOptions,
} from "./client.ts";
export { ClientError, type FieldProblem } from "./client-error.ts";
export type { FeedChange, FeedCrew, FeedOptions } from "./feed.ts";
export type { FollowOptions, Reconnect } from "./follow.ts";
export type {
  AgentInfo,
  CrewDetail,
  CrewDrawing,
  CrewFinding,
  DrawnArrow,
  DrawnBox,
  DrawnPoint,
  Me,
  ModelInfo,
  ServerOverview,
  OverviewFigures,
  PromptPiece,
  HowToFork,
  Replayed,
  SignedIn,
  StepPrompt,
  ToolInfo,
} from "./detail-answers.ts";
export { type SseFrame, type SseOptions, SseParser } from "./sse.ts";
