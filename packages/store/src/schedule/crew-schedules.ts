/**
 * Crew schedules: brings the schedules that are kept in line with those of the crews' files.
 *
 * A schedule that has not changed keeps its next time, so what was due while no server ran is not lost. Schedules of
 * crews that are not here are left alone.
 */
import { BatonError, type Crew, given, toMessage } from "@baton/core";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../database.ts";
import type { DueDocument } from "../document-table.ts";
import { isId } from "../document-entry.ts";
import { LOCAL } from "../owner.ts";
import {
  type NewSchedule,
  readSchedule,
  type Schedule,
  SCHEDULES,
  toDocument,
  toScheduleDocument,
} from "./schedule.ts";
import type { Telling } from "./firing.ts";

/** What is brought in line. */
interface SyncParts {
  readonly database: Database;
  readonly crews: readonly Crew[];
  readonly now: number;
  readonly tell: Pick<Telling, "warn">;
}

const PAGE = 1_000;

/** Adds, changes and removes schedules until those of the crews are as their files say. */
export async function syncSchedules(parts: SyncParts): Promise<void> {
  const all = parts.crews.flatMap(toWanted).filter((schedule) => isSound(parts, schedule));
  const wanted = new Map(all.map((schedule) => [schedule.name, schedule]));
  const names = new Set(parts.crews.map(({ name }) => name));
  for (const kept of await findAll(parts.database)) {
    const schedule = toKept(kept, wanted);
    if (schedule === undefined || !names.has(schedule.crew)) continue;
    const next = wanted.get(kept.document.id);
    wanted.delete(kept.document.id);
    await ifUnchanged(next === undefined ? remove(parts, kept) : change(parts, kept, { schedule, next }));
  }
  for (const schedule of wanted.values()) await ifUnchanged(put(parts, schedule));
}

/** The name under which a schedule of a crew's file is kept: that of the crew, then its own. */
export function toKeptName(crew: string, name: string): string {
  return `${toPart(crew)}/${toPart(name)}`;
}

function toWanted({ name: crew, schedules }: Crew): readonly NewSchedule[] {
  return schedules.map(({ name, cron, timeZone, input, session }) => ({
    name: toKeptName(crew, name),
    crew,
    input,
    ...given({ session }),
    when: { cron, timeZone },
    origin: "crew",
  }));
}

/** A crew that is defined in code was not read by who checks files. */
function isSound({ tell, now }: SyncParts, schedule: NewSchedule): boolean {
  try {
    toScheduleDocument(schedule, now);
    return true;
  } catch (error) {
    tell.warn(`schedule ${schedule.name} of crew ${schedule.crew} never starts: ${toMessage(error)}`);
    return false;
  }
}

/** Different names stay different, also if they have characters that an id cannot have. */
function toPart(name: string): string {
  if (isId(name) && !name.includes("/") && name.length <= 100) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.replaceAll(/[^a-zA-Z0-9_.-]/g, "-").slice(0, 90)}-${hash}`;
}

/** All schedules: each has a time at which it is due. */
async function findAll(database: Database): Promise<readonly DueDocument[]> {
  const all: DueDocument[] = [];
  for (let after: DueDocument | undefined; ;) {
    const page = await database.due(SCHEDULES, { upTo: Number.MAX_VALUE, limit: PAGE, after });
    all.push(...page);
    after = page.at(-1);
    if (page.length < PAGE) return all;
  }
}

/** A schedule that came from a crew's file; one that cannot be read is written again, if a file has it. */
function toKept({ document }: DueDocument, wanted: ReadonlyMap<string, NewSchedule>): NewSchedule | undefined {
  try {
    const schedule = readSchedule(document);
    return schedule.origin === "crew" ? schedule : undefined;
  } catch {
    return wanted.get(document.id);
  }
}

async function put({ database, now }: SyncParts, schedule: NewSchedule): Promise<unknown> {
  return database.documents(LOCAL).put(SCHEDULES, { ...toScheduleDocument(schedule, now), version: 0 });
}

async function remove({ database }: SyncParts, { owner, document }: DueDocument): Promise<unknown> {
  return database.documents(owner).delete(SCHEDULES, document.id, document.version);
}

type Change = Readonly<{ schedule: NewSchedule; next: NewSchedule }>;

async function change(parts: SyncParts, { owner, document }: DueDocument, { schedule, next }: Change): Promise<void> {
  const documents = parts.database.documents(owner);
  const { version } = document;
  const isSameTime = document.error === undefined && isDeepStrictEqual(schedule.when, next.when);
  if (!isSameTime || !("nextAt" in schedule)) {
    await documents.put(SCHEDULES, { ...toScheduleDocument(next, parts.now), version });
    return;
  }
  const { input, session } = schedule;
  if (input === next.input && session === next.session) return;
  const { session: _session, ...rest } = readSchedule(document);
  const changed: Schedule = { ...rest, input: next.input, ...given({ session: next.session }) };
  await documents.put(SCHEDULES, toDocument(changed, version));
}

/** Another server that starts at the same time has done it. */
async function ifUnchanged(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "conflict") throw error;
  }
}
