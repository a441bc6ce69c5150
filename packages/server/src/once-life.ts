/**
 * Once life: a life that a request under an `Idempotency-Key` begins once, however often it is carried out.
 *
 * The id of its run is chosen before it begins, so the run is there or was not begun; where one waited in its session,
 * the log of that says whether it went on with this very input. Reads: life, idempotency, service, streams.
 * Read by: routes.
 */
import type { GatewayContext } from "./gateway/gateway-env.ts";
import type { Once } from "./gateway/idempotency.ts";
import { type Life, type LifeRequest, startLife } from "./life.ts";
import type { Service } from "./service.ts";
import { Page } from "./streams/page.ts";

/** Starts a life, or finds the one that the request has begun before. */
export async function startLifeOnce(service: Service, c: GatewayContext, request: LifeRequest): Promise<Life> {
  const { once, start } = request;
  if (once === undefined) return startLife(service, c, request);
  const begun = await findBegun(service, once, start.input);
  if (begun !== undefined) return begun;
  try {
    return await startLife(service, c, request);
  } catch (error) {
    // A process that was taken for dead may have begun it meanwhile, and what fails may have begun before it failed.
    const found = await findBegun(service, once, start.input);
    if (found === undefined) throw error;
    return found;
  }
}

async function findBegun(service: Service, once: Once, input: string): Promise<Life | undefined> {
  const own = await findLife(service, once.run, 0);
  const { waiting } = once;
  if (own !== undefined || waiting === undefined) return own;
  const { run, length } = waiting;
  const page = new Page(length, await service.store.lines(run, length));
  for (let seq = length + 1; seq <= page.last; seq++) {
    const event = page.event(seq);
    if (event.type === "run.resumed") return event.input === input ? findLife(service, run, length) : undefined;
  }
  return undefined;
}

async function findLife({ store, engine }: Service, id: string, after: number): Promise<Life | undefined> {
  const record = await store.database.run(id);
  const run = record === undefined ? undefined : await engine.run(id);
  if (record === undefined || run === undefined) return undefined;
  return { run, record, after, latest: after, pauseAfter: after };
}
