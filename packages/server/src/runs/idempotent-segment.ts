/**
 * Idempotent segment: a segment that a request with an `Idempotency-Key` starts once, however often the request is sent.
 *
 * The key is stored in the same write as the first event of the run: either the run is known, or none has begun.
 */
import { BatonError } from "@baton/core";
import type { RequestRecord } from "@baton/store";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { type RequestSegment, type SegmentRequest, startSegment } from "./request-segment.ts";
import type { Service } from "../service.ts";

/** Starts a segment, or finds the one that the request began before. */
export async function startSegmentOnce(
  service: Service,
  c: GatewayContext,
  request: SegmentRequest,
): Promise<RequestSegment> {
  const { once } = request;
  if (once === undefined) return startSegment(service, c, request);
  const { key, begun } = once.request;
  if (begun !== undefined) return findSegment(service, begun);
  try {
    return await startSegment(service, c, request);
  } catch (error) {
    // Another process that was assumed dead may have begun it meanwhile, and a failed start may have begun it.
    const now = await service.store.database.requests.find(key);
    if (now?.begun === undefined) throw error;
    return findSegment(service, now.begun);
  }
}

async function findSegment(
  { store, engine }: Service,
  begun: NonNullable<RequestRecord["begun"]>,
): Promise<RequestSegment> {
  const { run: id, after } = begun;
  const record = await store.database.runs.find(id);
  const run = record === undefined ? undefined : await engine.run(id);
  if (record === undefined || run === undefined)
    throw new BatonError("not_found", `run ${id}, which this request started, was deleted`);
  return { run, record, after, latest: after, pauseAfter: after };
}
