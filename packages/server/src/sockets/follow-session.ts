/**
 * Follow session: sends the events of all runs of a session to a socket, those that begin later included.
 *
 * Runs that have ended are sent one after the other, in the order they began; open ones side by side, as they come.
 */
import type { RunFilter, RunRecord } from "@baton/store";
import { dialectContextOf } from "../runs/segment-answer.ts";
import type { Service } from "../service.ts";
import { toFormat } from "../streams/stream-format.ts";
import { type FollowEnd, type Following, followLog } from "./follow-log.ts";

/** The part of a session that a client wants. */
export interface SessionStart {
  readonly session: string;
  /** The last event it has; without it, only open and new runs are wanted. */
  readonly after: { readonly run: string; readonly seq: number } | undefined;
  readonly dialect: string;
}

/** A follow of a session. */
export interface SessionFollowing extends Omit<Following, "stream">, SessionStart {
  readonly visible: Pick<RunFilter, "tenant" | "user">;
}

/** Sends events until it is stopped. */
export async function followSession(service: Service, following: SessionFollowing): Promise<FollowEnd | "gone"> {
  const { session, visible, after, stop } = following;
  const { sessions } = service.sockets;
  const known = new Set<string>();
  const waiting: RunRecord[] = [];
  const add = (records: readonly RunRecord[]) => {
    const unknown = records.filter(({ id }) => !known.has(id));
    for (const { id } of unknown) known.add(id);
    waiting.push(...unknown);
    stop.wake();
  };
  // Without `after`, what is there now and has ended is not wanted.
  const past = after === undefined ? await sessions.recent({ session, visible }) : [];
  const pastIds = new Set(past.map(({ id }) => id));
  const since = past[0]?.createdAt ?? (after === undefined ? 0 : await createdAtOf(service, after.run));
  const isNew = ({ id, createdAt }: RunRecord) => createdAt >= since && !pastIds.has(id);
  const unwatch = sessions.watch({ session, visible, found: (records) => add(records.filter(isNew)) });
  try {
    const open = after === undefined ? sessions.list({ session, visible, status: "open" }) : [];
    const wanted = await Array.fromAsync(open);
    for await (const record of sessions.list({ session, visible })) {
      if (!isNew(record)) break;
      wanted.push(record);
      if (record.id === after?.run) break;
    }
    add(wanted.toSorted((one, other) => one.createdAt - other.createdAt));
    return await followAll(service, following, waiting);
  } finally {
    unwatch();
  }
}

async function createdAtOf({ store }: Service, run: string): Promise<number> {
  return (await store.database.runs.find(run))?.createdAt ?? 0;
}

/** Follows the runs of a list that grows. */
async function followAll(
  service: Service,
  following: SessionFollowing,
  waiting: RunRecord[],
): Promise<FollowEnd | "gone"> {
  const { stop } = following;
  const open = new Set<Promise<unknown>>();
  for (;;) {
    const { changed } = stop;
    const next = waiting.shift();
    if (next !== undefined) {
      const done = followOne(service, following, next).finally(() => open.delete(done));
      open.add(done);
      if (next.status === "ended") await done;
    } else if (stop.end === undefined) await Promise.race([changed, Promise.all(open).then(() => changed)]);
    else {
      await Promise.all(open);
      return stop.end;
    }
  }
}

async function followOne(service: Service, following: SessionFollowing, record: RunRecord): Promise<void> {
  const { after, dialect } = following;
  const { hub, dialects, store, sockets } = service;
  const format = toFormat(dialects.get(dialect), await dialectContextOf(service, record, undefined));
  const seen = after?.run === record.id && after.seq > 0 ? { seq: after.seq, part: Infinity } : undefined;
  const stream = { run: record.id, format, seen, pauseAfter: Infinity, left: undefined, greeting: undefined };
  const isOver =
    seen !== undefined && record.status === "ended" && seen.seq >= (await store.database.logs.length(record.id));
  if (!isOver)
    await followLog(
      { hub, database: store.database, clock: store.clock, wakes: sockets.wakes },
      { ...following, stream },
    );
}
