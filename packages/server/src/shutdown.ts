/**
 * Shutdown: the callbacks that are called when a server stops, once its runs have ended or were left.
 *
 * All are called, together and once each. One that fails is logged and stops no other; one that hangs is left when
 * the time is over.
 */
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import type { OnShutdown } from "@baton/crewfile";
import type { Logger } from "./observe/logs.ts";
import type { ServerOptions } from "./options.ts";

/** Callbacks have at least this long, even if runs used up the whole grace period. */
const LEAST_MS = 1_000;

/** Options for calling shutdown callbacks. */
export interface ShutdownOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, "error">;
  /** The rest of the grace period. */
  readonly remainingMs: number;
}

/** Calls what a server was given, and what the tools of crews export. */
export async function runShutdown(
  { onShutdown = [], crews = [] }: Partial<Pick<ServerOptions, "onShutdown" | "crews">>,
  { clock, logger, remainingMs }: ShutdownOptions,
): Promise<void> {
  const open = new Map<OnShutdown, string | undefined>(onShutdown.map((callback) => [callback, undefined]));
  // Two crews may share a module.
  for (const { id, onShutdown: own } of crews) if (own !== undefined && !open.has(own)) open.set(own, id);
  if (open.size === 0) return;
  const call = async (callback: OnShutdown): Promise<void> => {
    const crew = open.get(callback);
    try {
      await callback();
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined;
      logger.error("a shutdown callback failed", { crew, error: toMessage(error), stack });
    } finally {
      open.delete(callback);
    }
  };
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(Math.max(LEAST_MS, remainingMs), resolve);
  await Promise.race([Promise.all(Array.from(open.keys(), call)), late]);
  timer.cancel();
  for (const crew of open.values()) logger.error("a shutdown callback did not end in time", { crew });
}
