/**
 * Schedule: a run that is started by the clock, as a document of its owner.
 *
 * It is in the collection `schedules`, its id is its name, and its index `dueAt` says when it is looked at next.
 */
import { BatonError, type Json } from "@baton/core";
import type { Document, NewDocument } from "@baton/core/ports";
import { checkJson, omitUndefined, parseJson, toMessage } from "@baton/core/util";
import type { Database, Owner } from "@baton/store";
import { DUE, type DueDocument, isId } from "@baton/store/ports";
import { nextTime, type ScheduleWhen } from "./next-time.ts";

/** The collection of schedules. */
export const SCHEDULES = "schedules";

/** Options of a run that its caller gives. */
export type ScheduleOptions = { readonly [name: string]: Json };

/** A check before a run starts: a read-only tool of the crew, and its input. */
export type ScheduleCheck = Readonly<{ tool: string; args: Json }>;

/** A schedule as it is made. */
export type NewSchedule = Readonly<{
  /** Letters, digits and `_ : / . @ + = ^ -`, at most 256; unique within its owner. */
  name: string;
  crew: string;
  input: string;
  /** The conversation that its runs belong to; the schedule is deleted with it, unless the crew's file has it. */
  session?: string;
  options?: ScheduleOptions;
  when: ScheduleWhen;
  check?: ScheduleCheck;
  /** `crew`: it is in the crew's file. */
  origin: "crew" | "user";
}>;

/** A run that is about to start; it is written before that, so that a crash makes neither two runs nor none. */
export type PendingRun = Readonly<{
  dueAt: number;
  missed: number;
  /** Result of the check; a check that fired is not called again. */
  input?: string;
  options?: ScheduleOptions;
  args?: Json;
  done?: boolean;
}>;

/** A schedule as it is kept. */
export type Schedule = NewSchedule &
  Readonly<{
    /** When it is due. */
    nextAt: number;
    /** When its last run was due, and that run. */
    lastAt?: number;
    lastRun?: string;
    /** Number of due times before the last run that were skipped because no server ran. */
    missed?: number;
    /** Why its last check or start failed. */
    problem?: string;
    pending?: PendingRun;
  }>;

const SESSION = /^[a-zA-Z0-9_-]{1,128}$/;

/** A new schedule as its owner's document; throws `invalid` if it cannot be one, or is never due. */
export function toScheduleDocument(schedule: NewSchedule, now: number): NewDocument {
  const problem = findProblem(schedule);
  if (problem !== undefined) throw new BatonError("invalid", problem);
  const nextAt = nextTime(schedule.when, now);
  if (nextAt === undefined) throw new BatonError("invalid", `schedule ${schedule.name} ${toNever(schedule.when)}`);
  return toStoredSchedule({ ...schedule, nextAt });
}

/** A schedule that is kept, as its owner's document. */
export function toStoredSchedule(schedule: Schedule, version?: number): NewDocument {
  const { name, session, origin, nextAt } = schedule;
  return {
    id: name,
    data: omitUndefined(schedule),
    index: { [DUE]: nextAt },
    ...omitUndefined({ version, session: origin === "crew" ? undefined : session }),
  };
}

/** The schedule of a document; throws `damaged` or `invalid` if it is not one. */
export function readSchedule({ id, data, error }: Document): Schedule {
  if (error !== undefined) throw new BatonError("damaged", `schedule ${id} is damaged: ${error.message}`);
  const value: unknown = data;
  if (isSchedule(value)) return value;
  const [issue] = checkJson(SCHEMA, data);
  throw new BatonError("invalid", `document ${SCHEDULES}/${id} is not a schedule: ${issue?.path} ${issue?.message}`);
}

/** A schedule in a store; one that cannot be read has a problem instead. */
export type StoredSchedule = Readonly<{ owner: Owner; name: string; version: number }> &
  (Readonly<{ schedule: Schedule; problem?: never }> | Readonly<{ schedule?: never; problem: string }>);

const PAGE = 1_000;

/** All schedules, those that are due first at the beginning: each has a time at which it is due. */
export async function findSchedules(database: Pick<Database, "due">): Promise<readonly StoredSchedule[]> {
  const all: StoredSchedule[] = [];
  for (let after: DueDocument | undefined; ;) {
    const page = await database.due(SCHEDULES, { upTo: Number.MAX_VALUE, limit: PAGE, after });
    all.push(...page.map(toKept));
    after = page.at(-1);
    if (page.length < PAGE) return all;
  }
}

function toKept({ owner, document }: DueDocument): StoredSchedule {
  const { id: name, version } = document;
  try {
    return { owner, name, version, schedule: readSchedule(document) };
  } catch (error) {
    return { owner, name, version, problem: toMessage(error) };
  }
}

/** Waits for a write; if the schedule was changed meanwhile, nothing is written. */
export async function ifUnchanged(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "conflict") throw error;
  }
}

function findProblem({ name, crew, input, session }: NewSchedule): string | undefined {
  if (!isId(name)) {
    const shown = name.slice(0, 64);
    return `"${shown}" is not a name of a schedule: write 1 to 256 letters, digits and _ : / . @ + = ^ -`;
  }
  if (crew === "") return `schedule ${name} names no crew`;
  if (input.trim() === "") return `schedule ${name} asks nothing: its input is empty`;
  if (session === undefined || SESSION.test(session)) return undefined;
  return `schedule ${name}: "${session.slice(0, 64)}" is not a session: write 1 to 128 letters, digits, _ and -`;
}

function toNever(when: ScheduleWhen): string {
  if ("at" in when) return `was due at ${new Date(when.at).toISOString()}, which is over`;
  return "is never due: no year has such a day";
}

const TEXT = { type: "string" } as const;
const TIME = { type: "integer" } as const;
const OPTIONS = { type: "object" } as const;

const SCHEMA = {
  type: "object",
  required: ["name", "crew", "input", "when", "origin", "nextAt"],
  properties: {
    name: TEXT,
    crew: TEXT,
    input: TEXT,
    session: TEXT,
    options: OPTIONS,
    when: {
      anyOf: [
        { type: "object", required: ["cron", "timeZone"], properties: { cron: TEXT, timeZone: TEXT } },
        { type: "object", required: ["everyMs"], properties: { everyMs: TIME } },
        { type: "object", required: ["at"], properties: { at: TIME } },
      ],
    },
    check: { type: "object", required: ["tool", "args"], properties: { tool: TEXT } },
    origin: { enum: ["crew", "user"] },
    nextAt: TIME,
    lastAt: TIME,
    lastRun: TEXT,
    missed: TIME,
    problem: TEXT,
    pending: {
      type: "object",
      required: ["dueAt", "missed"],
      properties: { dueAt: TIME, missed: TIME, input: TEXT, options: OPTIONS, done: { type: "boolean" } },
    },
  },
} as const;

function isSchedule(value: unknown): value is Schedule {
  const json = parseJson(JSON.stringify(value));
  return json !== undefined && checkJson(SCHEMA, json).length === 0;
}
