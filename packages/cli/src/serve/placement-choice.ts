/**
 * Placement choice: which processes execute runs, by the command and its settings.
 *
 * Without a setting a server executes what it accepts. With Restate, or with `accept_only`, workers execute it; then all of
 * them need one database, Postgres.
 */
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { LeasePlacement, type Placement, type Role } from "@baton/durable";
import type { Config } from "./settings.ts";

/** What the command does: `baton serve` or `baton worker`. */
export type ServeRole = Exclude<Role, "all">;

interface Chosen extends AsyncDisposable {
  readonly placement: Placement;
}

interface Options {
  readonly clock: Clock;
  readonly warn: (text: string) => void;
}

const ADMIN_PORT = "9070";

/** Throws if processes that share the work would not share a database. */
export function checkShared(
  role: ServeRole,
  { postgres, restate, accept_only }: Pick<Config, "postgres" | "restate" | "accept_only">,
): void {
  const what = restate !== undefined ? "--restate" : accept_only ? "--accept-only" : "a worker";
  const isShared = role === "worker" || accept_only || restate !== undefined;
  if (!isShared || postgres !== undefined) return;
  throw new BatonError(
    "invalid",
    `${what} needs a database that servers and workers share: set --postgres or BATON_POSTGRES`,
  );
}

/** The placement of this process. */
export async function choosePlacement(role: ServeRole, config: Config, options: Options): Promise<Chosen> {
  const { restate, accept_only } = config;
  if (restate === undefined) {
    const lease = new LeasePlacement(role === "worker" ? "worker" : accept_only ? "server" : "all");
    return { placement: lease, [Symbol.asyncDispose]: () => lease.stop() };
  }
  const { RestatePlacement } = await importRestate();
  const placement = new RestatePlacement({
    ...options,
    ingress: restate,
    worker: role === "worker" ? toWorker(config, restate) : undefined,
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

function toWorker({ restate_admin, worker_host, worker_port, worker_url }: Config, [first = ""]: readonly string[]) {
  return { admin: restate_admin ?? toAdmin(first), host: worker_host, port: worker_port, url: worker_url };
}

function toAdmin(ingress: string): string {
  const url = new URL(ingress);
  url.port = ADMIN_PORT;
  return url.origin;
}
