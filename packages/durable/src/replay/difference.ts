/**
 * Difference: the first place where a run, run again over its log, does something else than the log says.
 */
import type { RunEvent } from "@baton/core";
import type { EventBody } from "@baton/core/ports";
import { toCanonicalText } from "../engine/crew-record.ts";

/** The run's action in a replay: another event, or something that the log does not have. */
export type ReplayedAction = EventBody | string;

/** Where a run and its log part. */
export interface Difference {
  readonly seq: number;
  readonly lane: string;
  /** The logged event. */
  readonly logged: RunEvent;
  /** The run's action in the replay, as an event or as words like `would call Pay (call 1.1.2)`; undefined for none. */
  readonly now?: ReplayedAction;
  /** One sentence for people. */
  readonly text: string;
}

const MAX_SHOWN = 80;
/** The place of an event and the version of the interpreter, which are not compared. */
const STAMP: ReadonlySet<string> = new Set(["run", "seq", "at", "lane", "engine"]);

/** The difference at an event. */
export function toDifference(logged: RunEvent, now: ReplayedAction | undefined): Difference {
  const { seq, lane } = logged;
  const place = lane === "" ? `event ${seq}` : `event ${seq} (lane ${lane})`;
  const text = `${place} ${toClause(logged, now)}`;
  return { seq, lane, logged, ...(now === undefined ? {} : { now }), text };
}

/** Whether the event is this fact, whatever its stamp. */
export function isSame(fact: EventBody, event: EventBody): boolean {
  return findChanged(fact, event).length === 0;
}

/** The fact of an event. */
function fieldsOf(event: EventBody): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(event).filter(([name]) => !STAMP.has(name)));
}

/** The names of the fields that differ. */
function findChanged(fact: EventBody, event: EventBody): readonly string[] {
  const [now, logged] = [fieldsOf(fact), fieldsOf(event)];
  const names = new Set([...logged.keys(), ...now.keys()]);
  return [...names].filter((name) => toCanonicalText(now.get(name)) !== toCanonicalText(logged.get(name)));
}

function toClause(logged: RunEvent, now: ReplayedAction | undefined): string {
  if (now === undefined) return `was ${logged.type}; now there would be none`;
  if (typeof now === "string") return `was ${logged.type}; now the run ${now}`;
  if (now.type !== logged.type) return `was ${logged.type}; now it would be ${now.type}`;
  const [fields, before] = [fieldsOf(now), fieldsOf(logged)];
  const changes = findChanged(now, logged).map(
    (name) => `its ${name} would be ${show(fields.get(name))} now and was ${show(before.get(name))}`,
  );
  return `was ${logged.type}: ${changes.join("; ")}`;
}

/** Cut, so that nothing from a model makes a sentence unreadable. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** Describes an action by the event that would record it. */
export function toWish(record: EventBody): string {
  if (record.type === "step.ended") return `would call the model of agent ${record.agent} (step ${record.step})`;
  if (record.type === "call.ended") return `would use ${record.tool} (call ${record.call})`;
  return `would ask a tool whether it may be used (${record.type})`;
}
