/**
 * Services: what Restate knows of Baton: a virtual object for each session, whose invocations are segments, and a service
 * that looks for schedules.
 *
 * An invocation has no journal of its own: the run's log is the journal. So it may be repeated at any time, on any worker.
 */
import { BatonError } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import type { Work } from "../placement.ts";
import {
  object,
  type ObjectContext,
  RetryableError,
  type ServiceDefinition,
  type ServiceOptions,
  service,
  TerminalError,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";

/** The version of these services: workers of another one are registered beside those of this one. */
export const VERSION = "v1";

const SESSION = "baton_session";
const SCHEDULES = "baton_schedules";

/** A segment lasts as long as it lasts: a model, a tool or the run's own limits end it, not Restate. */
const LONGEST_MS = 30 * 24 * 3_600_000;

const OPTIONS: ServiceOptions = {
  inactivityTimeout: LONGEST_MS,
  abortTimeout: LONGEST_MS,
  // Nothing of an invocation is read after its end; and its token may be offered again.
  journalRetention: 0,
  idempotencyRetention: 0,
  // A dead worker's work begins elsewhere at once. It is never given up: the log says when a run has ended.
  retryPolicy: { initialInterval: 50, exponentiationFactor: 2, maxInterval: 1_000, maxAttempts: 1_000_000_000 },
};

/** Does work; rejects if it must be tried again, after `retryAfterMs` if the error says so. */
export type ExecuteWork = (work: Work) => Promise<void>;

/** The services of a worker. */
export function defineServices(
  execute: ExecuteWork,
): (VirtualObjectDefinition<string, unknown> | ServiceDefinition<string, unknown>)[] {
  const segment = async ({ key }: ObjectContext, input: unknown): Promise<void> => {
    await attempt(execute, { kind: "segment", key, run: textOf(input, "run"), token: textOf(input, "token") });
  };
  const look = async (_: unknown, input: unknown): Promise<void> => {
    await attempt(execute, { kind: "schedules", token: textOf(input, "token") });
  };
  return [
    object({ name: SESSION, handlers: { segment }, options: OPTIONS }),
    service({ name: SCHEDULES, handlers: { look }, options: OPTIONS }),
  ];
}

/** Where and with what body work is sent, without waiting for it. */
export function toSend(work: Work): { readonly path: string; readonly body: string } {
  const { kind, token } = work;
  if (kind === "schedules") return { path: `/${SCHEDULES}/look/send`, body: JSON.stringify({ token }) };
  const { run, key } = work;
  return { path: `/${SESSION}/${encodeURIComponent(key)}/segment/send`, body: JSON.stringify({ run, token }) };
}

/** Every failure is tried again: the work is in the database until it is done. */
async function attempt(execute: ExecuteWork, work: Work): Promise<void> {
  try {
    await execute(work);
  } catch (error) {
    const retryAfter = error instanceof BatonError ? error.retryAfterMs : undefined;
    throw new RetryableError(toMessage(error), omitUndefined({ retryAfter }));
  }
}

/** A field of what was sent; what Baton did not send is dropped for good. */
function textOf(input: unknown, name: string): string {
  const value: unknown = typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
  if (typeof value === "string") return value;
  throw new TerminalError(`"${name}" must be a string`, { errorCode: 400 });
}
