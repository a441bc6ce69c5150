/**
 * Placement choice: decides which processes execute runs.
 *
 * By default a server executes what it accepts. With Restate, or if servers only accept, workers execute it; then all of
 * them need one database, Postgres.
 */
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { LeasePlacement, type Placement, type ProcessRole } from "@baton/durable";

/** The role of this process, and the service that places runs. */
export interface PlacementChoice {
  readonly role: Exclude<ProcessRole, "all">;
  /** A server that leaves its runs to workers. */
  readonly acceptsOnly: boolean;
  /** The URLs of Restate's ingress; without them a lease in the database places runs. */
  readonly restate?: readonly string[] | undefined;
  /** The addresses by which Restate reaches a worker. */
  readonly worker: Readonly<{ admin?: string | undefined; host: string; port: number; url?: string | undefined }>;
}

/** A placement; disposing it leaves its runs to other processes. */
interface OpenedPlacement extends AsyncDisposable {
  readonly placement: Placement;
}

interface PlacementOptions {
  readonly clock: Clock;
  readonly warn: (text: string) => void;
}

const ADMIN_PORT = "9070";

/** Opens the placement of this process. */
export async function openPlacement(choice: PlacementChoice, options: PlacementOptions): Promise<OpenedPlacement> {
  const { role, acceptsOnly, restate, worker } = choice;
  if (restate === undefined) {
    const lease = new LeasePlacement(role === "worker" ? "worker" : acceptsOnly ? "server" : "all");
    return { placement: lease, [Symbol.asyncDispose]: () => lease.stop() };
  }
  const { RestatePlacement } = await importRestate();
  const placement = new RestatePlacement({
    ...options,
    ingress: restate,
    worker: role === "worker" ? { ...worker, admin: worker.admin ?? toAdmin(restate[0] ?? "") } : undefined,
  });
  return { placement, [Symbol.asyncDispose]: () => placement[Symbol.asyncDispose]() };
}

/** Few need Restate, so its SDK is not installed with Baton. */
async function importRestate() {
  try {
    return await import("@baton/durable/restate");
  } catch (error) {
    const message =
      "--restate needs a package that is not installed; install it with: npm install @restatedev/restate-sdk";
    throw new BatonError("invalid", message, { cause: error });
  }
}

function toAdmin(ingress: string): string {
  const url = new URL(ingress);
  url.port = ADMIN_PORT;
  return url.origin;
}
