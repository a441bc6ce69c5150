/**
 * Schedules: what starts the runs of schedules on a server, for the crews that it serves.
 *
 * They need room as other runs do: one that finds none starts a little later.
 */
import { type Placement, Scheduler } from "@baton/durable";
import type { Service } from "../service.ts";

/** The scheduler of a server; a schedule may name its crew by its id in routes too. */
export function toScheduler({ store, engine, crews, admission, observer }: Service, placement?: Placement): Scheduler {
  const { logger } = observer;
  const wakeAt = (at: number) => placement?.offer({ kind: "schedules", token: `schedules@${at}` }, { at });
  return new Scheduler({
    store,
    engine,
    crews: crews.all.map(({ crew }) => crew),
    aliases: new Map(crews.all.map(({ id, crew }) => [id, crew])),
    admit: (run) => admission.enter(run),
    ...(placement?.isLocal === false ? { wakeAt: async (at) => wakeAt(at) } : {}),
    info: (text) => logger.info(text),
    warn: (text) => logger.warn(text),
  });
}
