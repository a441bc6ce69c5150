/**
 * Service: what every route works with.
 *
 * Reads: the parts of a server (types). Read by: app, routes.
 */
import type { DurableEngine, RunRecord, Store } from "@baton/store";
import type { Admission } from "./admission.ts";
import type { GatewayContext } from "./gateway/gateway-env.ts";
import type { IdempotencyStore } from "./gateway/idempotency.ts";
import { notFound } from "./gateway/problem.ts";
import type { Observing } from "./observe/observer.ts";
import type { ServedCrews } from "./served-crews.ts";
import type { StreamHub } from "./streams/stream-hub.ts";

/** The parts of one server. */
export interface Service {
  readonly store: Store;
  readonly engine: DurableEngine;
  readonly crews: ServedCrews;
  readonly hub: StreamHub;
  readonly admission: Admission;
  readonly idempotency: IdempotencyStore;
  readonly observer: Observing;
  /** The largest body; where images are allowed, four times as much. */
  readonly maxBodyBytes: number;
}

/** The caller's run; a foreign one is as if there were none. */
export async function findRun({ engine }: Service, c: GatewayContext, id: string): Promise<RunRecord> {
  const record = await engine.record(id);
  if (record === undefined || record.tenant !== c.var.tenant) throw notFound(`run ${id}`);
  return record;
}
