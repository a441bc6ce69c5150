/**
 * Socket ops: what a client may ask for on a WebSocket, each as the HTTP request that does the same.
 *
 * So keys, scopes, rate limits, schemas and errors are those of HTTP.
 */
import { toMessage } from "@baton/core/util";
import { z } from "zod";
import { parse } from "../gateway/input/body.ts";
import { ID } from "../gateway/input/text.ts";
import { notFound } from "../gateway/problem.ts";
import type { RouteMount } from "../mount.ts";
import { dialectContextOf } from "../runs/segment-answer.ts";
import type { Service } from "../service.ts";
import { parseEventId } from "../streams/event-id.ts";
import { toFormat } from "../streams/stream-format.ts";
import type { StreamStart } from "../streams/stream-start.ts";
import type { FollowStop } from "./follow-log.ts";
import type { SessionStart } from "./follow-session.ts";

/** An HTTP request of the socket's caller. */
export interface OpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Takes the stream that the route opens. */
  readonly open?: (stream: StreamStart) => void;
}

/** The answer to such a request; a refusal is thrown. */
export interface OpResponse {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** A socket as its ops see it. */
export interface OpSocket {
  readonly service: Service;
  readonly ask: (request: OpRequest) => Promise<OpResponse>;
  /** Takes a place among the follows; throws a `Problem` if there is none. */
  readonly reserve: (id: string) => FollowStop;
  /** Ends a follow; false if there is no such. */
  readonly unfollow: (id: string) => boolean;
}

/** The fields of a reply, and what to follow after it. */
export interface OpAnswer {
  readonly fields: Readonly<Record<string, unknown>>;
  /** `ended`: a run that has nothing more to say. */
  readonly follow?: StreamStart | SessionStart | Readonly<{ run: string; isEnded: true }>;
}

/** The fields of a message, but for `op`. */
export type OpMessage = Readonly<Record<string, unknown>> & { readonly id: string };

/** Carries out one message. */
export type SocketOp = (socket: OpSocket, message: OpMessage) => Promise<OpAnswer>;

const UNTIL = z.enum(["end", "pause"]);
const FRAME_ID = z.union([z.int().min(0), z.string().regex(/^[0-9]+(?:\.[0-9]+)?$/)]);
const HEADER = z.string().regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters");
const START = z.looseObject({
  id: z.string(),
  idempotency_key: HEADER.optional(),
  follow: z.boolean().default(true),
  until: UNTIL.default("pause"),
  on_disconnect: z.enum(["detach", "cancel"]).default("detach"),
});
const FOLLOW = z.object({ run: ID, after: FRAME_ID.default(0), until: UNTIL.default("end") });
const FOLLOW_SESSION = z.object({
  session: ID,
  after: z.object({ run: ID, seq: z.int().min(0) }).optional(),
});
const COMMAND = z.object({
  run: ID.optional(),
  session: ID.optional(),
  command: z.looseObject({ type: z.string() }),
  idempotency_key: HEADER.optional(),
});
const CANCEL = z.object({ command: z.object({ type: z.literal("cancel") }) });

const start: SocketOp = async ({ service, ask, reserve }, message) => {
  const { id, idempotency_key: key, follow, until, on_disconnect, ...rest } = parse(START, message);
  const { dialect, ...body } = parse(dialectSchema(service).loose(), rest);
  if (follow) reserve(id);
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  const answer = await ask({ method: "POST", path: "/api/runs", headers, body });
  const { id: _id, ...more } = answer.body;
  const fields = { ...more, ...runFieldsOf(answer) };
  const { run } = fields;
  const record = follow ? await service.store.database.runs.find(run) : undefined;
  if (record === undefined) return { fields };
  const after = Number(answer.headers.get("x-run-after") ?? 0);
  const format = toFormat(service.dialects.get(dialect), await dialectContextOf(service, record, undefined));
  return {
    fields,
    follow: {
      run,
      format,
      seen: after === 0 ? undefined : { seq: after, part: Infinity },
      pauseAfter: until === "pause" ? after : Infinity,
      left: on_disconnect === "cancel" ? () => cancel(service, run) : undefined,
      greeting: undefined,
    },
  };
};

function cancel({ engine, observer }: Service, run: string): void {
  engine.command(run, { type: "cancel", reason: "the client disconnected" }).catch((error: unknown) => {
    observer.logger.warn("a run was not cancelled", { run, error: toMessage(error) });
  });
}

const follow: SocketOp = async (socket, message) => {
  if (message["session"] !== undefined) return followSession(socket, message);
  const { service, ask, reserve } = socket;
  const { run, after, until } = parse(FOLLOW, message);
  const { dialect } = parse(dialectSchema(service), message);
  reserve(message.id);
  let stream: StreamStart | undefined;
  const open = (opened: StreamStart) => {
    stream = opened;
  };
  const query = new URLSearchParams({ after: `${after}`, dialect });
  const headers = { Accept: "text/event-stream" };
  const answer = await ask({ method: "GET", path: `/api/runs/${run}/events?${query}`, headers, open });
  const { run: id } = runFieldsOf(answer);
  if (stream === undefined) return { fields: { run: id }, follow: { run: id, isEnded: true } };
  const { seq = 0, part = 0 } = parseEventId(`${after}`) ?? {};
  const pauseAfter = until === "end" ? Infinity : part === Infinity ? seq : seq - 1;
  return { fields: { run: id }, follow: { ...stream, pauseAfter } };
};

const followSession: SocketOp = async ({ service, ask, reserve }, message) => {
  const { session, after } = parse(FOLLOW_SESSION, message);
  const { dialect } = parse(dialectSchema(service), message);
  reserve(message.id);
  const query = new URLSearchParams({ session, limit: "1" });
  await ask({ method: "GET", path: `/api/runs?${query}` });
  if (after !== undefined) await checkInSession({ ask, session, run: after.run });
  return { fields: { session }, follow: { session, after, dialect } };
};

/** Throws if there is no such run in the session. */
async function checkInSession({ ask, session, run }: Pick<OpSocket, "ask"> & { session: string; run: string }) {
  const { body } = await ask({ method: "GET", path: `/api/runs/${run}` });
  if (body["session_id"] !== session) throw notFound(`run ${run} in session ${session}`, { field: "after.run" });
}

const command: SocketOp = async ({ ask }, message) => {
  const { run, session, command: body, idempotency_key: key } = parse(COMMAND, message);
  if (run === undefined && session !== undefined) {
    parse(CANCEL, message);
    return { fields: (await ask({ method: "POST", path: `/api/sessions/${session}/cancel` })).body };
  }
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  const path = `/api/runs/${parse(ID, run, "run")}/commands`;
  return { fields: (await ask({ method: "POST", path, headers, body })).body };
};

const unfollow: SocketOp = async ({ unfollow: end }, message) => {
  const { on } = parse(z.object({ on: z.string() }), message);
  if (!end(on)) throw notFound(`follow ${on}`, { field: "on" });
  return { fields: {} };
};

const ping: SocketOp = async () => ({ fields: {} });

/** Ops that no HTTP request does; they count for rate limits by themselves. */
export const OWN_OPS: ReadonlySet<SocketOp> = new Set([ping, unfollow]);

/** The ops of a server: its own, and those that are mounted. */
export function toSocketOps(mounts: readonly RouteMount[]): ReadonlyMap<string, SocketOp> {
  const mounted = mounts.flatMap((mount) => (mount.op === undefined ? [] : [[mount.op, mountedOp(mount)] as const]));
  return new Map<string, SocketOp>([
    ...mounted.toReversed(),
    ["start", start],
    ["follow", follow],
    ["unfollow", unfollow],
    ["command", command],
    ["ping", ping],
  ]);
}

/** A streaming route as an op: its body are the fields of the message. */
function mountedOp({ method, path }: RouteMount): SocketOp {
  return async ({ ask, reserve }, { id, ...body }) => {
    reserve(id);
    let stream: StreamStart | undefined;
    const open = (opened: StreamStart) => {
      stream = opened;
    };
    const answer = await ask({ method: method.toUpperCase(), path, body, open });
    return stream === undefined ? { fields: answer.body } : { fields: runFieldsOf(answer), follow: stream };
  };
}

function runFieldsOf({ headers }: OpResponse): { readonly run: string; readonly session_id: string | undefined } {
  return { run: headers.get("x-run-id") ?? "", session_id: headers.get("x-session-id") ?? undefined };
}

function dialectSchema({ dialects }: Service) {
  return z.object({ dialect: z.enum(dialects.names).default("baton") });
}
