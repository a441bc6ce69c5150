/**
 * Check: asks a tool of the crew whether a schedule fires, outside of any run.
 *
 * The tool only reads; it has the documents of the schedule's owner, and the time that calls of the crew have.
 */
import { BatonError, type CallContext, type Crew, type Json, type Tool } from "@baton/core";
import { type Documents, NO_RECORDED_CALLS, type Scope } from "@baton/core/ports";
import { checkJson, omitUndefined, parseJson } from "@baton/core/util";
import type { Owner } from "@baton/store";
import type { Schedule, ScheduleCheck, ScheduleOptions } from "./schedule.ts";

/** Result of a check. */
export type CheckResult = Readonly<{
  /** Whether a run starts. */
  fires: boolean;
  /** Its input instead of the schedule's, and options beside those of the schedule. */
  input?: string;
  options?: ScheduleOptions;
  /** State that the check gets from now on. */
  args?: Json;
  /** The schedule is removed. */
  done?: boolean;
}>;

/** Parts of a check. */
export interface CheckParts {
  readonly crew: Crew;
  readonly owner: Owner;
  readonly schedule: Schedule;
  readonly documents: Documents;
  /** The run that it would start. */
  readonly run: string;
}

const SCHEMA = {
  type: "object",
  required: ["fires"],
  properties: {
    fires: { type: "boolean" },
    input: { type: "string", minLength: 1 },
    options: { type: "object" },
    done: { type: "boolean" },
  },
} as const;

/** Asks the tool; throws if it fails, or says something else than whether the schedule fires. */
export async function runCheck(check: ScheduleCheck, parts: CheckParts, parent: Scope): Promise<CheckResult> {
  const tool = findTool(check, parts.crew);
  const prepared = await tool.prepare(check.args);
  if (!prepared.ok) {
    const [issue] = prepared.issues;
    throw failed(tool, `its arguments do not fit: ${issue?.path ?? ""} ${issue?.message ?? ""}`);
  }
  await using scope = parent.child({
    name: `check:${tool.name}`,
    timeoutMs: tool.timeoutMs ?? parts.crew.settings.toolTimeoutMs,
  });
  const release = await tool.pool?.acquire(scope);
  try {
    return toResult(tool, await scope.race(() => prepared.run(toContext(parts, scope))));
  } finally {
    release?.();
  }
}

function findTool({ tool: name }: ScheduleCheck, { name: crew, tools }: Crew): Tool {
  const tool = tools.get(name);
  if (tool === undefined) throw new BatonError("invalid", `crew ${crew} has no tool ${name} to check it with`);
  if (tool.effect !== "read" || tool.isClient) throw failed(tool, "only a tool that reads can check a schedule");
  return tool;
}

function toContext({ owner, schedule, documents, run }: CheckParts, scope: Scope): CallContext {
  const { session, options } = schedule;
  const values = new Map<string, Json>(options === undefined ? [] : [["options", options]]);
  return {
    ...owner,
    ...omitUndefined({ session }),
    key: `${run}/check`,
    scope,
    run,
    call: "check",
    attempt: 1,
    messages: [],
    state: {
      get: (key) => values.get(key),
      set: (key, value) => {
        values.set(key, value);
      },
      entries: () => values.entries(),
    },
    documents,
    ...NO_RECORDED_CALLS,
    progress: () => {},
    note: () => {},
  };
}

function toResult(tool: Tool, output: unknown): CheckResult {
  const json = parseJson(JSON.stringify(output) ?? "");
  const [issue] = json === undefined ? [{ path: "", message: "it is not JSON" }] : checkJson(SCHEMA, json);
  const value: unknown = json;
  if (isResult(value, issue)) return value;
  throw failed(tool, `its output is not one of a check: ${issue?.path ?? ""} ${issue?.message ?? ""}`);
}

function isResult(value: unknown, issue: unknown): value is CheckResult {
  return issue === undefined && value !== undefined;
}

function failed({ name }: Tool, why: string): BatonError {
  return new BatonError("tool", `${name}: ${why}`);
}
