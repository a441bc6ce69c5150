/**
 * Answer notes: what a product wrote into a run for its readers: a plan, suggestions, what was remembered, charts.
 */
import type { NoteMark } from "../../store/story.ts";
import { fieldOf, textField } from "../text/provenance.ts";

/** A task of a plan. */
export interface PlanNoteTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** Why its call found nothing. */
  readonly nothing?: string;
  readonly dependsOn: readonly string[];
}

/** The plan of an assistant. */
export interface PlanNote {
  readonly title: string;
  readonly tasks: readonly PlanNoteTask[];
}

/** Something that was remembered or forgotten. */
export interface MemoryNote {
  readonly change: string;
  readonly operation: string;
  readonly text: string;
  /** Where it is undone. */
  readonly undo?: string;
}

const MAX_CHARTS = 3;
const UNDO = "/api/memory/";

/** The plan as it is by now. */
export function planOf(notes: readonly NoteMark[]): PlanNote | undefined {
  const note = notes.findLast(({ kind }) => kind === "plan");
  if (note === undefined) return undefined;
  const plan = fieldOf(note.data, "plan") ?? note.data;
  const tasks = fieldOf(plan, "tasks");
  if (!Array.isArray(tasks)) return undefined;
  return { title: textField(plan, "title") ?? "", tasks: tasks.flatMap(toTask) };
}

function toTask(task: unknown): readonly PlanNoteTask[] {
  const [id, title] = [textField(task, "id"), textField(task, "title")];
  if (id === undefined || title === undefined) return [];
  const before = fieldOf(task, "depends_on");
  return [
    {
      id,
      title,
      status: textField(task, "status") ?? "pending",
      ...(fieldOf(task, "found") === false ? { nothing: textField(task, "reason") ?? "" } : {}),
      dependsOn: Array.isArray(before) ? before.filter((one) => typeof one === "string") : [],
    },
  ];
}

/** Returns the questions that are suggested next. */
export function suggestionsOf(notes: readonly NoteMark[]): readonly string[] {
  const note = notes.findLast(({ kind }) => kind === "suggestions");
  const items = note === undefined ? [] : Array.isArray(note.data) ? note.data : fieldOf(note.data, "items");
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
}

/** Returns the changes of memory. */
export function memoriesOf(notes: readonly NoteMark[]): readonly MemoryNote[] {
  return notes.flatMap(({ kind, data }) => {
    if (kind !== "memory") return [];
    const [change, operation, text] = [
      textField(data, "change"),
      textField(data, "operation"),
      textField(data, "text"),
    ];
    if (change === undefined || operation === undefined || text === undefined) return [];
    const undo = textField(data, "undo");
    return [{ change, operation, text, ...(undo?.startsWith(UNDO) === true ? { undo } : {}) }];
  });
}

/** The charts of an answer, the primary one first. */
export function chartsOf(notes: readonly Pick<NoteMark, "kind" | "data">[]): readonly unknown[] {
  const charts = notes.flatMap(({ kind, data }) => (kind === "chart" ? [data] : []));
  const isPrimary = (chart: unknown): number => (fieldOf(chart, "primary") === true ? 0 : 1);
  return charts.toSorted((one, other) => isPrimary(one) - isPrimary(other)).slice(0, MAX_CHARTS);
}
