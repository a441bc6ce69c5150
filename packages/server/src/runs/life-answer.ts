/**
 * Life answer: what a client gets of a life of a run: headers that name it, and a stream in a dialect, or its outcome.
 *
 * A client that leaves lets the run go on, unless its protocol or its request means that to be a cancel.
 */
import { type Run, type RunResult, toMessage } from "@baton/core";
import type { RunRecord } from "@baton/store";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { DialectContext, DialectOptions } from "../dialects/dialect.ts";
import { type GatewayContext, setHeader } from "../gateway/gateway-env.ts";
import type { Life } from "./life.ts";
import type { Service } from "../service.ts";
import type { EventId } from "../streams/event-id.ts";
import { toFormat } from "../streams/format.ts";
import { Projection } from "../streams/projection.ts";
import { toSse } from "../streams/sse.ts";
import { placeInLine } from "./place-in-line.ts";

/** How a run is streamed. */
export interface Streaming {
  /** The name of a dialect of the server. */
  readonly dialect: string;
  readonly options?: DialectOptions;
  /** Whether the run is cancelled when the client leaves. */
  readonly isCancelledOnLeave?: boolean;
  /** And when the server leaves the client, who could never have the rest. */
  readonly isCancelledAtStop?: boolean;
}

/** Streams a life to whoever began it; ends with it. */
export async function streamLife(
  service: Service,
  c: GatewayContext,
  { life, ...streaming }: Streaming & { readonly life: Life },
): Promise<Response> {
  const { record, run, pauseAfter } = life;
  setRunHeaders(c, record);
  const left = streaming.isCancelledOnLeave === true ? tie(service, run, streaming).leave : undefined;
  const after = service.dialects.get(streaming.dialect).isOneMessage === true ? life.latest : life.after;
  const seen = after === 0 ? undefined : { seq: after, part: Infinity };
  try {
    return await stream(service, c, { record, streaming, seen, pauseAfter, left });
  } catch (error) {
    // Whoever gets no stream has nothing to leave.
    left?.();
    throw error;
  }
}

/** Which part of which run is streamed, to whom. */
export interface Sending {
  readonly record: RunRecord;
  readonly streaming: Streaming;
  readonly seen: EventId | undefined;
  readonly pauseAfter: number;
  readonly left?: (() => void) | undefined;
}

/** Streams a run from a place on. */
export async function stream(service: Service, c: GatewayContext, sending: Sending): Promise<Response> {
  const { record, streaming, seen, pauseAfter, left } = sending;
  const dialect = service.dialects.get(streaming.dialect);
  const { outgoing } = c.env;
  const context = await toContext(service, record, streaming.options);
  const headers = { ...STREAM_HEADERS, ...dialect.headers };
  const place = dialect.toQueued === undefined ? undefined : await placeInLine(service.store, record);
  const greeting = place === undefined ? undefined : dialect.toQueued?.(place);
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  outgoing.writeHead(200, headers);
  const projection = new Projection(toFormat(dialect, context), seen);
  const said = greeting === undefined ? {} : { greeting: toSse(greeting) };
  service.hub.open(record.id, { outgoing, projection, key: c.var.key, pauseAfter, left, ...said });
  return RESPONSE_ALREADY_SENT;
}

const STREAM_HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" } as const;

/** What frames may tell of a run beside its events. */
export async function toContext(
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

/** The outcome of a life; undefined where the server stopped before, and the run goes on elsewhere. */
export async function outcomeOf(
  service: Service,
  c: GatewayContext,
  { life, ...waiting }: Omit<Streaming, "dialect" | "options"> & { readonly life: Life },
): Promise<RunResult | undefined> {
  const { outgoing } = c.env;
  const tied = waiting.isCancelledOnLeave === true ? tie(service, life.run, waiting) : undefined;
  // A client that was answered before the outcome is there has not left: its run goes on.
  const closed = () => (outgoing.writableFinished ? tied?.untie() : tied?.leave());
  if (outgoing.destroyed) closed();
  else outgoing.once("close", closed);
  const result = await life.run.result;
  outgoing.off("close", closed);
  return result.error?.code === "closed" ? undefined : result;
}

/** What holds a run to its client. */
interface Tie {
  /** The client has left: the run is cancelled. */
  readonly leave: () => void;
  /** The client does not wait any more: the run goes on. */
  readonly untie: () => void;
}

/** Has a run end with its client, until it has ended or paused: what comes then is another client's. */
function tie(
  { engine, observer, tied }: Service,
  { id, result: outcome }: Run,
  { isCancelledAtStop = false }: Pick<Streaming, "isCancelledAtStop">,
): Tie {
  let isTied = true;
  if (isCancelledAtStop) tied.add(id);
  const untie = () => {
    if (isTied) tied.delete(id);
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
