/**
 * Crew schedules: brings the schedules that are kept in line with those of the crews' files.
 *
 * A schedule that has not changed keeps its next time, so what was due while no server ran is not lost. Schedules of
 * crews that are not here stay as they are.
 */
import type { Crew } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Database, LOCAL } from "@baton/store";
import { isId } from "@baton/store/ports";
import type { FiringReporter } from "./firing.ts";
import {
  findSchedules,
  type StoredSchedule,
  ifUnchanged,
  type NewSchedule,
  SCHEDULES,
  toStoredSchedule,
  toScheduleDocument,
} from "./schedule.ts";

/** Input of the synchronization. */
interface SyncParts {
  readonly database: Database;
  readonly crews: readonly Crew[];
  readonly now: number;
  readonly tell: Pick<FiringReporter, "warn">;
}

/** Adds, changes and removes schedules until those of the crews are as their files say. */
export async function syncSchedules(parts: SyncParts): Promise<void> {
  const all = parts.crews.flatMap(toWanted).filter((schedule) => isSound(parts, schedule));
  const wanted = new Map(all.map((schedule) => [schedule.name, schedule]));
  const names = new Set(parts.crews.map(({ name }) => name));
  for (const kept of await findSchedules(parts.database)) {
    const next = wanted.get(kept.name);
    // One that cannot be read is written again, if a file has it.
    const { origin, crew } = kept.schedule ?? next ?? {};
    const isOfFile = origin === "crew" && crew !== undefined && names.has(crew);
    if (!isOfFile) continue;
    wanted.delete(kept.name);
    await ifUnchanged(change(parts, kept, next));
  }
  for (const schedule of wanted.values()) await ifUnchanged(put(parts, schedule));
}

/** The name under which a schedule of a crew's file is kept: that of the crew, then its own. */
export function storedNameOf(crew: string, name: string): string {
  return `${toPart(crew)}/${toPart(name)}`;
}

function toWanted({ name: crew, schedules }: Crew): readonly NewSchedule[] {
  return schedules.map(({ name, cron, timeZone, input, session }) => ({
    name: storedNameOf(crew, name),
    crew,
    input,
    ...omitUndefined({ session }),
    when: { cron, timeZone },
    origin: "crew",
  }));
}

/** A crew that is defined in code was not checked when files were read. */
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

async function put({ database, now }: SyncParts, schedule: NewSchedule): Promise<unknown> {
  return database.documents(LOCAL).put(SCHEDULES, { ...toScheduleDocument(schedule, now), version: 0 });
}

/** Changes a schedule as its file says; removes it if that does not have it any more. */
async function change(parts: SyncParts, kept: StoredSchedule, next: NewSchedule | undefined): Promise<void> {
  const { owner, name, version, schedule } = kept;
  const documents = parts.database.documents(owner);
  if (next === undefined) {
    await documents.delete(SCHEDULES, name, version);
    return;
  }
  if (schedule === undefined || !isDeepStrictEqual(schedule.when, next.when)) {
    await documents.put(SCHEDULES, { ...toScheduleDocument(next, parts.now), version });
    return;
  }
  const { session, ...rest } = schedule;
  if (rest.input === next.input && session === next.session) return;
  const changed = { ...rest, input: next.input, ...omitUndefined({ session: next.session }) };
  await documents.put(SCHEDULES, toStoredSchedule(changed, version));
}
