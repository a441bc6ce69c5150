/**
 * Level: where the calls of a tool run with only what they were granted. A container adapter implements it.
 *
 * A level that is missing is an error before anything runs; it is never replaced by a weaker one.
 */
import type { Scope } from "../lifetimes/scope.ts";
import type { Json } from "../words/json.ts";
import type { LevelName, Sandbox } from "./sandbox.ts";
import type { CallContext } from "./tool.ts";

/** Brings the calls of tools into a sandbox. */
export interface Level {
  readonly level: LevelName;
  /** Names what is missing on this machine and what to install; undefined if calls can be made. */
  missing(): Promise<string | undefined>;
  /** Describes what is wrong with a tool before any call, beginning with the name of a field; undefined if nothing is. */
  check?(tool: LevelTool): Promise<string | undefined>;
  /** Makes one call. Throws a `ToolError` that names the setting if a limit is reached; ends with the scope. */
  run(job: LevelJob, scope: Scope): Promise<Json>;
}

/** The code of a tool: one file, a program with its arguments, or the file whose default export has the tool. */
export type LevelCode =
  | { readonly kind: "module"; readonly file: string }
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "run"; readonly file: string; readonly crew?: readonly string[] };

/** A path that a tool may use, with the place that it led to when the crew was read. */
export interface PathGrant {
  readonly path: string;
  readonly real: string;
  readonly isWritable: boolean;
}

/** A tool of a level, with all that it is granted. */
export interface LevelTool {
  readonly tool: string;
  readonly code: LevelCode;
  /** The crew's folder, absolute. */
  readonly folder: string;
  /** Where Baton keeps its data, absolute: no tool sees it. */
  readonly dataFolder?: string;
  /** Limits of its level, with their defaults, and hosts. */
  readonly sandbox: Sandbox;
  readonly paths: readonly PathGrant[];
}

/** One call of a tool. */
export interface LevelJob extends LevelTool {
  /** Arguments that fit the schema. */
  readonly input: Json;
  /** The variables that `env` names, with their values. */
  readonly env: Readonly<Record<string, string>>;
  /** State, progress and notes; what a tool sends to them is untrusted. */
  readonly context: CallContext;
}
