/**
 * Service: what every route works with.
 */
import { BatonError } from "@baton/core";
import type { DurableEngine, RunRecord, Store } from "@baton/store";
import type { Admission } from "./runs/admission.ts";
import type { GatewayContext } from "./gateway/gateway-env.ts";
import { notFound } from "./gateway/problem.ts";
import type { Observing } from "./observe/observer.ts";
import type { ServedCrews } from "./runs/served-crews.ts";
import type { StreamHub } from "./streams/stream-hub.ts";

/** The parts of one server. */
export interface Service {
  readonly store: Store;
  readonly engine: DurableEngine;
  readonly crews: ServedCrews;
  readonly hub: StreamHub;
  readonly admission: Admission;
  readonly observer: Observing;
  /** Models that a request may name. */
  readonly models: ReadonlySet<string>;
  /** Runs that end when their clients leave, and so when the server leaves their clients. */
  readonly tied: Set<string>;
  /** The largest body. */
  readonly maxBodyBytes: number;
  /** The largest body if it may hold images. */
  readonly maxImageBodyBytes: number;
}

/** The caller's run; a foreign one is as if there were none. */
export async function findRun({ engine }: Service, c: GatewayContext, id: string): Promise<RunRecord> {
  const record = await engine.record(id);
  if (record === undefined || record.tenant !== c.var.tenant) {
    throw notFound(`run ${id}`, { next: "GET /api/runs has all runs, by their `id`." });
  }
  return record;
}

/** What is read, or that it is damaged: then it is there, and can be passed over or removed. */
export async function orDamaged<T>(reading: Promise<T>): Promise<T | "damaged"> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BatonError && error.code === "damaged") return "damaged";
    throw error;
  }
}
