/**
 * Follow log: sends the events of one run to a socket, from a place on, as they come.
 *
 * Nothing is read while the socket has no room, and nothing is kept: a follow that continues reads the log again.
 */
import type { Clock } from "@baton/core/ports";
import type { Database } from "@baton/store";
import type { Frame } from "../dialects/dialect.ts";
import { Projection } from "../streams/projection.ts";
import type { StreamHub } from "../streams/stream-hub.ts";
import type { StreamStart } from "../streams/stream-start.ts";
import type { FollowWakes } from "./follow-wakes.ts";
import type { SocketWriter } from "./socket-writer.ts";

/** Why a follow ended. */
export type FollowEnd = "ended" | "paused" | "unfollowed" | "stopped";

/** The parts of a server that follows read. */
export interface LogSource {
  readonly hub: Pick<StreamHub, "prepare">;
  readonly database: Pick<Database, "logs">;
  readonly clock: Clock;
  readonly wakes: FollowWakes;
}

/** The end that the owner of a follow wants; a follow that waits learns of it at once. */
export class FollowStop {
  /** The run that is followed, if it is one. */
  run: string | undefined;
  #end: FollowEnd | "gone" | undefined;
  #wake = Promise.withResolvers<void>();

  /** `gone`: the client has disconnected. */
  get end(): FollowEnd | "gone" | undefined {
    return this.#end;
  }

  /** Resolves at the next change. */
  get changed(): Promise<void> {
    return this.#wake.promise;
  }

  stop(end: FollowEnd | "gone"): void {
    this.#end ??= end;
    this.wake();
  }

  /** The log may have more. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

/** A follow of one run. */
export interface Following {
  /** The id of the op, as JSON. */
  readonly on: string;
  readonly stream: StreamStart;
  readonly writer: SocketWriter;
  readonly stop: FollowStop;
}

/** Sends all there is and all that comes, until the stream ends or is stopped. What is on disk is sent before `stopped`. */
export async function followLog(source: LogSource, following: Following): Promise<FollowEnd | "gone"> {
  const { stream, stop, writer } = following;
  const { database, wakes } = source;
  if (stream.greeting !== undefined) writer.send(toMessage(following, stream.greeting));
  // The store notifies watchers before the engine's in-memory lines are updated; wait one event-loop turn.
  const unwatch = database.logs.watch(stream.run, () => wakes.add(stop));
  try {
    return await readLog(source, following);
  } finally {
    unwatch();
  }
}

async function readLog({ hub, clock }: LogSource, following: Following): Promise<FollowEnd | "gone"> {
  const { stream, stop } = following;
  const projection = new Projection(stream.format, stream.seen);
  for (;;) {
    const { changed } = stop;
    const page = await hub.prepare(stream.run, projection.after);
    if (page.last <= projection.after) {
      if (stop.end !== undefined) return stop.end;
      await changed;
      continue;
    }
    while (projection.after < page.last) {
      const end = await sendPiece(following, () => projection.read(page, page.last));
      if (end !== undefined) return end;
    }
    await clock.breathe();
  }
}

async function sendPiece(
  following: Following,
  read: () => ReturnType<Projection["read"]>,
): Promise<FollowEnd | "gone" | undefined> {
  const { stream, writer, stop } = following;
  await writer.turn();
  try {
    if (stop.end !== undefined && (stop.end !== "stopped" || writer.isClosed)) return stop.end;
    const { frames, after, end } = read();
    const isLast = end === "run.ended" || (end === "run.paused" && after > stream.pauseAfter);
    const closing = isLast ? (stream.format.dialect.closing ?? []) : [];
    writer.send(...[...frames, ...closing].map((frame) => toMessage(following, frame)));
    if (!isLast) return undefined;
    return end === "run.ended" ? "ended" : "paused";
  } finally {
    writer.done();
  }
}

function toMessage({ on, stream }: Following, { id, data }: Frame): string {
  const head = `{"on":${on},"run":"${stream.run}"`;
  // An event is sent as it is stored.
  if (stream.format.dialect.name === "baton") return `${head},"seq":${id},"event":${data}}`;
  return `${head}${id === undefined ? "" : `,"id":${JSON.stringify(id)}`},"frame":${JSON.stringify(data)}}`;
}
