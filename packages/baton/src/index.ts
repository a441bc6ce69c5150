/**
 * @baton/baton: the one import of an application: define crews, run them durably, serve them.
 *
 * Start reading at `baton.ts`. What packages beside an application need is in `@baton/core` and its siblings.
 */
import "./node-version.ts";

export {
  type Agent,
  type AgentDefinition,
  BatonError,
  type CallContext,
  type CancelOptions,
  type Chunk,
  type Command,
  type Crew,
  type CrewDefinition,
  type Decision,
  defineCrew,
  defineProgram,
  defineState,
  defineTool,
  type Effect,
  type ErrorCode,
  type EventsOptions,
  fold,
  type Image,
  type Json,
  limited,
  type Message,
  type Model,
  type Outcome,
  type Permission,
  type Prompt,
  type Receipt,
  type Run,
  type RunEvent,
  type RunLimits,
  type RunResult,
  type RunView,
  type Script,
  type ScriptEntry,
  scriptModel,
  suspend,
  type Tool,
  ToolError,
  type TypedState,
} from "@baton/core";
export type { SuspendOptions, ToolQuestion } from "@baton/core/ports";
export { partialJson } from "@baton/core/util";
export { fromLanguageModel } from "@baton/models";
export { type Baton, openBaton, type RunFeedback, type RunOptions } from "./baton.ts";
export type { CheckFinding as Finding } from "@baton/crewfile";
export { checkCrew } from "./known-crews.ts";
export type { ModelOf } from "./model-choice.ts";
export type { BatonOptions, HandleOptions, ServeOptions } from "./options.ts";
export type { Served } from "./serving.ts";
export type { Identify, NamedCaller } from "@baton/server";
