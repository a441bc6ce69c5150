/**
 * Plan tools: how an agent writes down what it means to do, and keeps that up to date for the user to see.
 */
import { defineTool, type Tool, ToolError } from "@baton/core";
import type { RunState } from "@baton/core/ports";
import { z } from "zod";
import { assistantState } from "../run-state.ts";
import {
  findProblems,
  parsePlan,
  type TaskPlan,
  PLAN_INPUT,
  PLAN_TASK,
  type PlanTask,
  TASK_STATUS,
  toShown,
} from "./plan.ts";

const CHANGE = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), task: PLAN_TASK, before: z.string().optional().describe("The id to stand before") }),
  z.object({
    op: z.literal("modify"),
    id: z.string(),
    task: PLAN_TASK.omit({ id: true })
      .partial()
      .extend({ status: z.enum(TASK_STATUS).optional() }),
  }),
  z.object({ op: z.literal("remove"), id: z.string() }),
  z.object({ op: z.literal("reorder"), ids: z.array(z.string()).describe("Every id, in the new order") }),
]);

type Change = z.output<typeof CHANGE>;

/** `createPlan` and `updatePlan`. */
export function definePlanTools(): readonly [Tool, Tool] {
  const createPlan = defineTool({
    name: "createPlan",
    description:
      "Writes down a plan of at most 15 tasks before you begin work that needs several tools. The user sees it. Replaces an earlier plan.",
    effect: "read",
    input: PLAN_INPUT,
    run: (input, { state, note }) => {
      const parsed = parsePlan(input);
      if (!parsed.ok) throw new ToolError("validation", parsed.problems.join("; "));
      return keep(parsed.plan, { state, note });
    },
  });
  const updatePlan = defineTool({
    name: "updatePlan",
    description: "Changes the plan: add, modify (also its status), remove or reorder tasks.",
    effect: "read",
    input: z.object({ changes: z.array(CHANGE).min(1).max(30) }),
    run: ({ changes }, { state, note }) => {
      const stored = assistantState.get({ state }, "plan/own");
      if (stored === undefined) throw new ToolError("validation", "there is no plan yet: use createPlan first");
      const plan = changes.reduce(apply, stored);
      const problems = findProblems(plan);
      if (problems.length > 0) throw new ToolError("validation", problems.join("; "));
      return keep(plan, { state, note });
    },
  });
  return [createPlan, updatePlan];
}

type Keeping = Readonly<{ state: RunState; note: (kind: string, data: ReturnType<typeof toShown>) => void }>;

function keep(plan: TaskPlan, { state, note }: Keeping) {
  const shown = toShown(plan);
  assistantState.set({ state }, "plan/own", plan);
  assistantState.set({ state }, "plan", shown);
  note("plan", { plan: shown });
  return { plan: shown };
}

function apply(plan: TaskPlan, change: Change): TaskPlan {
  switch (change.op) {
    case "add":
      return { ...plan, tasks: insert(plan.tasks, { ...change.task, status: "pending" }, change.before) };
    case "modify":
      requireTask(plan, change.id);
      return { ...plan, tasks: plan.tasks.map((task) => (task.id === change.id ? merge(task, change.task) : task)) };
    case "remove":
      requireTask(plan, change.id);
      return {
        ...plan,
        tasks: plan.tasks.filter(({ id }) => id !== change.id).map((task) => without(task, change.id)),
      };
    case "reorder":
      return { ...plan, tasks: reorder(plan.tasks, change.ids) };
  }
}

function merge(task: PlanTask, changes: Extract<Change, { op: "modify" }>["task"]): PlanTask {
  const { title = task.title, tool = task.tool, args = task.args, status = task.status } = changes;
  const { depends_on = task.depends_on, priority = task.priority } = changes;
  return { ...task, title, tool, args, status, depends_on, priority };
}

function insert(tasks: readonly PlanTask[], task: PlanTask, before: string | undefined): readonly PlanTask[] {
  const at = tasks.findIndex(({ id }) => id === before);
  return at === -1 ? [...tasks, task] : tasks.toSpliced(at, 0, task);
}

const without = (task: PlanTask, id: string): PlanTask => ({
  ...task,
  depends_on: task.depends_on.filter((other) => other !== id),
});

function reorder(tasks: readonly PlanTask[], ids: readonly string[]): readonly PlanTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []);
  if (ordered.length !== tasks.length || new Set(ids).size !== tasks.length) {
    throw new ToolError("validation", `reorder must name every task once: ${tasks.map(({ id }) => id).join(", ")}`);
  }
  return ordered;
}

function requireTask({ tasks }: TaskPlan, id: string): void {
  if (tasks.some((task) => task.id === id)) return;
  throw new ToolError("validation", `there is no task ${id}; there are ${tasks.map((task) => task.id).join(", ")}`);
}
