/**
 * @baton/core: runs a crew of agents to its outcome, and everything it starts ends.
 *
 * Start reading at `run.ts`. These are the names that a program needs; `@baton/core/ports` has those for a package that
 * brings a host, a log, a model or a tool of its own.
 */
export type { Agent, AgentDefinition } from "./definitions/agent.ts";
export { defineCrew } from "./definitions/crew.ts";
export type { Crew, CrewDefinition } from "./definitions/definition.ts";
export { defineState, type TypedState } from "./definitions/define-state.ts";
export { Engine, type EngineOptions, type StartOptions } from "./engine/engine.ts";
export { BatonError, type ErrorCode, type Failure, ToolError, type ToolErrorKind } from "./words/error.ts";
export type { Command, Effect, Outcome, Receipt, RunEvent, RunLimits } from "./words/event.ts";
export { fold, type RunView } from "./words/fold.ts";
export type { Json } from "./words/json.ts";
export type { Image, Message } from "./words/message.ts";
export type { Chunk, Model, Prompt } from "./ports/model.ts";
export { type Decide, type Decision, defineProgram } from "./ports/program.ts";
export type { CancelOptions, EventsOptions, Run } from "./handle/run-handle.ts";
export type { RunResult } from "./handle/run-result.ts";
export { type Script, type ScriptEntry, scriptModel } from "./ports/script.ts";
export { suspend } from "./definitions/suspend.ts";
export { type CallContext, defineTool, limited, type Permission, type Tool } from "./definitions/tool.ts";
