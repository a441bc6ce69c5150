/**
 * Kept schedules: all schedules of all owners, as lists and servers read them.
 */
import { toMessage } from "@baton/core/ports";
import type { Database, Owner } from "@baton/store";
import type { DueDocument } from "@baton/store/ports";
import { readSchedule, type Schedule, SCHEDULES } from "./schedule.ts";

/** A schedule in a store; one that cannot be read has a problem instead. */
export type KeptSchedule = Readonly<{ owner: Owner; name: string; version: number }> &
  (Readonly<{ schedule: Schedule; problem?: never }> | Readonly<{ schedule?: never; problem: string }>);

const PAGE = 1_000;

/** All schedules, those that are due first at the beginning: each has a time at which it is due. */
export async function findSchedules(database: Pick<Database, "due">): Promise<readonly KeptSchedule[]> {
  const all: KeptSchedule[] = [];
  for (let after: DueDocument | undefined; ;) {
    const page = await database.due(SCHEDULES, { upTo: Number.MAX_VALUE, limit: PAGE, after });
    all.push(...page.map(toKept));
    after = page.at(-1);
    if (page.length < PAGE) return all;
  }
}

function toKept({ owner, document }: DueDocument): KeptSchedule {
  const { id: name, version } = document;
  try {
    return { owner, name, version, schedule: readSchedule(document) };
  } catch (error) {
    return { owner, name, version, problem: toMessage(error) };
  }
}
