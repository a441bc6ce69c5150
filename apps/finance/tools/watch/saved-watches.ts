/**
 * Kept: what a user has set, in the user's documents: alerts and schedules as schedules of the store, and the watchlist.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { readSchedule, type Schedule, SCHEDULES } from "@baton/durable";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { type Alert, ALERT_PREFIX, CHECKED } from "./alerts/alert.ts";

/** The tool that looks at alerts. */
export const CHECK_TOOL = "checkAlert";

/** The crew whose runs alerts and schedules start. */
export const CREW = "finance";

export const MAX_ALERTS = 100;
export const MAX_SCHEDULES = 20;
export const MAX_WATCHED = 200;

/** Alerts and schedules of a user; a document that cannot be read is left out. */
export interface SavedWatches {
  readonly alerts: readonly Readonly<{ alert: Alert; schedule: Schedule }>[];
  readonly schedules: readonly Schedule[];
}

/** The user's alerts and schedules, each by name. Those of the crew's file are not the user's. */
export async function loadWatches(documents: Documents): Promise<SavedWatches> {
  const all = (await loadSchedules(documents)).filter(({ origin }) => origin === "user");
  const alerts = all.flatMap((schedule) => {
    const alert = alertOf(schedule);
    return alert === undefined ? [] : [{ alert, schedule }];
  });
  return { alerts, schedules: all.filter(({ check }) => check === undefined) };
}

/** The alert of a schedule, if it is one. */
export function alertOf({ name, check }: Schedule): Alert | undefined {
  if (!name.startsWith(ALERT_PREFIX) || check?.tool !== CHECK_TOOL) return undefined;
  return CHECKED.safeParse(check.args).data?.alert;
}

const PAGE = 500;

async function loadSchedules(documents: Documents): Promise<readonly Schedule[]> {
  const found: Schedule[] = [];
  let after: string | undefined;
  do {
    const page = await documents.list(SCHEDULES, { limit: PAGE, ...(after !== undefined && { after }) });
    for (const document of page.documents) {
      const schedule = readOrNone(() => readSchedule(document));
      if (schedule !== undefined) found.push(schedule);
    }
    after = page.next;
  } while (after !== undefined);
  return found;
}

function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof BatonError) return undefined;
    throw thrown;
  }
}

const WATCHLIST = "watchlist";
const WATCHLIST_ID = "list";
const LIST = z.object({
  listings: z.array(
    z.object({
      symbol: z.string(),
      name: z.string(),
      exchange: z.string(),
      type: z.enum(["stock", "etf", "index", "crypto"]),
      currency: z.string(),
    }),
  ),
});

/** The watchlist, in the order in which symbols were added. */
export async function loadWatchlist(documents: Documents): Promise<readonly Listing[]> {
  const document = await documents.get(WATCHLIST, WATCHLIST_ID);
  return LIST.safeParse(document?.data).data?.listings ?? [];
}

/** Maximum number of tries of a write if another one came between. */
const MAX_TRIES = 5;

/** Changes the watchlist; gives it before and after. */
export async function changeWatchlist(
  documents: Documents,
  change: (before: readonly Listing[]) => readonly Listing[],
): Promise<Readonly<{ before: readonly Listing[]; after: readonly Listing[] }>> {
  for (let tries = 1; ; tries++) {
    const document = await documents.get(WATCHLIST, WATCHLIST_ID);
    const before = LIST.safeParse(document?.data).data?.listings ?? [];
    const after = change(before);
    try {
      const data = { listings: after.map((listing) => ({ ...listing })) };
      await documents.put(WATCHLIST, { id: WATCHLIST_ID, data, version: document?.version ?? 0 });
      return { before, after };
    } catch (thrown) {
      if (!isConflict(thrown) || tries === MAX_TRIES) throw thrown;
    }
  }
}

/** Whether another write came between. */
export const isConflict = (thrown: unknown): boolean => thrown instanceof BatonError && thrown.code === "conflict";
