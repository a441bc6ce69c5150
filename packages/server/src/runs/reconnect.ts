/**
 * Reconnect: a client sends its request again with the id of the last frame it has.
 *
 * A browser's EventSource does so by itself. It gets the rest of that stream, and no new run starts.
 */
import type { Owner } from "@baton/store";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { checkScope } from "../gateway/keys.ts";
import type { Service } from "../service.ts";
import { toFormat } from "../streams/stream-format.ts";
import { findSeenEnd } from "../streams/find-seen-end.ts";
import { readFrameId } from "./frame-id.ts";
import { setRunHeaders, stream, type Streaming, dialectContextOf } from "./segment-answer.ts";

/** A request that a client sends again after its stream broke. */
export interface RepeatedRequest {
  /** Of the last frame the client has. */
  readonly id: string;
  readonly session: string | undefined;
  readonly input: string;
  readonly streaming: Streaming;
}

/** The id of the last frame that a client says it has; empty if it has none. */
export function lastFrameOf(c: GatewayContext): string {
  return c.req.header("last-event-id") ?? "";
}

/** Streams the rest. The run is known only if the request has a session. */
export async function reconnect(service: Service, c: GatewayContext, asked: RepeatedRequest): Promise<Response> {
  const { id, session, input, streaming } = asked;
  const place = readFrameId("Last-Event-ID", id);
  if (session === undefined) return c.body(null, 204);
  checkScope(c.var.scopes, "read");
  const { store, hub } = service;
  const record = await findAsked(service, { owner: c.var, session, input, seq: place.seq });
  if (record === undefined) return c.body(null, 204);
  setRunHeaders(c, record);
  const format = toFormat(
    service.dialects.get(streaming.dialect),
    await dialectContextOf(service, record, streaming.options),
  );
  if ((await findSeenEnd(store, { run: record.id, format, place })) !== undefined) return c.body(null, 204);
  await hub.prepare(record.id, 0);
  return stream(service, c, { record, streaming, seen: place, pauseAfter: place.seq - 1 });
}

interface AskedBefore {
  readonly owner: Owner;
  readonly session: string;
  readonly input: string;
  readonly seq: number;
}

/** The newest run that was asked this and has come so far; if it was an answer to one that waited, the newest. */
async function findAsked({ store }: Service, { owner, session, input: asked, seq }: AskedBefore) {
  const { tenant, user } = owner;
  const runs = await store.database.runs.list({ tenant, user, session });
  const same = runs.filter(({ input }) => input === asked);
  for (const record of same.length > 0 ? same : runs.slice(0, 1)) {
    if (seq <= (await store.database.logs.length(record.id))) return record;
  }
  return undefined;
}
