/**
 * @baton/core: runs a crew of agents to its outcome, and everything it starts ends.
 *
 * Start reading at `run.ts`. These are the names that a program needs; `@baton/core/ports` has those for a package that
 * brings a host, a log, a model or a tool of its own.
 */
export type { Agent, AgentDefinition } from "./agent.ts";
export { defineCrew } from "./crew.ts";
export type { Crew, CrewDefinition } from "./definition.ts";
export { Engine, type EngineOptions, type StartOptions } from "./engine.ts";
export { BatonError, type ErrorCode, type Failure, ToolError, type ToolErrorKind } from "./error.ts";
export type { Command, Effect, Outcome, Receipt, RunEvent, RunLimits } from "./event.ts";
export { fold, type RunView } from "./fold.ts";
export type { Json } from "./json.ts";
export type { Image, Message } from "./message.ts";
export type { Chunk, Model, Prompt } from "./model.ts";
export { type Decide, type Decision, defineProgram } from "./program.ts";
export type { CancelOptions, EventsOptions, Run } from "./run-handle.ts";
export type { RunResult } from "./run-result.ts";
export { type Script, type ScriptEntry, scriptModel } from "./script.ts";
export { type CallContext, defineTool, limited, type Permission, type Tool } from "./tool.ts";
