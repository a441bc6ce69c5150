/**
 * Plan: tasks that call tools, in an order given by what each depends on.
 *
 * Arguments may hold `$id.path`: a value of an earlier task's output. A plan that cannot be carried out (a cycle, a
 * reference to a task that it does not depend on) is refused with everything that is wrong with it.
 */
import type { Json } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { z } from "zod";

/** The statuses of a task. */
export const TASK_STATUS = ["pending", "in_progress", "completed", "failed", "skipped"] as const;

/** The most tasks of a plan. */
export const MAX_TASKS = 15;

const TaskId = z
  .string()
  .trim()
  .regex(/^[a-zA-Z0-9_-]{1,40}$/);

const ANY_JSON: z.ZodType<Json> = z.json();

/** A task as a model writes it. */
export const PLAN_TASK = z.object({
  id: TaskId,
  title: z.string().trim().min(1).max(200),
  tool: z.string().trim().min(1).max(64),
  args: z.record(z.string(), ANY_JSON).default({}),
  depends_on: z.array(TaskId).max(MAX_TASKS).default([]),
  priority: z.int().min(0).max(100).default(0),
});

const STORED_TASK = PLAN_TASK.extend({
  depends_on: z.array(TaskId).max(MAX_TASKS).readonly(),
  status: z.enum(TASK_STATUS),
  message: z.string().exactOptional().describe("Why it failed, was skipped or found nothing"),
});

/** One call of a tool. */
export type PlanTask = Readonly<z.output<typeof STORED_TASK>>;

/** A plan with how far each task is. */
export const STORED_PLAN = z.object({ title: z.string(), tasks: z.array(STORED_TASK).readonly() });

/** A plan: what to look up, and why. */
export type TaskPlan = Readonly<z.output<typeof STORED_PLAN>>;

/** A plan as a model writes it. */
export const PLAN_INPUT = z.object({
  title: z.string().trim().min(1).max(200),
  tasks: z.array(PLAN_TASK).min(1).max(MAX_TASKS),
});

/** A plan that can be carried out, or every reason why this one cannot. */
export type ParsedPlan = Readonly<{ ok: true; plan: TaskPlan }> | Readonly<{ ok: false; problems: readonly string[] }>;

/** Reads a plan. `tools` are the names it may use; without them any name is taken. */
export function parsePlan(value: unknown, tools?: ReadonlySet<string>): ParsedPlan {
  const parsed = PLAN_INPUT.safeParse(value);
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) };
  }
  const plan = toPlan(parsed.data);
  const problems = findProblems(plan, tools);
  return problems.length === 0 ? { ok: true, plan } : { ok: false, problems };
}

function toPlan({ title, tasks }: z.output<typeof PLAN_INPUT>): TaskPlan {
  const ids = new Set(tasks.map(({ id }) => id));
  return { title, tasks: tasks.map((task) => ({ ...task, depends_on: dependsOn(task, ids), status: "pending" })) };
}

/** A reference is a dependency, also if it is not listed as one; without a path, only if there is such a task. */
function dependsOn({ depends_on, args }: z.output<typeof PLAN_TASK>, ids: ReadonlySet<string>): readonly string[] {
  const meant = referencesOf(args).filter(({ task, path }) => path !== "" || ids.has(task));
  return [...new Set([...depends_on, ...meant.map(({ task }) => task)])];
}

/** Finds the problems of a plan's order. */
export function findProblems({ tasks }: TaskPlan, tools?: ReadonlySet<string>): readonly string[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const problems: string[] = [];
  if (tasks.length > MAX_TASKS) problems.push(`a plan has at most ${MAX_TASKS} tasks, not ${tasks.length}`);
  if (ids.size < tasks.length) problems.push("two tasks have the same id");
  for (const { id, tool, depends_on } of tasks) {
    if (tools !== undefined && !tools.has(tool)) problems.push(`task ${id}: there is no tool ${tool}`);
    for (const other of depends_on) {
      if (!ids.has(other)) problems.push(`task ${id} depends on ${other}, which is not in the plan`);
    }
  }
  const circular = findCircular(tasks);
  if (circular.length > 0) problems.push(`these tasks wait for each other: ${circular.join(", ")}`);
  return problems;
}

/** Tasks that can never be ready because they wait for each other. */
function findCircular(tasks: readonly PlanTask[]): readonly string[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const done = new Set<string>();
  let open = tasks;
  for (;;) {
    const ready = open.filter(({ depends_on }) => depends_on.every((id) => done.has(id) || !ids.has(id)));
    if (ready.length === 0) return open.map(({ id }) => id);
    for (const { id } of ready) done.add(id);
    open = open.filter(({ id }) => !done.has(id));
  }
}

/** A `$id.path` in a task's arguments. */
export type Reference = Readonly<{ task: string; path: string }>;

const REFERENCE = /^\$([a-zA-Z0-9_-]{1,40})(?:\.(.{1,200}))?$/;

/** The references in arguments, however deep. */
export function referencesOf(value: Json): readonly Reference[] {
  if (typeof value === "string") {
    const [, task, path = ""] = REFERENCE.exec(value) ?? [];
    return task === undefined ? [] : [{ task, path }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((item: Json) => referencesOf(item));
}

/** Arguments with each reference replaced by its value; undefined if one has no value. */
export function fillReferences(value: Json, valueOf: (reference: Reference) => Json | undefined): Json | undefined {
  if (typeof value === "string") {
    const [reference] = referencesOf(value);
    return reference === undefined ? value : valueOf(reference);
  }
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const items = value.map((item) => fillReferences(item, valueOf));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const entries = Object.entries(value).map(([name, item]) => [name, fillReferences(item, valueOf)] as const);
  const filled = entries.flatMap(([name, item]) => (item === undefined ? [] : [[name, item] as const]));
  return filled.length === entries.length ? Object.fromEntries(filled) : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path of an output; list items by number, as in `data.rows.0.symbol`. */
export function outputAt(output: Json, path: string): Json | undefined {
  return path === "" ? output : lookInto(output, path);
}

/** Converts a plan to what users are shown. */
export function toShown({ title, tasks }: TaskPlan): Json {
  return {
    title,
    tasks: tasks.map(({ id, title: what, tool, status, depends_on, message }) => ({
      id,
      title: what,
      tool,
      status,
      depends_on,
      ...(message === undefined ? {} : { message }),
      ...(status === "completed" && message !== undefined ? { found: false, reason: message } : {}),
    })),
  };
}
