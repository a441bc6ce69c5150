/**
 * Sandboxed tools: brings the calls of tools with `isolation: wasm`, `process` or `container` to their level.
 *
 * A tool whose level is missing, or whose sandbox is not valid, is an error; it is never moved to a weaker level.
 */
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { CallContext, Json, Tool } from "@baton/core";
import {
  isLevel,
  type Level,
  type LevelCode,
  type LevelName,
  type LevelTool,
  limitsOf,
  type Prepared,
} from "@baton/core/ports";
import { omitUndefined, parseJson, toMessage } from "@baton/core/util";
import type { ReadOptions, ToolSource } from "../read-options.ts";
import type { Defect } from "../yaml/finding.ts";
import type { Variables } from "../env-file.ts";
import { pickValues, ValueRedaction } from "./named-values.ts";
import { resolvePaths } from "./path-grants.ts";
import { checkSandbox, type SandboxProblem } from "./sandbox-rules.ts";

/** Where the tools come from, and where their problems are told. */
export interface SandboxedSource extends Pick<ReadOptions, "levels" | "dataFolder" | "env"> {
  /** The crew's folder. */
  readonly folder: string;
  /** The file that exports tools with `run`. */
  readonly source?: ToolSource;
  /** The crew's setting. */
  readonly setting: string | undefined;
  readonly report: (tool: string, field: string, defect: Defect) => void;
}

/** The tools, with each call of a sandboxed one at its level. */
export async function sandboxTools(tools: readonly Tool[], given: SandboxedSource): Promise<readonly Tool[]> {
  const setting = given.setting ?? "auto";
  return Promise.all(
    tools.map(async (tool) => {
      const isolation = tool.isolation ?? (tool.isClient ? "inline" : setting);
      const problems = [...checkSandbox(tool, isolation)];
      for (const problem of problems) tell(tool, problem, given);
      return isLevel(isolation) && problems.length === 0 ? sandboxTool(tool, isolation, given) : tool;
    }),
  );
}

function tell(
  { name }: Pick<Tool, "name">,
  { field, message, fix }: SandboxProblem,
  { report }: SandboxedSource,
): void {
  report(name, field, { code: "bad_sandbox", message: `\`${name}\`: ${message}`, fix });
}

async function sandboxTool(tool: Tool, isolation: LevelName, given: SandboxedSource): Promise<Tool> {
  const { levels = [], dataFolder, env: variables = process.env } = given;
  const folder = resolve(given.folder);
  const data = dataFolder === undefined ? undefined : resolve(dataFolder);
  const sandbox = { ...limitsOf(isolation), ...omitUndefined({ ...tool.sandbox }) };
  const own = { folder, ...omitUndefined({ dataFolder: data }) };
  const { paths, problems } = await resolvePaths(sandbox, own);
  for (const problem of problems) tell(tool, problem, given);
  const code = await toCode(tool, folder, given);
  const level = levels.find((one) => one.level === isolation);
  tellUnset(tool, variables, given);
  if (code === undefined || problems.length > 0) return tool;
  const used: LevelTool = { tool: tool.name, code, ...own, sandbox, paths };
  const isUsable = level !== undefined && (await isGood(level, used, given));
  if (level === undefined) tellMissing(tool.name, { level: isolation, why: "it was not passed in" }, given);
  return isUsable ? wrap(tool, { level, used, variables, isolation }) : tool;
}

/** Whether the level can make calls of the tool; what is in the way is told. */
async function isGood(level: Level, used: LevelTool, given: SandboxedSource): Promise<boolean> {
  const attempt = async (work: Promise<string | undefined> | undefined): Promise<string | undefined> => {
    try {
      return await work;
    } catch (error) {
      return toMessage(error);
    }
  };
  const missing = await attempt(level.missing());
  if (missing !== undefined) tellMissing(used.tool, { level: level.level, why: missing }, given);
  const wrong = missing === undefined ? await attempt(level.check?.(used)) : undefined;
  const fix = "change it; docs/sandbox.md lists what is possible";
  if (wrong !== undefined) tell({ name: used.tool }, { field: "isolation", message: wrong, fix }, given);
  return missing === undefined && wrong === undefined;
}

type MissingLevel = Readonly<{ level: LevelName; why: string }>;

function tellMissing(name: string, { level, why }: MissingLevel, { report }: SandboxedSource): void {
  const message = `\`${name}\` has \`isolation: ${level}\`, which is missing here: ${why}`;
  const fix =
    level === "container"
      ? "pass an adapter for containers in code: `levels` of openBaton or readCrew"
      : "install what is missing; Baton never uses a weaker level instead";
  report(name, "isolation", { code: "missing_backend", message, fix });
}

function tellUnset({ name, sandbox }: Tool, variables: Variables, { report }: SandboxedSource): void {
  for (const one of sandbox?.env ?? []) {
    if (variables[one] !== undefined) continue;
    const message = `\`${name}\`: the variable ${one} is not set`;
    report(name, "sandbox.env", {
      code: "unset_variable",
      severity: "warning",
      message,
      fix: `set ${one}, or remove it`,
    });
  }
}

/** The code of a tool, with its file as an absolute path. */
async function toCode(tool: Tool, folder: string, given: SandboxedSource): Promise<LevelCode | undefined> {
  const { module, command } = tool;
  if (command !== undefined) return { kind: "command", command };
  if (module === undefined) {
    const { file, crew } = given.source ?? {};
    if (file !== undefined) return { kind: "run", file, ...omitUndefined({ crew }) };
    const message = "its `run` is defined in code that no file's name can load";
    tell(tool, { field: "isolation", message, fix: "export it from a crew's tools.ts, or use `command`" }, given);
    return undefined;
  }
  const file = resolve(folder, module);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return { kind: "module", file };
  const message = `there is no file \`${module.slice(0, 200)}\``;
  tell(tool, { field: "module", message, fix: `write its path from ${dirname(file)}` }, given);
  return undefined;
}

type Wrapping = Readonly<{ level: Level; used: LevelTool; variables: Variables; isolation: LevelName }>;

function wrap(tool: Tool, { level, used, variables, isolation }: Wrapping): Tool {
  const bind = (args: Json, prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    // A tool with `run` parses its arguments itself, in its sandbox.
    const input = used.code.kind === "run" ? args : (parseJson(JSON.stringify(prepared.input) ?? "null") ?? null);
    return { ...prepared, run: (context) => call({ level, used, variables }, input, context) };
  };
  return Object.freeze<Tool>({
    ...tool,
    isolation,
    sandbox: used.sandbox,
    isSandboxed: true,
    prepare(args) {
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then((one) => bind(args, one)) : bind(args, prepared);
    },
  });
}

async function call(
  { level, used, variables }: Omit<Wrapping, "isolation">,
  input: Json,
  context: CallContext,
): Promise<Json> {
  const env = pickValues(used.sandbox.env ?? [], variables);
  const redaction = new ValueRedaction(env);
  try {
    return redaction.json(await level.run({ ...used, input, env, context: redaction.context(context) }, context.scope));
  } catch (error) {
    throw redaction.error(error);
  }
}
