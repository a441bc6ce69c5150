/**
 * Once life: a life that a request under an `Idempotency-Key` begins once, however often it is carried out.
 *
 * What it led to is noted with the first that its run has written, so it is known or nothing was begun.
 */
import { BatonError } from "@baton/core";
import type { RequestRecord } from "@baton/store";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { type Life, type LifeRequest, startLife } from "./life.ts";
import type { Service } from "../service.ts";

/** Starts a life, or finds the one that the request has begun before. */
export async function startLifeOnce(service: Service, c: GatewayContext, request: LifeRequest): Promise<Life> {
  const { once } = request;
  if (once === undefined) return startLife(service, c, request);
  const { key, begun } = once.request;
  if (begun !== undefined) return findLife(service, begun);
  try {
    return await startLife(service, c, request);
  } catch (error) {
    // A process that was taken for dead may have begun it meanwhile, and what fails may have begun before it failed.
    const now = await service.store.database.request(key);
    if (now?.begun === undefined) throw error;
    return findLife(service, now.begun);
  }
}

async function findLife({ store, engine }: Service, begun: NonNullable<RequestRecord["begun"]>): Promise<Life> {
  const { run: id, after } = begun;
  const record = await store.database.run(id);
  const run = record === undefined ? undefined : await engine.run(id);
  if (record === undefined || run === undefined)
    throw new BatonError("not_found", `run ${id}, which this request started, was deleted`);
  return { run, record, after, latest: after, pauseAfter: after };
}
