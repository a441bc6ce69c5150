/**
 * Plan runner: a program that carries out a plan: all tasks that are ready at once, then what they made ready.
 *
 * A task that fails is tried twice more; what depends on a failure is skipped. A note shows the plan at each
 * change, and is in the run's state under `plan`.
 */
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import type { PastCall } from "@baton/core/ports";
import { z } from "zod";
import { toBlock } from "../context/assemble.ts";
import { readReply } from "../context/kept-reply.ts";
import type { AssistantMeter } from "../metrics/assistant-meter.ts";
import { assistantState } from "../run-state.ts";
import {
  fillReferences,
  parsePlan,
  type TaskPlan,
  type PlanTask,
  type Reference,
  referencesOf,
  STORED_PLAN,
  toShown,
  outputAt,
} from "./plan.ts";

/** The retries of a failed task. */
const RETRIES = 2;

/** Failures that the same call would have again. */
const FINAL: ReadonlySet<string> = new Set(["validation", "permission"]);

/** The program's state between two steps. */
interface Running extends TaskPlan {
  /** The plans carried out so far, with this one. */
  readonly round: number;
  /** Tasks whose calls are open, in the order of the calls. */
  readonly open: readonly string[];
  /** The task of each failure. */
  readonly failed: readonly string[];
  /** Values of outputs that later tasks refer to, by `id.path`. */
  readonly values: Readonly<Record<string, Json>>;
}

const RUNNING: z.ZodType<Running> = STORED_PLAN.extend({
  round: z.int(),
  open: z.array(z.string()),
  failed: z.array(z.string()),
  values: z.record(z.string(), z.json()),
});

/** Options of the plan runner. */
export interface RunnerOptions {
  /** Returns the reason if an output has no data: the task is complete, and found nothing. */
  readonly messageOf?: (output: Json) => string | undefined;
  /** The number of reviews that may add tasks: after them `{reviewed}` of the output is true. Without it there is no output. */
  readonly reviews?: number;
  readonly meter?: AssistantMeter;
}

/** The program that carries out plans. */
export function planRunner(options: RunnerOptions = {}): Model {
  const { messageOf = () => undefined, reviews, meter } = options;
  return defineProgram((prompt) => {
    const tools = new Set(prompt.tools.map(({ name }) => name));
    const before = RUNNING.safeParse(prompt.state).data;
    // A turn begins without results: what is kept then is of the plan before, which goes on with new tasks.
    const isBeginning = before === undefined || prompt.results.length === 0;
    const { outcome, ...decision } = isBeginning
      ? begin(parsePlan(withTitle(readPlan(prompt), before), tools), before)
      : goOn(settle(before, prompt.results, messageOf));
    if (outcome !== undefined) meter?.add("assistant_plans", { outcome });
    const hasEnded = (decision.call ?? []).length === 0;
    const round = isBeginning ? (before?.round ?? 0) + 1 : before.round;
    return hasEnded && reviews !== undefined ? { ...decision, output: { reviewed: round > reviews } } : decision;
  });
}

/** New tasks of a review belong to the plan before. */
function withTitle(plan: unknown, before: Running | undefined): unknown {
  const isUntitled = typeof plan === "object" && plan !== null && !("title" in plan);
  return isUntitled && before !== undefined ? { ...plan, title: before.title } : plan;
}

/** Reads the plan from the state or from the latest message; a program that only gives an output says nothing. */
const readPlan = (prompt: Prompt): unknown =>
  assistantState.get(prompt, "plan_draft") ??
  readReply(prompt.messages.findLast(({ role }) => role !== "tool")?.content ?? "");

/** The next step of a plan; the outcome is there once the plan has ended. */
type PlanStep = Decision & { readonly outcome?: "completed" | "partial" | "failed" | "invalid" };

function begin(parsed: ReturnType<typeof parsePlan>, before: Running | undefined): PlanStep {
  if (!parsed.ok) {
    const message = `the plan cannot be carried out: ${parsed.problems.join("; ")}`;
    return { outcome: "invalid", warnings: [message], set: assistantState.toSet({ not_found: toNotFound([message]) }) };
  }
  const { title, tasks } = parsed.plan;
  const round = (before?.round ?? 0) + 1;
  const earlier = before?.tasks ?? [];
  const all = [...earlier, ...renumber(tasks, new Set(earlier.map(({ id }) => id)), round)];
  return goOn({ title: before?.title ?? title, tasks: all, open: [], failed: [], values: before?.values ?? {}, round });
}

/** Ids that the plan before has get the round before them, also where they are referred to. */
function renumber(tasks: readonly PlanTask[], taken: ReadonlySet<string>, round: number): readonly PlanTask[] {
  const nameOf = (id: string): string => (taken.has(id) ? `r${round}-${id}` : id);
  const rename = (value: Json): Json => {
    if (typeof value === "string")
      return value.replace(/^\$([\w-]+)/, (whole, id: string) => (taken.has(id) ? `$${nameOf(id)}` : whole));
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => rename(item));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rename(item)]));
  };
  return tasks.map((task) => ({
    ...task,
    id: nameOf(task.id),
    depends_on: task.depends_on.map(nameOf),
    args: Object.fromEntries(Object.entries(task.args).map(([name, value]) => [name, rename(value)])),
  }));
}

/** Calls every task that is ready; if there is none, the plan has ended. */
function goOn(running: Running): PlanStep {
  const skipped = skipBlocked(running);
  const calls = skipped.tasks.filter((task) => isReady(task, skipped)).toSorted((a, b) => a.priority - b.priority);
  const filled = calls.map((task) => ({ task, args: fillReferences(task.args, (at) => lookUpValue(skipped, at)) }));
  const unfilled = new Set(filled.filter(({ args }) => args === undefined).map(({ task }) => task.id));
  if (unfilled.size > 0) return goOn(failAll(skipped, unfilled));
  const open = calls.map(({ id }) => id);
  const started = { ...skipped, open, tasks: skipped.tasks.map((task) => start(task, open)) };
  const shown = toShown(started);
  return {
    call: filled.map(({ task: { tool }, args = {} }) => ({ tool, args })),
    ...(open.length === 0 ? { say: summarise(started), outcome: outcomeOf(started) } : {}),
    state: toState(started),
    set: assistantState.toSet({
      plan: shown,
      ...(open.length === 0 && { not_found: toNotFound(failuresOf(started)) }),
    }),
    notes: [{ kind: "plan", data: { plan: shown } }],
  };
}

function outcomeOf({ tasks }: TaskPlan): "completed" | "partial" | "failed" {
  if (tasks.every(({ status }) => status === "completed")) return "completed";
  return tasks.some(({ status }) => status === "completed") ? "partial" : "failed";
}

const start = (task: PlanTask, open: readonly string[]): PlanTask =>
  open.includes(task.id) ? { ...task, status: "in_progress" } : task;

function isReady({ status, depends_on }: PlanTask, { tasks }: Running): boolean {
  return status === "pending" && depends_on.every((id) => tasks.find((one) => one.id === id)?.status === "completed");
}

/** Tasks that wait for a failed one, directly or not, are skipped. */
function skipBlocked(running: Running): Running {
  const lost = new Set(running.tasks.filter(({ status }) => isLost(status)).map(({ id }) => id));
  const tasks = running.tasks.map((task) => {
    const cause = task.depends_on.find((id) => lost.has(id));
    if (task.status !== "pending" || cause === undefined) return task;
    return { ...task, status: "skipped" as const, message: `${cause} gave nothing` };
  });
  const isChanged = tasks.some((task, index) => task !== running.tasks[index]);
  return isChanged ? skipBlocked({ ...running, tasks }) : running;
}

const isLost = (status: PlanTask["status"]): boolean => status === "failed" || status === "skipped";

function failAll(running: Running, ids: ReadonlySet<string>): Running {
  const message = "what it refers to is not in the earlier result";
  const tasks = running.tasks.map((task) =>
    ids.has(task.id) ? { ...task, status: "failed" as const, message } : task,
  );
  return { ...running, tasks };
}

/** Results are in the order of the calls. */
function settle(
  running: Running,
  results: readonly PastCall[],
  messageOf: Required<RunnerOptions>["messageOf"],
): Running {
  const values = { ...running.values };
  const failed = [...running.failed];
  const byTask = new Map(running.open.map((id, index) => [id, results[index]]));
  const tasks = running.tasks.map((task) => {
    const result = byTask.get(task.id);
    if (!byTask.has(task.id)) return task;
    if (result?.output === undefined) {
      failed.push(task.id);
      const count = failed.filter((id) => id === task.id).length;
      const isOver = count > RETRIES || FINAL.has(result?.error?.kind ?? "");
      return { ...task, status: isOver ? ("failed" as const) : ("pending" as const), message: toReason(result) };
    }
    const message = messageOf(result.output);
    for (const path of pathsInto(running, task.id)) {
      const value = outputAt(result.output, path);
      if (value !== undefined) values[`${task.id}.${path}`] = value;
    }
    const { message: _, ...rest } = task;
    return { ...rest, status: "completed" as const, ...(message === undefined ? {} : { message }) };
  });
  return { ...running, tasks, failed, values, open: [] };
}

const toReason = (result: PastCall | undefined): string => result?.error?.message ?? "the call gave nothing";

/** Returns the paths of a task's output that other tasks refer to. */
function pathsInto({ tasks }: Running, id: string): readonly string[] {
  const all = tasks.flatMap(({ args }) => referencesOf(args));
  return all.filter(({ task }) => task === id).map(({ path }) => path);
}

/** `$AAPL` is a text, not a reference, if there is no such task. */
function lookUpValue({ tasks, values }: Running, { task, path }: Reference): Json | undefined {
  const isText = path === "" && !tasks.some(({ id }) => id === task);
  return isText ? `$${task}` : values[`${task}.${path}`];
}

const toNotFound = (lines: readonly string[]): string =>
  lines.length === 0 ? "" : toBlock("NOT_FOUND", lines.join("\n"));

const failuresOf = ({ tasks }: Running): readonly string[] =>
  tasks
    .filter(({ status }) => isLost(status))
    .map(({ tool, args, status, message = "" }) => `${tool} ${JSON.stringify(args)} ${status}: ${message}`);

function summarise({ title, tasks }: TaskPlan): string {
  const done = tasks.filter(({ status }) => status === "completed");
  const empty = done.filter(({ message }) => message !== undefined).length;
  return `${title}: ${done.length} of ${tasks.length} tasks completed${empty === 0 ? "" : `, ${empty} without data`}.`;
}

function toState({ title, tasks, open, failed, values, round }: Running): Json {
  return { title, tasks: tasks.map((task) => ({ ...task })), open, failed, values, round };
}
