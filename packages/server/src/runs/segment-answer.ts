/**
 * Segment answer: what a client gets of a segment: headers that name the run, and a stream in a dialect or the outcome.
 *
 * Disconnecting does not cancel the run, unless the protocol or the request says that it does.
 */
import type { Run, RunResult } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { DialectContext, DialectOptions } from "../dialects/dialect.ts";
import { type GatewayContext, setHeader } from "../gateway/gateway-env.ts";
import type { RequestSegment } from "./request-segment.ts";
import type { Service } from "../service.ts";
import type { EventId } from "../streams/event-id.ts";
import { toFormat } from "../streams/stream-format.ts";
import { Projection } from "../streams/projection.ts";
import { toSse } from "../streams/sse.ts";
import { findQueuePosition } from "./queue-position.ts";

/** Options of a run's stream. */
export interface Streaming {
  /** The name of a dialect of the server. */
  readonly dialect: string;
  readonly options?: DialectOptions;
  /** Whether the run is cancelled when the client disconnects. */
  readonly isCancelledOnLeave?: boolean;
  /** Whether it is also cancelled when the server stops, because the client could never get the rest. */
  readonly isCancelledAtStop?: boolean;
}

/** Streams a segment to the client that began it; ends with it. */
export async function streamSegment(
  service: Service,
  c: GatewayContext,
  { segment, ...streaming }: Streaming & { readonly segment: RequestSegment },
): Promise<Response> {
  const { record, run, pauseAfter } = segment;
  setRunHeaders(c, record);
  const left = streaming.isCancelledOnLeave === true ? tie(service, run, streaming).leave : undefined;
  const after = service.dialects.get(streaming.dialect).isOneMessage === true ? segment.latest : segment.after;
  const seen = after === 0 ? undefined : { seq: after, part: Infinity };
  try {
    return await stream(service, c, { record, streaming, seen, pauseAfter, left });
  } catch (error) {
    // A client without a stream cannot disconnect from it.
    left?.();
    throw error;
  }
}

/** The part of a run to stream, and its reader. */
export interface StreamRequest {
  readonly record: RunRecord;
  readonly streaming: Streaming;
  readonly seen: EventId | undefined;
  readonly pauseAfter: number;
  readonly left?: (() => void) | undefined;
}

/** Streams a run from a place on. */
export async function stream(service: Service, c: GatewayContext, sending: StreamRequest): Promise<Response> {
  const { record, streaming, seen, pauseAfter, left } = sending;
  const dialect = service.dialects.get(streaming.dialect);
  const { outgoing } = c.env;
  const context = await dialectContextOf(service, record, streaming.options);
  const headers = { ...STREAM_HEADERS, ...dialect.headers };
  const place = dialect.toQueued === undefined ? undefined : await findQueuePosition(service.store, record);
  const greeting = place === undefined ? undefined : dialect.toQueued?.(place);
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  const format = toFormat(dialect, context);
  const { socket } = c.env;
  if (socket?.open !== undefined) {
    socket.open({ run: record.id, format, seen, pauseAfter, left, greeting });
    return c.body(null, 200);
  }
  outgoing.writeHead(200, headers);
  const projection = new Projection(format, seen);
  const said = greeting === undefined ? {} : { greeting: toSse(greeting) };
  service.hub.open(record.id, { outgoing, projection, key: c.var.key, pauseAfter, left, ...said });
  return RESPONSE_ALREADY_SENT;
}

const STREAM_HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" } as const;

/** Builds the data that frames may contain besides events. */
export async function dialectContextOf(
  { store, crews }: Service,
  record: RunRecord,
  options: Streaming["options"],
): Promise<DialectContext> {
  return {
    run: record.id,
    session: record.session,
    crew: await crews.restore(store.database, record),
    createdAt: record.createdAt,
    model: crews.idOf(record),
    ...(options === undefined ? {} : { options }),
  };
}

/** Names the run in the answer. */
export function setRunHeaders(c: GatewayContext, record: RunRecord): void {
  for (const [name, value] of Object.entries(toRunHeaders(record))) setHeader(c, name, value);
}

/** The headers that name a run. */
export function toRunHeaders({ id, session }: RunRecord): Record<string, string> {
  return { "X-Run-Id": id, ...(session === undefined ? {} : { "X-Session-Id": session }) };
}

/** The outcome of a segment; undefined if the server stopped before and the run continues elsewhere. */
export async function outcomeOf(
  service: Service,
  c: GatewayContext,
  { segment, ...waiting }: Omit<Streaming, "dialect" | "options"> & { readonly segment: RequestSegment },
): Promise<RunResult | undefined> {
  const { outgoing } = c.env;
  const tied = waiting.isCancelledOnLeave === true ? tie(service, segment.run, waiting) : undefined;
  // A client that was answered before the outcome has not disconnected: its run continues.
  const closed = () => (outgoing.writableFinished ? tied?.untie() : tied?.leave());
  if (outgoing.destroyed) closed();
  else outgoing.once("close", closed);
  const result = await service.awaited.outcome(segment.run);
  outgoing.off("close", closed);
  return result?.error?.code === "closed" ? undefined : result;
}

/** Cancels a run when its client disconnects, until it is released. */
interface Tie {
  /** The client has disconnected: the run is cancelled. */
  readonly leave: () => void;
  /** The client does not wait any more: the run continues. */
  readonly untie: () => void;
}

/** Cancels a run when its client disconnects, until the run has paused or ended: the next segment is another client's. */
function tie(
  { engine, observer, cancelOnDisconnect }: Service,
  { id, result: outcome }: Run,
  { isCancelledAtStop = false }: Pick<Streaming, "isCancelledAtStop">,
): Tie {
  let isTied = true;
  if (isCancelledAtStop) cancelOnDisconnect.add(id);
  const untie = () => {
    if (isTied) cancelOnDisconnect.delete(id);
    isTied = false;
  };
  outcome.then(untie, untie);
  const leave = () => {
    if (!isTied) return;
    engine.command(id, { type: "cancel", reason: "the client disconnected" }).catch((error: unknown) => {
      // It may have ended meanwhile, which is as good.
      observer.logger.warn("a run was not cancelled", { run: id, error: toMessage(error) });
    });
  };
  return { leave, untie };
}
